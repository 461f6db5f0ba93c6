// Written for the reader to be convinced: each clause stands below the rule that it says.
#include "schedules/certificate/sum_schedule_formula.hpp"

#include "schedules/certificate/steps_formula.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

class SumScheduleFormula : StepsFormula {
public:
    SumScheduleFormula(const Problem& problem, unsigned steps, std::uint64_t most_literals)
        : StepsFormula(problem, steps, most_literals), chunks_(problem.collective.chunks)
    {
    }

    Formula make();

private:
    /// Something of a message comes to a processor.
    struct Arrival {
        Literal comes;
        Literals brings; ///< by contributor
    };

    Literal has(unsigned t, ProcessorId p, ChunkId m, ProcessorId c) const
    {
        return 1 + static_cast<Literal>(
                       ((std::size_t{t} * processors_ + p) * chunks_.size() + m) * processors_ + c);
    }

    /// By contributor.
    Literals sum_at(unsigned t, ProcessorId p, ChunkId m) const
    {
        Literals sum;
        for (ProcessorId c = 0; c < processors_; ++c)
            sum.push_back(has(t, p, m, c));
        return sum;
    }

    void begin_and_end();
    void step(unsigned t);
    std::vector<Literals> transfers(unsigned t, ProcessorId from, ProcessorId to, Use& use);
    Arrival arrival(unsigned t, ProcessorId from, ChunkId m, const Literals& over_paths);
    void take_in(unsigned t, ProcessorId p, ChunkId m, const std::vector<Arrival>& arrivals);

    const std::vector<Chunk>& chunks_;
};

Formula SumScheduleFormula::make()
{
    add_variables(chunks_.size() * processors_ * processors_);
    begin_and_end();
    for (unsigned t = 0; t < steps_; ++t)
        step(t);
    return std::move(writer_).take();
}

void SumScheduleFormula::begin_and_end()
{
    for (ChunkId m = 0; m < chunks_.size(); ++m) {
        // At the start each contributor has its own contribution, and nothing else is anywhere.
        const ProcessorList& contributors = chunks_[m].contributors;
        for (ProcessorId p = 0; p < processors_; ++p)
            for (ProcessorId c = 0; c < processors_; ++c) {
                const bool is_own = p == c && std::ranges::binary_search(contributors, c);
                clause({is_own ? has(0, p, m, c) : -has(0, p, m, c)});
            }
    }
    // At the end each receiver has exactly what it is owed.
    for (const Demand& demand : problem_.collective.demands)
        for (ProcessorId c = 0; c < processors_; ++c) {
            const bool is_owed = std::ranges::binary_search(demand.contributors, c);
            const Literal there = has(steps_, demand.receiver, demand.chunk, c);
            clause({is_owed ? there : -there});
        }
}

void SumScheduleFormula::step(unsigned t)
{
    Use use = no_use();
    for (ProcessorId to = 0; to < processors_; ++to) {
        std::vector<std::vector<Arrival>> arrivals(chunks_.size());
        for (ProcessorId from = 0; from < processors_; ++from) {
            if (from == to)
                continue;
            const std::vector<Literals> over_paths = transfers(t, from, to, use);
            for (ChunkId m = 0; m < chunks_.size(); ++m)
                if (!over_paths[m].empty())
                    arrivals[m].push_back(arrival(t, from, m, over_paths[m]));
        }
        for (ChunkId m = 0; m < chunks_.size(); ++m)
            take_in(t, to, m, arrivals[m]);
    }
    channels_serve_one(use);
    for (ProcessorId p = 0; p < processors_; ++p)
        ports_suffice(p, use);
}

/// Any message may take any path that switching and slack allow: sent(t, m, path), by message.
std::vector<Literals> SumScheduleFormula::transfers(unsigned t, ProcessorId from, ProcessorId to, Use& use)
{
    std::vector<Literals> result(chunks_.size());
    Routes routes(topology_, topology_.processor(to).ejection, looks_);
    const RouterId start = topology_.processor(from).injection;
    if (routes.distance(start) == unreachable)
        return result;
    std::size_t hops = topology_.router_count();
    if (problem_.switching == Switching::store_and_forward)
        hops = 1;
    else if (problem_.slack && *problem_.slack < hops)
        hops = std::min<std::size_t>(hops, std::size_t{routes.distance(start)} + *problem_.slack);
    if (routes.distance(start) > hops)
        return result;
    routes.each(start, hops, [&](const ChannelPath& route) {
        for (ChunkId m = 0; m < chunks_.size(); ++m) {
            const Literal sent = transfer(from, to, route, use);
            // The sender has something of the message when the step begins.
            implies(sent, sum_at(t, from, m));
            result[m].push_back(sent);
        }
    });
    return result;
}

/// What comes from a processor, over whichever path.
SumScheduleFormula::Arrival SumScheduleFormula::arrival(unsigned t, ProcessorId from, ChunkId m,
                                                        const Literals& over_paths)
{
    // The same sum does not come twice in a step: it would be added twice, or write where another does.
    at_most(1, over_paths);
    Arrival result{writer_.variable(), {}};
    implies(result.comes, over_paths);
    for (const Literal sent : over_paths)
        clause({-sent, result.comes});
    // It brings what the sender had when the step began.
    for (ProcessorId c = 0; c < processors_; ++c) {
        const Literal brings = writer_.variable();
        clause({-brings, result.comes});
        clause({-brings, has(t, from, m, c)});
        clause({brings, -result.comes, -has(t, from, m, c)});
        result.brings.push_back(brings);
    }
    return result;
}

void SumScheduleFormula::take_in(unsigned t, ProcessorId p, ChunkId m, const std::vector<Arrival>& arrivals)
{
    const Literal replaced = writer_.variable();
    // What replaces comes, and nothing else comes with it.
    Literals any;
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
        any.push_back(arrivals[i].comes);
        for (std::size_t j = 0; j < i; ++j)
            clause({-replaced, -arrivals[i].comes, -arrivals[j].comes});
    }
    implies(replaced, any);
    // What does not replace is added to something.
    for (const Arrival& one : arrivals) {
        Literals reasons = sum_at(t, p, m);
        reasons.push_back(replaced);
        implies(one.comes, reasons);
    }
    for (ProcessorId c = 0; c < processors_; ++c) {
        const Literal before = has(t, p, m, c), after = has(t + 1, p, m, c);
        Literals brought;
        for (const Arrival& one : arrivals) {
            // What comes is there when the step is over.
            clause({-one.brings[c], after});
            // No contribution is added to a sum that contains it.
            clause({-one.brings[c], -before, replaced});
            brought.push_back(one.brings[c]);
        }
        at_most(1, brought);
        // What was there still is, unless it was replaced.
        clause({-before, replaced, after});
        // What is there came, or was there and was not replaced.
        Literals reasons = brought;
        reasons.push_back(before);
        implies(after, reasons);
        reasons.back() = -replaced;
        implies(after, reasons);
    }
}

} // namespace

Formula sum_schedule_formula(const Problem& problem, unsigned steps, std::uint64_t most_literals)
{
    return SumScheduleFormula(problem, steps, most_literals).make();
}

} // namespace nocturne
