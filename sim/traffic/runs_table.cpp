#include "sim/traffic/runs_table.hpp"

#include "sim/simulation/confidence_interval.hpp"

#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace nocturne {

namespace {

/// What runs have in common, in the order in which the table names it.
using SharedTexts = std::vector<std::string>;

struct Runs {
    std::size_t all = 0;
    std::vector<double> accepted; ///< of steady runs
    std::vector<double> latency;  ///< of steady runs with packets
};

Cell error_cell(const Estimate& estimate, int digits)
{
    return std::isfinite(estimate.error) ? Cell(Real{estimate.error, digits}) : Cell();
}

} // namespace

Table runs_table(std::span<const TrafficCurve> curves)
{
    std::vector<std::pair<SharedTexts, double>> order;
    std::map<std::pair<SharedTexts, double>, Runs> runs;
    for (const TrafficCurve& curve : curves)
        for (const TrafficPoint& point : curve.points) {
            const std::pair<SharedTexts, double> key{
                {curve.topology, curve.routing, curve.pattern, curve.arrivals, curve.packet_flits},
                point.load};
            const auto [entry, is_new] = runs.try_emplace(key);
            if (is_new)
                order.push_back(key);
            ++entry->second.all;
            if (point.saturated)
                continue;
            entry->second.accepted.push_back(point.accepted_flit_rate);
            if (point.latency.average_packet_latency_cycles)
                entry->second.latency.push_back(*point.latency.average_packet_latency_cycles);
        }
    Table table{"Means over runs",
                {{"topology", "", Align::left},
                 {"routing", "", Align::left},
                 {"pattern", "", Align::left},
                 {"arrivals", "", Align::left},
                 {"packet", "flits", Align::left},
                 {"load", ""},
                 {"runs", ""},
                 {"steady runs", ""},
                 {"accepted", ""},
                 {"error", ""},
                 {"average", "cycles"},
                 {"average error", "cycles"}},
                {}};
    for (const auto& key : order) {
        const Runs& of = runs.at(key);
        const Estimate accepted = estimate_mean(of.accepted);
        const Estimate latency = estimate_mean(of.latency);
        std::vector<Cell> row(key.first.begin(), key.first.end());
        row.insert(row.end(),
                   {Real{key.second, 4}, of.all, of.accepted.size(),
                    of.accepted.empty() ? Cell() : Cell(Real{accepted.mean, 4}), error_cell(accepted, 4),
                    of.latency.empty() ? Cell() : Cell(Real{latency.mean, 2}), error_cell(latency, 2)});
        table.add_row(std::move(row));
    }
    return table;
}

} // namespace nocturne
