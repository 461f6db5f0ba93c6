#include "schedules/chunk_search/turned_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

namespace nocturne {

LinkNetwork turned(const LinkNetwork& network)
{
    LinkNetwork result{network.name(), network.processor_count()};
    for (NodeId node = 0; node < network.node_count(); ++node) {
        if (network.kind(node) != NodeKind::processor)
            result.add_switch(NodeKind::plain_switch, network.node_name(node));
        result.set_node_name(node, network.node_name(node));
    }
    for (NetworkLink link : network.links()) {
        std::swap(link.source, link.target);
        result.add_link(link);
    }
    return result;
}

LinkNetwork without_latencies(const LinkNetwork& network)
{
    LinkNetwork result{network.name(), network.processor_count()};
    for (NodeId node = 0; node < network.node_count(); ++node) {
        if (network.kind(node) != NodeKind::processor)
            result.add_switch(network.kind(node), network.node_name(node));
        result.set_node_name(node, network.node_name(node));
    }
    for (NetworkLink link : network.links()) {
        link.latency_cycles = 0;
        result.add_link(link);
    }
    return result;
}

namespace {

std::uint64_t place_key(NodeId node, PlaceId place)
{
    return std::uint64_t{node} << 32 | place;
}

void require_copies_once(const ChunkedSchedule& schedule)
{
    std::unordered_map<std::uint64_t, bool> arrived;
    for (const ChunkTransfer& transfer : schedule.transfers)
        if (transfer.operation != Operation::copy || transfer.from != transfer.to ||
            transfer.to >= schedule.collective.chunks.size() || transfer.path.empty() ||
            !arrived.emplace(place_key(transfer.destination, transfer.to), true).second)
            throw std::invalid_argument(
                fmt::format("{}: only copies of chunks that arrive once can be turned round", schedule.name));
}

/// Run backwards, a node sends its sum when all that it sent to has come back.
void turn_dependencies(const ChunkedSchedule& forward, std::vector<ChunkTransfer>& backward)
{
    const auto count = static_cast<std::uint32_t>(forward.transfers.size());
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> leaving;
    for (std::uint32_t id = 0; id < count; ++id)
        leaving[place_key(forward.transfers[id].source, forward.transfers[id].from)].push_back(count - 1 -
                                                                                               id);
    for (std::uint32_t id = 0; id < count; ++id) {
        const ChunkTransfer& transfer = forward.transfers[id];
        const auto found = leaving.find(place_key(transfer.destination, transfer.to));
        std::vector<std::uint32_t>& after = backward[count - 1 - id].after;
        if (found != leaving.end())
            after.insert(after.end(), found->second.begin(), found->second.end());
        std::sort(after.begin(), after.end());
    }
}

} // namespace

ChunkedSchedule turned_in_time(const ChunkedSchedule& schedule, const Collective& collective)
{
    require_copies_once(schedule);
    ChunkedSchedule result = schedule;
    result.collective = collective;
    const auto steps = static_cast<std::uint32_t>(schedule.rounds.size());
    std::reverse(result.rounds.begin(), result.rounds.end());
    std::reverse(result.transfers.begin(), result.transfers.end());
    // A place that contributes nothing is first copied to; additions follow.
    std::unordered_map<std::uint64_t, std::uint32_t> first;
    const auto first_scratch = static_cast<PlaceId>(collective.chunks.size());
    std::unordered_map<NodeId, PlaceId> used_scratch;
    std::vector<ChunkTransfer> locals;
    for (std::uint32_t id = 0; id < result.transfers.size(); ++id) {
        ChunkTransfer& transfer = result.transfers[id];
        transfer.after.clear();
        std::swap(transfer.source, transfer.destination);
        std::reverse(transfer.path.begin(), transfer.path.end());
        if (steps > 0)
            transfer.step = steps - 1 - transfer.step;
        const auto& contributors = collective.chunks[transfer.to].contributors;
        const auto [begun, is_first] = first.emplace(place_key(transfer.destination, transfer.to), id);
        const bool contributes =
            std::binary_search(contributors.begin(), contributors.end(), transfer.destination);
        transfer.operation =
            contributors.size() > 1 && (contributes || !is_first) ? Operation::add : Operation::copy;
        if (contributes || is_first)
            continue;
        if (steps == 0) {
            transfer.after.push_back(begun->second);
        } else if (result.transfers[begun->second].step == transfer.step) {
            // Two come at once to a node that has nothing to add them to.
            const PlaceId scratch = first_scratch + used_scratch[transfer.destination]++;
            locals.push_back({.source = transfer.destination,
                              .destination = transfer.destination,
                              .from = scratch,
                              .to = transfer.to,
                              .operation = Operation::add,
                              .path = {},
                              .step = transfer.step});
            transfer.to = scratch;
            transfer.operation = Operation::copy;
        }
    }
    if (schedule.synchronization == ChunkSynchronization::dependencies)
        turn_dependencies(schedule, result.transfers);
    result.transfers.insert(result.transfers.end(), locals.begin(), locals.end());
    std::stable_sort(result.transfers.begin(), result.transfers.end(),
                     [](const auto& a, const auto& b) { return a.step < b.step; });
    return result;
}

void set_least_rounds(ChunkedSchedule& schedule, const LinkNetwork& network)
{
    std::stable_sort(schedule.transfers.begin(), schedule.transfers.end(),
                     [](const auto& a, const auto& b) { return a.step < b.step; });
    std::vector<std::uint64_t> load(network.link_count(), 0);
    schedule.rounds.clear();
    const std::vector<std::uint32_t> weights = transfer_weights(schedule);
    for (std::size_t begin = 0; begin < schedule.transfers.size();) {
        const std::uint32_t step = schedule.transfers[begin].step;
        std::uint64_t rounds = 1;
        std::fill(load.begin(), load.end(), 0);
        for (; begin < schedule.transfers.size() && schedule.transfers[begin].step == step; ++begin) {
            for (const LinkId link : schedule.transfers[begin].path) {
                load[link] += weights[begin];
                rounds = std::max(rounds, (load[link] + network.units(link) - 1) / network.units(link));
            }
            schedule.transfers[begin].step = static_cast<std::uint32_t>(schedule.rounds.size());
        }
        schedule.rounds.push_back(static_cast<std::uint32_t>(rounds));
    }
}

} // namespace nocturne
