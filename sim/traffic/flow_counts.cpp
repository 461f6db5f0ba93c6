#include "sim/traffic/flow_counts.hpp"

#include "models/topology/indices_by.hpp"
#include "sim/traffic/packet_latency.hpp"

#include <algorithm>
#include <utility>

namespace nocturne {

namespace {

constexpr unsigned latency_bits = 40;
constexpr std::uint64_t most_latency = (std::uint64_t{1} << latency_bits) - 1;

/// A number of a flow and a latency, see FlowCounts, and the packets that took as long.
using KeyAndPackets = std::pair<std::uint64_t, std::uint64_t>;

/// Of one flow, by ascending latencies; see LatencyCounts::quantile().
std::uint64_t quantile_of(std::span<const KeyAndPackets> latencies, std::uint64_t packets, double share)
{
    QuantileSearch search(share, packets);
    for (const auto& [key, count] : latencies)
        if (search.is_it(count))
            return key & most_latency;
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
    latencies_[number << latency_bits | std::min(latency, most_latency)] += 1;
}

void FlowCounts::append_flows(std::vector<FlowLatency>& all, std::span<const std::string> names,
                              const std::string& of_class, const Measured& measured) const
{
    // By flow, then by latency: what of a flow are neighbours.
    std::vector<KeyAndPackets> latencies;
    latencies_.for_each(
        [&](std::uint64_t key, std::uint64_t packets) { latencies.emplace_back(key, packets); });
    std::ranges::sort(latencies);
    const auto first_of = [&](std::uint64_t number) {
        return std::lower_bound(latencies.begin(), latencies.end(), KeyAndPackets{number << latency_bits, 0});
    };
    const auto order = indices_by(flows_.size(), [&](std::uint32_t number) {
        return std::pair(flows_[number].source, flows_[number].destination);
    });
    all.reserve(all.size() + flows_.size());
    for (const std::uint32_t number : order) {
        const Flow& flow = flows_[number];
        FlowLatency& row = all.emplace_back();
        row.source = names[flow.source];
        row.destination = names[flow.destination];
        row.traffic_class = of_class;
        row.packets = flow.packets;
        row.cycle_ns = measured.cycle_ns;
        if (measured.cycles > 0)
            row.accepted_flit_rate = static_cast<double>(flow.flits) / static_cast<double>(measured.cycles);
        if (flow.packets > 0)
            row.average_hops = static_cast<double>(flow.hops) / static_cast<double>(flow.packets);
        if (flow.packets > 0 && measured.is_steady) {
            const std::span<const KeyAndPackets> of_flow(first_of(number), first_of(number + 1));
            row.average_packet_latency_cycles =
                static_cast<double>(flow.latency) / static_cast<double>(flow.packets);
            row.quantiles =
                quantiles_by([&](double share) { return quantile_of(of_flow, flow.packets, share); });
        }
    }
}

} // namespace nocturne
