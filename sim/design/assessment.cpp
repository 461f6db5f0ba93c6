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
#include <stdexcept>

namespace nocturne {
namespace {

CollectiveAssessment assess_collective(const Topology& topology, Collective collective,
                                       const AssessmentOptions& options)
{
    const Problem problem{topology, std::move(collective), all_port};
    PortfolioOptions search;
    search.budget = options.search_budget;
    search.seed = options.seed;
    search.workers = options.workers;
    const PortfolioResult found = find_schedule(problem, search);
    CollectiveAssessment result{.bound = found.bound().steps};
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

enum class Better { less, more };

/// Figures by which networks are compared: fields of an Assessment.
constexpr std::pair<std::string_view, Better> compared_figures[] = {
    {"channels", Better::less},
    {"average_with_self_hops", Better::less},
    {"maximum_hops", Better::less},
    {"total_wire", Better::less},
    {"longest_wire", Better::less},
    {"edge_connectivity", Better::more},
    {"bisection_links", Better::more},
    {"one_fault_average_with_self_hops", Better::less},
    {"random_faults_average_with_self_hops", Better::less},
    {"scatter_lower_bound", Better::less},
    {"scatter_steps", Better::less},
    {"scatter_time_ns", Better::less},
    {"broadcast_lower_bound", Better::less},
    {"broadcast_steps", Better::less},
    {"broadcast_time_ns", Better::less},
    {"saturation_load", Better::more}};

/// The less, the better; what is not known is worst.
double rating(const nlohmann::ordered_json& assessment, std::string_view figure, Better better)
{
    const nlohmann::ordered_json& value = assessment.at(std::string(figure));
    if (!value.is_number())
        return std::numeric_limits<double>::infinity();
    return better == Better::less ? value.get<double>() : -value.get<double>();
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

std::vector<Assessment> by_scatter(std::vector<Assessment> assessments)
{
    std::ranges::stable_sort(assessments, {}, [](const Assessment& each) {
        return std::pair(each.scatter.steps.value_or(std::numeric_limits<unsigned>::max()),
                         each.latency.average_with_self);
    });
    return assessments;
}

std::vector<NetworkPlaces> places_of(std::span<const Assessment> assessments)
{
    std::vector<nlohmann::ordered_json> all(assessments.begin(), assessments.end());
    std::vector<NetworkPlaces> result;
    for (const nlohmann::ordered_json& own : all) {
        NetworkPlaces& places = result.emplace_back();
        places.network = own.at("network");
        for (const auto& [figure, better] : compared_figures) {
            const auto is_better = [&, figure = figure,
                                    better = better](const nlohmann::ordered_json& other) {
                return rating(other, figure, better) < rating(own, figure, better);
            };
            const auto place = 1 + static_cast<std::uint64_t>(std::ranges::count_if(all, is_better));
            places.places.push_back({std::string(figure), place});
            places.mean_place += static_cast<double>(place) / std::size(compared_figures);
        }
    }
    std::ranges::stable_sort(result, {}, &NetworkPlaces::mean_place);
    return result;
}

Table rank_table(std::span<const Assessment> assessments)
{
    Table table{"Places", {{"network", "", Align::left}, {"mean place", ""}}, {}};
    for (const auto& [figure, better] : compared_figures)
        for (const Column& column : columns_of(description_of<Assessment>()))
            if (column.key == figure)
                table.columns.push_back({column.name, ""});
    for (const NetworkPlaces& network : places_of(assessments)) {
        std::vector<Cell> row{network.network, Real{network.mean_place, 2}};
        for (const FigurePlace& each : network.places)
            row.emplace_back(each.place);
        table.add_row(std::move(row));
    }
    return table;
}

Fields<FigurePlace> fields_of(const FigurePlace*)
{
    return {"figure place",
            "Rank of a network by one figure.",
            {{"figure", "", "Name of the figure.", &FigurePlace::figure},
             {"place", "", "1 is best; equal networks share the better rank.", &FigurePlace::place}}};
}

Fields<NetworkPlaces> fields_of(const NetworkPlaces*)
{
    return {"network places",
            "Ranks of one network.",
            {{"network", "", "Name of the network.", &NetworkPlaces::network},
             {"mean_place", "", "Mean rank over the figures.", &NetworkPlaces::mean_place},
             {"places", "", "Rank by each figure.", &NetworkPlaces::places}}};
}

Fields<Assessment> fields_of(const Assessment*)
{
    using A = Assessment;
    return {
        "assessed network",
        "Figures of one network; null where unknown.",
        {{"network", "", "Name of the network.", &A::network},
         {"largest_degree", "channels", "Most channels that leave a router.",
          [](const A& a) { return a.largest_degree; }},
         {"channels", "", "Number of channels between routers; a bidirectional link is two.", &A::channels},
         {"average_with_self_hops", "hops", average_with_self_meaning,
          [](const A& a) { return a.latency.average_with_self; }},
         {"maximum_hops", "hops", "The longest shortest path between two processors.",
          [](const A& a) { return a.latency.maximum; }},
         {"total_wire", "units", "Total wire length.", &A::wire_total},
         {"longest_wire", "units", "Longest wire.", &A::wire_maximum},
         {"edge_connectivity", "links", "Fewest links whose loss disconnects the network.",
          &A::edge_connectivity},
         {"bisection_links", "links", "Links of the smallest bisection found with parts of at least 40 %.",
          &A::bisection_links},
         {"one_fault_average_with_self_hops", "hops",
          "The average with self, mean over the loss of each router.",
          [](const A& a) { return a.single_fault.average_with_self; }},
         {"random_faults_average_with_self_hops", "hops",
          "The average with self after the loss of 5 % of routers and links.",
          [](const A& a) { return a.random_faults.average_with_self; }},
         {"scatter_lower_bound", "steps", "Lower bound of an all-to-all scatter.",
          [](const A& a) { return a.scatter.bound; }},
         {"scatter_steps", "", "Steps of the best schedule found for the scatter.",
          [](const A& a) { return a.scatter.steps; }},
         {"scatter_time_ns", "ns", "Simulated time of that schedule, with barriers.",
          [](const A& a) { return a.scatter.replay_ns; }},
         {"broadcast_lower_bound", "steps", "Lower bound of an all-to-all broadcast.",
          [](const A& a) { return a.broadcast.bound; }},
         {"broadcast_steps", "", "Steps of the best schedule found for the broadcast.",
          [](const A& a) { return a.broadcast.steps; }},
         {"broadcast_time_ns", "ns", "Simulated time of that schedule, with barriers.",
          [](const A& a) { return a.broadcast.replay_ns; }},
         {"saturation_load", "flits/cycle", "Highest steady load of uniform traffic with packets of 8 flits.",
          &A::saturation_load}}};
}

} // namespace nocturne
