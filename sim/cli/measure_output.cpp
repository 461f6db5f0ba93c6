#include "sim/cli/measure_output.hpp"

#include <fmt/format.h>

namespace nocturne::cli {

namespace {

using measures::Measures;

/// A row of the table of measures.
void add_measure(Table& table, const std::string& name, const std::string& unit, Cell value, Cell bound = {})
{
    table.add_row({name, unit, std::move(value), std::move(bound)});
}

Cell mean_cell(double value)
{
    return Real{value, 3};
}

/// Of hops, which are whole numbers unless they are infinite.
Cell whole_cell(double value)
{
    return Real{value, 0};
}

/// `bisection (40 %), at most` and so on.
std::string bisection_label(const measures::Bisection& bisection)
{
    return fmt::format("bisection ({}){}",
                       bisection.evenness == measures::Evenness::halves ? "halves" : "40 %",
                       bisection.is_exact ? "" : ", at most");
}

void add_fault_rows(Table& table, const std::string& name, const measures::FaultLatency& faults)
{
    add_measure(table, "average latency with self, " + name, "hops", mean_cell(faults.average_with_self));
    add_measure(table, "average latency, " + name, "hops", mean_cell(faults.average));
    add_measure(table, "maximum latency, " + name, "hops", whole_cell(faults.maximum));
    add_measure(table, "disconnected, " + name, fmt::format("of {}", faults.trials),
                std::uint64_t{faults.disconnected});
}

nlohmann::ordered_json faults_json(const measures::FaultLatency& faults)
{
    return {{"average_with_self_hops", faults.average_with_self},
            {"average_hops", faults.average},
            {"maximum_hops", faults.maximum},
            {"trials", faults.trials},
            {"disconnected", faults.disconnected}};
}

void add_path_members(nlohmann::ordered_json& json, const Measures& measures)
{
    if (measures.bound)
        json["bound"] = {{"average_with_self_hops", measures.bound->average_with_self},
                         {"average_hops", measures.bound->average},
                         {"maximum_hops", measures.bound->maximum}};
    if (measures.contention)
        json["contention"] = {{"average_with_self_hops", measures.contention->average_with_self},
                              {"average_hops", measures.contention->average},
                              {"maximum_hops", measures.contention->maximum},
                              {"link_deviation_messages", measures.contention->link_deviation},
                              {"printed_deviation_messages", measures.contention->printed_deviation}};
    if (measures.spread)
        json["path_spread"] = {{"node_deviation_paths", measures.spread->node_deviation},
                               {"link_deviation_paths", measures.spread->link_deviation}};
}

void add_latency_rows(Table& table, const Measures& measures)
{
    const measures::HopLatency& latency = measures.latency;
    const auto& bound = measures.bound;
    add_measure(table, "average latency with self", "hops", mean_cell(latency.average_with_self),
                bound ? mean_cell(bound->average_with_self) : Cell{});
    add_measure(table, "average latency", "hops", mean_cell(latency.average),
                bound ? mean_cell(bound->average) : Cell{});
    add_measure(table, "maximum latency", "hops", whole_cell(latency.maximum),
                bound ? whole_cell(bound->maximum) : Cell{});
    if (const auto& contention = measures.contention) {
        add_measure(table, "average latency with self, contention", "hops",
                    mean_cell(contention->average_with_self));
        add_measure(table, "average latency, contention", "hops", mean_cell(contention->average));
        add_measure(table, "maximum latency, contention", "hops", whole_cell(contention->maximum));
        add_measure(table, "deviation of messages on links, contention", "messages",
                    mean_cell(contention->link_deviation));
    }
    if (measures.single_faults)
        add_fault_rows(table, "a router failed", *measures.single_faults);
    if (measures.random_faults)
        add_fault_rows(table, "5 % failed", *measures.random_faults);
}

void add_structure_rows(Table& table, const Measures& measures)
{
    if (measures.wires) {
        add_measure(table, "longest wire", "units", mean_cell(measures.wires->maximum));
        add_measure(table, "mean wire", "units", mean_cell(measures.wires->mean));
        add_measure(table, "all wires", "units", mean_cell(measures.wires->total));
    }
    add_measure(table, "smallest degree", "links", std::uint64_t{measures.smallest_degree});
    if (measures.edge_connectivity)
        add_measure(table, "edge connectivity", "links", std::uint64_t{*measures.edge_connectivity});
    if (measures.vertex_connectivity)
        add_measure(table, "vertex connectivity", "routers", std::uint64_t{*measures.vertex_connectivity});
    if (measures.bisection)
        add_measure(table, bisection_label(*measures.bisection), "links", measures.bisection->links);
    if (measures.metis_bisection)
        add_measure(table, "bisection found by METIS", "links", *measures.metis_bisection);
    if (measures.spread) {
        add_measure(table, "deviation of paths through routers", "paths",
                    mean_cell(measures.spread->node_deviation));
        add_measure(table, "deviation of paths over links", "paths",
                    mean_cell(measures.spread->link_deviation));
    }
}

} // namespace

nlohmann::ordered_json measures_json(const Measures& measures)
{
    nlohmann::ordered_json json{{"links", measures.links},
                                {"latency",
                                 {{"average_with_self_hops", measures.latency.average_with_self},
                                  {"average_hops", measures.latency.average},
                                  {"maximum_hops", measures.latency.maximum},
                                  {"unreachable_pairs", measures.latency.unreachable_pairs}}}};
    add_path_members(json, measures);
    if (measures.wires)
        json["wires"] = {{"maximum_units", measures.wires->maximum},
                         {"mean_units", measures.wires->mean},
                         {"total_units", measures.wires->total}};
    json["smallest_degree"] = measures.smallest_degree;
    if (measures.edge_connectivity)
        json["edge_connectivity"] = *measures.edge_connectivity;
    if (measures.vertex_connectivity)
        json["vertex_connectivity"] = *measures.vertex_connectivity;
    if (measures.bisection)
        json["bisection"] = {{"links", measures.bisection->links},
                             {"is_exact", measures.bisection->is_exact},
                             {"parts", to_string(measures.bisection->evenness)},
                             {"smallest_part", measures.bisection->smallest_part}};
    if (measures.metis_bisection)
        json["metis_bisection_links"] = *measures.metis_bisection;
    if (measures.single_faults)
        json["single_node_faults"] = faults_json(*measures.single_faults);
    if (measures.random_faults)
        json["random_faults"] = faults_json(*measures.random_faults);
    json["left_out"] = measures.left_out;
    return json;
}

Table measures_table(const std::string& network, const Measures& measures)
{
    Table table{"Measures of " + network,
                {{"measure", "", Align::left}, {"unit", "", Align::left}, {"value", ""}, {"bound", ""}},
                {}};
    add_latency_rows(table, measures);
    add_structure_rows(table, measures);
    return table;
}

} // namespace nocturne::cli
