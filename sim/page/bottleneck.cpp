#include "sim/page/bottleneck.hpp"

#include "sim/page/network_json.hpp"

#include <variant>

namespace nocturne {

namespace {

nlohmann::ordered_json nothing_marked(const Bound& bound, const std::string& reason)
{
    return {{"kind", std::string(kind_of(bound))},
            {"reason", reason},
            {"nodes", nlohmann::ordered_json::array()},
            {"links", nlohmann::ordered_json::array()}};
}

void mark_set(nlohmann::ordered_json& json, const VertexSet& set, const Topology& topology)
{
    std::vector<bool> is_inside(topology.router_count());
    for (const RouterId router : set.routers) {
        is_inside[router] = true;
        json["nodes"].push_back(router);
    }
    for (ChannelId id = 0; id < topology.channel_count(); ++id) {
        const Channel& channel = topology.channel(id);
        const bool enters = is_inside[channel.target] && !is_inside[channel.source];
        const bool leaves = is_inside[channel.source] && !is_inside[channel.target];
        if (set.direction == Direction::entering ? enters : leaves)
            json["links"].push_back({id, 1});
    }
}

void mark_lengths(nlohmann::ordered_json& json, const ChannelLengths& lengths, const Topology& topology)
{
    for (ChannelId id = 0; id < lengths.channels.size(); ++id)
        if (lengths.channels[id] > 0)
            json["links"].push_back({id, lengths.channels[id]});
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        if (lengths.injections[id] > 0 || lengths.ejections[id] > 0)
            json["nodes"].push_back(page_node(topology, id));
}

} // namespace

std::vector<std::uint32_t> page_nodes(const Topology& topology, const LinkNetwork& network)
{
    std::vector<std::uint32_t> nodes;
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        nodes.push_back(page_node(topology, id));
    // As link_network_of() has them: every router that is no node with its processor.
    for (RouterId router = 0; router < topology.router_count(); ++router) {
        const auto injecting = topology.processors_injecting_into(router);
        const auto ejected = topology.processors_ejected_by(router);
        const bool is_processor =
            injecting.size() == 1 && ejected.size() == 1 && injecting.front() == ejected.front();
        if (!is_processor)
            nodes.push_back(router);
    }
    nodes.resize(network.node_count());
    return nodes;
}

nlohmann::ordered_json bottleneck_of_messages(const Bound& bound, const Topology& topology)
{
    nlohmann::ordered_json json = nothing_marked(bound, bound.reason);
    if (const auto* const set = std::get_if<VertexSet>(&bound.certificate))
        mark_set(json, *set, topology);
    if (const auto* const lengths = std::get_if<ChannelLengths>(&bound.certificate))
        mark_lengths(json, *lengths, topology);
    if (bound.origin)
        json["nodes"].push_back(page_node(topology, *bound.origin));
    return json;
}

nlohmann::ordered_json bottleneck_of_chunks(const Bound& bound, const Topology& topology,
                                            const LinkNetwork& network)
{
    nlohmann::ordered_json json =
        nothing_marked(bound, bound.reason.empty() ? describe(bound, network) : bound.reason);
    const std::vector<std::uint32_t> nodes = page_nodes(topology, network);
    if (const auto* const cut = std::get_if<NodeCut>(&bound.certificate)) {
        std::vector<bool> is_inside(network.node_count());
        for (const NodeId node : cut->nodes) {
            is_inside[node] = true;
            json["nodes"].push_back(nodes[node]);
        }
        for (LinkId id = 0; id < network.link_count(); ++id)
            if (is_inside[network.link(id).source] && !is_inside[network.link(id).target])
                json["links"].push_back({id, 1});
    }
    if (const auto* const lengths = std::get_if<LinkLengths>(&bound.certificate))
        for (LinkId id = 0; id < lengths->lengths.size(); ++id)
            if (lengths->lengths[id] > 0)
                json["links"].push_back({id, lengths->lengths[id]});
    if (const auto* const pair = std::get_if<FarthestPair>(&bound.certificate))
        json["nodes"] = {nodes[pair->from], nodes[pair->to]};
    return json;
}

} // namespace nocturne
