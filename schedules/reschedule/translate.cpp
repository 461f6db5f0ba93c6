#include "schedules/reschedule/translate.hpp"

#include "schedules/collective/kind_names.hpp"
#include "schedules/problem/copying_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

using ProcessorMap = std::vector<std::optional<ProcessorId>>;

/// In the same order.
std::vector<std::uint32_t> survivors(const std::vector<std::uint32_t>& processors, const ProcessorMap& map)
{
    std::vector<std::uint32_t> left;
    for (const std::uint32_t id : processors)
        if (map[id])
            left.push_back(*map[id]);
    return left;
}

/// What is left of a group, by processors of before: empty if it is all that are left, in ascending order.
std::vector<std::uint32_t> surviving_group(const std::vector<std::uint32_t>& group, const ProcessorMap& map)
{
    std::vector<std::uint32_t> members = group;
    if (group.empty())
        for (std::uint32_t id = 0; id < map.size(); ++id)
            members.push_back(id);
    members = survivors(members, map);
    return group.empty() && std::ranges::is_sorted(members) ? std::vector<std::uint32_t>{} : members;
}

/// One a member or one a pair, without those of members that have failed.
std::vector<std::uint32_t> surviving_weights(CollectiveKind kind, const Participants& before,
                                             const ProcessorMap& map)
{
    std::vector<std::uint32_t> left;
    const std::size_t members = before.group.empty() ? map.size() : before.group.size();
    const auto survives = [&](std::size_t member) {
        return map[before.group.empty() ? member : before.group[member]].has_value();
    };
    for (std::size_t i = 0; i < before.weights.size(); ++i)
        if (survives(i % members) && (kind != CollectiveKind::alltoall || survives(i / members)))
            left.push_back(before.weights[i]);
    return left;
}

[[noreturn]] void refuse(const Collective& collective, const Topology& to, const std::string& reason)
{
    throw std::invalid_argument(fmt::format("{} on {}: {}", in_words(collective.kind), to.name(), reason));
}

/// A permutation sends every processor's message to another one: without one of them it is none.
std::vector<std::uint32_t> surviving_image(const Collective& collective, const Topology& from,
                                           const Topology& to, const ProcessorMap& map)
{
    const std::vector<std::uint32_t> image = participants_of(collective).value().image;
    std::vector<std::uint32_t> left(to.processor_count());
    for (std::uint32_t id = 0; id < image.size(); ++id) {
        if (!map[id] && image[id] == id)
            continue;
        if (!map[id] || !map[image[id]])
            refuse(collective, to,
                   fmt::format("processor {} has failed, and without it this is no permutation",
                               from.processor(map[id] ? image[id] : id).name));
        left[*map[id]] = *map[image[id]];
    }
    return left;
}

/// Has no processor failed, nor another index?
bool is_identity(const ProcessorMap& map, const Topology& to)
{
    for (std::uint32_t id = 0; id < map.size(); ++id)
        if (map[id] != id)
            return false;
    return map.size() == to.processor_count();
}

Collective surviving_collective(const Collective& collective, const Topology& from, const Topology& to,
                                const ProcessorMap& map)
{
    if (is_identity(map, to))
        return collective;
    const std::optional<Participants> participants = participants_of(collective);
    if (!participants)
        refuse(collective, to, "processors have failed, and it does not say what is owed without them");
    const Participants& before = *participants;
    Participants after;
    after.parts = before.parts;
    if (before.senders.empty() && before.receivers.empty() && before.image.empty())
        after.group = surviving_group(before.group, map);
    after.weights = surviving_weights(collective.kind, before, map);
    if (!before.group.empty() && after.group.size() < 2)
        refuse(collective, to, "fewer than two of its group are left");
    if (before.source) {
        after.source = map[*before.source];
        if (!after.source)
            refuse(collective, to,
                   fmt::format("its {} {} has failed", is_to_one(collective.kind) ? "root" : "source",
                               from.processor(*before.source).name));
    }
    after.senders = survivors(before.senders, map);
    after.receivers = survivors(before.receivers, map);
    if (!before.senders.empty() && after.senders.empty())
        refuse(collective, to, "all its senders have failed");
    if (!before.receivers.empty() && after.receivers.empty())
        refuse(collective, to, "all its receivers have failed");
    if (!before.image.empty())
        after.image = surviving_image(collective, from, to, map);
    return make_collective(collective.kind, static_cast<std::uint32_t>(to.processor_count()), after);
}

