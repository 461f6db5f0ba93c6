#include "schedules/design/request.hpp"

#include "models/measures/wires.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace nocturne::design {
namespace {

template <typename... Arguments>
[[noreturn]] void refuse(fmt::format_string<Arguments...> format, Arguments&&... arguments)
{
    throw std::invalid_argument("design: " + fmt::format(format, std::forward<Arguments>(arguments)...));
}

void check_lengths(const Request& request)
{
    if (request.nodes < 2)
        refuse("{} nodes: at least 2 to join", request.nodes);
    const auto check = [&](std::size_t count, std::string_view what) {
        if (count != request.nodes)
            refuse("{} {} for {} nodes", count, what, request.nodes);
    };
    if (request.degrees.size() != 1)
        check(request.degrees.size(), "numbers of links");
    if (!request.processors.empty())
        check(request.processors.size(), "numbers of processors");
    if (!request.positions.empty())
        check(request.positions.size(), "positions");
    for (const Position& position : request.positions)
        if (!std::isfinite(position.x) || !std::isfinite(position.y))
            refuse("a position is not finite");
}

void check_degrees(const Request& request)
{
    std::uint64_t sum = 0;
    for (NodeId node = 0; node < request.nodes; ++node) {
        const unsigned degree = request.degree(node);
        if (degree == 0)
            refuse("node {} has no links", node);
        if (degree >= request.nodes && request.parallel == ParallelLinks::forbidden)
            refuse("{} links at node {}, but only {} other nodes (parallel links are not allowed)", degree,
                   node, request.nodes - 1);
        sum += degree;
    }
    if (request.kind == LinkKind::one_way)
        return;
    if (sum % 2 != 0)
        refuse("the links of all nodes have {} ends, an odd number", sum);
    if (sum / 2 + 1 < request.nodes)
        refuse("{} links cannot join {} nodes", sum / 2, request.nodes);
}

void check_processors(const Request& request)
{
    std::uint64_t sum = 0;
    for (NodeId node = 0; node < request.nodes; ++node)
        sum += request.processors_at(node);
    if (sum < 2)
        refuse("{} processors: at least 2", sum);
}

/// A node that differs from its image under the symmetry, which divides the nodes.
std::optional<NodeId> find_difference(const Request& request)
{
    const NodeId block = request.nodes / request.symmetry;
    for (NodeId node = 0; node + block < request.nodes; ++node)
        if (request.degree(node) != request.degree(node + block) ||
            request.processors_at(node) != request.processors_at(node + block))
            return node;
    return std::nullopt;
}

void check_symmetry(const Request& request)
{
    if (request.symmetry == 0 || request.nodes % request.symmetry != 0)
        refuse("a symmetry of {} does not divide {} nodes", request.symmetry, request.nodes);
    if (const auto node = find_difference(request))
        refuse("nodes {} and {} differ in their links or processors, against the symmetry of {}", *node,
               *node + request.nodes / request.symmetry, request.symmetry);
}

/// Are all nodes joined by the wires that are short enough?
void check_wires(const Request& request)
{
    if (std::isnan(request.longest_wire) || request.longest_wire < 0)
        refuse("a longest wire of {}", request.longest_wire);
    if (std::isinf(request.longest_wire))
        return;
    if (request.positions.empty())
        refuse("a longest wire needs positions of the nodes");
    std::vector<NodeId> apart(request.nodes - 1);
    std::iota(apart.begin(), apart.end(), 1);
    std::vector<NodeId> open{0};
    while (!open.empty() && !apart.empty()) {
        const NodeId node = open.back();
        open.pop_back();
        const auto joined = std::partition(apart.begin(), apart.end(), [&](NodeId other) {
            return request.wire_length(node, other) > request.longest_wire;
        });
        open.insert(open.end(), joined, apart.end());
        apart.erase(joined, apart.end());
    }
    if (!apart.empty())
        refuse("no network: wires of length {} at most do not join node {} to node 0", request.longest_wire,
               *std::min_element(apart.begin(), apart.end()));
}

} // namespace

double Request::wire_length(NodeId a, NodeId b) const
{
    if (positions.empty())
        return 0;
    return measures::manhattan_distance(positions[a], positions[b]);
}

bool has_symmetry(const Request& request)
{
    return request.symmetry > 0 && request.nodes % request.symmetry == 0 && !find_difference(request);
}

void check_request(const Request& request)
{
    check_lengths(request);
    check_degrees(request);
    check_processors(request);
    check_symmetry(request);
    check_wires(request);
}

} // namespace nocturne::design
