#include "models/topology/indices_by.hpp"
#include "schedules/certificate/hops.hpp"
#include "schedules/certificate/link_need.hpp"
#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/chunk_search/boxes.hpp"
#include "schedules/chunk_search/crossing_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <stdexcept>

namespace nocturne {
namespace {

/// Whose contributions are owed to whom.
std::vector<std::vector<bool>> owed_by_pair(const Collective& collective)
{
    std::vector<std::vector<bool>> owed(collective.processors,
                                        std::vector<bool>(collective.processors, false));
    std::set<std::pair<const std::vector<std::uint32_t>*, std::uint32_t>> known; // chunks share lists
    for (const Demand& demand : collective.demands) {
        const std::vector<std::uint32_t>& contributors = demand.contributors;
        if (contributors.size() > 1 && !known.emplace(&contributors, demand.receiver).second)
            continue;
        for (const std::uint32_t contributor : contributors)
            owed[contributor][demand.receiver] = contributor != demand.receiver;
    }
    return owed;
}

class BoundFinder {
public:
    BoundFinder(const LinkNetwork& network, const Collective& collective, BoundScope scope)
        : network_(network), collective_(collective), any_parts_(scope == BoundScope::any_parts),
          owed_(owed_by_pair(collective)), latencies_(latencies_of(network))
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
        keep(in_time(std::move(cut), port.cycles, cost));
        if (!bounds_.rounds)
            return;
        Bound of_rounds = *bounds_.rounds;
        of_rounds.measure = Measure::cycles;
        of_rounds.cycles = to_double(of_rounds.rounds) * cost.bytes_per_weight /
                           static_cast<double>(network_.unit_bytes_per_cycle());
        of_rounds.cost = cost;
        keep(std::move(of_rounds));
        keep(in_time(bounds_.rounds->certificate, crossing_of(bounds_.rounds->certificate, cost), cost));
        if (cost.start_cycles > 0 || has_latencies())
            try_boxes(cost);
    }

    static Bound in_time(Certificate certificate, double cycles, const AlphaBeta& cost)
    {
        return {.certificate = std::move(certificate),
                .measure = Measure::cycles,
                .cycles = cycles,
                .cost = cost};
    }

    bool has_latencies() const
    {
        return std::ranges::any_of(network_.links(),
                                   [](const NetworkLink& link) { return link.latency_cycles > 0; });
    }

    /// Cuts round boxes, which say little of rounds, and more of times: what crosses them has still to go on.
    void try_boxes(const AlphaBeta& cost)
    {
        constexpr std::size_t most_visits = std::size_t{1} << 16; // of demands: half a second
        for (const Boxes& boxes : boxes_of(network_)) {
            const bool tries_all = boxes.size() * collective_.demands.size() < most_visits;
            for (std::size_t i = 0; i < (tries_all ? boxes.size() : 1); ++i) {
                NodeCut outside;
                for (NodeId node = 0; node < network_.node_count(); ++node)
                    if (!std::ranges::binary_search(boxes[i], node))
                        outside.nodes.push_back(node);
                for (NodeCut& cut : std::array{NodeCut{boxes[i]}, std::move(outside)}) {
                    const double cycles = crossing_time(network_, latencies_, collective_, cut, piece_, cost);
                    keep(in_time(std::move(cut), cycles, cost));
                }
            }
        }
    }

    /// The way that is longest in time.
    Bound longest_reach(const AlphaBeta& cost) const
    {
        Bound longest = in_time(FarthestPair{}, 0, cost);
        for (const CountedLink counted : {CountedLink::first, CountedLink::last}) {
            const auto hop = hop_of(network_, collective_, piece_, cost, counted);
            for (const NodeId from : unlike_processors(network_)) {
                if (std::find(owed_[from].begin(), owed_[from].end(), true) == owed_[from].end())
                    continue;
                const std::vector<double> times = relay_times<double>(network_, {from}, false, hop);
                for (std::uint32_t to = 0; to < owed_.size(); ++to)
                    if (owed_[from][to] && times[to] > longest.cycles) {
                        longest.cycles = times[to];
                        longest.certificate = FarthestPair{from, to};
                    }
            }
        }
        return longest;
    }

    /// When all that the certificate says can have crossed its links, each link as early as it can.
    double crossing_of(const Certificate& certificate, const AlphaBeta& cost) const
    {
        if (const auto* const cut = std::get_if<NodeCut>(&certificate))
            return crossing_time(network_, latencies_, collective_, *cut, piece_, cost);
        const LinkNeed need = link_need(certificate, network_, collective_);
        CutClaim<double> claim;
        for (ChunkId chunk = 0; chunk < need.crossings.size(); ++chunk)
            claim.crossed.add(need.crossings[chunk], collective_.chunks[chunk].weight);
        if (!piece_ || std::holds_alternative<LinkLengths>(certificate))
            return streaming_time(network_, latencies_, need.lengths,
                                  claim.crossed.weight.convert_to<double>(), cost);
        const auto links =
            indices_where(network_.link_count(), [&](LinkId link) { return need.lengths[link] > 0; });
        return crossing_time(network_, latencies_, links, piece_, claim, cost);
    }

    /// If it is later than what there is, and holds once the last digits are off.
    void keep(Bound bound)
    {
        bound.cycles *= 1 - 1e-11;
        if (!(bound.cycles > 0) || !std::isfinite(bound.cycles) ||
            (bounds_.cycles && bound.cycles <= bounds_.cycles->cycles))
            return;
        bound.holds_for_any_parts = any_parts_;
        if (!refute(bound, network_, collective_))
            bounds_.cycles = std::move(bound);
    }

    const LinkNetwork& network_;
    const Collective& collective_;
    bool any_parts_;
    std::optional<ChunkPiece> piece_; ///< none: of any size
    std::vector<std::vector<bool>> owed_;
    NetworkLatencies latencies_;
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
        bound.rounds =
            (bound.released_from == 0
                 ? proven_rounds(bound.certificate, network, collective)
                 : proven_rounds(bound.certificate, network, released_from(collective, bound.released_from)))
                .value_or(Ratio{});
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
