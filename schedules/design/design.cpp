#include "schedules/design/design.hpp"

#include <utility>

namespace nocturne::design {

Design make_design(const Request& request, const Objective& objective, std::vector<LinkEnds> links)
{
    Design design{.links = std::move(links), .cost = 0, .terms = {}};
    design.terms = terms_of({request, design.links}, objective);
    design.cost = cost_of(design.terms);
    return design;
}

Topology to_topology(const Request& request, const Design& design, const std::string& name)
{
    Topology topology(name);
    for (NodeId node = 0; node < request.nodes; ++node)
        if (request.positions.empty())
            topology.add_router();
        else
            topology.add_router({}, request.positions[node]);
    // A processor of a direct network has its router's name, those of others are numbered.
    for (NodeId node = 0; node < request.nodes; ++node)
        for (unsigned processor = 0; processor < request.processors_at(node); ++processor)
            topology.add_processor(node, node, request.processors.empty() ? topology.router_name(node) : "");
    for (const LinkEnds& link : design.links) {
        const bool is_inside = link.a < request.nodes && link.b < request.nodes;
        const double length = is_inside ? request.wire_length(link.a, link.b) : 0;
        topology.add_channel({.source = link.a, .target = link.b, .length = length});
        if (request.kind == LinkKind::bidirectional)
            topology.add_channel({.source = link.b, .target = link.a, .length = length});
    }
    return topology;
}

} // namespace nocturne::design
