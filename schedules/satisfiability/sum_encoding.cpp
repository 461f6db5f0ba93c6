// Each clause stands below the rule that it says.
#include "schedules/satisfiability/sum_encoding.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

namespace nocturne {
namespace {

class SumEncoder {
public:
    SumEncoder(const Problem& problem, unsigned steps, std::span<const CandidatePath> paths)
        : problem_(problem), topology_(problem.topology), steps_(steps), paths_(paths),
          chunks_(static_cast<ChunkId>(problem.collective.chunks.size())),
          processors_(static_cast<ProcessorId>(problem.topology.processor_count())),
          into_(problem.topology.processor_count())
    {
        for (std::uint32_t id = 0; id < paths.size(); ++id)
            into_[paths[id].destination].push_back(id);
    }

    Formula encode();
    std::vector<TimedTransfer> transfers(const Model& model) const;

private:
    /// Does the processor's sum have the contribution when the step begins?
    Literal has(unsigned step, ChunkId chunk, ProcessorId where, ProcessorId contribution) const
    {
        return has_[((std::size_t{step} * chunks_ + chunk) * processors_ + where) * processors_ +
                    contribution];
    }
    /// Does the path carry the chunk in the step?
    Literal sent(unsigned step, std::size_t path, ChunkId chunk) const
    {
        return sent_[(step * paths_.size() + path) * chunks_ + chunk];
    }
    /// Is what the processor has of the chunk replaced in the step?
    Literal replaced(unsigned step, ChunkId chunk, ProcessorId where) const
    {
        return replaced_[(std::size_t{step} * chunks_ + chunk) * processors_ + where];
    }
    void clause(std::initializer_list<Literal> literals) { formula_.add_clause(literals); }

    void add_variables();
    void add_ends();
    void add_limits(unsigned step);
    void add_sums(unsigned step, ChunkId chunk, ProcessorId where);
    void add_news(unsigned step, ChunkId chunk, std::uint32_t path);

