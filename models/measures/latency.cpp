#include "models/measures/latency.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace nocturne::measures {

namespace {

/// Sums over ordered pairs of processors that a path joins; `self_` is the part of each processor with
/// itself.
struct PairSums {
    std::uint64_t hops = 0;
    std::uint64_t pairs = 0;
    std::uint64_t self_hops = 0;
    std::uint64_t self_pairs = 0;
    std::uint64_t maximum = 0;
};

/// Breadth-first searches from up to 64 * Words nodes at once, bit i of a set for the i-th of them.
template <std::size_t Words>
class SourceSweep {
public:
    using Set = std::array<std::uint64_t, Words>;
    static constexpr std::size_t width = 64 * Words;

    explicit SourceSweep(const Graph& graph)
        : graph_(graph), place_(graph.node_count()), reached_(graph.node_count()),
          frontier_(graph.node_count()), next_(graph.node_count())
    {
    }

    /// Adds the pairs with a source among `sources`, at most `width` nodes with `weight` processors each.
    void add(std::span<const NodeId> sources, std::uint64_t weight, PairSums& sums)
    {
        std::ranges::fill(reached_, Set{});
        std::ranges::fill(frontier_, Set{});
        std::ranges::fill(place_, width);
        Set all{};
        std::uint64_t pairs = 0;
        for (std::size_t i = 0; i < sources.size(); ++i) {
            const std::uint64_t bit = std::uint64_t{1} << i % 64;
            place_[sources[i]] = i;
            all[i / 64] |= bit;
            reached_[sources[i]][i / 64] |= bit;
            frontier_[sources[i]][i / 64] |= bit;
            pairs += weight * graph_.ejected(sources[i]);
        }
        std::uint64_t hops = 0;
        for (bool grows = true; grows; ++hops) {
            count(sources, hops, pairs, sums);
            pairs = 0;
            grows = false;
            for (NodeId node = 0; node < graph_.node_count(); ++node) {
                const std::uint64_t found = step(node, all);
                pairs += found * weight * graph_.ejected(node);
                grows = grows || found != 0;
            }
            frontier_.swap(next_);
        }
    }

private:
    /// The sources that first reach the node over one more arc; how many they are.
    std::uint64_t step(NodeId node, const Set& all)
    {
        Set& reached = reached_[node];
        Set found{};
        if (reached != all) {
            for (const NodeId before : graph_.predecessors(node))
                for (std::size_t word = 0; word < Words; ++word)
                    found[word] |= frontier_[before][word];
        }
        std::uint64_t count = 0;
        for (std::size_t word = 0; word < Words; ++word) {
            found[word] &= ~reached[word];
            reached[word] |= found[word];
            count += static_cast<std::uint64_t>(std::popcount(found[word]));
        }
        next_[node] = found;
        return count;
    }

    /// `pairs` pairs are `hops` apart; the frontier holds which ones.
    void count(std::span<const NodeId> sources, std::uint64_t hops, std::uint64_t pairs, PairSums& sums) const
    {
        std::uint64_t self_pairs = 0;
        if (graph_.is_direct()) {
            for (std::size_t i = 0; hops == 0 && i < sources.size(); ++i)
                self_pairs += graph_.injecting(sources[i]);
        } else {
            for (const auto& [injection, ejection] : graph_.processors()) {
                const std::size_t place = place_[injection];
                self_pairs += place < width && (frontier_[ejection][place / 64] >> place % 64 & 1);
            }
        }
        sums.hops += hops * pairs;
        sums.pairs += pairs;
        sums.self_hops += hops * self_pairs;
        sums.self_pairs += self_pairs;
        if (pairs > self_pairs)
            sums.maximum = std::max(sums.maximum, hops);
    }

    const Graph& graph_;
    std::vector<std::size_t> place_; // by node, in the list of sources; `width` where it is not
    std::vector<Set> reached_;
    std::vector<Set> frontier_;
    std::vector<Set> next_;
};

/// A breadth-first search from one node at a time.
class SingleSearch {
public:
    explicit SingleSearch(const Graph& graph) : graph_(graph), hops_(graph.node_count()) {}

