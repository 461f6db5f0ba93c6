#include "testbenches/worm_model/accuracy.hpp"

#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/traffic/load_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace nocturne::worm_model {

namespace {

/// One seed's average is up to 6 % off at 70 % of saturation, since both levels then queue differently.
constexpr std::uint64_t seeds = 3;

CurveSpecification curve_of(const TrafficCell& cell, NetworkModel model, std::uint64_t seed)
{
    CurveSpecification curve{cell.topology, make_topology(cell.topology)};
    curve.pattern = cell.pattern;
    curve.packet_flits = cell.packet_flits;
    curve.hardware.vcs = std::max(cell.vcs, 1u);
    curve.as_many_vcs_as_needed = cell.vcs == 0;
    curve.model = model;
    curve.seed = seed;
    return curve;
}

} // namespace

std::vector<TrafficCell> all_cells()
{
    std::vector<TrafficCell> cells;
    for (const char* flits : {"16", "64"})
        for (const unsigned vcs : {0u, 4u}) {
            cells.push_back({"mesh:8x8", "uniform", flits, vcs});
            cells.push_back({"mesh:8x8", "transpose", flits, vcs});
            cells.push_back({"torus:8x8", "uniform", flits, vcs});
            cells.push_back({"fattree:4,3", "uniform", flits, vcs});
        }
    cells.push_back({"mesh:8x8", "uniform", "8", 0});
    cells.push_back({"mesh:8x8", "uniform", "1", 0});
    cells.push_back({"omega:64", "uniform", "16", 0});
    cells.push_back({"hypercube:6", "uniform", "16", 0});
    cells.push_back({"mesh:8x8", "uniform", "32", 2});
    cells.push_back({"mesh:8x8", "uniform", "32", 8});
    cells.push_back({"torus:8x8", "uniform", "32", 4});
    cells.push_back({"hypercube:6", "uniform", "16", 4});
    cells.push_back({"omega:64", "uniform", "64", 4});
    return cells;
}

std::vector<Accuracy> measure_accuracy(const std::vector<TrafficCell>& cells, std::uint64_t window_cycles)
{
    CurveOptions options;
    options.plan.warm_up_cycles = window_cycles / 5;
    options.plan.window_cycles = window_cycles;
    options.plan.drain_cycles = window_cycles;
    std::vector<Accuracy> rows;
    for (const TrafficCell& cell : cells) {
        std::vector<CurveSpecification> curves; // flit, worm, flit, worm, ...
        for (std::uint64_t seed = 1; seed <= seeds; ++seed)
            for (const NetworkModel model : {NetworkModel::flit, NetworkModel::worm})
                curves.push_back(curve_of(cell, model, seed));
        const std::vector<double> overload{0.95};
        const double saturation = measure_curves(std::span(curves).first(1), overload, options)
                                      .front()
                                      .points.front()
                                      .accepted_flit_rate;
        std::vector<double> loads;
        for (const double part : {0.1, 0.3, 0.5, 0.7, 0.9})
            loads.push_back(part * saturation);
        const std::vector<TrafficCurve> measured = measure_curves(curves, loads, options);
        for (std::size_t i = 0; i < loads.size(); ++i) {
            std::array<double, 2> sums{};
            bool is_steady = true;
            for (std::size_t curve = 0; curve < measured.size(); ++curve) {
                const auto& cycles = measured[curve].points[i].latency.average_packet_latency_cycles;
                is_steady = is_steady && cycles;
                sums[curve % 2] += cycles.value_or(0);
            }
            if (is_steady)
                rows.push_back({cell, loads[i], loads[i] / saturation, sums[0] / seeds, sums[1] / seeds});
        }
    }
    return rows;
}

Table accuracy_table(const std::vector<Accuracy>& rows)
{
    Table table{"Average packet latency at both levels",
                {{"topology", ""},
                 {"pattern", ""},
                 {"flits", ""},
                 {"VCs", ""},
                 {"load", ""},
                 {"of saturation", "%"},
                 {"flit", "cycles"},
                 {"worm", "cycles"},
                 {"error", "%"}},
                {}};
    for (const Accuracy& row : rows)
        table.add_row({row.cell.topology, row.cell.pattern, row.cell.packet_flits,
                       row.cell.vcs == 0 ? std::string("as needed") : fmt::format("{}", row.cell.vcs),
                       fmt::format("{:.3f}", row.load), fmt::format("{:.0f}", 100 * row.of_saturation),
                       fmt::format("{:.1f}", row.flit_cycles), fmt::format("{:.1f}", row.worm_cycles),
                       fmt::format("{:+.1f}", row.error_percent())});
    return table;
}

} // namespace nocturne::worm_model
