#include "models/topology/indices_by.hpp"
#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/chunk_bounds/spread.hpp"
#include "schedules/chunk_search/boxes.hpp"
#include "schedules/chunk_search/network_symmetry.hpp"
#include "schedules/chunk_search/turned_network.hpp"
#include "schedules/flows/network_flow.hpp"
#include "schedules/problem/copying_problem.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <boost/pending/disjoint_sets.hpp>

#include <algorithm>
#include <numeric>
#include <set>

namespace nocturne {
namespace {

using Wide = boost::multiprecision::uint128_t;

/// Bits beyond what a flow can count: what is cut off costs the best cut at most a rounding.
unsigned excess_bits(const SpreadToAll& spread, const Ratio& ratio)
{
    unsigned bits = 0;
    const Wide most = Wide{static_cast<std::uint64_t>(total_weight(spread))} * ratio.denominator;
    while ((most >> bits) >= Wide{MaxFlow::unlimited})
        ++bits;
    return bits;
}

/// A cut that is a better bound than `ratio`, as the set that is left; nothing if there is none that keeps
/// anything from `sink`.
std::optional<std::vector<NodeId>> better_cut(const LinkNetwork& network, const SpreadToAll& spread,
                                              NodeId sink, const Ratio& ratio)
{
    const auto nodes = static_cast<std::uint32_t>(network.node_count());
    MaxFlow flow(nodes + 1);
    const unsigned shift = excess_bits(spread, ratio);
    const auto scaled = [&](std::uint64_t number, std::uint64_t factor) {
        return static_cast<std::int64_t>(
            std::min(Wide{number} * factor >> shift, Wide{MaxFlow::unlimited}).convert_to<std::uint64_t>());
    };
    std::int64_t all = 0;
    for (const std::uint32_t node : spread.terminals) {
        const std::int64_t weight = scaled(spread.weights[node], ratio.denominator);
        flow.add_arc(nodes, node, weight);
        all += weight;
    }
    for (LinkId id = 0; id < network.link_count(); ++id)
        flow.add_arc(network.link(id).source, network.link(id).target,
                     scaled(network.units(id), ratio.numerator));
    if (flow.run(nodes, sink) >= all)
        return std::nullopt;
    return indices_where(nodes, [&](NodeId node) { return flow.is_on_source_side(node); });
}

/// The first terminal of each kind: no cut keeps more from another one that a symmetry takes it to.
std::vector<std::uint32_t> distinct_sinks(const LinkNetwork& network, const SpreadToAll& spread)
{
    constexpr std::size_t least = 64; // fewer are quickly done
    const std::vector<std::uint32_t>& terminals = spread.terminals;
    if (terminals.size() < least)
        return terminals;
    std::vector<std::size_t> rank(network.node_count(), 0), parent(network.node_count());
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    boost::disjoint_sets sets(rank.data(), parent.data());
    for (const NetworkSymmetry& symmetry : find_symmetries(network)) {
        const bool keeps_all = std::ranges::all_of(terminals, [&](std::uint32_t terminal) {
            const NodeId image = symmetry.nodes[terminal];
            return std::ranges::binary_search(terminals, image) &&
                   spread.weights[image] == spread.weights[terminal];
        });
        if (keeps_all)
            for (const std::uint32_t terminal : terminals)
                sets.union_set(std::size_t{terminal}, std::size_t{symmetry.nodes[terminal]});
    }
    std::vector<std::uint32_t> sinks;
    std::set<std::size_t> seen;
    for (const std::uint32_t terminal : terminals)
        if (seen.insert(sets.find_set(std::size_t{terminal})).second)
            sinks.push_back(terminal);
    return sinks;
}

std::optional<Bound> cut_of_spread(const LinkNetwork& network, const Collective& collective,
                                   const SpreadToAll& spread)
{
    Bound bound{.certificate = NodeCut{}, .measure = Measure::rounds};
    for (const std::uint32_t sink : distinct_sinks(network, spread))
        while (auto cut = better_cut(network, spread, sink, bound.rounds)) {
            std::optional<Bound> better = proven_bound(NodeCut{std::move(*cut)}, network, collective);
            if (!better)
                return std::nullopt;
            if (!(bound.rounds < better->rounds))
                break; // by less than a rounding
            bound = std::move(*better);
        }
    return bound;
}

/// Who takes part in an all-reduce; empty if the collective is none.
std::vector<std::uint32_t> all_reduce_group(const Collective& collective)
{
    if (collective.chunks.empty())
        return {};
    const ProcessorList& group = collective.chunks.front().contributors;
    const bool is_one =
        std::all_of(collective.chunks.begin(), collective.chunks.end(),
                    [&](const Chunk& chunk) { return chunk.contributors == group; }) &&
        std::all_of(collective.demands.begin(), collective.demands.end(),
                    [&](const Demand& demand) {
                        return demand.contributors == group &&
                               std::binary_search(group.begin(), group.end(), demand.receiver);
                    }) &&
        collective.demands.size() == group.size() * collective.chunks.size();
    return is_one && group.size() > 1 ? group : ProcessorList{};
}

struct LeastCut {
    std::vector<NodeId> nodes;
    std::int64_t units = 0; ///< that leave them
};

LeastCut least_cut(const LinkNetwork& network, NodeId source, NodeId sink)
{
    MaxFlow flow(network.node_count());
    for (LinkId id = 0; id < network.link_count(); ++id)
        flow.add_arc(network.link(id).source, network.link(id).target,
                     static_cast<std::int64_t>(std::min<std::uint64_t>(
                         network.units(id), MaxFlow::unlimited / network.link_count())));
    const std::int64_t units = flow.run(source, sink);
    return {indices_where(network.node_count(), [&](NodeId node) { return flow.is_on_source_side(node); }),
            units};
}

/// Some set that a least cut leaves has the first member, or lacks it. Every chunk leaves every such set: the
/// fewer units can, the longer it takes.
std::optional<Bound> cut_of_all_reduce(const LinkNetwork& network, const Collective& collective,
                                       const std::vector<std::uint32_t>& group)
{
    std::optional<LeastCut> least;
    for (const std::uint32_t member : group)
        for (const bool leaves_first : {true, false}) {
            if (member == group.front())
                continue;
            LeastCut cut = leaves_first ? least_cut(network, group.front(), member)
                                        : least_cut(network, member, group.front());
            if (!least || cut.units < least->units)
                least = std::move(cut);
        }
    return proven_bound(NodeCut{std::move(least->nodes)}, network, collective);
}

} // namespace

std::optional<Bound> best_cut(const LinkNetwork& network, const Collective& collective)
{
    if (const auto spread = spread_of(collective))
        return cut_of_spread(network, collective, *spread);
    if (const auto group = all_reduce_group(collective); !group.empty())
        return cut_of_all_reduce(network, collective, group);
    if (!reduces(collective) || !can_be_turned(collective))
        return std::nullopt;
    const Collective backwards = reversed(collective);
    const auto spread = spread_of(backwards);
    auto bound = spread ? cut_of_spread(turned(network), backwards, *spread) : std::nullopt;
    if (!bound)
        return std::nullopt;
    // What leaves a set backwards comes into it, and leaves the others.
    const std::vector<NodeId> cut = std::get<NodeCut>(bound->certificate).nodes;
    NodeCut others;
    for (NodeId node = 0; node < network.node_count(); ++node)
        if (!std::ranges::binary_search(cut, node))
            others.nodes.push_back(node);
    bound->certificate = std::move(others);
    return bound;
}

std::optional<Bound> best_rounds_bound(const LinkNetwork& network, const Collective& collective,
                                       const SearchEnd& end, const LinkFlow* flow)
{
    std::optional<Bound> best;
    const auto keep = [&](std::optional<Bound> bound) {
        if (bound && (!best || best->rounds < bound->rounds))
            best = std::move(bound);
    };
    keep(best_cut(network, collective));
    keep(best_lengths(network, collective, end, flow));
    keep(best_prefix_cut(network, collective, end));
    if (auto receptions = proven_bound(Receptions{}, network, collective);
        receptions && Ratio{} < receptions->rounds) {
        keep(std::move(receptions));
        for (auto& boxes : boxes_of(network))
            keep(proven_bound(Receptions{std::move(boxes)}, network, collective));
    }
    return best;
}

} // namespace nocturne
