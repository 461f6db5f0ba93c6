#include "models/routing/distances.hpp"
#include "schedules/problem/transfer_rules.hpp"
#include "schedules/satisfiability/encoders.hpp"

#include <algorithm>
#include <utility>

namespace nocturne {
namespace {

/// Can a path go straight on from one channel to the other? Never back to the router that it comes from.
bool can_follow(const Channel& channel, const Channel& next)
{
    return channel.target == next.source && next.target != channel.source && next.source != next.target;
}

class RelayedEncoder {
public:
    RelayedEncoder(const Problem& problem, unsigned steps, EncodingPlan plan)
        : problem_(problem), topology_(problem.topology), steps_(steps), plan_(std::move(plan)),
          messages_(static_cast<MessageId>(problem.collective.messages().size())),
          processors_(static_cast<ProcessorId>(problem.topology.processor_count()))
    {
    }

    Formula encode();
    std::vector<TimedTransfer> transfers(const Model& model) const;
    std::vector<Literal> phases(std::span<const TimedTransfer> transfers) const;

private:
    /// A choice that the configuration of a channel offers in a step, the same for all messages.
    struct Choice {
        std::uint32_t what; ///< the channel that follows, the processor that sends or receives
        Literal literal;
    };

    /// What becomes of a message that takes a channel in a step.
    struct Configuration {
        std::vector<Choice> next;     ///< channels that it may go on to
        std::vector<Choice> previous; ///< channels that it may come from
        std::vector<Choice> senders;
        std::vector<Choice> receivers;
        std::vector<Literal> carried; ///< by message
    };

    /// All of one step.
    struct StepVariables {
        std::vector<Literal> paths;               ///< used by any message
        std::vector<Literal> messages_on_paths;   ///< by path and message
        std::vector<Configuration> configuration; ///< by channel; empty without flows
    };

    Literal& held(unsigned step, MessageId message, ProcessorId processor)
    {
        return held_[(step * messages_ + message) * processors_ + processor];
    }

    void add_holders();
    void add_step(unsigned step);
    void add_paths(unsigned step);
    void add_flows(unsigned step);
    void add_crossbars(unsigned step);
    void add_carried_messages(unsigned step);
    void add_arrivals(unsigned step);
    void deliver(unsigned step, MessageId message, ProcessorId processor, Literal literal);

    const Problem& problem_;
    const Topology& topology_;
    unsigned steps_;
    EncodingPlan plan_;
    MessageId messages_;
    ProcessorId processors_;
    Formula formula_;
    std::vector<Literal> held_; ///< by step (when it begins; one more than there are), message and processor
    std::vector<StepVariables> variables_; ///< by step

