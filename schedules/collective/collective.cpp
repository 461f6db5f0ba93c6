#include "schedules/collective/collective.hpp"

#include "schedules/collective/kind_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace nocturne {

namespace {

using Processors = std::vector<std::uint32_t>;

[[noreturn]] void fail_too_many(CollectiveKind kind)
{
    refuse_kind(kind, fmt::format("more than {} results: fewer processors or parts are needed", max_demands));
}

Processors ascending(Processors set)
{
    std::sort(set.begin(), set.end());
    return set;
}

/// `set` in ascending order, once it is known to be one.
Processors checked_set(CollectiveKind kind, std::uint32_t processors, std::string_view role, Processors set)
{
    set = ascending(std::move(set));
    if (set.empty())
        refuse_kind(kind, fmt::format("no {}", role));
    if (set.back() >= processors)
        refuse_kind(kind, fmt::format("{}: processor #{} does not exist, there are {}", role, set.back(),
                                      processors));
    if (const auto twice = std::adjacent_find(set.begin(), set.end()); twice != set.end())
        refuse_kind(kind, fmt::format("{}: processor #{} appears twice", role, *twice));
    return set;
}

void check_count(CollectiveKind kind, std::uint32_t processors, std::uint32_t parts)
{
    if (processors < 2)
        refuse_kind(kind, fmt::format("it takes at least 2 processors, not {}", processors));
    if (processors > max_demands)
        refuse_kind(kind, fmt::format("{} processors, it takes at most {}", processors, max_demands));
    if (parts == 0)
        refuse_kind(kind, "0 chunks, it takes at least 1");
}

/// The members in the order of the group.
Processors members_of(CollectiveKind kind, const CollectiveShape& shape)
{
    check_count(kind, shape.processors, shape.parts);
    if (results_of(kind, shape.group.empty() ? shape.processors : shape.group.size(), shape.parts) >
        max_demands)
        fail_too_many(kind);
    if (shape.group.empty()) {
        Processors all(shape.processors);
        std::iota(all.begin(), all.end(), 0u);
        return all;
    }
    checked_set(kind, shape.processors, "group", shape.group);
    if (shape.group.size() < 2)
        refuse_kind(kind, "a group of 1 processor, it takes at least 2");
    return shape.group;
}

void check_weights(CollectiveKind kind, std::span<const std::uint32_t> weights, std::size_t count)
{
    if (!weights.empty() && weights.size() != count)
        refuse_kind(kind, fmt::format("{} weights, it takes {}", weights.size(), count));
}

/// Collects blocks of chunks and what is owed of them.
class Builder {
public:
    Builder(CollectiveKind kind, const CollectiveShape& shape)
    {
        result_.kind = kind;
        result_.processors = shape.processors;
        result_.parts = shape.parts;
    }

    /// A block in C chunks, from `contributors` to each of `receivers`, ascending, that is not the only one
    /// of them.
    void add_block(const ProcessorList& contributors, const Processors& receivers, std::uint32_t weight = 1)
    {
        const bool adds = contributors.size() > 1;
        const std::uint32_t origin = contributors.front();
        if (weight == 0 || (!adds && receivers.size() == 1 && receivers.front() == origin))
            return;
        for (std::uint32_t part = 0; part < result_.parts; ++part) {
            const ChunkId chunk = add_chunk(contributors, weight);
            for (const std::uint32_t receiver : receivers)
                if (adds || receiver != origin)
                    add_demand({chunk, receiver, contributors});
        }
    }

    ChunkId add_chunk(const ProcessorList& contributors, std::uint32_t weight = 1)
    {
        result_.chunks.push_back({weight, contributors});
        return static_cast<ChunkId>(result_.chunks.size() - 1);
    }

    void add_demand(const Demand& demand)
    {
        if (result_.demands.size() >= max_demands)
            fail_too_many(result_.kind);
        result_.demands.push_back(demand);
    }

