#include "schedules/concurrent/group_network.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace nocturne {
namespace {

constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max();

/// Shortest ways from a node.
struct Reach {
    std::vector<std::uint32_t> distances; ///< by node, in links
    std::vector<LinkId> last;             ///< by node: of a shortest way
};

/// `enters` says of a node whether ways lead on from it, `closed` which links are none.
template <class Enters>
Reach reach_from(const LinkNetwork& network, NodeId from, const std::vector<bool>& closed,
                 const Enters& enters)
{
    Reach reach{std::vector<std::uint32_t>(network.node_count(), unreached),
                std::vector<LinkId>(network.node_count(), 0)};
    std::vector<NodeId> open{from};
    reach.distances[from] = 0;
    for (std::size_t next = 0; next < open.size(); ++next) {
        const NodeId node = open[next];
        if (node != from && !enters(node))
            continue;
        for (const LinkId link : network.links_from(node)) {
            const NodeId to = network.link(link).target;
            if (closed[link] || reach.distances[to] != unreached)
                continue;
            reach.distances[to] = reach.distances[node] + 1;
            reach.last[to] = link;
            open.push_back(to);
        }
    }
    return reach;
}

Path path_to(const LinkNetwork& network, const Reach& reach, NodeId to)
{
    Path path(reach.distances[to]);
    for (auto link = path.rbegin(); link != path.rend(); ++link) {
        *link = reach.last[to];
        to = network.link(*link).source;
    }
    return path;
}

/// A path of the network of a group, by its members.
struct MemberPath {
    std::uint32_t from;
    std::uint32_t to;
    Path path;
};

std::vector<MemberPath> paths_of(const LinkNetwork& whole, const std::vector<std::uint32_t>& group)
{
    std::vector<bool> is_member(whole.node_count(), false);
    for (const std::uint32_t member : group)
        is_member[member] = true;
    const std::vector<bool> none(whole.link_count(), false);
    std::vector<std::vector<std::uint32_t>> distances;
    for (const std::uint32_t member : group)
        distances.push_back(reach_from(whole, member, none, [](NodeId) { return true; }).distances);
    std::vector<MemberPath> paths;
    for (std::uint32_t a = 0; a < group.size(); ++a) {
        const auto past_no_member = [&](NodeId node) { return !is_member[node]; };
        const Reach first = reach_from(whole, group[a], none, past_no_member);
        for (std::uint32_t b = 0; b < group.size(); ++b) {
            const std::uint32_t distance = distances[a][group[b]];
            bool is_next = a != b && distance != unreached && first.distances[group[b]] == distance;
            for (std::uint32_t m = 0; m < group.size() && is_next; ++m)
                is_next = m == a || m == b || distances[a][group[m]] + distances[m][group[b]] != distance;
            if (!is_next)
                continue;
            std::vector<bool> closed = none;
            for (Reach reach = first; reach.distances[group[b]] == distance;
                 reach = reach_from(whole, group[a], closed, past_no_member)) {
                paths.push_back({a, b, path_to(whole, reach, group[b])});
                for (const LinkId link : paths.back().path)
                    closed[link] = true;
            }
        }
    }
    return paths;
}

} // namespace

std::vector<GroupNetwork> relay_networks(const LinkNetwork& whole,
                                         const std::vector<std::vector<std::uint32_t>>& groups)
{
    std::vector<std::vector<MemberPath>> all;
    std::vector<std::uint64_t> uses(whole.link_count(), 0);
    for (const std::vector<std::uint32_t>& group : groups)
        for (const MemberPath& one : all.emplace_back(paths_of(whole, group)))
            for (const LinkId link : one.path)
                ++uses[link];
    std::vector<GroupNetwork> networks;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        GroupNetwork result{
            LinkNetwork("group of " + whole.name(), static_cast<std::uint32_t>(groups[i].size())),
            groups[i],
            {}};
        for (std::uint32_t k = 0; k < groups[i].size(); ++k)
            result.network.set_node_name(k, whole.node_name(groups[i][k]));
        for (MemberPath& one : all[i]) {
            NetworkLink link{one.from, one.to, std::numeric_limits<std::uint64_t>::max(), 0};
            for (const LinkId id : one.path) {
                const NetworkLink& part = whole.link(id);
                link.bytes_per_cycle =
                    std::min(link.bytes_per_cycle, part.bytes_per_cycle * share_parts / uses[id]);
                link.latency_cycles += part.latency_cycles;
            }
            link.bytes_per_cycle = std::max<std::uint64_t>(link.bytes_per_cycle, 1);
            result.network.add_link(link);
            result.paths.push_back(std::move(one.path));
        }
        if (!is_connected(result.network))
            return {};
        networks.push_back(std::move(result));
    }
    return networks;
}

LinkNetwork with_shares(const LinkNetwork& network, const std::vector<double>& shares)
{
    LinkNetwork result(network.name(), network.processor_count());
    for (NodeId node = 0; node < network.processor_count(); ++node)
        result.set_node_name(node, network.node_name(node));
    for (NodeId node = network.processor_count(); node < network.node_count(); ++node)
        result.add_switch(network.kind(node), network.node_name(node));
    for (LinkId id = 0; id < network.link_count(); ++id) {
        constexpr double levels = 16; // few bandwidths, so that schedules in few chunks use them well
        NetworkLink link = network.link(id);
        const double share = std::max(std::round(shares[id] * levels), 1.0) / levels;
        const double bytes = static_cast<double>(link.bytes_per_cycle * share_parts) * share;
        link.bytes_per_cycle = std::max<std::uint64_t>(static_cast<std::uint64_t>(bytes), 1);
        link.channel.reset();
        result.add_link(link);
    }
    return result;
}

} // namespace nocturne
