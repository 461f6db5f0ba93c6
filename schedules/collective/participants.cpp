#include "schedules/collective/collective.hpp"
#include "schedules/collective/kind_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string_view>

namespace nocturne {

namespace {

using Processors = std::vector<std::uint32_t>;

/// Which participants a kind must be given, and which it may be.
struct Takes {
    bool source = false;
    bool senders = false;
    bool receivers = false;
    bool image = false;
    bool group = false;
    bool weights = false;
};

Takes what_it_takes(CollectiveKind kind)
{
    switch (kind) {
    case CollectiveKind::broadcast:
    case CollectiveKind::scatter:
    case CollectiveKind::gather:
    case CollectiveKind::reduce:
        return {.source = true, .group = true};
    case CollectiveKind::multicast:
        return {.source = true, .receivers = true};
    case CollectiveKind::permutation:
        return {.image = true};
    case CollectiveKind::many_to_many_broadcast:
    case CollectiveKind::many_to_many_scatter:
        return {.senders = true, .receivers = true};
    case CollectiveKind::allgather:
    case CollectiveKind::alltoall:
    case CollectiveKind::reduce_scatter:
        return {.group = true, .weights = true};
    case CollectiveKind::allreduce:
    case CollectiveKind::scan:
        return {.group = true};
    case CollectiveKind::custom:
        break;
    }
    return {};
}

void check_participants(CollectiveKind kind, const Participants& given)
{
    const Takes takes = what_it_takes(kind);
    const auto check = [kind](std::string_view role, bool is_taken, bool is_given) {
        if (is_given && !is_taken)
            refuse_kind(kind, fmt::format("it takes no {}", role));
    };
    const auto check_needed = [&](std::string_view role, bool is_needed, bool is_given) {
        if (is_needed && !is_given)
            refuse_kind(kind, fmt::format("{} missing", role));
        check(role, is_needed, is_given);
    };
    check_needed("source", takes.source, given.source.has_value());
    check_needed("senders", takes.senders, !given.senders.empty());
    check_needed("receivers", takes.receivers, !given.receivers.empty());
    check_needed("image", takes.image, !given.image.empty());
    check("group", takes.group, !given.group.empty());
    check("weights", takes.weights, !given.weights.empty());
}

} // namespace

Collective make_collective(CollectiveKind kind, std::uint32_t processors, const Participants& given)
{
    check_participants(kind, given);
    const CollectiveShape shape{processors, given.parts, given.group};
    switch (kind) {
    case CollectiveKind::broadcast:
        return broadcast(shape, *given.source);
    case CollectiveKind::allgather:
        return allgather(shape, given.weights);
    case CollectiveKind::scatter:
        return scatter(shape, *given.source);
    case CollectiveKind::alltoall:
        return alltoall(shape, given.weights);
    case CollectiveKind::gather:
        return gather(shape, *given.source);
    case CollectiveKind::reduce:
        return reduce(shape, *given.source);
    case CollectiveKind::reduce_scatter:
        return reduce_scatter(shape, given.weights);
    case CollectiveKind::allreduce:
        return allreduce(shape);
    case CollectiveKind::scan:
        return scan(shape);
    case CollectiveKind::multicast:
        return multicast(shape, *given.source, given.receivers);
    case CollectiveKind::permutation:
        if (given.image.size() != processors)
            refuse_kind(kind,
                        fmt::format("image of {} processors, there are {}", given.image.size(), processors));
        return permutation(given.image, given.parts);
    case CollectiveKind::many_to_many_broadcast:
        return many_to_many_broadcast(shape, given.senders, given.receivers);
    case CollectiveKind::many_to_many_scatter:
        return many_to_many_scatter(shape, given.senders, given.receivers);
    case CollectiveKind::custom:
        break;
    }
    throw std::invalid_argument("a custom collective is one that a file lists");
}

Collective make_collective(CollectiveKind kind, const CollectiveShape& shape,
                           std::optional<std::uint32_t> root)
{
    return make_collective(kind, shape.processors,
                           Participants{.source = root, .group = shape.group, .parts = shape.parts});
}

namespace {

/// Which members come before which others, as far as the numbers of chunks or the sums of a scan say.
class RankOrder {
public:
    explicit RankOrder(const std::set<std::uint32_t>& members)
        : members_(members.begin(), members.end()), is_before_(members_.size() * members_.size(), false)
    {
    }

    /// `a` is right before `b` in some row of members; the same one twice says nothing.
    void add(std::uint32_t a, std::uint32_t b)
    {
        if (a != b)
            is_before_[index(a) * members_.size() + index(b)] = true;
    }

    /// An order that keeps all of them: of those that may come next, the lowest does. If they contradict
    /// each other, not all members are in it.
    Processors order() const
    {
        const std::size_t n = members_.size();
        std::vector<std::size_t> waits_for(n, 0);
        for (std::size_t i = 0; i < is_before_.size(); ++i)
            waits_for[i % n] += is_before_[i] ? 1 : 0;
        std::set<std::size_t> next;
        for (std::size_t i = 0; i < n; ++i)
            if (waits_for[i] == 0)
                next.insert(i);
        Processors result;
        while (!next.empty()) {
            const std::size_t first = *next.begin();
            next.erase(next.begin());
            result.push_back(members_[first]);
            for (std::size_t i = 0; i < n; ++i)
                if (is_before_[first * n + i] && --waits_for[i] == 0)
                    next.insert(i);
        }
        return result;
    }

private:
    std::size_t index(std::uint32_t member) const
    {
        return static_cast<std::size_t>(std::ranges::lower_bound(members_, member) - members_.begin());
    }

