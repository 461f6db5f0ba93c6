#include "schedules/certificate/crossings.hpp"
#include "schedules/certificate/hops.hpp"
#include "schedules/certificate/shortest_lengths.hpp"
#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/chunk_search/crossing_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace nocturne {
namespace {

/// Whose contributions are owed to whom.
std::vector<std::vector<bool>> owed_by_pair(const Collective& collective)
{
    std::vector<std::vector<bool>> owed(collective.processors,
                                        std::vector<bool>(collective.processors, false));
    for (const Demand& demand : collective.demands)
        for (const std::uint32_t contributor : demand.contributors)
            owed[contributor][demand.receiver] = contributor != demand.receiver;
    return owed;
}

/// Latencies, start-up and one stream, as a checker will count them; infinity where there is no way.
std::vector<double> reach_times(const LinkNetwork& network, NodeId from, std::uint64_t weight,
                                const AlphaBeta& cost)
{
    const double start = cost.start_cycles, stream = static_cast<double>(weight) * cost.bytes_per_weight;
    return shortest_lengths(network.node_count(), from, HUGE_VAL, [&](NodeId node, const auto& visit) {
        for (const LinkId id : network.links_from(node)) {
            const NetworkLink& link = network.link(id);
            const auto latency = static_cast<double>(link.latency_cycles);
            visit(link.target, node == from
                                   ? latency + start + stream / static_cast<double>(link.bytes_per_cycle)
                                   : latency);
        }
    });
}

std::uint64_t lightest_weight(const Collective& collective)
{
    std::uint64_t lightest = ~std::uint64_t{0};
    for (const Chunk& chunk : collective.chunks)
        lightest = std::min<std::uint64_t>(lightest, chunk.weight);
    return lightest;
}

class BoundFinder {
public:
    BoundFinder(const LinkNetwork& network, const Collective& collective, BoundScope scope)
        : network_(network), collective_(collective), any_parts_(scope == BoundScope::any_parts),
          owed_(owed_by_pair(collective))
    {
        if (!any_parts_)
            piece_ = piece_of(collective);
    }

    Bounds find(const std::optional<AlphaBeta>& cost, const SearchEnd& end, const LinkFlow* flow)
    {
        if (!find_steps())
            return {};
        bounds_.rounds = best_rounds_bound(network_, collective_, end, flow);
        return at_cost(std::move(bounds_), cost);
    }

    Bounds at_cost(Bounds bounds, const std::optional<AlphaBeta>& cost)
    {
        bounds_ = std::move(bounds);
        bounds_.cycles.reset();
        if (cost)
            find_time(*cost);
        if (const auto refuted = refutations(bounds_, network_, collective_); !refuted.empty())
            throw std::logic_error(fmt::format("a bound does not hold: {}", refuted.front()));
        return std::move(bounds_);
    }

private:
    /// False if some receiver cannot be reached, or nothing is owed.
    bool find_steps()
    {
        for (std::uint32_t from = 0; from < owed_.size(); ++from) {
            if (std::find(owed_[from].begin(), owed_[from].end(), true) == owed_[from].end())
                continue;
            const std::vector<std::uint32_t> transfers = transfers_from(network_, from);
            for (std::uint32_t to = 0; to < owed_.size(); ++to) {
                if (!owed_[from][to])
                    continue;
                if (transfers[to] == no_way)
                    return false;
                if (!bounds_.steps || transfers[to] > bounds_.steps->steps)
                    bounds_.steps = Bound{.steps = transfers[to], .certificate = FarthestPair{from, to}};
            }
        }
        return bounds_.steps.has_value();
    }

    void find_time(const AlphaBeta& cost)
    {
        keep(longest_reach(cost));
        const PortTime port = port_time_bound(network_, collective_, piece_, cost);
        NodeCut cut;
        for (NodeId node = 0; node < network_.node_count(); ++node)
            if ((node == port.node) != port.enters)
                cut.nodes.push_back(node);
        keep(
            {.certificate = std::move(cut), .measure = Measure::cycles, .cycles = port.cycles, .cost = cost});
        if (!bounds_.rounds)
            return;
        Bound of_rounds = *bounds_.rounds;
        of_rounds.measure = Measure::cycles;
        of_rounds.cycles = to_double(of_rounds.rounds) * cost.bytes_per_weight /
                           static_cast<double>(network_.unit_bytes_per_cycle());
        of_rounds.cost = cost;
        keep(std::move(of_rounds));
        if (const auto* const best = std::get_if<NodeCut>(&bounds_.rounds->certificate))
            keep({.certificate = *best,
                  .measure = Measure::cycles,
                  .cycles = crossing_of(*best, cost),
                  .cost = cost});
    }

