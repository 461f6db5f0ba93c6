#include "sim/traffic/runs_table.hpp"

#include "sim/simulation/confidence_interval.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace nocturne {

namespace {

/// Of steady runs.
struct Samples {
    std::vector<double> accepted;
    std::vector<double> latency; ///< of those with packets
};

/// Mean and error, nothing where there are too few samples to tell.
void set(std::span<const double> samples, std::optional<double>& mean, std::optional<double>& error)
{
    const Estimate estimate = estimate_mean(samples);
    if (!samples.empty())
        mean = estimate.mean;
    if (std::isfinite(estimate.error))
        error = estimate.error;
}

} // namespace

Fields<TrafficRuns> fields_of(const TrafficRuns*)
{
    using Runs = TrafficRuns;
    return {
        "runs of a load",
        "One load, run with several seeds. Errors are half widths of 95 % confidence intervals.",
        {{"topology", "", "The network.", &Runs::topology},
         {"routing", "", "The routing function.", &Runs::routing},
         {"pattern", "", "Traffic pattern.", &Runs::pattern},
         {"arrivals", "", "Arrival process.", &Runs::arrivals},
         {"packet_flits", "flits", "Sizes of packets, with their weights.", &Runs::packet_flits},
         {"load", "flits/cycle", "Requested load per processor.", &Runs::load},
         {"runs", "", "Number of seeds.", &Runs::runs},
         {"steady_runs", "", "Runs below saturation.", &Runs::steady_runs},
         {"accepted_flit_rate", "flits/cycle", "Mean over steady runs.", &Runs::accepted_flit_rate},
         {"accepted_flit_rate_error", "flits/cycle", "Error of that mean.", &Runs::accepted_flit_rate_error},
         {"average_packet_latency_cycles", "cycles", "Mean over steady runs.",
          &Runs::average_packet_latency_cycles},
         {"average_packet_latency_error_cycles", "cycles", "Error of that mean.",
          &Runs::average_packet_latency_error_cycles}}};
}

std::vector<TrafficRuns> runs_of(std::span<const TrafficCurve> curves)
{
    std::vector<TrafficRuns> all;
    std::vector<Samples> samples; // by element of `all`
    for (const TrafficCurve& curve : curves)
        for (const TrafficPoint& point : curve.points) {
            const auto key = [](auto& of, auto& load) {
                return std::tie(of.topology, of.routing, of.pattern, of.arrivals, of.packet_flits, load);
            };
            const auto known = std::ranges::find_if(
                all, [&](const TrafficRuns& runs) { return key(runs, runs.load) == key(curve, point.load); });
            const auto place = static_cast<std::size_t>(known - all.begin());
            if (known == all.end()) {
                TrafficRuns& runs = all.emplace_back();
                std::tie(runs.topology, runs.routing, runs.pattern, runs.arrivals, runs.packet_flits,
                         runs.load) = key(curve, point.load);
                samples.emplace_back();
            }
            ++all[place].runs;
            if (point.saturated)
                continue;
            ++all[place].steady_runs;
            samples[place].accepted.push_back(point.accepted_flit_rate);
            if (point.latency.average_packet_latency_cycles)
                samples[place].latency.push_back(*point.latency.average_packet_latency_cycles);
        }
    for (std::size_t i = 0; i < all.size(); ++i) {
        set(samples[i].accepted, all[i].accepted_flit_rate, all[i].accepted_flit_rate_error);
        set(samples[i].latency, all[i].average_packet_latency_cycles,
            all[i].average_packet_latency_error_cycles);
    }
    return all;
}

} // namespace nocturne