/// The index in the new collective of each message of the old one; none of sums to which other processors
/// contribute.
std::vector<std::optional<MessageId>> map_messages(const Collective& before, const Collective& after,
                                                   const ProcessorMap& map)
{
    std::vector<std::optional<MessageId>> messages(before.chunks.size());
    if (before == after) {
        for (MessageId id = 0; id < messages.size(); ++id)
            messages[id] = id;
        return messages;
    }
    if (reduces(before))
        return messages;
    for (MessageId id = 0; id < messages.size(); ++id) {
        const Message message = before.messages()[id];
        const auto receiver = std::find_if(message.receivers.begin(), message.receivers.end(),
                                           [&](std::uint32_t other) { return map[other].has_value(); });
        if (!map[message.origin] || receiver == message.receivers.end())
            continue;
        const auto found = find_message(after, *map[message.origin], *map[*receiver]);
        if (found) // one of its block's parts, which lie side by side
            messages[id] = *found - *found % before.parts + id % before.parts;
    }
    return messages;
}

std::optional<Path> map_path(const Path& path, const NetworkMap& map)
{
    Path mapped;
    for (const ChannelId id : path) {
        if (!map.channels[id])
            return std::nullopt;
        mapped.push_back(*map.channels[id]);
    }
    return mapped;
}

} // namespace

NetworkMap map_network(const Topology& from, const Topology& to)
{
    NetworkMap map;
    for (RouterId id = 0; id < from.router_count(); ++id) {
        auto found = to.find_router(from.router_name(id));
        if (found && to.router_name(*found) != from.router_name(id)) // it was taken for an index
            found.reset();
        map.routers.push_back(found);
    }
    for (const Processor& processor : from.processors()) {
        auto found = to.find_processor(processor.name);
        if (found && to.processor(*found).name != processor.name)
            found.reset();
        map.processors.push_back(found);
    }
    // Channels of the new network by their ends, in their order.
    std::map<std::pair<RouterId, RouterId>, std::vector<ChannelId>> between;
    for (ChannelId id = 0; id < to.channel_count(); ++id)
        between[{to.channel(id).source, to.channel(id).target}].push_back(id);
    std::map<std::pair<RouterId, RouterId>, std::size_t> taken;
    for (const Channel& channel : from.channels()) {
        std::optional<ChannelId>& found = map.channels.emplace_back();
        const auto source = map.routers[channel.source];
        const auto target = map.routers[channel.target];
        if (!source || !target)
            continue;
        const std::size_t k = taken[{*source, *target}]++;
        if (const auto& ids = between[{*source, *target}]; k < ids.size())
            found = ids[k];
    }
    return map;
}

Collective surviving_collective(const Collective& collective, const Topology& from, const Topology& to)
{
    return surviving_collective(collective, from, to, map_network(from, to).processors);
}

void require_repairable(const Collective& collective)
{
    if (reduces(collective) && !can_be_turned(collective))
        throw std::invalid_argument(fmt::format(
            "{}: a schedule that adds is not repaired with the fewest changes, since a sum that a "
            "fault interrupts lacks contributions wherever it has gone since; for the fewest "
            "steps it is searched anew",
            in_words(collective.kind)));
}

TranslatedSchedule translate(const Schedule& schedule, const Topology& from, const Topology& to)
{
    const NetworkMap map = map_network(from, to);
    TranslatedSchedule result{schedule, {}};
    result.schedule.topology = to.name();
    result.schedule.collective = surviving_collective(schedule.collective, from, to, map.processors);
    const auto messages = map_messages(schedule.collective, result.schedule.collective, map.processors);
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
        Step& step = result.schedule.steps[i];
        step.clear();
        for (const Transfer& transfer : schedule.steps[i]) {
            if (!transfer.path)
                throw std::invalid_argument(fmt::format(
                    "{} has no path",
                    describe_transfer(schedule, from, i,
                                      static_cast<std::size_t>(&transfer - schedule.steps[i].data()))));
            const auto message = messages[transfer.message];
            const auto source = map.processors[transfer.source];
            const auto destination = map.processors[transfer.destination];
            std::optional<Path> path = map_path(*transfer.path, map);
            if (!source || !destination || !path)
                ++result.met;
            if (!message || !destination)
                ++result.lost;
            else if (!source || !path)
                result.broken.push_back({*message, *destination});
            else
                step.push_back({*message, *source, *destination, std::move(path), transfer.operation});
        }
    }
    return result;
}

} // namespace nocturne
