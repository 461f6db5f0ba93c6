// Written for the reader to be convinced: each clause stands below the rule that it says.
#include "schedules/certificate/schedule_formula.hpp"

#include "schedules/certificate/steps_formula.hpp"
#include "schedules/certificate/sum_schedule_formula.hpp"
#include "schedules/problem/transfer_rules.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

class ScheduleFormula : StepsFormula {
public:
    ScheduleFormula(const Problem& problem, unsigned steps, std::uint64_t most_literals)
        : StepsFormula(problem, steps, most_literals), messages_(problem.collective.messages())
    {
    }

    Formula make();

private:
    struct StepUse : Use {
        std::vector<Literals> arrivals; ///< by processor and message: it arrives there
    };

    Literal held(unsigned t, ProcessorId p, MessageId m) const
    {
        return 1 + static_cast<Literal>((std::size_t{t} * processors_ + p) * messages_.size() + m);
    }

    bool paths_are_limited() const;
    bool may_hold(ProcessorId p, MessageId m) const;
    bool may_send(ProcessorId from, ProcessorId to, MessageId m) const;
    bool may_send(ProcessorId from, ProcessorId to) const;
    void begin_and_end();
    void step(unsigned t);
    void listed_paths(unsigned t, StepUse& use);
    void any_paths(unsigned t, StepUse& use);
    void transfer(unsigned t, ProcessorId from, ProcessorId to, const ChannelPath& route, StepUse& use);
    void capacities_and_arrivals(unsigned t, const StepUse& use);
    void order_of_steps();

    const Messages messages_;
};

Formula ScheduleFormula::make()
{
    add_variables(processors_ * messages_.size());
    begin_and_end();
    for (unsigned t = 0; t < steps_; ++t)
        step(t);
    order_of_steps();
    return std::move(writer_).take();
}

/// No path that visits each router once has as many channels as there are routers.
bool ScheduleFormula::paths_are_limited() const
{
    return problem_.switching == Switching::store_and_forward ||
           (problem_.slack && *problem_.slack < topology_.router_count());
}

/// Under a slack a message with one receiver is not relayed.
bool ScheduleFormula::may_hold(ProcessorId p, MessageId m) const
{
    const auto& [origin, receivers] = messages_[m];
    return !forbids_relays(problem_.slack, messages_[m]) || p == origin || p == receivers.front();
}

/// A transfer to the origin of a message brings it nothing new: it can be left out.
bool ScheduleFormula::may_send(ProcessorId from, ProcessorId to, MessageId m) const
{
    return from != to && may_hold(from, m) && may_hold(to, m) && to != messages_[m].origin;
}

/// Any message at all.
bool ScheduleFormula::may_send(ProcessorId from, ProcessorId to) const
{
    for (MessageId m = 0; m < messages_.size(); ++m)
        if (may_send(from, to, m))
            return true;
    return false;
}

void ScheduleFormula::begin_and_end()
{
    for (MessageId m = 0; m < messages_.size(); ++m) {
        const auto& [origin, receivers] = messages_[m];
        for (ProcessorId p = 0; p < processors_; ++p) {
            // At the start the origin of a message holds it, and no other processor.
            clause({p == origin ? held(0, p, m) : -held(0, p, m)});
            for (unsigned t = 0; t < steps_; ++t) {
                // What a processor holds it keeps.
                clause({-held(t, p, m), held(t + 1, p, m)});
                if (!may_hold(p, m))
                    clause({-held(t + 1, p, m)});
            }
        }
        // At the end all receivers hold it.
        for (const ProcessorId receiver : receivers)
            clause({held(steps_, receiver, m)});
    }
}

void ScheduleFormula::step(unsigned t)
{
    StepUse use{no_use(), std::vector<Literals>(processors_ * messages_.size())};
    if (paths_are_limited())
        listed_paths(t, use);
    else
        any_paths(t, use);
    capacities_and_arrivals(t, use);
}

void ScheduleFormula::listed_paths(unsigned t, StepUse& use)
{
    for (ProcessorId to = 0; to < processors_; ++to) {
        Routes routes(topology_, topology_.processor(to).ejection, looks_);
        for (ProcessorId from = 0; from < processors_; ++from) {
            const RouterId start = topology_.processor(from).injection;
            if (!may_send(from, to) || routes.distance(start) == unreachable)
                continue;
            const std::size_t hops = problem_.switching == Switching::store_and_forward
                                         ? 1
                                         : std::size_t{routes.distance(start)} + *problem_.slack;
            routes.each(start, hops, [&](const ChannelPath& route) { transfer(t, from, to, route, use); });
        }
    }
}

/// Any message may take the route in step t.
void ScheduleFormula::transfer(unsigned t, ProcessorId from, ProcessorId to, const ChannelPath& route,
                               StepUse& use)
{
    for (MessageId m = 0; m < messages_.size(); ++m) {
        if (!may_send(from, to, m))
            continue;
        const Literal sent = StepsFormula::transfer(from, to, route, use);
        clause({-sent, held(t, from, m)}); // The sender holds the message when the step begins.
        use.arrivals[to * messages_.size() + m].push_back(sent);
    }
}