    // Collected while a step is added.
    std::vector<std::vector<Literal>> arrivals_; ///< by message and processor: whether it arrives there
    std::vector<std::vector<Literal>> sends_;    ///< by processor: each counts for its ports
    std::vector<std::vector<Literal>> receives_;
};

Formula RelayedEncoder::encode()
{
    add_holders();
    variables_.resize(steps_);
    for (unsigned step = 0; step < steps_; ++step)
        add_step(step);
    return std::move(formula_);
}

/// At the start only the origin has a message, at the end all receivers do, and no processor loses it.
void RelayedEncoder::add_holders()
{
    held_.resize(std::size_t{steps_ + 1} * messages_ * processors_);
    for (Literal& literal : held_)
        literal = formula_.add_variable();
    for (MessageId message = 0; message < messages_; ++message) {
        const auto& [origin, receivers] = problem_.collective.messages()[message];
        for (ProcessorId processor = 0; processor < processors_; ++processor) {
            const Literal first = held(0, message, processor);
            formula_.add_clause({processor == origin ? first : -first});
            for (unsigned step = 0; step < steps_; ++step)
                formula_.add_clause({-held(step, message, processor), held(step + 1, message, processor)});
        }
        for (const ProcessorId receiver : receivers)
            formula_.add_clause({held(steps_, message, receiver)});
    }
}

void RelayedEncoder::add_step(unsigned step)
{
    arrivals_.assign(std::size_t{messages_} * processors_, {});
    sends_.assign(processors_, {});
    receives_.assign(processors_, {});
    add_paths(step);
    if (plan_.has_flows)
        add_flows(step);
    add_arrivals(step);
    for (ProcessorId processor = 0; processor < processors_; ++processor) {
        add_at_most(formula_, send_ports(topology_, processor, problem_.ports), sends_[processor]);
        add_at_most(formula_, receive_ports(topology_, processor, problem_.ports), receives_[processor]);
    }
}

/// A processor that gets a message did not have it: what arrives twice need not be sent.
void RelayedEncoder::deliver(unsigned step, MessageId message, ProcessorId processor, Literal literal)
{
    formula_.add_clause({-literal, -held(step, message, processor)});
    formula_.add_clause({-literal, held(step + 1, message, processor)});
    arrivals_[message * processors_ + processor].push_back(literal);
}

/// A path carries at most one message, which its source has; a channel is on at most one path that is used. A
/// path without channels, within a router, carries as many as the ports allow.
void RelayedEncoder::add_paths(unsigned step)
{
    StepVariables& variables = variables_[step];
    const TransferRules rules(problem_);
    std::vector<std::vector<Literal>> users(topology_.channel_count());
    for (const auto& [source, destination, path] : plan_.paths.all) {
        const Literal used = formula_.add_variable();
        variables.paths.push_back(used);
        const auto take_ports = [&, from = source, to = destination](Literal literal) {
            sends_[from].push_back(literal);
            receives_[to].push_back(literal);
        };
        if (!path.empty())
            take_ports(used);
        for (const ChannelId channel : path)
            users[channel].push_back(used);
        std::vector<Literal> carried;
        for (MessageId message = 0; message < messages_; ++message) {
            const Literal literal = formula_.add_variable();
            variables.messages_on_paths.push_back(literal);
            carried.push_back(literal);
            if (!rules.allows_ends(problem_.collective.messages()[message], source, destination))
                formula_.add_clause({-literal});
            if (path.empty())
                take_ports(literal);
            formula_.add_clause({-literal, used});
            formula_.add_clause({-literal, held(step, message, source)});
            deliver(step, message, destination, literal);
        }
        if (!path.empty())
            add_at_most(formula_, 1, carried);
    }
    for (const std::vector<Literal>& literals : users)
        add_at_most(formula_, 1, literals);
}

/// A flow without a path in it: crossbars join channels, the same for all messages, and what is on a channel
/// is on the one that it is joined to.
void RelayedEncoder::add_flows(unsigned step)
{
    add_crossbars(step);
    add_carried_messages(step);
}

/// Every channel may be joined to one channel or receiver behind it, and to one channel or sender before it.
void RelayedEncoder::add_crossbars(unsigned step)
{
    auto& configuration = variables_[step].configuration;
    configuration.resize(topology_.channel_count());
    for (ChannelId id = 0; id < topology_.channel_count(); ++id) {
        const Channel& channel = topology_.channel(id);
        for (const ChannelId next : topology_.channels_from(channel.target))
            if (can_follow(channel, topology_.channel(next))) {
                const Literal joined = formula_.add_variable();
                configuration[id].next.push_back({next, joined});
                configuration[next].previous.push_back({id, joined});
            }
        for (const ProcessorId sender : topology_.processors_injecting_into(channel.source)) {
            configuration[id].senders.push_back({sender, formula_.add_variable()});
            sends_[sender].push_back(configuration[id].senders.back().literal);
        }
        for (const ProcessorId receiver : topology_.processors_ejected_by(channel.target)) {
            configuration[id].receivers.push_back({receiver, formula_.add_variable()});
            receives_[receiver].push_back(configuration[id].receivers.back().literal);
        }
    }
    const auto at_most_one = [&](const std::vector<Choice>& a, const std::vector<Choice>& b) {
        std::vector<Literal> literals;
        for (const auto& choices : {a, b})
            for (const Choice choice : choices)
                literals.push_back(choice.literal);
        add_at_most(formula_, 1, literals);
    };
    for (const Configuration& its : configuration) {
        at_most_one(its.previous, its.senders);
        at_most_one(its.next, its.receivers);
    }
}

void RelayedEncoder::add_carried_messages(unsigned step)
{
    auto& configuration = variables_[step].configuration;
    for (Configuration& its : configuration) {
        for (MessageId message = 0; message < messages_; ++message)
            its.carried.push_back(formula_.add_variable());
        add_at_most(formula_, 1, its.carried);
    }
    for (Configuration& its : configuration) {
        const Literal used = messages_ == 1 ? its.carried.front() : formula_.add_variable();
        std::vector<Literal> before;
        std::vector<Literal> behind;
        for (const Choice choice : its.previous)
            before.push_back(choice.literal);
        for (const Choice choice : its.senders)
            before.push_back(choice.literal);
        for (const Choice choice : its.next)
            behind.push_back(choice.literal);
        for (const Choice choice : its.receivers)
            behind.push_back(choice.literal);
        add_implication(formula_, used, before);
        add_implication(formula_, used, behind);
        for (MessageId message = 0; message < messages_; ++message) {
            const Literal carried = its.carried[message];
            if (carried != used)
                formula_.add_clause({-carried, used});
            for (const auto [next, joined] : its.next) {
                formula_.add_clause({-joined, -carried, configuration[next].carried[message]});
                formula_.add_clause({-joined, -configuration[next].carried[message], carried});
            }
            for (const auto [sender, joined] : its.senders)
                formula_.add_clause({-joined, -carried, held(step, message, sender)});
            for (const auto [receiver, joined] : its.receivers) {
                const Literal arrives = formula_.add_variable();
                formula_.add_clause({-arrives, joined});
                formula_.add_clause({-arrives, carried});
                deliver(step, message, receiver, arrives);
            }
        }
    }
}

/// A processor has a message when the next step begins if it had it before, or if it arrives. What arrives in
/// the last step is owed.
void RelayedEncoder::add_arrivals(unsigned step)
{
    for (MessageId message = 0; message < messages_; ++message) {
        const auto& receivers = problem_.collective.messages()[message].receivers;
        for (ProcessorId processor = 0; processor < processors_; ++processor) {
            std::vector<Literal> reasons{held(step, message, processor)};
            const auto& arrivals = arrivals_[message * processors_ + processor];
            if (step + 1 < steps_ || std::binary_search(receivers.begin(), receivers.end(), processor))
                reasons.insert(reasons.end(), arrivals.begin(), arrivals.end());
            add_implication(formula_, held(step + 1, message, processor), reasons);
        }
    }
}

std::vector<TimedTransfer> RelayedEncoder::transfers(const Model& model) const
{
    const auto chosen = [&](const std::vector<Choice>& choices) {
        return std::find_if(choices.begin(), choices.end(),
                            [&](Choice choice) { return holds(model, choice.literal); });
    };
    std::vector<TimedTransfer> transfers;
    for (unsigned step = 0; step < steps_; ++step) {
        const StepVariables& variables = variables_[step];
        for (std::size_t i = 0; i < variables.messages_on_paths.size(); ++i)
            if (holds(model, variables.messages_on_paths[i])) {
                const CandidatePath& candidate = plan_.paths.all[i / messages_];
                transfers.push_back({step, static_cast<MessageId>(i % messages_), candidate.source,
                                     candidate.destination, candidate.path});
            }
        for (ChannelId id = 0; id < variables.configuration.size(); ++id) {
            const Configuration& first = variables.configuration[id];
            const auto sender = chosen(first.senders);
            const auto carried = std::find_if(first.carried.begin(), first.carried.end(),
                                              [&](Literal literal) { return holds(model, literal); });
            if (sender == first.senders.end() || carried == first.carried.end())
                continue;
            Path walk{id};
            auto next = chosen(first.next);
            for (const Configuration* at = &first; next != at->next.end(); next = chosen(at->next)) {
                walk.push_back(next->what);
                at = &variables.configuration[next->what];
            }
            const ProcessorId receiver = chosen(variables.configuration[walk.back()].receivers)->what;
            if (receiver != sender->what)
                transfers.push_back({step, static_cast<MessageId>(carried - first.carried.begin()),
                                     sender->what, receiver, without_loops(topology_, walk)});
        }
    }
    return transfers;
}

std::vector<Literal> RelayedEncoder::phases(std::span<const TimedTransfer> transfers) const
{
    std::vector<Literal> literals;
    const auto choose = [&](const std::vector<Choice>& choices, std::uint32_t what) {
        for (const Choice choice : choices)
            if (choice.what == what)
                literals.push_back(choice.literal);
    };
    for (const auto& [step, message, source, destination, path, operation] : transfers) {
        if (step >= steps_)
            continue;
        const StepVariables& variables = variables_[step];
        for (unsigned later = step + 1; later <= steps_; ++later)
            literals.push_back(held_[(later * messages_ + message) * processors_ + destination]);
        for (std::size_t i = 0; i < variables.paths.size(); ++i)
            if (const CandidatePath& candidate = plan_.paths.all[i]; candidate.source == source &&
                                                                     candidate.destination == destination &&
                                                                     candidate.path == path) {
                literals.push_back(variables.paths[i]);
                literals.push_back(variables.messages_on_paths[i * messages_ + message]);
            }
        if (variables.configuration.empty() || path.empty())
            continue;
        choose(variables.configuration[path.front()].senders, source);
        choose(variables.configuration[path.back()].receivers, destination);
        for (std::size_t i = 0; i < path.size(); ++i) {
            literals.push_back(variables.configuration[path[i]].carried[message]);
            if (i + 1 < path.size())
                choose(variables.configuration[path[i]].next, path[i + 1]);
        }
    }
    return literals;
}

} // namespace

Encoding encode_relayed(const Problem& problem, unsigned steps, EncodingPlan plan)
{
    return encoding_by<RelayedEncoder>(problem, steps, std::move(plan));
}

} // namespace nocturne