    Collective take()
    {
        if (result_.demands.empty())
            refuse_kind(result_.kind, "nothing to send");
        return std::move(result_);
    }

private:
    Collective result_;
};

/// The root's place in the group is checked.
Processors members_with_root(CollectiveKind kind, const CollectiveShape& shape, std::uint32_t root)
{
    Processors members = members_of(kind, shape);
    if (root >= shape.processors)
        refuse_kind(kind, fmt::format("{}: processor #{} does not exist, there are {}",
                                      is_to_one(kind) ? "root" : "source", root, shape.processors));
    if (std::find(members.begin(), members.end(), root) == members.end())
        refuse_kind(kind,
                    fmt::format("{} #{} is not in the group", is_to_one(kind) ? "root" : "source", root));
    return members;
}

/// One block a sender to all receivers, or one a pair.
Collective from_set_to_set(CollectiveKind kind, const CollectiveShape& shape, Processors senders,
                           Processors receivers)
{
    check_count(kind, shape.processors, shape.parts);
    if (!shape.group.empty())
        refuse_kind(kind, "takes no group");
    senders = checked_set(kind, shape.processors, "senders", std::move(senders));
    receivers = checked_set(kind, shape.processors, "receivers", std::move(receivers));
    if (std::uint64_t{senders.size()} * receivers.size() * shape.parts > max_demands)
        fail_too_many(kind);
    Builder builder(kind, shape);
    for (const std::uint32_t sender : senders) {
        const ProcessorList origin{sender};
        if (kind != CollectiveKind::many_to_many_scatter)
            builder.add_block(origin, receivers);
        else
            for (const std::uint32_t receiver : receivers)
                builder.add_block(origin, {receiver});
    }
    return builder.take();
}

} // namespace

Collective broadcast(const CollectiveShape& shape, std::uint32_t root)
{
    const Processors members = ascending(members_with_root(CollectiveKind::broadcast, shape, root));
    Builder builder(CollectiveKind::broadcast, shape);
    builder.add_block({root}, members);
    return builder.take();
}

Collective reduce(const CollectiveShape& shape, std::uint32_t root)
{
    const Processors members = ascending(members_with_root(CollectiveKind::reduce, shape, root));
    Builder builder(CollectiveKind::reduce, shape);
    builder.add_block(members, {root});
    return builder.take();
}

Collective scatter(const CollectiveShape& shape, std::uint32_t root)
{
    Builder builder(CollectiveKind::scatter, shape);
    const ProcessorList origin{root};
    for (const std::uint32_t receiver : members_with_root(CollectiveKind::scatter, shape, root))
        builder.add_block(origin, {receiver});
    return builder.take();
}

Collective gather(const CollectiveShape& shape, std::uint32_t root)
{
    Builder builder(CollectiveKind::gather, shape);
    for (const std::uint32_t sender : members_with_root(CollectiveKind::gather, shape, root))
        builder.add_block({sender}, {root});
    return builder.take();
}

Collective allgather(const CollectiveShape& shape, std::span<const std::uint32_t> weights)
{
    const Processors members = members_of(CollectiveKind::allgather, shape);
    check_weights(CollectiveKind::allgather, weights, members.size());
    Builder builder(CollectiveKind::allgather, shape);
    const Processors receivers = ascending(members);
    for (std::size_t member = 0; member < members.size(); ++member)
        builder.add_block({members[member]}, receivers, weights.empty() ? 1 : weights[member]);
    return builder.take();
}

Collective reduce_scatter(const CollectiveShape& shape, std::span<const std::uint32_t> weights)
{
    const Processors members = members_of(CollectiveKind::reduce_scatter, shape);
    check_weights(CollectiveKind::reduce_scatter, weights, members.size());
    Builder builder(CollectiveKind::reduce_scatter, shape);
    const ProcessorList all = ascending(members);
    for (std::size_t member = 0; member < members.size(); ++member)
        builder.add_block(all, {members[member]}, weights.empty() ? 1 : weights[member]);
    return builder.take();
}

Collective allreduce(const CollectiveShape& shape)
{
    const Processors members = ascending(members_of(CollectiveKind::allreduce, shape));
    Builder builder(CollectiveKind::allreduce, shape);
    builder.add_block(members, members);
    return builder.take();
}

Collective alltoall(const CollectiveShape& shape, std::span<const std::uint32_t> weights)
{
    const Processors members = members_of(CollectiveKind::alltoall, shape);
    check_weights(CollectiveKind::alltoall, weights, members.size() * members.size());
    Builder builder(CollectiveKind::alltoall, shape);
    for (std::size_t from = 0; from < members.size(); ++from) {
        const ProcessorList origin{members[from]};
        for (std::size_t to = 0; to < members.size(); ++to)
            builder.add_block(origin, {members[to]},
                              weights.empty() ? 1 : weights[from * members.size() + to]);
    }
    return builder.take();
}