    /// Adds the pairs with this source, which has `weight` processors.
    void add(NodeId source, std::uint64_t weight, PairSums& sums)
    {
        const std::uint32_t last = search(source);
        pairs_.assign(last + 1, 0);
        self_pairs_.assign(last + 1, 0);
        for (const NodeId node : queue_)
            pairs_[hops_[node]] += weight * graph_.ejected(node);
        if (graph_.is_direct())
            self_pairs_[0] = weight;
        else
            for (const auto& [injection, ejection] : graph_.processors())
                if (injection == source && hops_[ejection] != far)
                    ++self_pairs_[hops_[ejection]];
        for (std::uint64_t hops = 0; hops <= last; ++hops) {
            sums.hops += hops * pairs_[hops];
            sums.pairs += pairs_[hops];
            sums.self_hops += hops * self_pairs_[hops];
            sums.self_pairs += self_pairs_[hops];
            if (pairs_[hops] > self_pairs_[hops])
                sums.maximum = std::max(sums.maximum, hops);
        }
    }

    /// The hops to the node that is farthest away, of those that are reached.
    std::uint32_t search(NodeId source)
    {
        std::ranges::fill(hops_, far);
        hops_[source] = 0;
        queue_.assign(1, source);
        for (std::size_t head = 0; head < queue_.size(); ++head)
            for (const NodeId next : graph_.successors(queue_[head]))
                if (hops_[next] == far) {
                    hops_[next] = hops_[queue_[head]] + 1;
                    queue_.push_back(next);
                }
        return hops_[queue_.back()];
    }

private:
    static constexpr std::uint32_t far = ~0U;

    const Graph& graph_;
    std::vector<std::uint32_t> hops_; // by node
    std::vector<NodeId> queue_;
    std::vector<std::uint64_t> pairs_; // by hops
    std::vector<std::uint64_t> self_pairs_;
};

/// Nodes with processors that inject, those with the same number of them side by side.
std::vector<NodeId> sources_by_weight(const Graph& graph)
{
    std::vector<NodeId> sources;
    for (NodeId node = 0; node < graph.node_count(); ++node)
        if (graph.injecting(node) > 0)
            sources.push_back(node);
    std::ranges::stable_sort(sources, {}, [&](NodeId node) { return graph.injecting(node); });
    return sources;
}

template <std::size_t Words>
PairSums sum_pairs(const Graph& graph, std::span<const NodeId> sources)
{
    SourceSweep<Words> sweep(graph);
    PairSums sums;
    while (!sources.empty()) {
        const std::uint32_t weight = graph.injecting(sources.front());
        std::size_t count = 1;
        while (count < std::min(sources.size(), sweep.width) && graph.injecting(sources[count]) == weight)
            ++count;
        sweep.add(sources.first(count), weight, sums);
        sources = sources.subspan(count);
    }
    return sums;
}

/// One source after the other: where paths are long, the sets of a level have few nodes.
PairSums sum_pairs_singly(const Graph& graph, std::span<const NodeId> sources)
{
    SingleSearch search(graph);
    PairSums sums;
    for (const NodeId source : sources)
        search.add(source, graph.injecting(source), sums);
    return sums;
}

PairSums sum_all_pairs(const Graph& graph)
{
    const std::vector<NodeId> sources = sources_by_weight(graph);
    if (sources.empty())
        return {};
    const SearchSteps steps = search_steps(graph, SingleSearch(graph).search(sources.front()));
    if (steps.single < steps.wide)
        return sum_pairs_singly(graph, sources);
    // Wide sets are vector operations, but a network of 64 nodes would only fill a quarter of them.
    return sources.size() <= 64 ? sum_pairs<1>(graph, sources) : sum_pairs<4>(graph, sources);
}

} // namespace

SearchSteps search_steps(const Graph& graph, double levels)
{
    const double nodes = graph.node_count();
    const double arcs = graph.arc_count();
    const double sweeps = std::ceil(nodes / 256);
    return {.wide = sweeps * levels * (arcs + 2 * nodes), .single = nodes * (arcs + nodes)};
}

HopLatency hop_latency(const Graph& graph)
{
    const PairSums sums = sum_all_pairs(graph);

    const std::uint64_t processors = graph.processor_count();
    const std::uint64_t others = processors * (processors - 1); // 0 too for no processor at all
    HopLatency latency;
    latency.unreachable_pairs = others - (sums.pairs - sums.self_pairs);
    const bool is_connected = latency.unreachable_pairs == 0;
    latency.maximum = is_connected ? static_cast<double>(sums.maximum) : infinite;
    if (others > 0)
        latency.average = is_connected
                              ? static_cast<double>(sums.hops - sums.self_hops) / static_cast<double>(others)
                              : infinite;
    if (processors > 0)
        latency.average_with_self =
            sums.pairs == processors * processors
                ? static_cast<double>(sums.hops) / static_cast<double>(processors * processors)
                : infinite;
    return latency;
}

} // namespace nocturne::measures
