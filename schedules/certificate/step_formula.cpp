// Written for the reader to be convinced: each clause stands below the rule that it says.
#include "schedules/certificate/step_formula.hpp"

#include "schedules/problem/copying_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

/// A literal that does not depend on the variables, where it is known that it cannot hold.
constexpr Literal never = 0;

class StepFormulaMaker {
public:
    StepFormulaMaker(const LinkNetwork& network, const Collective& collective, const StepsAndRounds& shape,
                     const TransferOrbits& orbits, std::size_t most_literals)
        : network_(network), collective_(collective), shape_(shape), orbits_(orbits), most_(most_literals),
          nodes_(network.node_count()), chunks_(collective.chunks.size())
    {
    }

    StepFormula make()
    {
        result_.hops = all_hops(network_, most_);
        const std::size_t size = nodes_ * chunks_ * (shape_.steps + 1);
        if (size + result_.hops.size() * chunks_ * shape_.steps > most_)
            throw_too_large();
        held_.assign(size, never);
        find_reach();
        RoundsFormula rounds{result_.formula, shape_};
        result_.more_rounds = rounds.more_rounds();
        for (std::uint32_t t = 0; t < shape_.steps; ++t)
            make_step(t, rounds);
        end();
        if (orbits_.empty())
            order_equal_chunks();
        return std::move(result_);
    }

private:
    [[noreturn]] void throw_too_large() const
    {
        throw std::length_error(
            fmt::format("{}: a formula for {} chunks in {} steps has more than {} literals", network_.name(),
                        chunks_, shape_.steps, most_));
    }

    NodeId origin(ChunkId c) const { return collective_.chunks[c].contributors.front(); }
    Literal& held(std::uint32_t t, NodeId v, ChunkId c) { return held_[(t * nodes_ + v) * chunks_ + c]; }

    /// Hops from a chunk's origin to a node, and from the node to a receiver.
    void find_reach()
    {
        std::vector<std::vector<std::uint32_t>> by_origin(nodes_);
        for (ChunkId c = 0; c < chunks_; ++c) {
            auto& here = by_origin[origin(c)];
            if (here.empty())
                here = hop_distances_from(nodes_, result_.hops, origin(c));
            from_.push_back(here);
        }
        to_ = hop_distances_to_receivers(nodes_, result_.hops, collective_);
    }

    /// Does a transfer over the hop in step t serve any purpose? Only if the chunk can have come to its
    /// source in t steps, can get on from its end to a receiver in the steps that are left, and does not go
    /// back to its origin.
    bool may_be_sent(std::uint32_t t, const ChunkHop& hop, ChunkId c) const
    {
        return from_[c][hop.source] <= t && to_[c][hop.destination] <= shape_.steps - 1 - t &&
               hop.destination != origin(c);
    }

    void make_step(std::uint32_t t, RoundsFormula& rounds)
    {
        std::vector<std::vector<WeightedLiteral>> on_link(network_.link_count());
        std::vector<std::vector<Literal>> arriving(nodes_ * chunks_);
        std::map<std::uint32_t, Literal> of_orbit;
        for (std::uint32_t h = 0; h < result_.hops.size(); ++h)
            for (ChunkId c = 0; c < chunks_; ++c) {
                const ChunkHop& hop = result_.hops[h];
                if (!may_be_sent(t, hop, c))
                    continue;
                const auto key = static_cast<std::uint32_t>(h * chunks_ + c);
                Literal& sent = of_orbit[orbits_.empty() ? key : orbits_[key]];
                const bool is_first = sent == 0;
                if (is_first)
                    sent = result_.formula.add_variable();
                result_.sent.push_back({sent, t, h, c});
                // The source holds the chunk when the step begins.
                if (hop.source != origin(c))
                    clause({-sent, held(t, hop.source, c)});
                arriving[hop.destination * chunks_ + c].push_back(sent);
                for (const LinkId link : hop.path)
                    on_link[link].push_back({sent, collective_.chunks[c].weight});
            }
        for (NodeId v = 0; v < nodes_; ++v)
            for (ChunkId c = 0; c < chunks_; ++c)
                arrive(t, v, c, arriving[v * chunks_ + c]);
        // A link of b units carries b chunks in each round of the step.
        for (LinkId link = 0; link < network_.link_count(); ++link)
            rounds.limit(t, network_.units(link), on_link[link]);
        if (result_.formula.literal_count() > most_)
            throw_too_large();
    }

