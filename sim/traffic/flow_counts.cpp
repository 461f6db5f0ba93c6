#include "sim/traffic/flow_counts.hpp"

#include "models/topology/indices_by.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nocturne {

namespace {

/// Cycles, and the packets that took them.
using CyclesAndPackets = std::pair<std::uint64_t, std::uint64_t>;

/// See LatencyCounts::quantile(); of ascending latencies.
std::uint64_t quantile_of(std::span<const CyclesAndPackets> latencies, std::uint64_t packets, double share)
{
    const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(packets)));
    std::uint64_t seen = 0;
    for (const auto& [cycles, count] : latencies) {
        seen += count;
        if (seen >= wanted)
            return cycles;
    }
    return 0;
}

} // namespace

FlowCounts::Flow& FlowCounts::flow_of(const NetworkMessage& message)
{
    const ProcessorId source = message.source % processors_, destination = message.destination % processors_;
    std::uint32_t& number = numbers_[std::uint64_t{source} << 32 | destination];
    if (number == 0) {
        flows_.push_back({source, destination});
        number = static_cast<std::uint32_t>(flows_.size());
    }
    return flows_[number - 1];
}

void FlowCounts::message_delivered(const NetworkMessage& message, ProcessorId)
{
    const std::uint64_t now = network_.now();
    const bool counts_for_rate = !is_window_over_ && window_.batch_of(now) < window_.batches;
    const bool is_measured = window_.batch_of(message.created) < window_.batches;
    if (!counts_for_rate && !is_measured)
        return;
    Flow& flow = flow_of(message);
    if (counts_for_rate)
        flow.flits += message.flits;
    if (!is_measured)
        return;
    const std::uint64_t latency = now - message.created;
    flow.packets += 1;
    flow.latency += latency;
    flow.hops += message.hops;
    const auto number = static_cast<std::uint64_t>(&flow - flows_.data());
    latencies_[number << latency_bits | std::min(latency, (std::uint64_t{1} << latency_bits) - 1)] += 1;
}

std::vector<FlowLatency> FlowCounts::flows(std::span<const std::string> names, std::uint64_t measured_cycles,
                                           double cycle_ns, bool is_steady) const
{
    std::vector<std::vector<CyclesAndPackets>> latencies(flows_.size()); // by flow
    latencies_.for_each([&](std::uint64_t key, std::uint64_t packets) {
        latencies[key >> latency_bits].emplace_back(key & ((std::uint64_t{1} << latency_bits) - 1), packets);
    });
    const auto order = indices_by(flows_.size(), [&](std::uint32_t number) {
        return std::pair(flows_[number].source, flows_[number].destination);
    });
    std::vector<FlowLatency> result;
    for (const std::uint32_t number : order) {
        const Flow& flow = flows_[number];
        std::vector<CyclesAndPackets>& of_flow = latencies[number];
        std::ranges::sort(of_flow);
        FlowLatency row;
        row.source = names[flow.source];
        row.destination = names[flow.destination];
        row.packets = flow.packets;
        row.cycle_ns = cycle_ns;
        if (measured_cycles > 0)
            row.accepted_flit_rate = static_cast<double>(flow.flits) / static_cast<double>(measured_cycles);
        if (flow.packets > 0)
            row.average_hops = static_cast<double>(flow.hops) / static_cast<double>(flow.packets);
        if (flow.packets > 0 && is_steady) {
            row.average_packet_latency_cycles =
                static_cast<double>(flow.latency) / static_cast<double>(flow.packets);
            row.median_packet_latency_cycles = quantile_of(of_flow, flow.packets, 0.5);
            row.p95_packet_latency_cycles = quantile_of(of_flow, flow.packets, 0.95);
            row.p99_packet_latency_cycles = quantile_of(of_flow, flow.packets, 0.99);
            row.maximum_packet_latency_cycles = of_flow.back().first;
        }
        result.push_back(std::move(row));
    }
    return result;
}

} // namespace nocturne
