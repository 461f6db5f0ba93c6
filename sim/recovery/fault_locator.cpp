#include "sim/recovery/fault_locator.hpp"

#include "sim/recovery/minimal_fault_set.hpp"

#include <algorithm>
#include <queue>

namespace nocturne {

namespace {

// What a channel costs on the path of a probe: a detour over channels that work is always better than a
// doubtful one.
constexpr std::uint64_t working_cost = 1;
constexpr std::uint64_t unknown_cost = 1'000;
constexpr std::uint64_t suspect_cost = 1'000'000;
constexpr std::uint64_t known_result_cost = 1'000'000'000'000;
/// So often a lost probe makes a path look for a detour around it.
constexpr unsigned most_detours = 3;

std::vector<bool> only(std::size_t routers, RouterId router)
{
    std::vector<bool> set(routers);
    set[router] = true;
    return set;
}

} // namespace

Faults FaultLocation::failed() const
{
    Faults all;
    for (const Faults& part : parts) {
        all.channels.insert(all.channels.end(), part.channels.begin(), part.channels.end());
        all.routers.insert(all.routers.end(), part.routers.begin(), part.routers.end());
    }
    return all;
}

FaultLocator::FaultLocator(const Topology& topology, const std::vector<ChannelId>& suspects,
                           const std::vector<ChannelId>& working)
    : topology_(topology), state_(topology.channel_count(), State::unknown), losses_(topology.channel_count())
{
    for (RouterId id = 0; id < topology.router_count(); ++id) {
        injecting_.push_back(!topology.processors_injecting_into(id).empty());
        ejecting_.push_back(!topology.processors_ejected_by(id).empty());
    }
    for (const ChannelId id : working)
        state_[id] = State::works;
    for (const ChannelId id : suspects)
        state_[id] = State::suspect;
}

std::vector<Probe> FaultLocator::next_probes()
{
    do {
        std::vector<Probe> probes;
        std::vector<bool> is_covered(topology_.channel_count());
        for (ChannelId id = 0; id < state_.size(); ++id) {
            if (state_[id] != State::suspect || is_covered[id])
                continue;
            std::optional<Probe> probe = new_probe_over(id);
            if (!probe)
                continue;
            for (const ChannelId on_path : probe->path)
                is_covered[on_path] = true;
            probes.push_back(std::move(*probe));
        }
        if (!probes.empty())
            return probes;
    } while (suspect_neighbours());
    return {};
}

void FaultLocator::note(const Probe& probe, bool has_arrived)
{
    if (has_arrived) {
        for (const ChannelId id : probe.path)
            state_[id] = State::works;
    } else {
        lost_.push_back(doubtful(probe.path));
        for (const ChannelId id : lost_.back()) {
            ++losses_[id];
            if (state_[id] == State::unknown)
                state_[id] = State::suspect;
        }
    }
    draw_conclusions();
}

/// A lost probe of which all channels work now fell victim to a fault that is over.
void FaultLocator::draw_conclusions()
{
    for (Channels& channels : lost_) {
        std::erase_if(channels, [&](ChannelId id) { return state_[id] == State::works; });
        if (channels.size() == 1)
            state_[channels.front()] = State::failed;
    }
    std::erase_if(lost_, [](const Channels& channels) { return channels.empty(); });
}

/// What is around channels that have failed, or that no probe got over, is suspected as well. False if it was
/// already.
bool FaultLocator::suspect_neighbours()
{
    bool is_new = false;
    std::vector<ChannelId> bad;
    for (ChannelId id = 0; id < state_.size(); ++id)
        if (state_[id] == State::suspect || state_[id] == State::failed)
            bad.push_back(id);
    for (const ChannelId id : bad)
        for (const RouterId end : {topology_.channel(id).source, topology_.channel(id).target})
            for (const auto channels : {topology_.channels_from(end), topology_.channels_to(end)})
                for (const ChannelId other : channels)
                    if (state_[other] == State::unknown) {
                        state_[other] = State::suspect;
                        is_new = true;
                    }
    return is_new;
}

FaultLocator::Channels FaultLocator::doubtful(const Path& path) const
{
    Channels channels;
    for (const ChannelId id : path)
        if (state_[id] != State::works)
            channels.push_back(id);
    std::sort(channels.begin(), channels.end());
    channels.erase(std::unique(channels.begin(), channels.end()), channels.end());
    return channels;
}

std::optional<std::size_t> FaultLocator::lost_probe_within(const Channels& channels) const
{
    const auto found = std::find_if(lost_.begin(), lost_.end(), [&](const Channels& lost) {
        return std::includes(channels.begin(), channels.end(), lost.begin(), lost.end());
    });
    return found == lost_.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - lost_.begin()));
}

