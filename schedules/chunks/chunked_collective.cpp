#include "schedules/chunks/chunked_collective.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <stdexcept>

namespace nocturne {

namespace {

using Members = std::vector<std::uint32_t>;

Members members_of(const ChunkedShape& shape)
{
    if (shape.parts == 0)
        throw std::invalid_argument("a collective needs at least one chunk");
    Members members = shape.group;
    if (members.empty()) {
        members.resize(shape.processors);
        std::iota(members.begin(), members.end(), 0u);
    }
    if (members.size() < 2)
        throw std::invalid_argument("a collective needs at least two processors");
    if (std::adjacent_find(members.begin(), members.end(), std::greater_equal<>{}) != members.end())
        throw std::invalid_argument("a group names its processors once, in ascending order");
    if (members.back() >= shape.processors)
        throw std::invalid_argument(
            fmt::format("processor {} does not exist: there are {}", members.back(), shape.processors));
    return members;
}

void require_member(const Members& members, std::uint32_t root)
{
    if (!std::binary_search(members.begin(), members.end(), root))
        throw std::invalid_argument(fmt::format("root {} is not in the group", root));
}

void require_weights(std::span<const std::uint32_t> weights, std::size_t count)
{
    if (!weights.empty() && weights.size() != count)
        throw std::invalid_argument(fmt::format("{} sizes are given, {} are needed", weights.size(), count));
}

/// Collects blocks of chunks and what is owed of them.
class Builder {
public:
    Builder(ChunkedKind kind, const ChunkedShape& shape)
    {
        const std::size_t members = shape.group.empty() ? shape.processors : shape.group.size();
        if (results_of(kind, members, shape.parts) > max_chunks)
            throw std::invalid_argument(
                fmt::format("the collective has more than {} results: fewer parts are needed", max_chunks));
        result_.kind = kind;
        result_.processors = shape.processors;
        result_.parts = shape.parts;
    }

    /// A block in C chunks, from `contributors` to each of `receivers`.
    void add_block(const ProcessorList& contributors, const Members& receivers, std::uint32_t weight = 1)
    {
        if (weight == 0)
            return;
        for (std::uint32_t part = 0; part < result_.parts; ++part) {
            const ChunkId chunk = add_chunk(contributors, weight);
            for (const std::uint32_t receiver : receivers)
                if (contributors.size() > 1 || contributors[0] != receiver)
                    result_.demands.push_back({chunk, receiver, contributors});
        }
    }

    ChunkId add_chunk(const ProcessorList& contributors, std::uint32_t weight = 1)
    {
        if (result_.chunks.size() >= max_chunks)
            throw std::invalid_argument(
                fmt::format("the collective has more than {} chunks: fewer parts are needed", max_chunks));
        result_.chunks.push_back({weight, contributors});
        return static_cast<ChunkId>(result_.chunks.size() - 1);
    }

    void add_demand(ChunkDemand demand) { result_.demands.push_back(std::move(demand)); }

