#include "sim/design/assessment.hpp"

#include "models/measures/bisection.hpp"
#include "models/measures/connectivity.hpp"
#include "models/measures/graph.hpp"
#include "models/measures/wires.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "sim/replay/replay.hpp"
#include "sim/traffic/load_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>

namespace nocturne {
namespace {

constexpr double not_known = std::numeric_limits<double>::infinity();

CollectiveAssessment assess_collective(const Topology& topology, Collective collective,
                                       const AssessmentOptions& options)
{
    const Problem problem{topology, std::move(collective), all_port};
    PortfolioOptions search;
    search.budget = options.search_budget;
    search.seed = options.seed;
    search.workers = options.workers;
    const PortfolioResult found = find_schedule(problem, search);
    CollectiveAssessment result{.bound = found.bound.steps};
    if (!found.schedule)
        return result;
    result.steps = static_cast<unsigned>(found.schedule->steps.size());
    SimulationOptions simulation;
    simulation.hardware = options.hardware;
    simulation.message_bytes = options.message_bytes;
    simulation.seed = options.seed;
    result.replay_ns = replay(*found.schedule, topology, Synchronization::barrier, simulation).run.time_ns;
    return result;
}

std::optional<double> saturation_load(const Topology& topology, const AssessmentOptions& options)
{
    CurveSpecification curve{.topology = topology.name(), .network = topology};
    curve.hardware = options.hardware;
    curve.seed = options.seed;
    SaturationSearch search;
    search.tolerance = options.load_tolerance;
    CurveOptions curves;
    curves.plan = options.plan;
    curves.workers.workers = options.workers;
    if (options.on_saturation)
        curves.on_prepared = [&](const CurveSpecification& prepared, const Routing& routing,
                                 const HardwareConfig& hardware) {
            options.on_saturation(prepared.network, routing, hardware);
        };
    return find_saturation(std::span(&curve, 1), search, curves).front().highest_steady_load;
}

/// A figure by which networks are compared.
struct Figure {
    Column column;
    std::function<double(const Assessment&)> value; ///< infinite (or minus that) if it is not known
    int digits;                                     ///< behind the point
    enum class Better { less, more } better;
};

double number(const auto& optional, double otherwise)
{
    return optional ? static_cast<double>(*optional) : otherwise;
}

const std::vector<Figure>& figures()
{
    using Better = Figure::Better;
    static const std::vector<Figure> all{
        {{"channels", ""},
         [](const Assessment& a) { return static_cast<double>(a.channels); },
         0,
         Better::less},
        {{"average latency", "hops"},
         [](const Assessment& a) { return a.latency.average_with_self; },
         3,
         Better::less},
        {{"maximum latency", "hops"}, [](const Assessment& a) { return a.latency.maximum; }, 0, Better::less},
        {{"total wire", ""},
         [](const Assessment& a) { return number(a.wire_total, not_known); },
         1,
         Better::less},
        {{"longest wire", ""},
         [](const Assessment& a) { return number(a.wire_maximum, not_known); },
         1,
         Better::less},
        {{"edge connectivity", ""},
         [](const Assessment& a) { return static_cast<double>(a.edge_connectivity); },
         0,
         Better::more},
        {{"bisection (40 %)", "links"},
         [](const Assessment& a) { return static_cast<double>(a.bisection_links); },
         0,
         Better::more},
        {{"average, one node fails", "hops"},
         [](const Assessment& a) { return a.single_fault.average_with_self; },
         3,
         Better::less},
        {{"average, 5 % fail", "hops"},
         [](const Assessment& a) { return a.random_faults.average_with_self; },
         3,
         Better::less},
        {{"scatter bound", "steps"},
         [](const Assessment& a) { return static_cast<double>(a.scatter.bound); },
         0,
         Better::less},
        {{"scatter", "steps"},
         [](const Assessment& a) { return number(a.scatter.steps, not_known); },
         0,
         Better::less},
        {{"scatter replayed", "ns"},
         [](const Assessment& a) { return number(a.scatter.replay_ns, not_known); },
         0,
         Better::less},
        {{"broadcast bound", "steps"},
         [](const Assessment& a) { return static_cast<double>(a.broadcast.bound); },
         0,
         Better::less},
        {{"broadcast", "steps"},
         [](const Assessment& a) { return number(a.broadcast.steps, not_known); },
         0,
         Better::less},
        {{"broadcast replayed", "ns"},
         [](const Assessment& a) { return number(a.broadcast.replay_ns, not_known); },
         0,
         Better::less},
        {{"saturation load", ""},
         [](const Assessment& a) { return number(a.saturation_load, -not_known); },
         3,
         Better::more},
    };
    return all;
}

/// 1 and how many are better.
std::size_t place(const Figure& figure, const Assessment& of, std::span<const Assessment> among)
{
    const double own = figure.value(of);
    return 1 + static_cast<std::size_t>(std::ranges::count_if(among, [&](const Assessment& other) {
               const double its = figure.value(other);
               return figure.better == Figure::Better::less ? its < own : its > own;
           }));
}

} // namespace

Assessment assess(const Topology& topology, const AssessmentOptions& options)
{
    const measures::Graph graph = measures::graph_of(topology);
    Assessment result;
    result.network = topology.name();
    result.channels = topology.channel_count();
    result.latency = measures::hop_latency(graph);
    if (result.latency.unreachable_pairs > 0)
        throw std::invalid_argument(fmt::format("{}: {} pairs of processors are not joined by a path",
                                                topology.name(), result.latency.unreachable_pairs));
    result.smallest_degree = measures::smallest_degree(graph);
    for (RouterId id = 0; id < topology.router_count(); ++id)
        result.largest_degree =
            std::max(result.largest_degree, static_cast<unsigned>(topology.channels_from(id).size()));
    result.edge_connectivity = measures::edge_connectivity(graph);
    result.bisection_links = measures::bisection(graph, {.seed = options.seed}).links;
    result.single_fault = measures::single_node_faults(graph);
    result.random_faults = measures::random_faults(graph, {.seed = options.seed});
    if (!graph.lengths().empty()) {
        const measures::WireLengths wires = measures::wire_lengths(graph);
        result.wire_total = wires.total;
        result.wire_maximum = wires.maximum;
    }
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    result.scatter = assess_collective(topology, alltoall({processors}), options);
    result.broadcast = assess_collective(topology, allgather({processors}), options);
    result.saturation_load = saturation_load(topology, options);
    return result;
}

Table assessment_table(std::span<const Assessment> assessments)
{
    Table table{"Networks", {{"network", "", Align::left}, {"links a node", ""}}, {}};
    for (const Figure& figure : figures())
        table.columns.push_back(figure.column);
    std::vector<const Assessment*> order;
    for (const Assessment& each : assessments)
        order.push_back(&each);
    std::ranges::stable_sort(order, {}, [](const Assessment* each) {
        return std::pair(number(each->scatter.steps, not_known), each->latency.average_with_self);
    });
    for (const Assessment* const each : order) {
        std::vector<Cell> row{each->network, std::uint64_t{each->largest_degree}};
        for (const Figure& figure : figures()) {
            const double value = figure.value(*each);
            if (std::isinf(value))
                row.emplace_back();
            else if (figure.digits == 0)
                row.emplace_back(static_cast<std::uint64_t>(std::llround(value)));
            else
                row.emplace_back(Real{value, figure.digits});
        }
        table.add_row(std::move(row));
    }
    return table;
}

Table rank_table(std::span<const Assessment> assessments)
{
    Table table{"Places", {{"network", "", Align::left}, {"mean place", ""}}, {}};
    for (const Figure& figure : figures())
        table.columns.push_back({figure.column.name, ""});
    for (const Assessment& each : assessments) {
        std::vector<Cell> row{each.network, Cell()};
        std::size_t sum = 0;
        for (const Figure& figure : figures()) {
            const std::size_t own = place(figure, each, assessments);
            sum += own;
            row.emplace_back(std::uint64_t{own});
        }
        row[1] = Real{static_cast<double>(sum) / static_cast<double>(figures().size()), 2};
        table.rows.push_back(std::move(row));
    }
    std::ranges::stable_sort(table.rows, {},
                             [](const std::vector<Cell>& row) { return std::get<Real>(row[1]).value; });
    return table;
}

} // namespace nocturne
