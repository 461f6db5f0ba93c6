#include "models/text/json_text.hpp"
#include "schedules/formats/tool_formats.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace nocturne {

namespace {

using OrderedJson = nlohmann::ordered_json;

[[noreturn]] void cannot_say(const Schedule& schedule, const char* what)
{
    throw std::invalid_argument(fmt::format("{}: msccl-tools' JSON has no {}",
                                            schedule.name.empty() ? "schedule" : schedule.name, what));
}

void require_sayable(const Schedule& schedule)
{
    const Collective& collective = schedule.collective;
    if (!is_in_steps(schedule))
        cannot_say(schedule, "schedules without steps (--objective steps or bandwidth has them)");
    for (const Step& step : schedule.steps)
        for (const Transfer& transfer : step) {
            if (!transfer.keeps_place() || transfer.to >= collective.chunks.size())
                cannot_say(schedule, "places but a chunk's own");
            if (transfer.links().size() != 1)
                cannot_say(schedule, "switches between processors");
        }
    for (const Chunk& chunk : collective.chunks)
        if (chunk.weight != collective.chunks.front().weight)
            cannot_say(schedule, "chunks of several sizes");
    if (!schedule.inputs.empty() || !schedule.outputs.empty())
        cannot_say(schedule, "buffers for input and output");
}

/// What executors number by: the block of a pair among all n x n of an all-to-all, otherwise our chunks.
std::uint64_t address_of(const Collective& collective, ChunkId chunk)
{
    if (collective.kind != CollectiveKind::alltoall)
        return chunk;
    const std::uint32_t n = collective.processors;
    if (collective.chunks.size() != std::size_t{n} * (n - 1) * collective.parts)
        return chunk; // of a group
    const std::uint32_t part = chunk % collective.parts;
    const std::uint32_t from = collective.chunks[chunk].contributors.front();
    const std::uint32_t to = collective.demands.receivers_of(chunk).front();
    return (std::uint64_t{to} * n + from) * collective.parts + part;
}

const char* runtime_name(CollectiveKind kind)
{
    switch (kind) {
    case CollectiveKind::allgather:
        return "allgather";
    case CollectiveKind::alltoall:
        return "alltoall";
    case CollectiveKind::allreduce:
        return "allreduce";
    case CollectiveKind::reduce_scatter:
        return "reduce_scatter";
    default:
        return "custom";
    }
}

/// Are the chunks blocks that are cut into so many equal parts, which follow each other?
bool is_cut_evenly(const Collective& collective)
{
    const std::uint32_t parts = collective.parts;
    const auto& chunks = collective.chunks;
    if (chunks.size() % parts != 0)
        return false;
    std::vector<std::map<std::uint32_t, std::vector<std::uint32_t>>> owed(chunks.size());
    for (const Demand& demand : collective.demands)
        owed[demand.chunk][demand.receiver] = demand.contributors;
    for (ChunkId chunk = 0; chunk < chunks.size(); ++chunk) {
        const ChunkId first = chunk - chunk % parts;
        if (chunks[chunk].contributors != chunks[first].contributors || owed[chunk] != owed[first])
            return false;
    }
    return true;
}

/// msccl-tools writes the collective uncut, and cuts each of its chunks: part i of address a is a C + i. What
/// is not cut so is written as it is (`cuts` 1).
OrderedJson collective_json(const Collective& collective, std::uint32_t cuts)
{
    // By chunk and contributor: who ends with it.
    std::map<std::pair<ChunkId, std::uint32_t>, std::set<std::uint32_t>> ends;
    for (const Demand& demand : collective.demands)
        for (const std::uint32_t contributor : demand.contributors)
            ends[{demand.chunk, contributor}].insert(demand.receiver);
    OrderedJson chunks = OrderedJson::array();
    for (ChunkId chunk = 0; chunk < collective.chunks.size(); chunk += cuts)
        for (const std::uint32_t contributor : collective.chunks[chunk].contributors) {
            std::set<std::uint32_t> post = ends[{chunk, contributor}];
            if (keeps_own(collective.kind))
                post.insert(contributor);
            chunks.push_back({{"msccl_type", "chunk"},
                              {"pre", {contributor}},
                              {"post", post},
                              {"addr", address_of(collective, chunk) / cuts}});
        }
    const bool is_whole = collective.kind == CollectiveKind::alltoall &&
                          address_of(collective, 0) != 0; // what a rank has for itself has addresses too
    for (std::uint32_t rank = 0; is_whole && rank < collective.processors; ++rank)
        for (std::uint32_t part = 0; part < collective.parts; part += cuts)
            chunks.push_back(
                {{"msccl_type", "chunk"},
                 {"pre", {rank}},
                 {"post", {rank}},
                 {"addr",
                  (std::uint64_t{rank} * (collective.processors + 1) * collective.parts + part) / cuts}});
    return {{"msccl_type", "collective"},
            {"name", fmt::format("{}(n={}),chunks={}", to_string(collective.kind), collective.processors,
                                 collective.parts)},
            {"nodes", collective.processors},
            {"chunks", std::move(chunks)},
            {"triggers", OrderedJson::object()},
            {"runtime_name", runtime_name(collective.kind)}};
}

/// By rank the addresses of what it begins or ends with.
OrderedJson address_map(const OrderedJson& collective, const char* when, std::uint32_t cuts)
{
    std::map<std::uint32_t, std::set<std::uint64_t>> addresses;
    for (const OrderedJson& chunk : collective["chunks"])
        for (const OrderedJson& rank : chunk[when])
            for (std::uint32_t part = 0; part < cuts; ++part)
                addresses[rank.get<std::uint32_t>()].insert(chunk["addr"].get<std::uint64_t>() * cuts + part);
    OrderedJson json = OrderedJson::object();
    for (const auto& [rank, all] : addresses)
        json[std::to_string(rank)] = all;
    return json;
}

OrderedJson topology_json(const LinkNetwork& network)
{
    const std::uint32_t n = network.processor_count();
    std::vector<std::vector<std::uint64_t>> links(n, std::vector<std::uint64_t>(n, 0)); // [to][from]
    for (LinkId id = 0; id < network.link_count(); ++id) {
        const NetworkLink& link = network.link(id);
        if (link.source < n && link.target < n)
            links[link.target][link.source] += network.units(id);
    }
    return {{"msccl_type", "topology"},
            {"name", network.name()},
            {"switches", OrderedJson::array()},
            {"links", links}};
}

} // namespace