/// A path over the suspect whose result does not follow from those of earlier probes: wherever it would, a
/// detour around what the lost probe met besides the suspect.
std::optional<Probe> FaultLocator::new_probe_over(ChannelId suspect) const
{
    Costs costs(topology_.channel_count());
    for (ChannelId id = 0; id < costs.size(); ++id)
        costs[id] = state_[id] == State::works     ? working_cost
                    : state_[id] == State::unknown ? unknown_cost
                                                   : suspect_cost * (1 + losses_[id]);
    std::vector<unsigned> detours(lost_.size());
    for (;;) {
        std::optional<Path> path = cheapest_path_over(suspect, costs);
        if (!path)
            return std::nullopt;
        const std::optional<std::size_t> known = lost_probe_within(doubtful(*path));
        if (!known)
            return Probe{topology_.processors_injecting_into(topology_.channel(path->front()).source).front(),
                         topology_.processors_ejected_by(topology_.channel(path->back()).target).front(),
                         std::move(*path)};
        if (++detours[*known] > most_detours)
            return std::nullopt;
        for (const ChannelId id : lost_[*known])
            costs[id] += known_result_cost << detours[*known];
    }
}

std::optional<Path> FaultLocator::cheapest_path_over(ChannelId suspect, const Costs& costs) const
{
    const Channel& channel = topology_.channel(suspect);
    const std::size_t routers = topology_.router_count();
    std::optional<Path> path = cheapest_path(injecting_, only(routers, channel.source), costs);
    const std::optional<Path> behind = cheapest_path(only(routers, channel.target), ejecting_, costs);
    if (!path || !behind)
        return std::nullopt;
    path->push_back(suspect);
    path->insert(path->end(), behind->begin(), behind->end());
    return path;
}

/// From any of some routers to any of others, without channels that have failed (Dijkstra).
std::optional<Path> FaultLocator::cheapest_path(const std::vector<bool>& from, const std::vector<bool>& to,
                                                const Costs& costs) const
{
    using Open = std::pair<std::uint64_t, RouterId>;
    constexpr std::uint64_t far = ~std::uint64_t{0};
    std::vector<std::uint64_t> distance(topology_.router_count(), far);
    std::vector<std::optional<ChannelId>> by(topology_.router_count());
    std::priority_queue<Open, std::vector<Open>, std::greater<>> open;
    for (RouterId id = 0; id < from.size(); ++id)
        if (from[id])
            open.emplace(distance[id] = 0, id);
    for (; !open.empty(); open.pop()) {
        const auto [cost, at] = open.top();
        if (cost > distance[at])
            continue;
        if (to[at]) {
            Path path;
            for (RouterId router = at; by[router]; router = topology_.channel(*by[router]).source)
                path.push_back(*by[router]);
            std::reverse(path.begin(), path.end());
            return path;
        }
        for (const ChannelId id : topology_.channels_from(at)) {
            const RouterId next = topology_.channel(id).target;
            if (state_[id] == State::failed || cost + costs[id] >= distance[next])
                continue;
            distance[next] = cost + costs[id];
            by[next] = id;
            open.emplace(distance[next], next);
        }
    }
    return std::nullopt;
}

/// Those over which no probe has arrived, although each of their channels was tried.
std::vector<RouterId> FaultLocator::failed_routers() const
{
    const auto none_works = [&](std::span<const ChannelId> channels) {
        return std::all_of(channels.begin(), channels.end(), [&](ChannelId id) {
            return state_[id] == State::suspect || state_[id] == State::failed;
        });
    };
    std::vector<RouterId> routers;
    for (RouterId id = 0; id < topology_.router_count(); ++id)
        if (topology_.channels_from(id).size() + topology_.channels_to(id).size() >= 2 &&
            none_works(topology_.channels_from(id)) && none_works(topology_.channels_to(id)))
            routers.push_back(id);
    return routers;
}

FaultLocation FaultLocator::location() const
{
    return {smallest_faults(topology_, lost_, failed_routers())};
}

} // namespace nocturne
