// Several runs of the same points with different seeds, taken together.
#pragma once

#include "sim/report/traffic_results.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nocturne {

/// One load of curves that differ in their seed only; of steady runs the means of accepted rate and latency
/// with 95 % confidence intervals, the runs being independent samples.
struct TrafficRuns {
    std::string topology;
    std::string routing;
    std::string pattern;
    std::string arrivals;
    std::string packet_flits;
    double load = 0;
    std::size_t runs = 0;
    std::size_t steady_runs = 0;
    std::optional<double> accepted_flit_rate;
    std::optional<double> accepted_flit_rate_error;
    std::optional<double> average_packet_latency_cycles;
    std::optional<double> average_packet_latency_error_cycles;
};
Fields<TrafficRuns> fields_of(const TrafficRuns*);

/// In the order in which curves and loads first appear.
std::vector<TrafficRuns> runs_of(std::span<const TrafficCurve> curves);

} // namespace nocturne
