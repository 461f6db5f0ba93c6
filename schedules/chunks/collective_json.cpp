#include "schedules/chunks/collective_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace nocturne {
namespace {

using OrderedJson = nlohmann::ordered_json;
using Numbers = std::vector<std::uint32_t>;

/// Everybody who contributes or receives.
Numbers members_of(const ChunkedCollective& collective)
{
    std::set<std::uint32_t> members;
    for (const Chunk& chunk : collective.chunks)
        members.insert(chunk.contributors.begin(), chunk.contributors.end());
    for (const ChunkDemand& demand : collective.demands)
        members.insert(demand.receiver);
    return {members.begin(), members.end()};
}

std::optional<std::uint32_t> root_of(const ChunkedCollective& collective)
{
    if (!needs_root(collective.kind) || collective.demands.empty())
        return std::nullopt;
    const bool gathers = collective.kind == ChunkedKind::gather || collective.kind == ChunkedKind::reduce;
    return gathers ? collective.demands.front().receiver : collective.chunks.front().contributors.front();
}

/// One a member or one a pair; empty if all are 1, or sizes make no difference to the kind.
Numbers weights_of(const ChunkedCollective& collective, const Numbers& members)
{
    const bool in_pairs = collective.kind == ChunkedKind::alltoall;
    if (!in_pairs && collective.kind != ChunkedKind::allgather &&
        collective.kind != ChunkedKind::reduce_scatter)
        return {};
    const auto index = [&](std::uint32_t member) {
        return static_cast<std::size_t>(std::lower_bound(members.begin(), members.end(), member) -
                                        members.begin());
    };
    Numbers weights(in_pairs ? members.size() * members.size() : members.size(), 0);
    for (const ChunkDemand& demand : collective.demands) {
        const Chunk& chunk = collective.chunks[demand.chunk];
        const std::size_t sender = index(chunk.contributors.front());
        const std::size_t receiver = index(demand.receiver);
        const std::size_t block = in_pairs ? sender * members.size() + receiver
                                  : collective.kind == ChunkedKind::allgather ? sender
                                                                              : receiver;
        weights[block] = chunk.weight;
    }
    const bool are_plain = std::all_of(collective.chunks.begin(), collective.chunks.end(),
                                       [](const Chunk& chunk) { return chunk.weight == 1; });
    const auto blocks = static_cast<std::size_t>(
        std::count_if(weights.begin(), weights.end(), [](std::uint32_t weight) { return weight != 0; }));
    const bool are_all = blocks == (in_pairs ? members.size() * (members.size() - 1) : members.size());
    return are_plain && are_all ? Numbers{} : weights;
}

/// What a file says of a collective of a known kind.
struct Description {
    ChunkedKind kind = ChunkedKind::custom;
    ChunkedShape shape;
    std::optional<std::uint32_t> root;
    Numbers weights;
};

ChunkedCollective made_of(const Description& description)
{
    switch (description.weights.empty() ? ChunkedKind::custom : description.kind) {
    case ChunkedKind::allgather:
        return chunked_allgather(description.shape, description.weights);
    case ChunkedKind::reduce_scatter:
        return chunked_reduce_scatter(description.shape, description.weights);
    case ChunkedKind::alltoall:
        return chunked_alltoall(description.shape, description.weights);
    case ChunkedKind::custom:
        return make_chunked_collective(description.kind, description.shape, description.root);
    default:
        throw std::invalid_argument("blocks of unequal size are for allgather, reduce-scatter and alltoall");
    }
}

std::uint64_t results_of(const Description& description)
{
    const std::uint64_t members =
        description.shape.group.empty() ? description.shape.processors : description.shape.group.size();
    if (description.weights.empty())
        return results_of(description.kind, members, description.shape.parts);
    const auto blocks = static_cast<std::uint64_t>(
        std::ranges::count_if(description.weights, [](std::uint32_t weight) { return weight > 0; }));
    return blocks * description.shape.parts * (description.kind == ChunkedKind::allgather ? members : 1);
}

std::optional<Description> description_of(const ChunkedCollective& collective)
{
    if (collective.kind == ChunkedKind::custom)
        return std::nullopt;
    const Numbers members = members_of(collective);
    Description description{collective.kind,
                            {.processors = collective.processors, .parts = collective.parts},
                            root_of(collective),
                            weights_of(collective, members)};
    if (members.size() != collective.processors)
        description.shape.group = members;
    try {
        if (made_of(description) == collective)
            return description;
    } catch (const std::invalid_argument&) {
        // not what its kind says
    }
    return std::nullopt;
}

Numbers numbers_at(const JsonPlace& place)
{
    Numbers numbers;
    for (const JsonPlace& element : place.elements())
        numbers.push_back(element.number(0));
    return numbers;
}

ChunkedCollective read_chunks(const JsonPlace& place, ChunkedCollective collective)
{
    place.check_members({"kind", "parts", "chunks", "demands"});
    for (const JsonPlace& chunk : place["chunks"].elements()) {
        chunk.check_members({"weight", "contributors"});
        collective.chunks.push_back(
            {chunk.has("weight") ? chunk["weight"].number(1) : 1, numbers_at(chunk["contributors"])});
    }
    for (const JsonPlace& demand : place["demands"].elements()) {
        demand.check_members({"chunk", "receiver", "contributors"});
        const ChunkId chunk = demand["chunk"].number(0);
        if (chunk >= collective.chunks.size())
            demand["chunk"].fail("no such chunk");
        collective.demands.push_back({chunk, demand["receiver"].number(0),
                                      demand.has("contributors")
                                          ? ProcessorList(numbers_at(demand["contributors"]))
                                          : collective.chunks[chunk].contributors});
    }
    return collective;
}

} // namespace

