#include "schedules/collective/collective.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

using Processors = std::vector<std::uint32_t>;

[[noreturn]] void fail(CollectiveKind kind, std::string_view reason)
{
    throw std::invalid_argument(fmt::format("{}: {}", to_string(kind), reason));
}

void check_count(CollectiveKind kind, std::uint32_t processors)
{
    if (processors < 2)
        fail(kind, fmt::format("{} processors, it takes at least 2", processors));
    if (processors > max_deliveries)
        fail(kind, fmt::format("{} processors, it takes at most {}", processors, max_deliveries));
}

/// `set` in ascending order, once it is known to be one.
Processors checked_set(CollectiveKind kind, std::uint32_t processors, std::string_view role, Processors set)
{
    std::sort(set.begin(), set.end());
    if (set.empty())
        fail(kind, fmt::format("no {}", role));
    if (set.back() >= processors)
        fail(kind,
             fmt::format("{}: processor {} does not exist, there are {}", role, set.back(), processors));
    if (const auto twice = std::adjacent_find(set.begin(), set.end()); twice != set.end())
        fail(kind, fmt::format("{}: processor {} appears twice", role, *twice));
    return set;
}

Processors everybody(std::uint32_t processors)
{
    Processors all(processors);
    std::iota(all.begin(), all.end(), 0u);
    return all;
}

Processors all_but(const Processors& set, std::uint32_t excluded)
{
    Processors rest;
    rest.reserve(set.size());
    std::copy_if(set.begin(), set.end(), std::back_inserter(rest), [=](auto p) { return p != excluded; });
    return rest;
}

/// One message per sender, to all receivers but itself.
std::vector<Message> broadcast_messages(const Processors& senders, const Processors& receivers)
{
    std::vector<Message> messages;
    messages.reserve(senders.size());
    for (const auto sender : senders)
        if (auto others = all_but(receivers, sender); !others.empty())
            messages.push_back({sender, std::move(others)});
    return messages;
}

/// One message per sender and receiver.
std::vector<Message> scatter_messages(const Processors& senders, const Processors& receivers)
{
    std::vector<Message> messages;
    messages.reserve(senders.size() * receivers.size());
    for (const auto sender : senders)
        for (const auto receiver : receivers)
            if (receiver != sender)
                messages.push_back({sender, {receiver}});
    return messages;
}

void check_product(CollectiveKind kind, std::uint64_t senders, std::uint64_t receivers)
{
    if (senders > max_deliveries / std::max(receivers, std::uint64_t{1}))
        fail(kind, fmt::format("{} senders and {} receivers: more than {} deliveries", senders, receivers,
                               max_deliveries));
}

/// All forms but the permutation: what `senders` owe `receivers`.
Collective any_to_any(CollectiveKind kind, std::uint32_t processors, Processors senders, Processors receivers)
{
    check_count(kind, processors);
    Collective result{kind,
                      processors,
                      checked_set(kind, processors, "senders", std::move(senders)),
                      checked_set(kind, processors, "receivers", std::move(receivers)),
                      {}};
    check_product(kind, result.senders.size(), result.receivers.size());
    result.messages = is_broadcast(kind) ? broadcast_messages(result.senders, result.receivers)
                                         : scatter_messages(result.senders, result.receivers);
    if (result.messages.empty())
        fail(kind, "nothing to send");
    return result;
}

/// The one-to-all forms: everybody but the source receives.
Collective one_to_all(CollectiveKind kind, std::uint32_t processors, std::uint32_t source)
{
    check_count(kind, processors);
    return any_to_any(kind, processors, {source}, all_but(everybody(processors), source));
}

/// The all-to-one forms: everybody but the root sends.
Collective all_to_one(CollectiveKind kind, std::uint32_t processors, std::uint32_t root)
{
    check_count(kind, processors);
    return any_to_any(kind, processors, all_but(everybody(processors), root), {root});
}

Collective all_to_all(CollectiveKind kind, std::uint32_t processors)
{
    return any_to_any(kind, processors, everybody(processors), everybody(processors));
}

