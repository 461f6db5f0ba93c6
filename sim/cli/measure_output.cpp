#include "sim/cli/measure_output.hpp"

#include "sim/design/assessment.hpp"

#include <initializer_list>
#include <string>

namespace nocturne::measures {

namespace {

constexpr const char* average_meaning = "Mean over all ordered pairs of different processors.";
constexpr const char* maximum_meaning = "Between two processors.";

/// The three figures that all latencies have.
template <class Latency>
Fields<Latency> latency_fields(const char* name, const char* meaning)
{
    return {name,
            meaning,
            {{"average_with_self_hops", "hops", average_with_self_meaning, &Latency::average_with_self},
             {"average_hops", "hops", average_meaning, &Latency::average},
             {"maximum_hops", "hops", maximum_meaning, &Latency::maximum}}};
}

} // namespace

Fields<HopLatency> fields_of(const HopLatency*)
{
    return latency_fields<HopLatency>("latency", "Hops of shortest paths; infinite in a network in parts.")
        .with({{"unreachable_pairs", "", "Ordered pairs of different processors that no path joins.",
                &HopLatency::unreachable_pairs}});
}

Fields<LatencyBound> fields_of(const LatencyBound*)
{
    return latency_fields<LatencyBound>("latency bound",
                                        "What no network of as many nodes and links has less of.");
}

Fields<Contention> fields_of(const Contention*)
{
    return latency_fields<Contention>("contention", "Hops where messages keep out of each other's way.")
        .with({{"link_deviation_messages", "messages", "Sample deviation of the messages on a link.",
                &Contention::link_deviation},
               {"printed_deviation_messages", "messages", "The same as the paper prints it.",
                &Contention::printed_deviation, Shown::in_files}});
}

Fields<FaultLatency> fields_of(const FaultLatency*)
{
    return latency_fields<FaultLatency>("faulty latency",
                                        "Over several sets of faults: means of averages, and the "
                                        "maximum of maxima.")
        .with({{"trials", "", "Sets of faults.", &FaultLatency::trials},
               {"disconnected", "", "Those that leave a processor out of reach of another.",
                &FaultLatency::disconnected}});
}

Fields<WireLengths> fields_of(const WireLengths*)
{
    return {"wires",
            "Lengths of links, in units of the grid.",
            {{"maximum_units", "units", "Of a link.", &WireLengths::maximum},
             {"mean_units", "units", "Of a link.", &WireLengths::mean},
             {"total_units", "units", "Of all links.", &WireLengths::total}}};
}

Fields<Bisection> fields_of(const Bisection*)
{
    return {
        "bisection",
        "Two parts of a network with few links between them.",
        {{"links", "", "Between the parts.", &Bisection::links},
         {"optimal", "", "Is it proven that no other such parts have fewer?", &Bisection::is_exact},
         {"parts", "", "How even they are: `40%` or `halves`.",
          [](const Bisection& bisection) { return std::string(to_string(bisection.evenness)); }},
         {"smallest_part", "", "Processors that a part had to have for that.", &Bisection::smallest_part}}};
}

Fields<PathSpread> fields_of(const PathSpread*)
{
    return {"path spread",
            "How evenly shortest paths are spread.",
            {{"node_deviation_paths", "paths", "Sample deviation of the paths through a router.",
              &PathSpread::node_deviation},
             {"link_deviation_paths", "paths", "Sample deviation of the paths over a link.",
              &PathSpread::link_deviation}}};
}

Fields<Measures> fields_of(const Measures*)
{
    return {
        "measures",
        "Measures of a network as a graph; null for what was left out.",
        {{"links", "", "A bidirectional link is one.", &Measures::links},
         {"latency", "", "Without contention.", &Measures::latency},
         {"bound", "", "Of the latency.", &Measures::bound},
         {"contention", "", "Latency under moderate contention.", &Measures::contention},
         {"single_node_faults", "", "Each node fails once.", &Measures::single_faults},
         {"random_faults", "", "5 % of nodes and of links fail.", &Measures::random_faults},
         {"wires", "", "Where the routers stand.", &Measures::wires},
         {"smallest_degree", "links", "Of a node.", &Measures::smallest_degree},
         {"edge_connectivity", "links", "Fewest whose loss disconnects it.", &Measures::edge_connectivity},
         {"vertex_connectivity", "routers", "Fewest whose loss disconnects it.",
          &Measures::vertex_connectivity},
         {"bisection", "", "The best that was found.", &Measures::bisection},
         {"metis_bisection", "links", "Found by METIS.", &Measures::metis_bisection},
         {"path_spread", "", "Of paths chosen to be even.", &Measures::spread},
         {"left_out", "", "Which measures, and why, a line each.", &Measures::left_out}}};
}

} // namespace nocturne::measures