OrderedJson to_json(const ChunkedCollective& collective)
{
    if (const auto description = description_of(collective)) {
        OrderedJson json{{"kind", to_string(collective.kind)}, {"parts", collective.parts}};
        if (!description->shape.group.empty())
            json["group"] = description->shape.group;
        if (description->root)
            json["root"] = *description->root;
        if (!description->weights.empty())
            json["weights"] = description->weights;
        return json;
    }
    OrderedJson chunks = OrderedJson::array();
    for (const Chunk& chunk : collective.chunks)
        chunks.push_back(
            {{"weight", chunk.weight}, {"contributors", std::vector<std::uint32_t>(chunk.contributors)}});
    OrderedJson demands = OrderedJson::array();
    for (const ChunkDemand& demand : collective.demands) {
        OrderedJson json{{"chunk", demand.chunk}, {"receiver", demand.receiver}};
        if (demand.chunk >= collective.chunks.size() ||
            demand.contributors != collective.chunks[demand.chunk].contributors)
            json["contributors"] = std::vector<std::uint32_t>(demand.contributors);
        demands.push_back(std::move(json));
    }
    return {{"kind", to_string(ChunkedKind::custom)},
            {"parts", collective.parts},
            {"chunks", std::move(chunks)},
            {"demands", std::move(demands)}};
}

ChunkedCollective read_chunked_collective(const JsonPlace& place, std::uint32_t processors,
                                          std::uint64_t most_results)
{
    const JsonPlace kind = place["kind"];
    Description description;
    description.kind = kind.here([&] { return parse_chunked_kind(kind.text()); });
    description.shape.processors = processors;
    description.shape.parts = place.has("parts") ? place["parts"].number(1) : 1;
    if (description.kind == ChunkedKind::custom)
        return read_chunks(place, {ChunkedKind::custom, processors, description.shape.parts, {}, {}});
    place.check_members({"kind", "parts", "group", "root", "weights"});
    if (place.has("group"))
        description.shape.group = numbers_at(place["group"]);
    if (place.has("root"))
        description.root = place["root"].number(0);
    if (place.has("weights"))
        description.weights = numbers_at(place["weights"]);
    if (const std::uint64_t results = results_of(description); results > most_results)
        place.fail(fmt::format("{} results are owed, more than the {} that such a file is read for", results,
                               most_results));
    return place.here([&] { return made_of(description); });
}

} // namespace nocturne