    Processors members_;
    std::vector<bool> is_before_;
};

/// The group in the order that makes the collective's chunks: one of those that do.
Processors group_of(const Collective& collective, const std::set<std::uint32_t>& members)
{
    using enum CollectiveKind;
    RankOrder ranks(members);
    if (collective.kind == scan) {
        std::vector<Demand> owed(collective.demands.of(0).begin(), collective.demands.of(0).end());
        std::ranges::stable_sort(owed, {}, [](const Demand& demand) { return demand.contributors.size(); });
        for (std::size_t i = 1; i < owed.size(); ++i)
            ranks.add(owed[i - 1].receiver, owed[i].receiver);
        return ranks.order();
    }
    const Demand* last = nullptr;
    for (const Demand& demand : collective.demands) {
        if (last != nullptr && last->chunk != demand.chunk) {
            const std::uint32_t origin = demand.contributors.front(), before = last->contributors.front();
            if (collective.kind == allgather || collective.kind == alltoall || collective.kind == gather)
                ranks.add(before, origin);
            if (collective.kind == scatter || collective.kind == reduce_scatter ||
                (collective.kind == alltoall && origin == before))
                ranks.add(last->receiver, demand.receiver);
        }
        last = &demand;
    }
    return ranks.order();
}

/// One a member or one a pair, in the order of the group; empty if all are 1.
Processors weights_of(const Collective& collective, const Processors& members)
{
    const bool in_pairs = collective.kind == CollectiveKind::alltoall;
    std::vector<std::size_t> index(collective.processors, 0);
    for (std::size_t i = 0; i < members.size(); ++i)
        index.at(members[i]) = i;
    Processors weights(in_pairs ? members.size() * members.size() : members.size(), 0);
    for (const Demand& demand : collective.demands) {
        const Chunk& chunk = collective.chunks[demand.chunk];
        const std::size_t sender = index.at(chunk.contributors.front());
        const std::size_t receiver = index.at(demand.receiver);
        const std::size_t block = in_pairs ? sender * members.size() + receiver
                                  : collective.kind == CollectiveKind::allgather ? sender
                                                                                 : receiver;
        weights[block] = chunk.weight;
    }
    const bool are_plain = std::all_of(collective.chunks.begin(), collective.chunks.end(),
                                       [](const Chunk& chunk) { return chunk.weight == 1; });
    const auto blocks = static_cast<std::size_t>(
        std::count_if(weights.begin(), weights.end(), [](std::uint32_t weight) { return weight != 0; }));
    const bool are_all = blocks == (in_pairs ? members.size() * (members.size() - 1) : members.size());
    return are_plain && are_all ? Processors{} : weights;
}

/// What the collective's kind must be given to make it, if it makes it at all.
Participants described_by_kind(const Collective& collective)
{
    const Takes takes = what_it_takes(collective.kind);
    std::set<std::uint32_t> senders;
    std::set<std::uint32_t> receivers;
    for (const Chunk& chunk : collective.chunks)
        senders.insert(chunk.contributors.begin(), chunk.contributors.end());
    for (const Demand& demand : collective.demands)
        receivers.insert(demand.receiver);
    Participants result{.parts = collective.parts};
    if (takes.source)
        result.source = is_to_one(collective.kind) ? *receivers.begin() : *senders.begin();
    if (takes.senders)
        result.senders = {senders.begin(), senders.end()};
    if (takes.receivers)
        result.receivers = {receivers.begin(), receivers.end()};
    if (takes.image) {
        result.image.resize(collective.processors);
        std::iota(result.image.begin(), result.image.end(), 0u);
        for (const Demand& demand : collective.demands)
            result.image.at(demand.contributors.front()) = demand.receiver;
    }
    if (!takes.group)
        return result;
    senders.merge(receivers);
    const Processors members = group_of(collective, senders);
    if (members.size() != collective.processors || !std::ranges::is_sorted(members))
        result.group = members;
    if (takes.weights)
        result.weights = weights_of(collective, members);
    return result;
}

} // namespace

std::optional<Participants> participants_of(const Collective& collective)
{
    if (collective.kind == CollectiveKind::custom || collective.demands.empty())
        return std::nullopt;
    try {
        Participants participants = described_by_kind(collective);
        if (make_collective(collective.kind, collective.processors, participants) == collective)
            return participants;
    } catch (const std::logic_error&) { // std::invalid_argument, and an image beyond the processors
        // not what its kind says
    }
    return std::nullopt;
}

bool has_root(CollectiveKind kind)
{
    return what_it_takes(kind).source;
}

std::uint64_t results_of(CollectiveKind kind, std::uint32_t processors, const Participants& participants)
{
    const std::uint64_t members = participants.group.empty() ? processors : participants.group.size();
    const std::uint64_t parts = participants.parts;
    if (!participants.weights.empty()) {
        const auto blocks = static_cast<std::uint64_t>(
            std::ranges::count_if(participants.weights, [](std::uint32_t weight) { return weight > 0; }));
        return blocks * parts * (kind == CollectiveKind::allgather ? members : 1);
    }
    const std::uint64_t pairs = std::max<std::uint64_t>(participants.senders.size(), 1) *
                                std::max(participants.receivers.size(), participants.image.size());
    return std::max(results_of(kind, members, parts), pairs * parts);
}

} // namespace nocturne
