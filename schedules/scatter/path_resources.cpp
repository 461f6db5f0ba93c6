#include "schedules/scatter/path_resources.hpp"

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
    for (const Message& message : problem.collective.messages)
        result.ports.push_back(
            {resources.send_port(message.origin), resources.receive_port(message.receivers.front())});
    return result;
}

} // namespace nocturne