    void arrive(std::uint32_t t, NodeId v, ChunkId c, const std::vector<Literal>& arriving)
    {
        const Literal before = held(t, v, c);
        if (arriving.empty()) {
            held(t + 1, v, c) = before;
            return;
        }
        // What symmetry makes the same is said once.
        std::vector<Literal> key = arriving;
        std::sort(key.begin(), key.end());
        key.push_back(before);
        const auto [known, is_new] = after_of_.try_emplace(std::move(key), never);
        if (!is_new) {
            held(t + 1, v, c) = known->second;
            return;
        }
        const Literal after = known->second = held(t + 1, v, c) = result_.formula.add_variable();
        // What a node holds it keeps; what it holds after a step it held before, or it arrived.
        std::vector<Literal> reasons{-after};
        if (before != never) {
            clause({-before, after});
            reasons.push_back(before);
        }
        reasons.insert(reasons.end(), arriving.begin(), arriving.end());
        result_.formula.add_clause(reasons);
        for (std::size_t i = 0; i < arriving.size(); ++i) {
            clause({-arriving[i], after});
            // Of several arrivals of a chunk all but the first can be left out.
            if (before != never)
                clause({-arriving[i], -before});
            for (std::size_t j = 0; j < i; ++j)
                if (arriving[i] != arriving[j])
                    clause({-arriving[i], -arriving[j]});
        }
    }

    /// Every receiver holds its chunks.
    void end()
    {
        for (const Demand& demand : collective_.demands)
            if (demand.receiver != origin(demand.chunk)) {
                const Literal received = held(shape_.steps, demand.receiver, demand.chunk);
                if (received == never)
                    result_.formula.add_clause(std::span<const Literal>{});
                else
                    clause({received});
            }
    }

    /// Chunks with the same origin, weight and receivers can be exchanged: they are numbered so that the
    /// hops that they leave their origin by in the first step are in lexicographic order.
    void order_equal_chunks()
    {
        std::vector<std::vector<Literal>> leaving(chunks_); // by chunk, in the order of hops
        for (const SentVariable& sent : result_.sent)
            if (sent.step == 0)
                leaving[sent.chunk].push_back(sent.literal);
        for (ChunkId c = 0; c + 1 < chunks_; ++c)
            if (collective_.chunks[c] == collective_.chunks[c + 1] &&
                std::ranges::equal(collective_.demands.receivers_of(c),
                                   collective_.demands.receivers_of(c + 1)))
                order(leaving[c], leaving[c + 1]);
    }

    /// The values of `first` are lexicographically at least those of `second`; both have the same length.
    void order(const std::vector<Literal>& first, const std::vector<Literal>& second)
    {
        Literal equal = never; // so far; none before the beginning
        for (std::size_t i = 0; i < first.size(); ++i) {
            const Literal next = result_.formula.add_variable();
            const auto where_equal = [&](std::initializer_list<Literal> literals) {
                std::vector<Literal> all(literals);
                if (equal != never)
                    all.push_back(-equal);
                result_.formula.add_clause(all);
            };
            where_equal({first[i], -second[i]});
            where_equal({first[i], second[i], next});
            where_equal({-first[i], -second[i], next});
            equal = next;
        }
    }

    void clause(std::initializer_list<Literal> literals) { result_.formula.add_clause(literals); }

    const LinkNetwork& network_;
    const Collective& collective_;
    const StepsAndRounds shape_;
    const TransferOrbits& orbits_;
    const std::size_t most_;
    const std::size_t nodes_;
    const std::size_t chunks_;
    StepFormula result_;
    std::vector<std::vector<std::uint32_t>> from_; ///< by chunk and node
    std::vector<std::vector<std::uint32_t>> to_;
    std::map<std::vector<Literal>, Literal> after_of_; ///< by what arrives in a step, and held before
    std::vector<Literal> held_; ///< by time, node and chunk; never: impossible, or the origin's own
};

void require_copies_only(const Collective& collective)
{
    if (reduces(collective) || !owes_whole(collective))
        throw std::invalid_argument("the formula is for collectives in which nothing is added");
}

} // namespace

StepFormula step_formula(const LinkNetwork& network, const Collective& collective,
                         const StepsAndRounds& shape, const TransferOrbits& orbits, std::size_t most_literals)
{
    require_copies_only(collective);
    require_steps_and_rounds(shape);
    return StepFormulaMaker{network, collective, shape, orbits, most_literals}.make();
}

} // namespace nocturne
