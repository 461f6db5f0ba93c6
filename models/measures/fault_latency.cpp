#include "models/measures/fault_latency.hpp"

#include "models/measures/latency.hpp"
#include "models/routing/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace nocturne::measures {

namespace {

void add(FaultLatency& sum, const HopLatency& latency)
{
    sum.average_with_self += latency.average_with_self;
    sum.average += latency.average;
    sum.maximum = std::max(sum.maximum, latency.maximum);
    ++sum.trials;
    sum.disconnected += latency.unreachable_pairs > 0;
}

FaultLatency mean_of(FaultLatency sum)
{
    if (sum.trials > 0) {
        sum.average_with_self /= sum.trials;
        sum.average /= sum.trials;
    }
    return sum;
}

std::uint32_t share_of(double fraction, std::size_t count)
{
    if (fraction == 0 || count == 0)
        return 0;
    const auto nearest = static_cast<std::uint32_t>(std::lround(fraction * static_cast<double>(count)));
    return std::max(nearest, 1u);
}

/// The first `count` of `pool` become ones drawn without repetition (Fisher and Yates).
void draw(std::vector<std::uint32_t>& pool, std::uint32_t count, SplitMix64& random)
{
    for (std::uint32_t i = 0; i < count; ++i)
        std::swap(pool[i], pool[i + random.below(static_cast<std::uint32_t>(pool.size()) - i)]);
}

} // namespace

FaultLatency single_node_faults(const Graph& graph)
{
    FaultLatency sum;
    for (NodeId node = 0; node < graph.node_count(); ++node)
        add(sum, hop_latency(without(graph, {{node}, {}})));
    return mean_of(sum);
}

FaultLatency random_faults(const Graph& graph, const RandomFaults& faults)
{
    for (const double fraction : {faults.node_fraction, faults.link_fraction})
        if (!(fraction >= 0 && fraction <= 1))
            throw std::invalid_argument(fmt::format("random faults: {} is not from 0 to 1", fraction));
    std::vector<NodeId> nodes(graph.node_count());
    std::iota(nodes.begin(), nodes.end(), 0u);
    std::vector<ArcId> links = links_of(graph);
    const std::uint32_t failed_nodes = share_of(faults.node_fraction, nodes.size());
    const std::uint32_t failed_links = share_of(faults.link_fraction, links.size());
    SplitMix64 random(faults.seed);
    FaultLatency sum;
    for (std::uint32_t i = 0; i < faults.draws; ++i) {
        draw(nodes, failed_nodes, random);
        draw(links, failed_links, random);
        GraphFaults drawn{{nodes.begin(), nodes.begin() + failed_nodes},
                          {links.begin(), links.begin() + failed_links}};
        for (std::uint32_t link = 0; link < failed_links; ++link)
            if (graph.opposite(links[link]) != no_arc)
                drawn.arcs.push_back(graph.opposite(links[link]));
        add(sum, hop_latency(without(graph, drawn)));
    }
    return mean_of(sum);
}

} // namespace nocturne::measures