    const Problem& problem_;
    const Topology& topology_;
    unsigned steps_;
    std::span<const CandidatePath> paths_;
    ChunkId chunks_;
    ProcessorId processors_;
    std::vector<std::vector<std::uint32_t>> into_; ///< paths, by the processor at their end
    Formula formula_;
    std::vector<Literal> has_; ///< by step (one more than there are), chunk, processor and contribution
    std::vector<Literal> sent_;
    std::vector<Literal> replaced_;
};

void SumEncoder::add_variables()
{
    has_.resize(std::size_t{steps_ + 1} * chunks_ * processors_ * processors_);
    sent_.resize(steps_ * paths_.size() * chunks_);
    replaced_.resize(std::size_t{steps_} * chunks_ * processors_);
    for (auto* const variables : {&has_, &sent_, &replaced_})
        for (Literal& literal : *variables)
            literal = formula_.add_variable();
}

/// At the start each has its own contribution, at the end what it is owed and nothing else.
void SumEncoder::add_ends()
{
    for (ChunkId chunk = 0; chunk < chunks_; ++chunk) {
        const auto& contributors = problem_.collective.chunks[chunk].contributors;
        for (ProcessorId where = 0; where < processors_; ++where)
            for (ProcessorId id = 0; id < processors_; ++id) {
                const bool is_own = where == id && std::ranges::binary_search(contributors, id);
                clause({is_own ? has(0, chunk, where, id) : -has(0, chunk, where, id)});
            }
    }
    for (const Demand& demand : problem_.collective.demands)
        for (ProcessorId id = 0; id < processors_; ++id) {
            const Literal in = has(steps_, demand.chunk, demand.receiver, id);
            clause({std::ranges::binary_search(demand.contributors, id) ? in : -in});
        }
}

/// One path a channel, one chunk a path, and no more than the ports. Within a router ports alone count.
void SumEncoder::add_limits(unsigned step)
{
    std::vector<std::vector<Literal>> users(topology_.channel_count()), sends(processors_),
        receives(processors_);
    for (std::size_t id = 0; id < paths_.size(); ++id)
        for (ChunkId chunk = 0; chunk < chunks_; ++chunk) {
            const Literal literal = sent(step, id, chunk);
            for (const ChannelId channel : paths_[id].path)
                users[channel].push_back(literal);
            sends[paths_[id].source].push_back(literal);
            receives[paths_[id].destination].push_back(literal);
        }
    for (const std::vector<Literal>& literals : users)
        add_at_most(formula_, 1, literals);
    for (ProcessorId id = 0; id < processors_; ++id) {
        add_at_most(formula_, send_ports(topology_, id, problem_.ports), sends[id]);
        add_at_most(formula_, receive_ports(topology_, id, problem_.ports), receives[id]);
    }
}

/// What comes brings something that was not there.
void SumEncoder::add_news(unsigned step, ChunkId chunk, std::uint32_t path)
{
    std::vector<Literal> reasons;
    for (ProcessorId id = 0; id < processors_; ++id) {
        const Literal news = formula_.add_variable();
        clause({-news, has(step, chunk, paths_[path].source, id)});
        clause({-news, -has(step, chunk, paths_[path].destination, id)});
        reasons.push_back(news);
    }
    add_implication(formula_, sent(step, path, chunk), reasons);
}

/// What a processor has after a step: what it had, unless that is replaced, and what has come.
void SumEncoder::add_sums(unsigned step, ChunkId chunk, ProcessorId where)
{
    const Literal is_replaced = replaced(step, chunk, where);
    std::vector<Literal> arrivals;
    for (const std::uint32_t path : into_[where]) {
        arrivals.push_back(sent(step, path, chunk));
        add_news(step, chunk, path);
    }
    // One sum takes the place; others are added to something.
    add_implication(formula_, is_replaced, arrivals);
    for (std::size_t i = 0; i < arrivals.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            clause({-is_replaced, -arrivals[i], -arrivals[j]});
    std::vector<Literal> something;
    for (ProcessorId id = 0; id < processors_; ++id)
        something.push_back(has(step, chunk, where, id));
    something.push_back(is_replaced);
    for (const Literal arrives : arrivals)
        add_implication(formula_, arrives, something);

    for (ProcessorId id = 0; id < processors_; ++id) {
        const Literal before = has(step, chunk, where, id), after = has(step + 1, chunk, where, id);
        std::vector<Literal> brought;
        for (const std::uint32_t path : into_[where]) {
            const Literal sends = sent(step, path, chunk), there = has(step, chunk, paths_[path].source, id);
            const Literal brings = formula_.add_variable();
            clause({-brings, sends});
            clause({-brings, there});
            clause({brings, -sends, -there});
            clause({-brings, after});
            // No contribution is added to a sum that has it.
            clause({-brings, -before, is_replaced});
            brought.push_back(brings);
        }
        add_at_most(formula_, 1, brought);
        clause({-before, is_replaced, after});
        brought.push_back(before);
        add_implication(formula_, after, brought);
        brought.back() = -is_replaced;
        add_implication(formula_, after, brought);
    }
}

Formula SumEncoder::encode()
{
    add_variables();
    add_ends();
    for (unsigned step = 0; step < steps_; ++step) {
        add_limits(step);
        for (ChunkId chunk = 0; chunk < chunks_; ++chunk)
            for (ProcessorId where = 0; where < processors_; ++where)
                add_sums(step, chunk, where);
    }
    return std::move(formula_);
}

std::vector<TimedTransfer> SumEncoder::transfers(const Model& model) const
{
    std::vector<TimedTransfer> transfers;
    std::set<std::pair<ProcessorId, ChunkId>> read, replaced_later; // after the step
    for (const Demand& demand : problem_.collective.demands)
        read.emplace(demand.receiver, demand.chunk);
    for (unsigned step = steps_; step-- > 0;) {
        auto read_before = read;
        const std::size_t first = transfers.size();
        for (std::size_t id = 0; id < paths_.size(); ++id)
            for (ChunkId chunk = 0; chunk < chunks_; ++chunk) {
                const CandidatePath& path = paths_[id];
                const std::pair there{path.destination, chunk};
                if (!holds(model, sent(step, id, chunk)))
                    continue;
                const bool copies = holds(model, replaced(step, chunk, path.destination));
                // What is replaced again must go before: the next one may bring a part of what was there.
                if (!read.contains(there) && !(copies && replaced_later.contains(there)))
                    continue;
                if (copies) {
                    read_before.erase(there);
                    replaced_later.insert(there);
                }
                transfers.push_back({step, chunk, path.source, path.destination, path.path,
                                     copies ? Operation::copy : Operation::add});
            }
        for (const TimedTransfer& sum : std::span(transfers).subspan(first))
            read_before.emplace(sum.source, sum.message);
        read = std::move(read_before);
    }
    return transfers;
}

} // namespace

std::uint64_t estimated_sum_literals(const Problem& problem, unsigned steps,
                                     std::span<const CandidatePath> paths)
{
    constexpr std::uint64_t per_contribution = 20 + literals_per_exclusion, per_sum = 12;
    const std::uint64_t processors = problem.topology.processor_count();
    std::uint64_t one_step = processors * processors * per_sum;
    std::vector<std::uint64_t> into(processors);
    for (const CandidatePath& path : paths) {
        ++into[path.destination];
        one_step += processors * per_contribution + path.path.size() * literals_per_exclusion;
    }
    for (const std::uint64_t arrivals : into)
        one_step += arrivals * (arrivals / 2 * 3 + processors);
    return one_step * steps * problem.collective.chunks.size();
}

Encoding encode_sums(const Problem& problem, unsigned steps, std::span<const CandidatePath> paths)
{
    const auto encoder = std::make_shared<SumEncoder>(problem, steps, paths);
    Formula formula = encoder->encode();
    return {std::move(formula), [encoder](const Model& model) { return encoder->transfers(model); },
            [](std::span<const TimedTransfer>) { return std::vector<Literal>{-1}; }};
}

} // namespace nocturne
