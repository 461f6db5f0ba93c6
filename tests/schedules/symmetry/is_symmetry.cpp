#include "tests/schedules/symmetry/is_symmetry.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace nocturne::test {
namespace {

bool is_permutation(const std::vector<std::uint32_t>& image, std::size_t count)
{
    std::vector<bool> hit(count, false);
    for (const std::uint32_t to : image) {
        if (to >= count || hit[to])
            return false;
        hit[to] = true;
    }
    return image.size() == count;
}

/// Where the symmetry takes each router that has a channel or a processor; nothing if two of those disagree.
std::optional<std::vector<RouterId>> router_images(const Topology& topology, const Symmetry& symmetry)
{
    constexpr RouterId open = ~0u;
    std::vector<RouterId> images(topology.router_count(), open);
    const auto agrees = [&](RouterId from, RouterId to) {
        if (images[from] == open)
            images[from] = to;
        return images[from] == to;
    };
    const auto pair_agrees = [&](RouterId source, RouterId target, RouterId source_to, RouterId target_to) {
        if (symmetry.reverses)
            std::swap(source_to, target_to);
        return agrees(source, source_to) && agrees(target, target_to);
    };
    for (ChannelId id = 0; id < topology.channel_count(); ++id) {
        const Channel& from = topology.channel(id);
        const Channel& to = topology.channel(symmetry.channels[id]);
        if (!pair_agrees(from.source, from.target, to.source, to.target))
            return std::nullopt;
    }
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        const Processor& from = topology.processor(id);
        const Processor& to = topology.processor(symmetry.processors[id]);
        if (!pair_agrees(from.injection, from.ejection, to.injection, to.ejection))
            return std::nullopt;
    }
    return images;
}

} // namespace

bool is_symmetry(const Topology& topology, const Symmetry& symmetry)
{
    if (!is_permutation(symmetry.processors, topology.processor_count()) ||
        !is_permutation(symmetry.channels, topology.channel_count()))
        return false;
    std::optional<std::vector<RouterId>> images = router_images(topology, symmetry);
    if (!images)
        return false;
    // Two routers must not become one.
    std::erase(*images, ~0u);
    std::sort(images->begin(), images->end());
    return std::adjacent_find(images->begin(), images->end()) == images->end();
}

bool is_symmetry(const Topology& topology, const Collective& collective, const Symmetry& symmetry)
{
    if (!is_symmetry(topology, symmetry))
        return false;
    for (const Message& message : collective.messages()) {
        if (is_broadcast(collective)) {
            std::vector<ProcessorId> receivers;
            for (const ProcessorId receiver : message.receivers)
                receivers.push_back(symmetry.processors[receiver]);
            std::sort(receivers.begin(), receivers.end());
            const ProcessorId origin = symmetry.processors[message.origin];
            const auto is_moved = [&](const Message& other) {
                return other.origin == origin && std::ranges::equal(other.receivers, receivers);
            };
            const Messages messages = collective.messages();
            if (symmetry.reverses || std::none_of(messages.begin(), messages.end(), is_moved))
                return false;
            continue;
        }
        const SourceAndDestination moved =
            image(symmetry, SourceAndDestination{message.origin, message.receivers.front()});
        if (!find_message(collective, moved.source, moved.destination))
            return false;
    }
    return true;
}

} // namespace nocturne::test
