#include "schedules/design/isomorphism.hpp"

#include "schedules/symmetry/automorphisms.hpp"

#include <algorithm>

namespace nocturne::design {
namespace {

std::vector<std::uint32_t> as_words(std::vector<LinkEnds> links)
{
    std::sort(links.begin(), links.end());
    std::vector<std::uint32_t> words;
    for (const LinkEnds& link : links)
        words.insert(words.end(), {link.a, link.b});
    return words;
}

} // namespace

std::vector<std::uint32_t> canonical_links(const Candidate& candidate)
{
    const Request& request = candidate.request;
    if (!request.positions.empty())
        return as_words({candidate.links.begin(), candidate.links.end()});
    ColouredGraph graph;
    std::uint32_t link_colour = 0;
    for (NodeId node = 0; node < request.nodes; ++node) {
        graph.add_vertex(request.processors_at(node));
        link_colour = std::max(link_colour, request.processors_at(node) + 1);
    }
    // A vertex for each link where links may be parallel, two where they have a direction.
    for (const LinkEnds& link : candidate.links) {
        if (request.kind == LinkKind::one_way) {
            const std::uint32_t begins = graph.add_vertex(link_colour);
            const std::uint32_t ends = graph.add_vertex(link_colour + 1);
            graph.edges.insert(graph.edges.end(), {{link.a, begins}, {begins, ends}, {ends, link.b}});
            continue;
        }
        const auto parallel = std::count(candidate.links.begin(), candidate.links.end(), link);
        if (parallel == 1) {
            graph.edges.emplace_back(link.a, link.b);
            continue;
        }
        const std::uint32_t middle = graph.add_vertex(link_colour);
        graph.edges.insert(graph.edges.end(), {{link.a, middle}, {middle, link.b}});
    }
    return canonical_form(graph);
}

} // namespace nocturne::design