Collective scan(const CollectiveShape& shape)
{
    const Processors members = members_of(CollectiveKind::scan, shape);
    Builder builder(CollectiveKind::scan, shape);
    std::vector<Demand> owed; // of the first chunk
    for (auto end = members.begin(); end != members.end();) {
        const std::uint32_t member = *end++;
        owed.push_back({0, member, ascending({members.begin(), end})});
    }
    const ProcessorList all = owed.back().contributors;
    std::ranges::sort(owed, {}, &Demand::receiver);
    for (std::uint32_t part = 0; part < shape.parts; ++part) {
        const ChunkId chunk = builder.add_chunk(all);
        for (const Demand& demand : owed)
            builder.add_demand({chunk, demand.receiver, demand.contributors});
    }
    return builder.take();
}

Collective multicast(const CollectiveShape& shape, std::uint32_t source, std::vector<std::uint32_t> receivers)
{
    return from_set_to_set(CollectiveKind::multicast, shape, {source}, std::move(receivers));
}

Collective many_to_many_broadcast(const CollectiveShape& shape, std::vector<std::uint32_t> senders,
                                  std::vector<std::uint32_t> receivers)
{
    return from_set_to_set(CollectiveKind::many_to_many_broadcast, shape, std::move(senders),
                           std::move(receivers));
}

Collective many_to_many_scatter(const CollectiveShape& shape, std::vector<std::uint32_t> senders,
                                std::vector<std::uint32_t> receivers)
{
    return from_set_to_set(CollectiveKind::many_to_many_scatter, shape, std::move(senders),
                           std::move(receivers));
}

Collective permutation(std::vector<std::uint32_t> image, std::uint32_t parts)
{
    const auto kind = CollectiveKind::permutation;
    const auto processors =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(image.size(), max_demands + 1));
    check_count(kind, processors, parts);
    if (std::uint64_t{processors} * parts > max_demands)
        fail_too_many(kind);
    checked_set(kind, processors, "image", image);
    Builder builder(kind, {.processors = processors, .parts = parts});
    for (std::uint32_t sender = 0; sender < processors; ++sender)
        builder.add_block({sender}, {image[sender]});
    return builder.take();
}

Collective in_parts(const Collective& collective, std::uint32_t parts)
{
    if (parts == 0)
        refuse_kind(collective.kind, "0 chunks, it takes at least 1");
    if (parts == 1)
        return collective;
    if (collective.demands.size() > max_demands / parts)
        fail_too_many(collective.kind);
    Collective cut{
        .kind = collective.kind, .processors = collective.processors, .parts = collective.parts * parts};
    cut.chunks.reserve(collective.chunks.size() * parts);
    for (ChunkId chunk = 0; chunk < collective.chunks.size(); ++chunk)
        for (std::uint32_t part = 0; part < parts; ++part) {
            const auto id = static_cast<ChunkId>(cut.chunks.size());
            cut.chunks.push_back(collective.chunks[chunk]);
            for (const Demand& demand : collective.demands.of(chunk))
                cut.demands.push_back({id, demand.receiver, demand.contributors});
        }
    return cut;
}

std::uint64_t results_of(CollectiveKind kind, std::uint64_t members, std::uint64_t parts)
{
    const std::uint64_t others = members - std::min<std::uint64_t>(members, 1);
    switch (kind) {
    case CollectiveKind::allgather:
    case CollectiveKind::alltoall:
        return members * others * parts;
    case CollectiveKind::allreduce:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::scan:
        return members * parts;
    case CollectiveKind::reduce:
        return parts;
    case CollectiveKind::broadcast:
    case CollectiveKind::scatter:
    case CollectiveKind::gather:
        return others * parts;
    case CollectiveKind::multicast:
    case CollectiveKind::permutation:
    case CollectiveKind::many_to_many_broadcast:
    case CollectiveKind::many_to_many_scatter:
    case CollectiveKind::custom:
        break;
    }
    return 0;
}

void check_results(CollectiveKind kind, std::uint64_t processors)
{
    if (results_of(kind, processors, 1) > max_demands)
        fail_too_many(kind);
}

} // namespace nocturne