/// Which participants a kind names itself, and which it must be given.
struct Needs {
    bool source = false;
    bool senders = false;
    bool receivers = false;
    bool image = false;
};

Needs needs_of(CollectiveKind kind)
{
    switch (kind) {
    case CollectiveKind::oab:
    case CollectiveKind::oas:
    case CollectiveKind::aog:
    case CollectiveKind::aor:
        return {.source = true};
    case CollectiveKind::multicast:
        return {.source = true, .receivers = true};
    case CollectiveKind::permutation:
        return {.image = true};
    case CollectiveKind::mnb:
    case CollectiveKind::mns:
        return {.senders = true, .receivers = true};
    case CollectiveKind::aab:
    case CollectiveKind::aas:
        break;
    }
    return {};
}

void check_participants(CollectiveKind kind, const Participants& given)
{
    const Needs needs = needs_of(kind);
    const auto check = [kind](std::string_view role, bool needed, bool present) {
        if (needed && !present)
            fail(kind, fmt::format("{} missing", role));
        if (present && !needed)
            fail(kind, fmt::format("it takes no {}", role));
    };
    check("source", needs.source, given.source.has_value());
    check("senders", needs.senders, !given.senders.empty());
    check("receivers", needs.receivers, !given.receivers.empty());
    check("image", needs.image, !given.image.empty());
}

} // namespace

Collective one_to_all_broadcast(std::uint32_t processors, std::uint32_t source)
{
    return one_to_all(CollectiveKind::oab, processors, source);
}

Collective all_to_all_broadcast(std::uint32_t processors)
{
    return all_to_all(CollectiveKind::aab, processors);
}

Collective one_to_all_scatter(std::uint32_t processors, std::uint32_t source)
{
    return one_to_all(CollectiveKind::oas, processors, source);
}

Collective all_to_all_scatter(std::uint32_t processors)
{
    return all_to_all(CollectiveKind::aas, processors);
}

Collective all_to_one_gather(std::uint32_t processors, std::uint32_t root)
{
    return all_to_one(CollectiveKind::aog, processors, root);
}

Collective all_to_one_reduce(std::uint32_t processors, std::uint32_t root)
{
    return all_to_one(CollectiveKind::aor, processors, root);
}

Collective multicast(std::uint32_t processors, std::uint32_t source, std::vector<std::uint32_t> receivers)
{
    return any_to_any(CollectiveKind::multicast, processors, {source}, std::move(receivers));
}

Collective permutation(std::vector<std::uint32_t> image)
{
    const auto kind = CollectiveKind::permutation;
    const auto processors =
        static_cast<std::uint32_t>(std::min(image.size(), std::size_t{max_deliveries + 1}));
    check_count(kind, processors);
    checked_set(kind, processors, "image", image);
    Collective result{kind, processors, {}, {}, {}};
    for (std::uint32_t sender = 0; sender < processors; ++sender) {
        if (image[sender] == sender)
            continue;
        result.senders.push_back(sender);
        result.receivers.push_back(image[sender]);
        result.messages.push_back({sender, {image[sender]}});
    }
    if (result.messages.empty())
        fail(kind, "nothing to send");
    return result;
}

Collective many_to_many_broadcast(std::uint32_t processors, std::vector<std::uint32_t> senders,
                                  std::vector<std::uint32_t> receivers)
{
    return any_to_any(CollectiveKind::mnb, processors, std::move(senders), std::move(receivers));
}

Collective many_to_many_scatter(std::uint32_t processors, std::vector<std::uint32_t> senders,
                                std::vector<std::uint32_t> receivers)
{
    return any_to_any(CollectiveKind::mns, processors, std::move(senders), std::move(receivers));
}

void check_deliveries(CollectiveKind kind, std::uint64_t processors)
{
    if (kind == CollectiveKind::aab || kind == CollectiveKind::aas)
        check_product(kind, processors, processors);
}

