#include "schedules/design/candidate_graph.hpp"

#include <utility>

namespace nocturne::design {

measures::Graph graph_of(const Candidate& candidate)
{
    const Request& request = candidate.request;
    measures::GraphParts parts{.nodes = request.nodes};
    for (const LinkEnds& link : candidate.links) {
        const auto arc = static_cast<measures::ArcId>(parts.arcs.size());
        parts.arcs.push_back({link.a, link.b});
        if (request.kind == LinkKind::one_way) {
            parts.opposites.push_back(measures::no_arc);
            continue;
        }
        parts.arcs.push_back({link.b, link.a});
        parts.opposites.push_back(arc + 1);
        parts.opposites.push_back(arc);
    }
    for (NodeId node = 0; node < request.nodes; ++node)
        for (unsigned processor = 0; processor < request.processors_at(node); ++processor)
            parts.processors.push_back({node, node});
    return measures::Graph(std::move(parts));
}

} // namespace nocturne::design
