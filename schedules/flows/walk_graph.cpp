#include "schedules/flows/walk_graph.hpp"

#include <algorithm>

namespace nocturne {
namespace {

bool goes_round_a_processor(const Topology& topology)
{
    const auto processors = topology.processors();
    return std::any_of(processors.begin(), processors.end(),
                       [](const Processor& p) { return p.injection != p.ejection; });
}

/// Where the arcs of each vertex begin in `arcs`, which are in the order of that end.
std::vector<std::uint32_t> offsets(const std::vector<WalkGraph::Arc>& arcs,
                                   std::uint32_t WalkGraph::Arc::* end, std::size_t vertices)
{
    std::vector<std::uint32_t> first(vertices + 1, 0);
    for (const WalkGraph::Arc& arc : arcs)
        ++first[arc.*end + 1];
    for (std::size_t vertex = 0; vertex < vertices; ++vertex)
        first[vertex + 1] += first[vertex];
    return first;
}

} // namespace

WalkGraph::WalkGraph(const Problem& problem)
    : processors_(problem.topology.processor_count()), channels_(problem.topology.channel_count()),
      slack_(problem.slack)
{
    const Topology& topology = problem.topology;
    const Resources resources(problem);
    capacity_.assign(resources.capacities().begin(), resources.capacities().end());
    for (ResourceId id = 0; id < capacity_.size(); ++id)
        is_scarce_.push_back(resources.is_scarce(id));
    const bool hop_by_hop = problem.switching == Switching::store_and_forward;
    relays_ = hop_by_hop || (!slack_ && goes_round_a_processor(topology));
    // No path visits a router twice.
    if (slack_ && *slack_ >= topology.router_count())
        slack_.reset();
    add_arcs(problem, resources);
    index_arcs(processor_count() + topology.router_count() * (hop_by_hop ? 2 : 1));
}

WalkGraph::WalkGraph(const LinkNetwork& network)
    : processors_(network.processor_count()), channels_(network.link_count()),
      is_scarce_(network.link_count(), true)
{
    for (LinkId id = 0; id < channels_; ++id) {
        capacity_.push_back(network.units(id));
        arcs_.push_back({network.link(id).source, network.link(id).target, id});
    }
    index_arcs(network.node_count());
}

void WalkGraph::add_arcs(const Problem& problem, const Resources& resources)
{
    const Topology& topology = problem.topology;
    const auto routers = static_cast<std::uint32_t>(topology.router_count());
    const bool hop_by_hop = problem.switching == Switching::store_and_forward;
    // A router has two sides, before and behind the hop, where a walk must not go straight on.
    const auto sends = static_cast<std::uint32_t>(processor_count());
    const std::uint32_t receives = hop_by_hop ? sends + routers : sends;
    for (ChannelId id = 0; id < channels_; ++id)
        arcs_.push_back({sends + topology.channel(id).source, receives + topology.channel(id).target, id});
    for (ProcessorId id = 0; id < processor_count(); ++id) {
        arcs_.push_back({id, sends + topology.processor(id).injection, resources.send_port(id)});
        arcs_.push_back({receives + topology.processor(id).ejection, id, resources.receive_port(id)});
    }
    if (hop_by_hop)
        for (RouterId router = 0; router < routers; ++router)
            arcs_.push_back({sends + router, receives + router, no_resource});
}

void WalkGraph::index_arcs(std::size_t vertices)
{
    const auto by_target = [](const Arc& a, const Arc& b) { return a.to < b.to; };
    std::stable_sort(arcs_.begin(), arcs_.end(), [](const Arc& a, const Arc& b) { return a.from < b.from; });
    arcs_to_ = arcs_;
    std::stable_sort(arcs_to_.begin(), arcs_to_.end(), by_target);
    first_from_ = offsets(arcs_, &Arc::from, vertices);
    first_to_ = offsets(arcs_to_, &Arc::to, vertices);
}

} // namespace nocturne
