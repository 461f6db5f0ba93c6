#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/chunk_certificate/crossings.hpp"
#include "schedules/chunk_formula/hops.hpp"
#include "schedules/chunk_search/crossing_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <queue>
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
    std::vector<double> times(network.node_count(), HUGE_VAL);
    using Entry = std::pair<double, NodeId>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    const auto reach = [&](NodeId node, double time) {
        if (time < times[node]) {
            times[node] = time;
            open.emplace(time, node);
        }
    };
    times[from] = 0;
    for (const LinkId id : network.links_from(from)) {
        const NetworkLink& link = network.link(id);
        reach(link.target, static_cast<double>(link.latency_cycles) + cost.start_cycles +
                               static_cast<double>(weight) * cost.bytes_per_weight /
                                   static_cast<double>(link.bytes_per_cycle));
    }
    while (!open.empty()) {
        const auto [time, node] = open.top();
        open.pop();
        if (time != times[node])
            continue;
        for (const LinkId id : network.links_from(node))
            reach(network.link(id).target, time + static_cast<double>(network.link(id).latency_cycles));
    }
    return times;
}

std::uint64_t lightest_weight(const Collective& collective)
{
    std::uint64_t lightest = ~std::uint64_t{0};
    for (const Chunk& chunk : collective.chunks)
        lightest = std::min<std::uint64_t>(lightest, chunk.weight);
    return lightest;
}

class ClaimFinder {
public:
    ClaimFinder(const LinkNetwork& network, const Collective& collective, ClaimScope scope)
        : network_(network), collective_(collective), any_parts_(scope == ClaimScope::any_parts),
          owed_(owed_by_pair(collective))
    {
        if (!any_parts_)
            piece_ = piece_of(collective);
    }

    ChunkClaims find(const std::optional<AlphaBeta>& cost, const SearchEnd& end, const LinkFlow* flow)
    {
        if (!find_steps())
            return {};
        claims_.rounds = best_chunk_bound(network_, collective_, end, flow);
        if (cost)
            find_time(*cost);
        if (const auto refuted = refutations(claims_, network_, collective_); !refuted.empty())
            throw std::logic_error(fmt::format("a bound does not hold: {}", refuted.front()));
        return std::move(claims_);
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
                if (!claims_.steps || transfers[to] > claims_.steps->steps)
                    claims_.steps = {transfers[to], from, to};
            }
        }
        return claims_.steps.has_value();
    }

    void find_time(const AlphaBeta& cost)
    {
        keep(longest_reach(cost));
        const PortTime port = port_time_bound(network_, collective_, piece_, cost);
        std::vector<NodeId> cut;
        for (NodeId node = 0; node < network_.node_count(); ++node)
            if ((node == port.node) != port.enters)
                cut.push_back(node);
        keep({.kind = TimeClaimKind::crossing, .cycles = port.cycles, .cost = cost, .cut = std::move(cut)});
        if (!claims_.rounds)
            return;
        keep({.kind = TimeClaimKind::rounds,
              .cycles = static_cast<double>(claims_.rounds->rounds.numerator) /
                        static_cast<double>(claims_.rounds->rounds.denominator) * cost.bytes_per_weight /
                        static_cast<double>(network_.unit_bytes_per_cycle()),
              .cost = cost,
              .rounds = claims_.rounds});
        if (claims_.rounds->kind == ChunkBoundKind::cut)
            keep({.kind = TimeClaimKind::crossing,
                  .cycles = crossing_of(claims_.rounds->cut, cost),
                  .cost = cost,
                  .cut = claims_.rounds->cut});
    }

    /// The way that is longest in time.
    TimeClaim longest_reach(const AlphaBeta& cost) const
    {
        TimeClaim longest{.kind = TimeClaimKind::reach, .cost = cost};
        const std::uint64_t weight = any_parts_ ? 0 : lightest_weight(collective_);
        for (std::uint32_t from = 0; from < owed_.size(); ++from) {
            if (std::find(owed_[from].begin(), owed_[from].end(), true) == owed_[from].end())
                continue;
            const std::vector<double> times = reach_times(network_, from, weight, cost);
            for (std::uint32_t to = 0; to < owed_.size(); ++to)
                if (owed_[from][to] && times[to] > longest.cycles) {
                    longest.cycles = times[to];
                    longest.from = from;
                    longest.to = to;
                }
        }
        return longest;
    }

    double crossing_of(const std::vector<NodeId>& cut, const AlphaBeta& cost) const
    {
        std::vector<bool> inside(network_.node_count(), false);
        for (const NodeId node : cut)
            inside[node] = true;
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
    void keep(TimeClaim claim)
    {
        if (!(claim.cycles > 0) || !std::isfinite(claim.cycles) ||
            (claims_.time && claim.cycles <= claims_.time->cycles))
            return;
        claim.cycles *= 1 - 1e-11;
        claim.holds_for_any_parts = any_parts_;
        if (!refute(claim, network_, collective_))
            claims_.time = std::move(claim);
    }

    const LinkNetwork& network_;
    const Collective& collective_;
    bool any_parts_;
    std::optional<ChunkPiece> piece_; ///< none: of any size
    std::vector<std::vector<bool>> owed_;
    ChunkClaims claims_;
};

} // namespace

ChunkClaims best_chunk_claims(const LinkNetwork& network, const Collective& collective,
                              const std::optional<AlphaBeta>& cost, ClaimScope scope, const SearchEnd& end,
                              const LinkFlow* flow)
{
    return ClaimFinder{network, collective, scope}.find(cost, end, flow);
}

ChunkClaims claims_for_parts(ChunkClaims claims, const LinkNetwork& network, const Collective& collective,
                             double bytes_per_weight)
{
    const auto adapt = [&](ChunkBound& bound) {
        bound.rounds = proven_rounds(bound, network, collective).value_or(Ratio{});
    };
    claims.shapes.clear();
    if (claims.rounds)
        adapt(*claims.rounds);
    if (claims.time) {
        claims.time->cost.bytes_per_weight = bytes_per_weight;
        if (claims.time->rounds)
            adapt(*claims.time->rounds);
    }
    if (const auto refuted = refutations(claims, network, collective); !refuted.empty())
        throw std::logic_error(fmt::format("a bound does not hold: {}", refuted.front()));
    return claims;
}

} // namespace nocturne