    ChunkedCollective take()
    {
        if (result_.demands.empty())
            throw std::invalid_argument("the collective leaves nothing to send");
        return std::move(result_);
    }

private:
    ChunkedCollective result_;
};

Members without(const Members& members, std::uint32_t member)
{
    Members rest;
    std::copy_if(members.begin(), members.end(), std::back_inserter(rest),
                 [&](std::uint32_t other) { return other != member; });
    return rest;
}

} // namespace

ChunkedCollective chunked_broadcast(const ChunkedShape& shape, std::uint32_t root)
{
    const Members members = members_of(shape);
    require_member(members, root);
    Builder builder{ChunkedKind::broadcast, shape};
    builder.add_block({root}, members);
    return builder.take();
}

ChunkedCollective chunked_reduce(const ChunkedShape& shape, std::uint32_t root)
{
    const Members members = members_of(shape);
    require_member(members, root);
    Builder builder{ChunkedKind::reduce, shape};
    builder.add_block(members, {root});
    return builder.take();
}

ChunkedCollective chunked_scatter(const ChunkedShape& shape, std::uint32_t root)
{
    const Members members = members_of(shape);
    require_member(members, root);
    Builder builder{ChunkedKind::scatter, shape};
    for (const std::uint32_t receiver : without(members, root))
        builder.add_block({root}, {receiver});
    return builder.take();
}

ChunkedCollective chunked_gather(const ChunkedShape& shape, std::uint32_t root)
{
    const Members members = members_of(shape);
    require_member(members, root);
    Builder builder{ChunkedKind::gather, shape};
    for (const std::uint32_t sender : without(members, root))
        builder.add_block({sender}, {root});
    return builder.take();
}

ChunkedCollective chunked_allgather(const ChunkedShape& shape, std::span<const std::uint32_t> weights)
{
    const Members members = members_of(shape);
    require_weights(weights, members.size());
    Builder builder{ChunkedKind::allgather, shape};
    for (std::size_t member = 0; member < members.size(); ++member)
        builder.add_block({members[member]}, members, weights.empty() ? 1 : weights[member]);
    return builder.take();
}

ChunkedCollective chunked_reduce_scatter(const ChunkedShape& shape, std::span<const std::uint32_t> weights)
{
    const Members members = members_of(shape);
    require_weights(weights, members.size());
    Builder builder{ChunkedKind::reduce_scatter, shape};
    const ProcessorList all = members;
    for (std::size_t member = 0; member < members.size(); ++member)
        builder.add_block(all, {members[member]}, weights.empty() ? 1 : weights[member]);
    return builder.take();
}

ChunkedCollective chunked_allreduce(const ChunkedShape& shape)
{
    const Members members = members_of(shape);
    Builder builder{ChunkedKind::allreduce, shape};
    builder.add_block(members, members);
    return builder.take();
}

ChunkedCollective chunked_alltoall(const ChunkedShape& shape, std::span<const std::uint32_t> weights)
{
    const Members members = members_of(shape);
    require_weights(weights, members.size() * members.size());
    Builder builder{ChunkedKind::alltoall, shape};
    for (std::size_t from = 0; from < members.size(); ++from)
        for (std::size_t to = 0; to < members.size(); ++to)
            if (from != to)
                builder.add_block({members[from]}, {members[to]},
                                  weights.empty() ? 1 : weights[from * members.size() + to]);
    return builder.take();
}

ChunkedCollective chunked_scan(const ChunkedShape& shape)
{
    const Members members = members_of(shape);
    Builder builder{ChunkedKind::scan, shape};
    std::vector<ProcessorList> up_to; // each member, but the first
    for (std::size_t member = 1; member < members.size(); ++member)
        up_to.emplace_back(Members(members.begin(), members.begin() + std::ptrdiff_t(member) + 1));
    for (std::uint32_t part = 0; part < shape.parts; ++part) {
        const ChunkId chunk = builder.add_chunk(up_to.back());
        for (std::size_t member = 1; member < members.size(); ++member)
            builder.add_demand({chunk, members[member], up_to[member - 1]});
    }
    return builder.take();
}

std::uint64_t results_of(ChunkedKind kind, std::uint64_t members, std::uint64_t parts)
{
    const std::uint64_t others = members - std::min<std::uint64_t>(members, 1);
    switch (kind) {
    case ChunkedKind::allgather:
    case ChunkedKind::alltoall:
        return members * others * parts;
    case ChunkedKind::allreduce:
    case ChunkedKind::reduce_scatter:
        return members * parts;
    case ChunkedKind::reduce:
        return parts;
    case ChunkedKind::custom:
        return 0;
    default: // the root or the first has its result
        return others * parts;
    }
}

bool needs_root(ChunkedKind kind)
{
    return kind == ChunkedKind::broadcast || kind == ChunkedKind::reduce || kind == ChunkedKind::scatter ||
           kind == ChunkedKind::gather;
}

ChunkedCollective make_chunked_collective(ChunkedKind kind, const ChunkedShape& shape,
                                          std::optional<std::uint32_t> root)
{
    if (needs_root(kind) != root.has_value())
        throw std::invalid_argument(
            fmt::format("{} {}", to_string(kind), root ? "has no root" : "needs a root"));
    switch (kind) {
    case ChunkedKind::broadcast:
        return chunked_broadcast(shape, *root);
    case ChunkedKind::scatter:
        return chunked_scatter(shape, *root);
    case ChunkedKind::gather:
        return chunked_gather(shape, *root);
    case ChunkedKind::reduce:
        return chunked_reduce(shape, *root);
    case ChunkedKind::allgather:
        return chunked_allgather(shape);
    case ChunkedKind::reduce_scatter:
        return chunked_reduce_scatter(shape);
    case ChunkedKind::allreduce:
        return chunked_allreduce(shape);
    case ChunkedKind::alltoall:
        return chunked_alltoall(shape);
    case ChunkedKind::scan:
        return chunked_scan(shape);
    case ChunkedKind::custom:
        break;
    }
    throw std::invalid_argument("a custom collective is one that a file lists");
}

ChunkedCollective at_once(const ChunkedCollective& first, const ChunkedCollective& second)
{
    if (first.processors != second.processors)
        throw std::invalid_argument(fmt::format("collectives of {} and {} processors are not for one network",
                                                first.processors, second.processors));
    if (first.parts != second.parts)
        throw std::invalid_argument(
            fmt::format("collectives in {} and {} chunks have no common chunk", first.parts, second.parts));
    ChunkedCollective both = first;
    both.kind = ChunkedKind::custom;
    const auto offset = static_cast<ChunkId>(first.chunks.size());
    both.chunks.insert(both.chunks.end(), second.chunks.begin(), second.chunks.end());
    for (ChunkDemand demand : second.demands) {
        demand.chunk += offset;
        both.demands.push_back(std::move(demand));
    }
    return both;
}

bool reduces(const ChunkedCollective& collective)
{
    return std::any_of(collective.chunks.begin(), collective.chunks.end(),
                       [](const Chunk& chunk) { return chunk.contributors.size() > 1; });
}

namespace {

ChunkedKind reversed(ChunkedKind kind)
{
    switch (kind) {
    case ChunkedKind::broadcast:
        return ChunkedKind::reduce;
    case ChunkedKind::reduce:
        return ChunkedKind::broadcast;
    case ChunkedKind::scatter:
        return ChunkedKind::gather;
    case ChunkedKind::gather:
        return ChunkedKind::scatter;
    case ChunkedKind::allgather:
        return ChunkedKind::reduce_scatter;
    case ChunkedKind::reduce_scatter:
        return ChunkedKind::allgather;
    case ChunkedKind::alltoall:
        return ChunkedKind::alltoall;
    case ChunkedKind::allreduce:
    case ChunkedKind::scan:
    case ChunkedKind::custom:
        break;
    }
    return ChunkedKind::custom;
}

[[noreturn]] void throw_not_reversible(ChunkId chunk)
{
    throw std::invalid_argument(fmt::format(
        "chunk {} is sent to several, and it or another is reduced: this cannot be turned round", chunk));
}

} // namespace

ChunkedCollective reversed(const ChunkedCollective& collective)
{
    ChunkedCollective result = collective;
    result.kind = reversed(collective.kind);
    result.demands.clear();
    const bool adds = reduces(collective);
    std::vector<Members> receivers(collective.chunks.size());
    for (const ChunkDemand& demand : collective.demands) {
        if (demand.contributors != collective.chunks[demand.chunk].contributors)
            throw_not_reversible(demand.chunk);
        receivers[demand.chunk].push_back(demand.receiver);
    }
    for (ChunkId chunk = 0; chunk < collective.chunks.size(); ++chunk) {
        const ProcessorList& contributors = collective.chunks[chunk].contributors;
        Members& members = receivers[chunk];
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
            if (members.size() > 1 || collective.kind == ChunkedKind::broadcast ||
                collective.kind == ChunkedKind::allgather)
                members.push_back(origin);
            std::sort(members.begin(), members.end());
            const ProcessorList& all = result.chunks[chunk].contributors = members;
            result.demands.push_back({chunk, origin, all});
        }
    }
    return result;
}

namespace {

constexpr std::array<std::string_view, 10> chunked_kind_names{
    "broadcast",      "scatter",   "gather",   "reduce", "allgather",
    "reduce-scatter", "allreduce", "alltoall", "scan",   "custom"};

std::string simplified(std::string_view text)
{
    std::string result;
    for (const char c : text)
        if (c != '-' && c != '_' && c != ' ')
            result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

} // namespace

std::string_view to_string(ChunkedKind kind)
{
    return chunked_kind_names[static_cast<std::size_t>(kind)];
}

ChunkedKind parse_chunked_kind(std::string_view text)
{
    for (std::size_t kind = 0; kind < chunked_kind_names.size(); ++kind)
        if (simplified(chunked_kind_names[kind]) == simplified(text))
            return static_cast<ChunkedKind>(kind);
    throw std::invalid_argument(
        fmt::format("unknown collective '{}': it is one of {}", text, fmt::join(chunked_kind_names, ", ")));
}

} // namespace nocturne