    /// The way that is longest in time.
    Bound longest_reach(const AlphaBeta& cost) const
    {
        Bound longest{.certificate = FarthestPair{}, .measure = Measure::cycles, .cost = cost};
        const std::uint64_t weight = any_parts_ ? 0 : lightest_weight(collective_);
        for (std::uint32_t from = 0; from < owed_.size(); ++from) {
            if (std::find(owed_[from].begin(), owed_[from].end(), true) == owed_[from].end())
                continue;
            const std::vector<double> times = reach_times(network_, from, weight, cost);
            for (std::uint32_t to = 0; to < owed_.size(); ++to)
                if (owed_[from][to] && times[to] > longest.cycles) {
                    longest.cycles = times[to];
                    longest.certificate = FarthestPair{from, to};
                }
        }
        return longest;
    }

    double crossing_of(const NodeCut& cut, const AlphaBeta& cost) const
    {
        const std::vector<bool> inside = inside_of(cut, network_);
        const std::vector<std::uint32_t> crossings = least_crossings(collective_, inside);
        const std::uint64_t unit = piece_ ? piece_->weight : 1;
        std::uint64_t pieces = 0;
        for (ChunkId chunk = 0; chunk < crossings.size(); ++chunk)
            pieces += crossings[chunk] * (collective_.chunks[chunk].weight / unit);
        std::vector<LinkId> links;
        for (LinkId link = 0; link < network_.link_count(); ++link)
            if (inside[network_.link(link).source] && !inside[network_.link(link).target])
                links.push_back(link);
        return crossing_time(network_, links, piece_, pieces, cost);
    }

    /// If it is later than what there is, and holds once the last digits are off.
    void keep(Bound bound)
    {
        if (!(bound.cycles > 0) || !std::isfinite(bound.cycles) ||
            (bounds_.cycles && bound.cycles <= bounds_.cycles->cycles))
            return;
        bound.cycles *= 1 - 1e-11;
        bound.holds_for_any_parts = any_parts_;
        if (!refute(bound, network_, collective_))
            bounds_.cycles = std::move(bound);
    }

    const LinkNetwork& network_;
    const Collective& collective_;
    bool any_parts_;
    std::optional<ChunkPiece> piece_; ///< none: of any size
    std::vector<std::vector<bool>> owed_;
    Bounds bounds_;
};

} // namespace

std::optional<Bound> proven_bound(Certificate certificate, const LinkNetwork& network,
                                  const Collective& collective)
{
    const std::optional<Ratio> rounds = proven_rounds(certificate, network, collective);
    if (!rounds)
        return std::nullopt;
    return Bound{.certificate = std::move(certificate), .measure = Measure::rounds, .rounds = *rounds};
}

Bounds best_chunk_bounds(const LinkNetwork& network, const Collective& collective,
                         const std::optional<AlphaBeta>& cost, BoundScope scope, const SearchEnd& end,
                         const LinkFlow* flow)
{
    return BoundFinder{network, collective, scope}.find(cost, end, flow);
}

Bounds with_time(Bounds bounds, const LinkNetwork& network, const Collective& collective,
                 const AlphaBeta& cost, BoundScope scope)
{
    return BoundFinder{network, collective, scope}.at_cost(std::move(bounds), cost);
}

Bounds bounds_for_parts(Bounds bounds, const LinkNetwork& network, const Collective& collective,
                        double bytes_per_weight)
{
    const auto adapt = [&](Bound& bound) {
        bound.rounds = proven_rounds(bound.certificate, network, collective).value_or(Ratio{});
    };
    bounds.rounds_in_steps.clear();
    if (bounds.rounds)
        adapt(*bounds.rounds);
    if (bounds.cycles) {
        bounds.cycles->cost.bytes_per_weight = bytes_per_weight;
        if (Ratio{} < bounds.cycles->rounds)
            adapt(*bounds.cycles);
    }
    if (const auto refuted = refutations(bounds, network, collective); !refuted.empty())
        throw std::logic_error(fmt::format("a bound does not hold: {}", refuted.front()));
    return bounds;
}

} // namespace nocturne
