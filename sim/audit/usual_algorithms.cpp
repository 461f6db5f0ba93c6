#include "sim/audit/usual_algorithms.hpp"

#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/chunk_search/boxes.hpp"
#include "sim/audit/limit_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne {
namespace {

/// Bytes a cycle that leave the nodes, or come to them, whichever is less.
std::uint64_t bytes_through(const LinkNetwork& network, const std::vector<NodeId>& nodes)
{
    std::vector<bool> inside(network.node_count());
    for (const NodeId node : nodes)
        inside[node] = true;
    std::uint64_t out = 0, in = 0;
    for (const NetworkLink& link : network.links()) {
        if (inside[link.source] && !inside[link.target])
            out += link.bytes_per_cycle;
        if (!inside[link.source] && inside[link.target])
            in += link.bytes_per_cycle;
    }
    return std::min(out, in);
}

/// Boxes of equal numbers of members, with the least bytes through one of them; nothing if there are none.
struct EqualBoxes {
    std::uint32_t count;
    std::uint32_t members; ///< of each
    std::uint64_t bytes;
};

std::optional<EqualBoxes> equal_boxes(const LinkNetwork& network, const std::vector<std::uint32_t>& members)
{
    std::optional<EqualBoxes> best;
    for (const auto& boxes : boxes_of(network)) {
        std::uint32_t count = 0, each = 0;
        std::uint64_t bytes = ~std::uint64_t{0};
        bool are_equal = true;
        std::uint32_t inside = 0;
        for (const auto& box : boxes) {
            const auto here = static_cast<std::uint32_t>(std::ranges::count_if(
                box, [&](NodeId node) { return std::ranges::binary_search(members, node); }));
            if (here == 0)
                continue;
            are_equal = are_equal && (count == 0 || here == each);
            each = here;
            ++count;
            inside += here;
            bytes = std::min(bytes, bytes_through(network, box));
        }
        if (!are_equal || inside != members.size() || count < 2 || each < 2)
            continue;
        if (!best || bytes * best->members < best->bytes * each)
            best = EqualBoxes{count, each, bytes};
    }
    return best;
}

double tree_limit(const LinkNetwork& network, const std::vector<std::uint32_t>& members,
                  const std::optional<EqualBoxes>& boxes)
{
    std::uint64_t least = ~std::uint64_t{0};
    for (const std::uint32_t member : members)
        least = std::min(least, bytes_through(network, {member}));
    const double n = static_cast<double>(members.size());
    double vectors =
        static_cast<double>(least) / double_tree_load(static_cast<std::uint32_t>(members.size()));
    if (boxes) {
        // In the middle of a chain the vector comes up and down.
        const double in_chain = boxes->members > 2 ? 2 : 1;
        vectors = std::min(static_cast<double>(least) / in_chain,
                           static_cast<double>(boxes->bytes) / double_tree_load(boxes->count));
    }
    return vectors * 2 * (n - 1) / n;
}

} // namespace

double double_tree_load(std::uint32_t nodes)
{
    // The tree of the nodes in their order: the lowest bit of a number says how high its node is.
    std::vector<std::uint32_t> children(nodes, 0);
    for (std::uint32_t node = 1; node < nodes; ++node) {
        const std::uint32_t bit = node & -node;
        const std::uint32_t above = (node ^ bit) | (bit << 1U);
        ++children[above < nodes ? above : node ^ bit];
    }
    // The other tree is its mirror image, or where their number is odd, it turned on by one.
    double most = 0;
    for (std::uint32_t node = 0; node < nodes; ++node) {
        const std::uint32_t other = nodes % 2 == 0 ? nodes - 1 - node : (node + nodes - 1) % nodes;
        const double halves = children[node] + children[other] + (node != 0) + (other != 0);
        most = std::max(most, halves / 2);
    }
    return most;
}

std::vector<AlgorithmLimit> usual_algorithms(const LinkNetwork& network, CollectiveKind kind,
                                             const std::vector<std::uint32_t>& members, double cycle_ns,
                                             const SearchEnd& end)
{
    using enum CollectiveKind;
    std::vector<AlgorithmLimit> limits;
    const CollectiveShape shape{.processors = network.processor_count(), .parts = 1, .group = members};
    const auto unit = static_cast<double>(network.unit_bytes_per_cycle());
    const double n = static_cast<double>(members.size());
    const bool is_exchange = kind == allreduce || kind == allgather || kind == reduce_scatter;
    const std::optional<Bound> cut = best_cut(network, nocturne::allreduce(shape));
    if (!cut || !(is_exchange || kind == broadcast || kind == reduce))
        return limits;
    const double least_cut = unit / to_double(cut->rounds);
    const std::string set = cut_text(std::get<NodeCut>(cut->certificate), network, cycle_ns);
    limits.push_back({"ring", least_cut, "every ring crosses " + set});
    if (kind == allreduce) {
        const auto boxes = equal_boxes(network, members);
        limits.push_back({"double tree", tree_limit(network, members, boxes),
                          boxes ? fmt::format("two trees over {} boxes, chains in each", boxes->count)
                                : "two trees over all"});
    }
    if (is_exchange) {
        if (const auto flow = best_rounds_bound(network, nocturne::alltoall(shape), end))
            limits.push_back({"direct exchange", (n - 1) * unit / to_double(flow->rounds),
                              "a block from each to each: " + limit_text(*flow, network, cycle_ns)});
    }
    const bool has_switches = network.node_count() > network.processor_count();
    if (kind == allreduce && has_switches)
        limits.push_back({"addition in switches", least_cut * 2 * (n - 1) / n,
                          "NVLS, SHARP: each element crosses once " + set});
    return limits;
}

} // namespace nocturne
