#include "models/routing/paths.hpp"

#include <algorithm>
#include <limits>

namespace nocturne {

PathEnumerator::PathEnumerator(const Topology& topology, ProcessorId source, ProcessorId destination,
                               unsigned slack)
    : topology_(&topology), ends_(endpoints(topology, source, destination)),
      to_destination_(distances_to(topology, ends_.destination)), length_(to_destination_[ends_.source]),
      visited_(topology.router_count())
{
    if (length_ == unreachable) {
        done_ = true;
        return;
    }
    // A path that visits no router twice has fewer hops than there are routers.
    const std::uint64_t most = topology.router_count() - 1;
    longest_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{length_} + slack, most));
    for (ChannelId id = 0; id < topology.channel_count(); ++id)
        if (to_destination_[topology.channel(id).target] != unreachable)
            near_first_.push_back(id);
    std::stable_sort(near_first_.begin(), near_first_.end(), [&](ChannelId a, ChannelId b) {
        return to_destination_[topology.channel(a).target] < to_destination_[topology.channel(b).target];
    });
    begin_length();
}

/// Computes the next row of walks_ and puts the search back to its root.
void PathEnumerator::begin_length()
{
    const auto excess = static_cast<std::uint32_t>(walks_.size());
    walks_.emplace_back(topology_->channel_count());
    // Within a row a channel looks only at channels that end nearer to the destination.
    for (const ChannelId id : near_first_)
        walks_[excess][id] = leads_on(id, excess);
    next_port_.assign(1, 0);
    visited_[ends_.source] = true;
}

bool PathEnumerator::leads_on(ChannelId channel, std::uint32_t excess) const
{
    const RouterId from = topology_->channel(channel).source;
    const RouterId at = topology_->channel(channel).target;
    if (at == ends_.destination)
        return excess == 0;
    const std::uint32_t hops_left = to_destination_[at] + excess;
    const auto ports = topology_->channels_from(at);
    return std::any_of(ports.begin(), ports.end(), [&](ChannelId next) {
        return topology_->channel(next).target != from && can_step(at, next, hops_left);
    });
}

/// May a path that has `hops_left` hops to go leave `from` through `channel`?
bool PathEnumerator::can_step(RouterId from, ChannelId channel, std::uint32_t hops_left) const
{
    const RouterId to = topology_->channel(channel).target;
    if (to == from || to == ends_.source || to_destination_[to] == unreachable ||
        to_destination_[to] + 1 > hops_left)
        return false;
    return walks_[hops_left - 1 - to_destination_[to]][channel];
}

void PathEnumerator::back_up()
{
    next_port_.pop_back();
    if (path_.empty())
        return;
    visited_[topology_->channel(path_.back()).target] = false;
    path_.pop_back();
}

std::optional<Path> PathEnumerator::next()
{
    while (!done_) {
        if (next_port_.empty()) { // all paths of this length have been seen
            done_ = length_ >= longest_;
            if (!done_) {
                ++length_;
                begin_length();
            }
            continue;
        }
        const auto hops_left = static_cast<std::uint32_t>(length_ - path_.size());
        if (hops_left == 0) {
            Path found = path_;
            back_up();
            return found;
        }
        const RouterId at = path_.empty() ? ends_.source : topology_->channel(path_.back()).target;
        const auto ports = topology_->channels_from(at);
        std::size_t& port = next_port_.back();
        while (port < ports.size() &&
               (visited_[topology_->channel(ports[port]).target] || !can_step(at, ports[port], hops_left)))
            ++port;
        if (port == ports.size()) {
            back_up();
            continue;
        }
        path_.push_back(ports[port++]);
        visited_[topology_->channel(path_.back()).target] = true;
        next_port_.push_back(0);
    }
    return std::nullopt;
}

Route route_along(std::span<const ChannelId> path)
{
    Route route;
    for (const ChannelId channel : path)
        route.push_back({channel});
    return route;
}

std::uint64_t count_minimal_paths(const Topology& topology, ProcessorId source, ProcessorId destination)
{
    const Endpoints ends = endpoints(topology, source, destination);
    const std::vector<std::uint32_t> to_destination = distances_to(topology, ends.destination);
    if (to_destination[ends.source] == unreachable)
        return 0;

    // Routers in the order of the hops that a minimal path still has to go; the source is the first that
    // matters.
    std::vector<RouterId> far_first;
    for (RouterId id = 0; id < topology.router_count(); ++id)
        if (to_destination[id] <= to_destination[ends.source])
            far_first.push_back(id);
    std::sort(far_first.begin(), far_first.end(),
              [&](RouterId a, RouterId b) { return to_destination[a] > to_destination[b]; });

    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    std::vector<std::uint64_t> paths(topology.router_count());
    paths[ends.source] = 1;
    for (const RouterId at : far_first)
        for (const ChannelId id : topology.channels_from(at)) {
            const RouterId next = topology.channel(id).target;
            if (to_destination[next] != unreachable && to_destination[next] + 1 == to_destination[at])
                paths[next] = paths[next] > most - paths[at] ? most : paths[next] + paths[at];
        }
    return paths[ends.destination];
}

} // namespace nocturne
