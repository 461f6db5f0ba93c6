#include "tests/schedules/design/example_requests.hpp"

#include "models/measures/wires.hpp"
#include "schedules/design/random_network.hpp"

#include <algorithm>
#include <deque>
#include <map>

namespace nocturne::test {

using namespace design;

std::vector<NamedRequest> example_requests()
{
    std::vector<NamedRequest> requests{
        {"70 nodes, 3 links", {.nodes = 70, .degrees = {3}}},
        {"40 nodes, 4 links", {.nodes = 40, .degrees = {4}}},
        {"130 nodes, 5 links", {.nodes = 130, .degrees = {5}}},
        {"one-way", {.nodes = 66, .degrees = {2}, .kind = LinkKind::one_way}},
        {"one-way, symmetric", {.nodes = 48, .degrees = {2}, .kind = LinkKind::one_way, .symmetry = 4}},
        {"symmetric, links to the opposite node", {.nodes = 130, .degrees = {3}, .symmetry = 26}},
        {"symmetric, odd", {.nodes = 27, .degrees = {4}, .symmetry = 9}},
        {"parallel links", {.nodes = 20, .degrees = {4}, .parallel = ParallelLinks::allowed}},
        {"short wires",
         {.nodes = 150,
          .degrees = {4},
          .positions = measures::arrange(measures::Arrangement::grid, 150, 15),
          .longest_wire = 4}},
        {"symmetric with wires",
         {.nodes = 24,
          .degrees = {3},
          .positions = measures::arrange(measures::Arrangement::grid, 24, 6),
          .longest_wire = 6,
          .symmetry = 2}},
    };
    Request hosts{.nodes = 30, .degrees = {4}};
    Request uneven{.nodes = 30, .degrees = {}};
    for (NodeId node = 0; node < 30; ++node) {
        hosts.processors.push_back(node % 4 == 0 ? 0 : node % 3);
        uneven.degrees.push_back(2 + node % 3);
    }
    requests.push_back({"host-switch", hosts});
    requests.push_back({"uneven degrees", uneven});
    Request symmetric_hosts{.nodes = 160, .degrees = {4}, .symmetry = 2};
    for (NodeId node = 0; node < 160; ++node)
        symmetric_hosts.processors.push_back(node % 80 < 60 ? 2 : 0);
    requests.push_back({"symmetric host-switch", symmetric_hosts});
    return requests;
}

HalfEdges random_network(const Request& request, std::uint64_t seed)
{
    HalfEdges network(request);
    SplitMix64 random(seed);
    link_at_random(network, ExchangeDraw(network), random);
    return network;
}

HopTotals hops_by_search(const Request& request, std::span<const LinkEnds> links)
{
    std::vector<std::vector<NodeId>> next(request.nodes);
    for (const LinkEnds& link : links) {
        next[link.a].push_back(link.b);
        if (request.kind == LinkKind::bidirectional)
            next[link.b].push_back(link.a);
    }
    HopTotals totals;
    for (NodeId source = 0; source < request.nodes; ++source) {
        std::vector<std::uint32_t> hops(request.nodes, request.nodes);
        hops[source] = 0;
        for (std::deque<NodeId> open{source}; !open.empty(); open.pop_front())
            for (const NodeId node : next[open.front()])
                if (hops[node] == request.nodes) {
                    hops[node] = hops[open.front()] + 1;
                    open.push_back(node);
                }
        for (NodeId node = 0; node < request.nodes; ++node) {
            const std::uint64_t pairs =
                std::uint64_t{request.processors_at(source)} * request.processors_at(node);
            if (pairs == 0)
                continue;
            totals.sum += pairs * hops[node];
            totals.maximum = std::max(totals.maximum, hops[node]);
            totals.apart += hops[node] == request.nodes ? pairs : 0;
        }
    }
    return totals;
}

std::string find_violation(const Request& request, std::span<const LinkEnds> links)
{
    std::vector<unsigned> out(request.nodes);
    std::vector<unsigned> in(request.nodes);
    std::map<LinkEnds, unsigned> count;
    const bool is_one_way = request.kind == LinkKind::one_way;
    for (const LinkEnds& link : links) {
        if (link.a == link.b || (!is_one_way && link.a > link.b))
            return "a link from a node to itself, or not in order";
        if (request.wire_length(link.a, link.b) > request.longest_wire)
            return "a long wire";
        if (++count[link] > 1 && request.parallel == ParallelLinks::forbidden)
            return "parallel links";
        ++out[link.a];
        ++(is_one_way ? in : out)[link.b];
    }
    for (NodeId node = 0; node < request.nodes; ++node)
        if (out[node] > request.degree(node) || in[node] > request.degree(node))
            return "too many links at a node";
    for (const auto& [link, times] : count) {
        const NodeId block = request.nodes / request.symmetry;
        LinkEnds image{(link.a + block) % request.nodes, (link.b + block) % request.nodes};
        if (!is_one_way && image.a > image.b)
            std::swap(image.a, image.b);
        if (request.symmetry > 1 && (!count.contains(image) || count.at(image) != times))
            return "no symmetry";
    }
    return {};
}

} // namespace nocturne::test
