#include "models/measures/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <tuple>

namespace nocturne::measures {

namespace {

void require_exists(const char* kind, std::uint32_t id, std::size_t count)
{
    if (id >= count)
        throw std::invalid_argument(
            fmt::format("graph: {} {} does not exist, there are {}", kind, id, count));
}

void require_length(const char* list, std::size_t length, std::size_t arcs)
{
    if (length != arcs)
        throw std::invalid_argument(fmt::format("graph: {} {} for {} arcs", length, list, arcs));
}

} // namespace

std::vector<ArcId> match_opposites(std::span<const Arc> arcs)
{
    std::vector<ArcId> order(arcs.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto ends = [&](ArcId id) { return std::minmax(arcs[id].source, arcs[id].target); };
    std::ranges::sort(order, {}, [&](ArcId id) {
        const auto [low, high] = ends(id);
        return std::tuple(low, high, arcs[id].source, id);
    });
    std::vector<ArcId> opposite(arcs.size(), no_arc);
    for (std::size_t begin = 0, end; begin < order.size(); begin = end) {
        end = begin + 1;
        while (end < order.size() && ends(order[end]) == ends(order[begin]))
            ++end;
        const auto [low, high] = ends(order[begin]);
        if (low == high)
            continue;
        std::size_t back = begin; // first arc from the higher to the lower node
        while (back < end && arcs[order[back]].source == low)
            ++back;
        for (std::size_t forth = begin, other = back; forth < back && other < end; ++forth, ++other) {
            opposite[order[forth]] = order[other];
            opposite[order[other]] = order[forth];
        }
    }
    return opposite;
}

Graph::Graph(GraphParts parts) : parts_(std::move(parts))
{
    if (parts_.opposites.empty())
        parts_.opposites = match_opposites(parts_.arcs);
    check();
    build_rows();
    injecting_.resize(parts_.nodes);
    ejected_.resize(parts_.nodes);
    for (const auto& [injection, ejection] : parts_.processors) {
        ++injecting_[injection];
        ++ejected_[ejection];
        is_direct_ = is_direct_ && injection == ejection;
    }
    for (ArcId id = 0; id < arc_count(); ++id)
        if (parts_.opposites[id] == no_arc && parts_.arcs[id].source != parts_.arcs[id].target)
            is_bidirectional_ = false;
}

void Graph::check() const
{
    for (const auto& [source, target] : parts_.arcs) {
        require_exists("node", source, parts_.nodes);
        require_exists("node", target, parts_.nodes);
    }
    for (const auto& [injection, ejection] : parts_.processors) {
        require_exists("node", injection, parts_.nodes);
        require_exists("node", ejection, parts_.nodes);
    }
    for (const ArcId opposite : parts_.opposites)
        if (opposite != no_arc)
            require_exists("arc", opposite, parts_.arcs.size());
    require_length("opposites", parts_.opposites.size(), parts_.arcs.size());
    if (!parts_.lengths.empty())
        require_length("lengths", parts_.lengths.size(), parts_.arcs.size());
}

void Graph::build_rows()
{
    out_begin_.resize(std::size_t{parts_.nodes} + 1);
    in_begin_.resize(std::size_t{parts_.nodes} + 1);
    for (const auto& [source, target] : parts_.arcs) {
        ++out_begin_[source + 1];
        ++in_begin_[target + 1];
    }
    std::partial_sum(out_begin_.begin(), out_begin_.end(), out_begin_.begin());
    std::partial_sum(in_begin_.begin(), in_begin_.end(), in_begin_.begin());
    for (auto* const row : {&from_, &to_, &successors_, &predecessors_})
        row->resize(parts_.arcs.size());
    std::vector<std::uint32_t> out = out_begin_;
    std::vector<std::uint32_t> in = in_begin_;
    for (ArcId id = 0; id < arc_count(); ++id) {
        const auto [source, target] = parts_.arcs[id];
        from_[out[source]] = id;
        successors_[out[source]++] = target;
        to_[in[target]] = id;
        predecessors_[in[target]++] = source;
    }
}

std::vector<Attachment> one_processor_each(NodeId nodes)
{
    std::vector<Attachment> processors(nodes);
    for (NodeId node = 0; node < nodes; ++node)
        processors[node] = {node, node};
    return processors;
}

Graph graph_of_links(NodeId nodes, std::span<const Arc> links)
{
    GraphParts parts{.nodes = nodes, .processors = one_processor_each(nodes)};
    parts.arcs.reserve(2 * links.size());
    parts.opposites.reserve(2 * links.size());
    for (const auto& [source, target] : links) {
        const auto id = static_cast<ArcId>(parts.arcs.size());
        parts.arcs.push_back({source, target});
        parts.arcs.push_back({target, source});
        parts.opposites.push_back(id + 1);
        parts.opposites.push_back(id);
    }
    return Graph(std::move(parts));
}

Graph graph_of_arcs(NodeId nodes, std::span<const Arc> arcs)
{
    return Graph(
        {.nodes = nodes, .arcs = {arcs.begin(), arcs.end()}, .processors = one_processor_each(nodes)});
}

Graph graph_of(const Topology& topology)
{
    GraphParts parts{.nodes = static_cast<NodeId>(topology.router_count())};
    const bool has_lengths =
        std::ranges::any_of(topology.channels(), [](const Channel& channel) { return channel.length != 0; });
    for (const Channel& channel : topology.channels()) {
        parts.arcs.push_back({channel.source, channel.target});
        if (has_lengths)
            parts.lengths.push_back(channel.length);
    }
    for (const Processor& processor : topology.processors())
        parts.processors.push_back({processor.injection, processor.ejection});
    return Graph(std::move(parts));
}

std::vector<ArcId> links_of(const Graph& graph)
{
    std::vector<ArcId> links;
    for (ArcId id = 0; id < graph.arc_count(); ++id)
        if (id < graph.opposite(id)) // no_arc is larger than any
            links.push_back(id);
    return links;
}

Graph without(const Graph& graph, const GraphFaults& faults)
{
    std::vector<bool> node_failed(graph.node_count());
    for (const NodeId node : faults.nodes) {
        require_exists("node", node, graph.node_count());
        node_failed[node] = true;
    }
    std::vector<bool> arc_failed(graph.arc_count());
    for (const ArcId id : faults.arcs) {
        require_exists("arc", id, graph.arc_count());
        arc_failed[id] = true;
    }
    std::vector<ArcId> renumbered(graph.arc_count(), no_arc);
    GraphParts rest{.nodes = graph.node_count()};
    for (ArcId id = 0; id < graph.arc_count(); ++id) {
        const Arc& arc = graph.arc(id);
        if (arc_failed[id] || node_failed[arc.source] || node_failed[arc.target])
            continue;
        renumbered[id] = static_cast<ArcId>(rest.arcs.size());
        rest.arcs.push_back(arc);
        if (!graph.lengths().empty())
            rest.lengths.push_back(graph.lengths()[id]);
    }
    for (ArcId id = 0; id < graph.arc_count(); ++id)
        if (renumbered[id] != no_arc) {
            const ArcId back = graph.opposite(id);
            rest.opposites.push_back(back == no_arc ? no_arc : renumbered[back]);
        }
    for (const Attachment& processor : graph.processors())
        if (!node_failed[processor.injection] && !node_failed[processor.ejection])
            rest.processors.push_back(processor);
    return Graph(std::move(rest));
}

} // namespace nocturne::measures
