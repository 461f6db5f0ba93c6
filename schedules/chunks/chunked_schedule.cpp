#include "schedules/chunks/chunked_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>

namespace nocturne {

std::uint32_t count_steps(const ChunkedSchedule& schedule)
{
    return static_cast<std::uint32_t>(schedule.rounds.size());
}

std::uint64_t count_rounds(const ChunkedSchedule& schedule)
{
    return std::accumulate(schedule.rounds.begin(), schedule.rounds.end(), std::uint64_t{0});
}

std::vector<std::uint32_t> transfer_weights(const ChunkedSchedule& schedule)
{
    const auto& chunks = schedule.collective.chunks;
    std::map<std::pair<NodeId, PlaceId>, std::uint32_t> elsewhere; // places other than a chunk's own
    for (const ChunkPlacement& input : schedule.inputs)
        if (input.chunk < chunks.size())
            elsewhere[{input.processor, input.place}] = chunks[input.chunk].weight;
    std::vector<std::uint32_t> weights;
    weights.reserve(schedule.transfers.size());
    for (const ChunkTransfer& transfer : schedule.transfers) {
        const auto found = elsewhere.find({transfer.source, transfer.from});
        std::uint32_t weight = 0;
        if (found != elsewhere.end())
            weight = found->second;
        else if (transfer.from < chunks.size())
            weight = chunks[transfer.from].weight;
        weights.push_back(weight);
        if (transfer.to >= chunks.size() || (weight != 0 && weight != chunks[transfer.to].weight))
            elsewhere[{transfer.destination, transfer.to}] = weight;
    }
    return weights;
}

namespace {

/// For each link one the other way with the same bandwidth and latency; parallel ones are paired in order.
std::vector<LinkId> partners_of(const LinkNetwork& network)
{
    constexpr LinkId none = ~0u;
    std::vector<LinkId> partners(network.link_count(), none);
    for (LinkId id = 0; id < network.link_count(); ++id) {
        if (partners[id] != none)
            continue;
        const NetworkLink& link = network.link(id);
        for (const LinkId other : network.links_from(link.target)) {
            const NetworkLink& back = network.link(other);
            if (back.target == link.source && partners[other] == none &&
                back.bytes_per_cycle == link.bytes_per_cycle && back.latency_cycles == link.latency_cycles) {
                partners[id] = other;
                partners[other] = id;
                break;
            }
        }
    }
    return partners;
}

} // namespace

ChunkedSchedule reversed(const ChunkedSchedule& schedule, const LinkNetwork& network)
{
    if (schedule.synchronization != ChunkSynchronization::steps || !schedule.inputs.empty() ||
        !schedule.outputs.empty())
        throw std::invalid_argument(fmt::format(
            "{}: only a schedule in steps without buffers of its own can be turned round", schedule.name));
    ChunkedSchedule result = schedule;
    result.name = fmt::format("{}, reversed", schedule.name);
    result.collective = reversed(schedule.collective);
    std::reverse(result.rounds.begin(), result.rounds.end());
    std::reverse(result.transfers.begin(), result.transfers.end());
    const auto& chunks = result.collective.chunks;
    const std::vector<LinkId> partners = partners_of(network);
    std::map<std::pair<NodeId, PlaceId>, std::uint32_t> filled; // step in which a place is first written
    for (ChunkTransfer& transfer : result.transfers) {
        if (transfer.from != transfer.to || transfer.to >= chunks.size() ||
            (transfer.operation == ChunkOperation::add && reduces(result.collective)))
            throw std::invalid_argument(fmt::format(
                "{}: a schedule with sums on their way or scratch cannot be turned round", schedule.name));
        std::swap(transfer.source, transfer.destination);
        std::reverse(transfer.path.begin(), transfer.path.end());
        for (LinkId& link : transfer.path) {
            if (partners[link] == ~0u)
                throw std::invalid_argument(fmt::format("{}: link {} has no partner the other way",
                                                        network.name(), describe_link(network, link)));
            link = partners[link];
        }
        transfer.step = count_steps(schedule) - 1 - transfer.step;
        const auto& contributors = chunks[transfer.to].contributors;
        const bool contributes =
            std::binary_search(contributors.begin(), contributors.end(), transfer.destination);
        const bool first = filled.emplace(std::pair{transfer.destination, transfer.to}, transfer.step).second;
        transfer.operation =
            contributors.size() > 1 && (contributes || !first) ? ChunkOperation::add : ChunkOperation::copy;
    }
    return result;
}

} // namespace nocturne