std::string to_msccl_json(const Schedule& schedule, const LinkNetwork& network)
{
    require_sayable(schedule);
    const Collective& collective = schedule.collective;
    std::vector<OrderedJson> steps;
    for (std::size_t step = 0; step < schedule.steps.size(); ++step) {
        OrderedJson sends = OrderedJson::array();
        for (const Transfer& transfer : schedule.steps[step])
            sends.push_back(
                {address_of(collective, transfer.message), transfer.source, transfer.destination});
        steps.push_back({{"msccl_type", "step"},
                         {"rounds", schedule.rounds.empty() ? 1 : schedule.rounds[step]},
                         {"sends", std::move(sends)}});
    }
    const std::uint32_t cuts = is_cut_evenly(collective) ? collective.parts : 1;
    const OrderedJson owed = collective_json(collective, cuts);
    const std::uint64_t rounds = count_rounds(schedule);
    const OrderedJson document{{"msccl_type", "algorithm"},
                               {"name", schedule.name},
                               {"instance",
                                {{"msccl_type", "instance"},
                                 {"steps", schedule.rounds.size()},
                                 {"extra_rounds", rounds - schedule.rounds.size()},
                                 {"chunks", collective.parts},
                                 {"pipeline", nullptr},
                                 {"extra_memory", nullptr},
                                 {"allow_exchange", reduces(collective)}}},
                               {"input_map", address_map(owed, "pre", cuts)},
                               {"output_map", address_map(owed, "post", cuts)},
                               {"steps", steps},
                               {"collective", owed},
                               {"topology", topology_json(network)}};
    return json_text_replacing(document) + "\n";
}

} // namespace nocturne
