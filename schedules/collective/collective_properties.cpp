#include "schedules/collective/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <utility>

namespace nocturne {

bool is_to_one(CollectiveKind kind)
{
    return kind == CollectiveKind::gather || kind == CollectiveKind::reduce;
}

std::optional<MessageId> find_message(const Collective& collective, std::uint32_t origin,
                                      std::uint32_t receiver)
{
    const Messages messages = collective.messages();
    const bool broadcast = is_broadcast(collective);
    const auto is_it = [&](const Message& message) {
        return message.origin == origin && (broadcast || message.receivers.front() == receiver);
    };
    // Where all send to all it is known where: to look for a million of a million messages takes seconds.
    const std::uint64_t all_to_all = broadcast ? origin
                                               : std::uint64_t{origin} * (collective.processors - 1) +
                                                     receiver - (receiver > origin ? 1 : 0);
    if (all_to_all < messages.size() && is_it(messages[static_cast<MessageId>(all_to_all)]))
        return static_cast<MessageId>(all_to_all);
    // Of a group in ascending order a scatter's messages are in order of (origin, receiver); a broadcast has
    // one message for each origin.
    MessageId first = 0;
    auto end = static_cast<MessageId>(messages.size());
    while (first < end) {
        const MessageId middle = first + (end - first) / 2;
        const Message message = messages[middle];
        const bool is_before = message.origin != origin ? message.origin < origin
                                                        : !broadcast && message.receivers.front() < receiver;
        if (is_before)
            first = middle + 1;
        else
            end = middle;
    }
    if (first < messages.size() && is_it(messages[first]))
        return first;
    // In another order mostly each origin has as many as the first, in a row.
    const auto all = static_cast<MessageId>(messages.size());
    MessageId row = 0;
    while (row < all && messages[row].origin == messages[0].origin)
        ++row;
    for (MessageId begin = 0; begin < all; begin += row)
        if (messages[begin].origin == origin)
            for (MessageId id = begin; id < std::min(begin + row, all); ++id)
                if (is_it(messages[id]))
                    return id;
    for (MessageId id = 0; id < all; ++id)
        if (is_it(messages[id]))
            return id;
    return std::nullopt;
}

bool keeps_own(CollectiveKind kind)
{
    return kind == CollectiveKind::broadcast || kind == CollectiveKind::allgather;
}

bool has_equal_messages(const Collective& collective)
{
    if (collective.parts > 1)
        return true;
    std::set<std::pair<std::uint32_t, std::vector<std::uint32_t>>> seen;
    return collective.kind == CollectiveKind::custom &&
           !std::ranges::all_of(collective.messages(), [&](const Message& message) {
               return seen.insert({message.origin, {message.receivers.begin(), message.receivers.end()}})
                   .second;
           });
}

bool is_among_all(const Collective& collective, CollectiveKind kind)
{
    if (collective.parts != 1 || collective.demands.size() != results_of(kind, collective.processors, 1))
        return false;
    if (collective.kind == kind)
        return true;
    // Whatever it is called: from and to all, many to many is all to all. Between two processors scatters and
    // broadcasts have the same messages, which are looked for in another way (find_message()).
    const Collective all = make_collective(kind, {collective.processors});
    return is_broadcast(collective) == is_broadcast(all) && collective.chunks == all.chunks &&
           collective.demands == all.demands;
}

bool reduces(const Collective& collective)
{
    return std::any_of(collective.chunks.begin(), collective.chunks.end(),
                       [](const Chunk& chunk) { return chunk.contributors.size() > 1; });
}

namespace {

bool has_message_to_several(const Collective& collective)
{
    for (ChunkId chunk = 0; chunk < collective.chunks.size(); ++chunk)
        if (collective.demands.receivers_of(chunk).size() > 1)
            return true;
    return false;
}

} // namespace

bool is_personalized(const Collective& collective)
{
    return !has_message_to_several(collective);
}

bool is_broadcast(const Collective& collective)
{
    switch (collective.kind) {
    case CollectiveKind::broadcast:
    case CollectiveKind::allgather:
    case CollectiveKind::multicast:
    case CollectiveKind::many_to_many_broadcast:
        return true;
    case CollectiveKind::custom:
        return has_message_to_several(collective);
    default:
        return false;
    }
}

Collective at_once(const Collective& first, const Collective& second)
{
    if (first.processors != second.processors)
        throw std::invalid_argument(fmt::format("collectives of {} and {} processors are not for one network",
                                                first.processors, second.processors));
    if (first.parts != second.parts)
        throw std::invalid_argument(
            fmt::format("collectives in {} and {} chunks have no common chunk", first.parts, second.parts));
    Collective both = first;
    both.kind = CollectiveKind::custom;
    const auto offset = static_cast<ChunkId>(first.chunks.size());
    both.chunks.insert(both.chunks.end(), second.chunks.begin(), second.chunks.end());
    for (const Demand& demand : second.demands)
        both.demands.push_back({demand.chunk + offset, demand.receiver, demand.contributors});
    return both;
}

namespace {

CollectiveKind reversed(CollectiveKind kind)
{
    using enum CollectiveKind;
    constexpr std::array pairs{std::pair{broadcast, reduce}, std::pair{scatter, gather},
                               std::pair{allgather, reduce_scatter}, std::pair{alltoall, alltoall}};
    for (const auto& [forward, backward] : pairs) {
        if (kind == forward)
            return backward;
        if (kind == backward)
            return forward;
    }
    return custom;
}

[[noreturn]] void throw_not_reversible(ChunkId chunk)
{
    throw std::invalid_argument(fmt::format(
        "chunk {} is sent to several, and it or another is reduced: this cannot be turned round", chunk));
}

} // namespace

Collective released_from(const Collective& collective, std::uint64_t cycles)
{
    Collective result = collective;
    result.demands = {};
    for (const Demand& demand : collective.demands)
        if (collective.chunks[demand.chunk].release_cycles >= cycles)
            result.demands.push_back(demand);
    for (Chunk& chunk : result.chunks)
        chunk.release_cycles -= std::min(cycles, chunk.release_cycles);
    return result;
}

Collective reversed(const Collective& collective)
{
    Collective result = collective;
    result.kind = reversed(collective.kind);
    result.demands = {};
    const bool adds = reduces(collective);
    for (const Demand& demand : collective.demands)
        if (demand.contributors != collective.chunks[demand.chunk].contributors)
            throw_not_reversible(demand.chunk);
    for (ChunkId chunk = 0; chunk < collective.chunks.size(); ++chunk) {
        result.chunks[chunk].release_cycles = 0;
        const ProcessorList& contributors = collective.chunks[chunk].contributors;
        const std::span<const std::uint32_t> receivers = collective.demands.receivers_of(chunk);
        std::vector<std::uint32_t> members(receivers.begin(), receivers.end());
        if (adds && members.size() > 1)
            throw_not_reversible(chunk);
        if (members.empty()) {
            result.chunks[chunk].contributors = ProcessorList{contributors.front()};
        } else if (contributors.size() > 1) {
            // The sum of several at one place: copies of what that place has, at the others.
            const ProcessorList& origin = result.chunks[chunk].contributors = members;
            for (const std::uint32_t receiver : contributors)
                if (receiver != origin[0])
                    result.demands.push_back({chunk, receiver, origin});
        } else {
            // What fans out is added up on its way back, and the origin has a contribution of its own.
            const std::uint32_t origin = contributors[0];
            if (members.size() > 1 || collective.kind == CollectiveKind::broadcast ||
                collective.kind == CollectiveKind::allgather)
                members.push_back(origin);
            std::sort(members.begin(), members.end());
            const ProcessorList& all = result.chunks[chunk].contributors = members;
            result.demands.push_back({chunk, origin, all});
        }
    }
    return result;
}

} // namespace nocturne
