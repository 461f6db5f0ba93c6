#include "schedules/scatter/path_resources.hpp"

#include <algorithm>
#include <numeric>

namespace nocturne {

PathResources path_resources(const Problem& problem)
{
    const Resources resources(problem);
    PathResources result;
    for (ResourceId id = 0; id < resources.count(); ++id)
        result.capacity.push_back(resources.is_scarce(id) ? resources.capacity(id) : 0);
    result.of_channel.resize(resources.channel_count());
    std::iota(result.of_channel.begin(), result.of_channel.end(), ResourceId{0});
    for (const Message& message : problem.collective.messages())
        result.ports.push_back(
            {resources.send_port(message.origin), resources.receive_port(message.receivers.front())});
    return result;
}

std::optional<PathTable> held_paths(const PathResources& resources, const PathTable& paths)
{
    bool are_channels = true;
    for (ResourceId id = 0; id < resources.of_channel.size(); ++id)
        are_channels = are_channels && resources.of_channel[id] == id;
    for (const auto& ports : resources.ports)
        for (const ResourceId port : ports)
            are_channels = are_channels && resources.capacity[port] == 0;
    if (are_channels)
        return std::nullopt;
    PathTable result;
    std::vector<ResourceId> held;
    const auto hold_port = [&](ResourceId port) {
        if (resources.capacity[port] > 0)
            held.push_back(port);
    };
    for (MessageId id = 0; id < paths.message_count(); ++id) {
        for (std::uint32_t path = paths.first_path(id); path != paths.first_path(id + 1); ++path) {
            held.clear();
            hold_port(resources.ports[id].front());
            for (const ChannelId channel : paths.path(path))
                held.push_back(resources.of_channel[channel]);
            hold_port(resources.ports[id].back());
            result.add_path(held);
        }
        result.end_message();
    }
    return result;
}

std::vector<std::uint32_t> load_of_first_paths(const PathResources& resources, const PathTable& paths)
{
    std::vector<std::uint32_t> load(resources.capacity.size(), 0);
    for (MessageId id = 0; id < paths.message_count(); ++id) {
        for (const ChannelId channel : paths.path(paths.first_path(id)))
            ++load[resources.of_channel[channel]];
        for (const ResourceId port : resources.ports[id])
            ++load[port];
    }
    return load;
}

std::uint32_t fewest_steps(const PathResources& resources, std::span<const std::uint32_t> load)
{
    std::uint32_t most = 1;
    for (ResourceId id = 0; id < load.size(); ++id)
        if (const std::uint32_t capacity = resources.capacity[id]; capacity > 0)
            most = std::max(most, (load[id] + capacity - 1) / capacity);
    return most;
}

} // namespace nocturne