Collective make_collective(CollectiveKind kind, std::uint32_t processors, const Participants& participants)
{
    check_participants(kind, participants);
    switch (kind) {
    case CollectiveKind::oab:
    case CollectiveKind::oas:
        return one_to_all(kind, processors, *participants.source);
    case CollectiveKind::aab:
    case CollectiveKind::aas:
        return all_to_all(kind, processors);
    case CollectiveKind::aog:
    case CollectiveKind::aor:
        return all_to_one(kind, processors, *participants.source);
    case CollectiveKind::multicast:
        return multicast(processors, *participants.source, participants.receivers);
    case CollectiveKind::permutation:
        if (participants.image.size() != processors)
            fail(kind,
                 fmt::format("image of {} processors, there are {}", participants.image.size(), processors));
        return permutation(participants.image);
    case CollectiveKind::mnb:
    case CollectiveKind::mns:
        break;
    }
    return any_to_any(kind, processors, participants.senders, participants.receivers);
}

Participants participants_of(const Collective& collective)
{
    const Needs needs = needs_of(collective.kind);
    const bool to_one = collective.kind == CollectiveKind::aog || collective.kind == CollectiveKind::aor;
    Participants result;
    if (needs.source)
        result.source = to_one ? collective.receivers.front() : collective.senders.front();
    if (needs.senders)
        result.senders = collective.senders;
    if (needs.receivers)
        result.receivers = collective.receivers;
    if (needs.image) {
        result.image = everybody(collective.processors);
        for (std::size_t i = 0; i < collective.senders.size(); ++i)
            result.image[collective.senders[i]] = collective.receivers[i];
    }
    return result;
}

std::optional<MessageId> find_message(const Collective& collective, std::uint32_t origin,
                                      std::uint32_t receiver)
{
    const auto& messages = collective.messages;
    const bool broadcast = is_broadcast(collective.kind);
    const auto is_it = [&](const Message& message) {
        return message.origin == origin && (broadcast || message.receivers.front() == receiver);
    };
    // Where all send to all it is known where: to look for a million of a million messages takes seconds.
    const std::uint64_t all_to_all = broadcast ? origin
                                               : std::uint64_t{origin} * (collective.processors - 1) +
                                                     receiver - (receiver > origin ? 1 : 0);
    if (all_to_all < messages.size() && is_it(messages[all_to_all]))
        return static_cast<MessageId>(all_to_all);
    // A scatter's messages are in order of (origin, receiver); a broadcast has one message for each origin.
    const auto before = [broadcast](const Message& message,
                                    const std::pair<std::uint32_t, std::uint32_t>& key) {
        return message.origin != key.first ? message.origin < key.first
                                           : !broadcast && message.receivers.front() < key.second;
    };
    const auto found =
        std::lower_bound(messages.begin(), messages.end(), std::pair{origin, receiver}, before);
    if (found == messages.end() || !is_it(*found))
        return std::nullopt;
    return static_cast<MessageId>(found - messages.begin());
}

bool has_root(CollectiveKind kind)
{
    return kind == CollectiveKind::oab || kind == CollectiveKind::oas || kind == CollectiveKind::aog ||
           kind == CollectiveKind::aor || kind == CollectiveKind::multicast;
}

bool is_gather(CollectiveKind kind)
{
    return kind == CollectiveKind::aog || kind == CollectiveKind::aor;
}

bool is_personalized(const Collective& collective)
{
    return std::all_of(collective.messages.begin(), collective.messages.end(),
                       [](const Message& message) { return message.receivers.size() == 1; });
}

std::uint64_t count_deliveries(const Collective& collective)
{
    std::uint64_t deliveries = 0;
    for (const Message& message : collective.messages)
        deliveries += message.receivers.size();
    return deliveries;
}

bool is_broadcast(CollectiveKind kind)
{
    return kind == CollectiveKind::oab || kind == CollectiveKind::aab || kind == CollectiveKind::multicast ||
           kind == CollectiveKind::mnb;
}

} // namespace nocturne
