#include "models/routing/deadlock.hpp"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

namespace nocturne {

namespace {

using DependencyVertex = std::uint32_t; ///< DependencyGraph::Vertex
using Successors = std::vector<std::vector<DependencyVertex>>;

constexpr DependencyVertex no_vertex = std::numeric_limits<DependencyVertex>::max();

Successors reversed(const Successors& edges)
{
    Successors result(edges.size());
    for (DependencyVertex from = 0; from < edges.size(); ++from)
        for (const DependencyVertex to : edges[from])
            result[to].push_back(from);
    return result;
}

/// Clears `kept` for every vertex that no edge from a kept one enters, again and again.
void peel(const Successors& edges, std::vector<bool>& kept)
{
    std::vector<std::size_t> entering(edges.size());
    for (DependencyVertex from = 0; from < edges.size(); ++from)
        if (kept[from])
            for (const DependencyVertex to : edges[from])
                ++entering[to];
    std::vector<DependencyVertex> bare;
    for (DependencyVertex vertex = 0; vertex < edges.size(); ++vertex)
        if (kept[vertex] && entering[vertex] == 0)
            bare.push_back(vertex);
    while (!bare.empty()) {
        const DependencyVertex from = bare.back();
        bare.pop_back();
        kept[from] = false;
        for (const DependencyVertex to : edges[from])
            if (--entering[to] == 0 && kept[to])
                bare.push_back(to);
    }
}

/// Finds cycles through a vertex and later ones only: every cycle is found from its first vertex.
class CycleSearch {
public:
    CycleSearch(const Successors& edges, const std::vector<bool>& kept)
        : edges_(edges), kept_(kept), seen_from_(edges.size(), no_vertex), before_(edges.size())
    {
    }

    /// A shortest cycle through `start` with fewer than `limit` vertices; empty if there is none.
    std::vector<DependencyVertex> through(DependencyVertex start, std::size_t limit)
    {
        std::vector<DependencyVertex> layer{start};
        for (std::size_t length = 1; length < limit && !layer.empty(); ++length) {
            std::vector<DependencyVertex> next_layer;
            for (const DependencyVertex at : layer)
                for (const DependencyVertex next : edges_[at]) {
                    if (next == start)
                        return trace(start, at);
                    if (next < start || !kept_[next] || seen_from_[next] == start)
                        continue;
                    seen_from_[next] = start;
                    before_[next] = at;
                    next_layer.push_back(next);
                }
            layer = std::move(next_layer);
        }
        return {};
    }

private:
    std::vector<DependencyVertex> trace(DependencyVertex start, DependencyVertex last) const
    {
        std::vector<DependencyVertex> cycle{last};
        while (cycle.back() != start)
            cycle.push_back(before_[cycle.back()]);
        return {cycle.rbegin(), cycle.rend()};
    }

    const Successors& edges_;
    const std::vector<bool>& kept_;
    std::vector<DependencyVertex> seen_from_; ///< the start of the last search that came here
    std::vector<DependencyVertex> before_;
};

} // namespace

DependencyGraph::DependencyGraph(const Topology& topology, unsigned vc_classes)
    : topology_(&topology), vc_classes_(vc_classes), turns_(topology),
      present_(turns_.count() * vc_classes * vc_classes)
{
}

void DependencyGraph::add(const Route& route)
{
    for (std::size_t i = 0; i < route.size(); ++i) {
        if (route[i].vc_class >= vc_classes_)
            throw std::invalid_argument(fmt::format("{}: a route uses class {} of {} on {}",
                                                    topology_->name(), route[i].vc_class, vc_classes_,
                                                    describe_channel(*topology_, route[i].channel)));
        if (i == 0)
            continue;
        if (!turns_.follows(route[i - 1].channel, route[i].channel))
            throw std::invalid_argument(fmt::format("{}: a route has {} directly before {}",
                                                    topology_->name(),
                                                    describe_channel(*topology_, route[i - 1].channel),
                                                    describe_channel(*topology_, route[i].channel)));
        auto present = present_[bit(route[i - 1], route[i])];
        size_ += present ? 0 : 1;
        present = true;
    }
}

bool DependencyGraph::contains(const Hop& hop, const Hop& next) const
{
    return hop.vc_class < vc_classes_ && next.vc_class < vc_classes_ &&
           turns_.follows(hop.channel, next.channel) && present_[bit(hop, next)];
}

std::vector<std::vector<DependencyGraph::Vertex>> DependencyGraph::successors() const
{
    Successors result(topology_->channel_count() * vc_classes_);
    for (Vertex from = 0; from < result.size(); ++from)
        for (const ChannelId id : topology_->channels_from(topology_->channel(hop(from).channel).target))
            for (std::uint32_t vc_class = 0; vc_class < vc_classes_; ++vc_class)
                if (present_[bit(hop(from), {id, vc_class})])
                    result[from].push_back(vertex({id, vc_class}));
    return result;
}

std::vector<Hop> DependencyGraph::shortest_cycle() const
{
    const Successors edges = successors();
    std::vector<bool> kept(edges.size(), true); // what lies on cycles or between them
    peel(edges, kept);
    peel(reversed(edges), kept);

    CycleSearch search(edges, kept);
    std::vector<Vertex> shortest;
    for (Vertex start = 0; start < edges.size(); ++start)
        if (kept[start])
            if (auto cycle = search.through(start, shortest.empty() ? edges.size() + 1 : shortest.size());
                !cycle.empty())
                shortest = std::move(cycle);

    std::vector<Hop> result;
    for (const Vertex vertex : shortest)
        result.push_back(hop(vertex));
    return result;
}

namespace {

/// `add_routes(dependencies)` adds those of a routing that has one route for a pair.
template <typename AddRoutes>
DependencyCheck check(const Topology& topology, const Routing& routing, AddRoutes add_routes)
{
    DependencyGraph dependencies(topology, routing.vc_classes);
    if (const auto visit_fragments = routing.fragments())
        visit_fragments([&](const Route& fragment) { dependencies.add(fragment); });
    else
        add_routes(dependencies);
    auto cycle = dependencies.shortest_cycle();
    return {std::move(dependencies), std::move(cycle)};
}

} // namespace

DependencyCheck check_deadlock(const Topology& topology, const Routing& routing)
{
    if (!routing.fragments())
        require_pairwise_size(topology, "the deadlock check of all routes");
    return check(topology, routing, [&](DependencyGraph& dependencies) {
        // Destination by destination: a table-driven routing then stays in one table.
        for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination)
            for (ProcessorId source = 0; source < topology.processor_count(); ++source)
                dependencies.add(routing.route(source, destination));
    });
}

DependencyCheck check_deadlock(const Topology& topology, const Routing& routing,
                               std::span<const ProcessorPair> pairs)
{
    return check(topology, routing, [&](DependencyGraph& dependencies) {
        for (const auto& [source, destination] : pairs)
            dependencies.add(routing.route(source, destination));
    });
}

std::string describe(const Topology& topology, std::span<const Hop> cycle)
{
    std::string line;
    const auto add = [&](const Hop& hop) {
        const Channel& channel = topology.channel(hop.channel);
        line +=
            fmt::format("{}{}->{} (vc {})", line.empty() ? "" : " -> ", topology.router_name(channel.source),
                        topology.router_name(channel.target), hop.vc_class);
    };
    for (const Hop& hop : cycle)
        add(hop);
    if (!cycle.empty())
        add(cycle.front());
    return line;
}

} // namespace nocturne