void ScheduleFormula::any_paths(unsigned t, StepUse& use)
{
    const std::size_t channels = topology_.channel_count();
    std::vector<Literals> carries(channels); // by channel and message
    std::vector<Literals> before(channels);  // where a transfer over the channel can come from
    std::vector<Literals> behind(channels);  // and where it can go on to
    for (ChannelId c = 0; c < channels; ++c)
        for (MessageId m = 0; m < messages_.size(); ++m)
            carries[c].push_back(writer_.variable());
    for (ChannelId c = 0; c < channels; ++c) {
        const auto& [source, target] = std::pair{topology_.channel(c).source, topology_.channel(c).target};
        for (const ProcessorId p : topology_.processors_injecting_into(source)) {
            const Literal first = writer_.variable();
            before[c].push_back(first);
            use.sends[p].push_back(first);
            // The sender holds the message when the step begins.
            for (MessageId m = 0; m < messages_.size(); ++m)
                clause({-first, -carries[c][m], held(t, p, m)});
        }
        for (const ProcessorId p : topology_.processors_ejected_by(target)) {
            const Literal last = writer_.variable();
            behind[c].push_back(last);
            use.receives[p].push_back(last);
            for (MessageId m = 0; m < messages_.size(); ++m) {
                const Literal arrives = writer_.variable();
                clause({-arrives, last});
                clause({-arrives, carries[c][m]});
                use.arrivals[p * messages_.size() + m].push_back(arrives);
            }
        }
        for (const ChannelId d : topology_.channels_from(target)) {
            // A path that turns straight back visits a router twice: it can be cut short.
            if (topology_.channel(d).target == source)
                continue;
            const Literal next = writer_.variable();
            behind[c].push_back(next);
            before[d].push_back(next);
            // A path carries one message from end to end.
            for (MessageId m = 0; m < messages_.size(); ++m) {
                clause({-next, -carries[c][m], carries[d][m]});
                clause({-next, -carries[d][m], carries[c][m]});
            }
        }
    }
    for (ChannelId c = 0; c < channels; ++c) {
        // A channel carries one message, of one transfer.
        at_most(1, carries[c]);
        at_most(1, before[c]);
        at_most(1, behind[c]);
        // What is on a channel comes from somewhere and goes somewhere.
        for (const Literal carried : carries[c]) {
            implies(carried, before[c]);
            implies(carried, behind[c]);
        }
    }
    // Between processors at one router no channel is needed.
    for (ProcessorId from = 0; from < processors_; ++from)
        for (const ProcessorId to : topology_.processors_ejected_by(topology_.processor(from).injection))
            transfer(t, from, to, {}, use);
}

void ScheduleFormula::capacities_and_arrivals(unsigned t, const StepUse& use)
{
    channels_serve_one(use);
    for (ProcessorId p = 0; p < processors_; ++p) {
        ports_suffice(p, use);
        for (MessageId m = 0; m < messages_.size(); ++m) {
            const Literals& arrivals = use.arrivals[p * messages_.size() + m];
            // What a processor holds when the step is over it held before, or it arrived.
            Literals reasons = arrivals;
            reasons.push_back(held(t, p, m));
            implies(held(t + 1, p, m), reasons);
            for (const Literal arrives : arrivals) {
                // What arrives is held. A transfer to a processor that holds the message already can be left
                // out.
                clause({-arrives, held(t + 1, p, m)});
                clause({-arrives, -held(t, p, m)});
            }
        }
    }
}

/// Where no message is relayed, the steps of a schedule can be exchanged. So they are numbered in the order
/// in which some messages are sent, whichever these are: the first of them in step 0, each other one at most
/// a step later than all before it.
void ScheduleFormula::order_of_steps()
{
    if (!forbids_relays(problem_))
        return;
    // The messages of the processor that has most to send or to receive for its ports: this leaves the fewest
    // orders.
    std::vector<std::vector<MessageId>> candidates(2 * processors_);
    for (MessageId m = 0; m < messages_.size(); ++m) {
        candidates[messages_[m].origin].push_back(m);
        candidates[processors_ + messages_[m].receivers.front()].push_back(m);
    }
    const auto load = [&](const std::vector<MessageId>& list) {
        const auto index = static_cast<ProcessorId>(&list - candidates.data());
        const unsigned ports = index < processors_
                                   ? send_ports(topology_, index, problem_.ports)
                                   : receive_ports(topology_, index - processors_, problem_.ports);
        return static_cast<double>(list.size()) / ports;
    };
    const auto list = std::max_element(candidates.begin(), candidates.end(),
                                       [&](const auto& a, const auto& b) { return load(a) < load(b); });
    const auto over = [&](MessageId m, unsigned t) { return held(t, messages_[m].receivers.front(), m); };
    for (std::size_t i = 0; i < list->size(); ++i)
        for (unsigned t = 1; t <= steps_; ++t) {
            // If message i is not over after t steps, one before it is not over after t - 1.
            Literals some{over((*list)[i], t)};
            for (std::size_t j = 0; j < i; ++j)
                some.push_back(-over((*list)[j], t - 1));
            clause(some);
        }
}

} // namespace

std::optional<Formula> schedule_formula(const Problem& problem, unsigned steps, std::uint64_t most_literals)
{
    if (steps == 0)
        throw std::invalid_argument("0 steps: a schedule has 1 or more");
    try {
        return reduces(problem.collective) ? sum_schedule_formula(problem, steps, most_literals)
                                           : ScheduleFormula(problem, steps, most_literals).make();
    } catch (const TooLarge&) {
        return std::nullopt;
    }
}

} // namespace nocturne
