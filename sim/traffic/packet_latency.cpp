#include "sim/traffic/packet_latency.hpp"

#include "sim/simulation/confidence_interval.hpp"

#include <cmath>

namespace nocturne {

std::optional<double> finite_or_nothing(double value)
{
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

PacketLatency latency_of(const PacketCounts& record)
{
    PacketLatency latency;
    const LatencyCounts& counts = record.latencies();
    if (counts.total() == 0)
        return latency;
    const Estimate average = estimate_ratio(record.latency());
    latency.average_packet_latency_cycles = average.mean;
    latency.average_packet_latency_error_cycles = finite_or_nothing(average.error);
    latency.average_queueing_latency_cycles = estimate_ratio(record.queueing_latency()).mean;
    latency.average_network_latency_cycles = estimate_ratio(record.network_latency()).mean;
    latency.quantiles = quantiles_by([&](double share) { return counts.quantile(share); });
    latency.average_hops = static_cast<double>(record.hops()) / static_cast<double>(counts.total());
    return latency;
}

std::vector<LatencyCount> histogram_of(const LatencyCounts& counts, double cycle_ns,
                                       const std::string& of_class)
{
    std::vector<LatencyCount> histogram;
    counts.for_each([&](std::uint64_t cycles, std::uint64_t packets) {
        histogram.push_back({cycles, packets, cycle_ns, of_class});
    });
    return histogram;
}

} // namespace nocturne
