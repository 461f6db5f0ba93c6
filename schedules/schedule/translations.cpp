#include "schedules/schedule/translations.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace nocturne {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// A link of a switch to or from a member, as seen from the grid.
using SwitchLink = std::tuple<std::uint32_t, bool, std::uint64_t, std::uint64_t>;

/// A member's links to (or from) one neighbour, as many as are alike, ascending.
using AlikeLinks = std::map<std::tuple<NodeId, bool, std::uint64_t, std::uint64_t>, std::vector<LinkId>>;

/// Switches by their kind and their links to members: of those with the same the first is taken to the first.
class SwitchImages {
public:
    SwitchImages(const LinkNetwork& network, const Translations& translations)
        : network_(network), translations_(translations), links_(network.node_count()),
          place_(network.node_count())
    {
        for (NodeId node = network.processor_count(); node < network.node_count(); ++node) {
            std::vector<SwitchLink>& links = links_[node];
            const auto add = [&](NodeId other, bool is_out, const NetworkLink& link) {
                if (translations.is_member(other))
                    links.emplace_back(translations.seat_of(other), is_out, link.bytes_per_cycle,
                                       link.latency_cycles);
            };
            for (const LinkId id : network.links_from(node))
                add(network.link(id).target, true, network.link(id));
            for (const LinkId id : network.links_to(node))
                add(network.link(id).source, false, network.link(id));
            std::ranges::sort(links);
            std::vector<NodeId>& alike = alike_[{network.kind(node), links}];
            place_[node] = alike.size();
            alike.push_back(node);
        }
    }

    std::optional<NodeId> of(NodeId node, std::uint32_t by) const
    {
        std::vector<SwitchLink> moved = links_[node];
        for (SwitchLink& link : moved)
            std::get<0>(link) = translations_.moved(std::get<0>(link), by);
        std::ranges::sort(moved);
        const auto found = alike_.find({network_.kind(node), std::move(moved)});
        if (found == alike_.end() || found->second.size() <= place_[node])
            return std::nullopt;
        return found->second[place_[node]];
    }

private:
    const LinkNetwork& network_;
    const Translations& translations_;
    std::vector<std::vector<SwitchLink>> links_; ///< by node, sorted
    std::vector<std::size_t> place_;             ///< by node, among those of the kind with the same links
    std::map<std::pair<NodeKind, std::vector<SwitchLink>>, std::vector<NodeId>> alike_;
};

/// The links of a member that count: those to other members and to switches, and those from switches.
AlikeLinks links_at(const LinkNetwork& network, NodeId member, const Translations& translations)
{
    const auto is_switch = [&](NodeId node) { return network.kind(node) != NodeKind::processor; };
    AlikeLinks links;
    for (const LinkId id : network.links_from(member)) {
        const NetworkLink& link = network.link(id);
        if (is_switch(link.target) || translations.is_member(link.target))
            links[{link.target, true, link.bytes_per_cycle, link.latency_cycles}].push_back(id);
    }
    for (const LinkId id : network.links_to(member)) {
        const NetworkLink& link = network.link(id);
        if (is_switch(link.source))
            links[{link.source, false, link.bytes_per_cycle, link.latency_cycles}].push_back(id);
    }
    return links;
}

} // namespace

std::uint32_t ProcessorGrid::stride(std::size_t dimension) const
{
    return std::accumulate(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(dimension), 1U,
                           std::multiplies<>());
}

std::uint32_t Translations::moved(std::uint32_t seat, std::uint32_t by) const
{
    std::uint32_t result = 0, stride = 1;
    for (const std::uint32_t size : grid_.sizes) {
        result += (seat % size + by % size) % size * stride;
        seat /= size;
        by /= size;
        stride *= size;
    }
    return result;
}

std::uint32_t Translations::inverse(std::uint32_t seat) const
{
    std::uint32_t result = 0, stride = 1;
    for (const std::uint32_t size : grid_.sizes) {
        result += (size - seat % size) % size * stride;
        seat /= size;
        stride *= size;
    }
    return result;
}

std::optional<Translations> Translations::find(const LinkNetwork& network, ProcessorGrid grid)
{
    Translations result(std::move(grid));
    result.seats_.assign(network.processor_count(), none);
    for (std::uint32_t seat = 0; seat < result.count(); ++seat)
        result.seats_[result.grid_.members[seat]] = seat;
    return result.find_links(network) ? std::optional(std::move(result)) : std::nullopt;
}

bool Translations::find_links(const LinkNetwork& network)
{
    const SwitchImages switches(network, *this);
    const auto image_of = [&](NodeId node, std::uint32_t by) -> std::optional<NodeId> {
        return is_member(node) ? std::optional(grid_.members[moved(seats_[node], by)])
                               : switches.of(node, by);
    };
    orbit_of_.assign(network.link_count(), none);
    const AlikeLinks first = links_at(network, grid_.members.front(), *this);
    for (const auto& [kind, links] : first)
        for (std::size_t i = 0; i < links.size(); ++i)
            orbits_.push_back({std::get<bool>(kind), std::vector<LinkId>(count())});
    for (std::uint32_t by = 0; by < count(); ++by) {
        const AlikeLinks there = links_at(network, grid_.members[by], *this);
        std::size_t orbit = 0;
        std::optional<std::pair<NodeId, NodeId>> last; // a neighbour of the first member, and its image
        for (const auto& [kind, links] : first) {
            const auto& [neighbour, is_out, bytes, latency] = kind;
            if (!last || last->first != neighbour) {
                const auto image = image_of(neighbour, by);
                if (!image)
                    return false;
                last = {neighbour, *image};
            }
            const auto found = there.find({last->second, is_out, bytes, latency});
            if (found == there.end() || found->second.size() != links.size())
                return false;
            for (const LinkId link : found->second) {
                orbits_[orbit].links[by] = link;
                orbit_of_[link] = static_cast<std::uint32_t>(orbit);
                ++orbit;
            }
        }
    }
    return true;
}

std::optional<Path> Translations::representatives(const Path& path) const
{
    Path result;
    for (const LinkId link : path) {
        if (orbit_of_[link] == none)
            return std::nullopt;
        result.push_back(orbits_[orbit_of_[link]].links.front());
    }
    return result;
}

Path Translations::path_between(NodeId source, NodeId destination, const Path& representatives) const
{
    Path result;
    result.reserve(representatives.size());
    for (const LinkId link : representatives) {
        const Orbit& orbit = orbits_[orbit_of_[link]];
        result.push_back(orbit.links[seats_[orbit.is_at_source ? source : destination]]);
    }
    return result;
}

} // namespace nocturne
