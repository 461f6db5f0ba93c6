// What is counted of packets, as results say it.
#pragma once

#include "sim/report/traffic_results.hpp"
#include "sim/traffic/packet_counts.hpp"

#include <optional>
#include <string>
#include <vector>

namespace nocturne {

/// Nothing for what is infinite: there is too little to tell.
std::optional<double> finite_or_nothing(double value);

/// By what share of the packets does not exceed.
template <class Quantile>
LatencyQuantiles quantiles_by(Quantile quantile)
{
    return {quantile(0.5), quantile(0.95), quantile(0.99), quantile(1)};
}

/// Of the packets that have arrived; its `cycle_ns` is left as it is.
PacketLatency latency_of(const PacketCounts& counts);

/// `of_class`: what the packets are called, if there are others.
std::vector<LatencyCount> histogram_of(const LatencyCounts& counts, double cycle_ns,
                                       const std::string& of_class = {});

} // namespace nocturne
