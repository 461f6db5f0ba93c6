#include "sim/cli/measure_output.hpp"

#include "sim/design/assessment.hpp"

#include <string>

namespace nocturne::measures {

namespace {

constexpr const char* average_meaning = "Mean over all ordered pairs of different processors.";
constexpr const char* maximum_meaning = "The longest shortest path between two processors.";

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
    return latency_fields<HopLatency>("latency",
                                      "Hops of shortest paths; infinite in a disconnected network.")
        .with({{"unreachable_pairs", "", "Ordered pairs of processors without a path.",
                &HopLatency::unreachable_pairs}});
}

Fields<LatencyBound> fields_of(const LatencyBound*)
{
    return latency_fields<LatencyBound>("latency bound",
                                        "Lower bounds for all networks with as many nodes and links.");
}

Fields<Contention> fields_of(const Contention*)
{
    return latency_fields<Contention>("contention", "Hops if messages detour around occupied links.")
        .with({{"link_deviation_messages", "messages", "Sample standard deviation of the messages per link.",
                &Contention::link_deviation},
               {"printed_deviation_messages", "messages", "The same by the paper's formula.",
                &Contention::printed_deviation, Shown::in_files}});
}

Fields<FaultLatency> fields_of(const FaultLatency*)
{
    return latency_fields<FaultLatency>(
               "faulty latency",
               "Hops over several sets of faults: mean of the averages, maximum of the maxima.")
        .with({{"trials", "", "Number of fault sets.", &FaultLatency::trials},
               {"disconnected", "", "Fault sets that disconnect two processors.",
                &FaultLatency::disconnected}});
}

Fields<WireLengths> fields_of(const WireLengths*)
{
    return {"wires",
            "Wire lengths, in units of the grid.",
            {{"maximum_units", "units", "Longest link.", &WireLengths::maximum},
             {"mean_units", "units", "Mean link length.", &WireLengths::mean},
             {"total_units", "units", "Total length of all links.", &WireLengths::total}}};
}

Fields<Bisection> fields_of(const Bisection*)
{
    return {"bisection",
            "A split of the network into two parts with few links between them.",
            {{"links", "", "Links between the parts.", &Bisection::links},
             {"optimal", "", "Whether no such split has fewer links (proven).", &Bisection::is_exact},
             {"parts", "", "Balance rule: `40%` or `halves`.",
              [](const Bisection& bisection) { return std::string(to_string(bisection.evenness)); }},
             {"smallest_part", "", "Fewest processors that the rule allows in a part.",
              &Bisection::smallest_part}}};
}

Fields<PathSpread> fields_of(const PathSpread*)
{
    return {"path spread",
            "How evenly shortest paths load routers and links.",
            {{"node_deviation_paths", "paths", "Sample standard deviation of the paths per router.",
              &PathSpread::node_deviation},
             {"link_deviation_paths", "paths", "Sample standard deviation of the paths per link.",
              &PathSpread::link_deviation}}};
}

Fields<Measures> fields_of(const Measures*)
{
    return {
        "measures",
        "Measures of a network as a graph; null for measures that were skipped.",
        {{"links", "", "Number of links; a bidirectional link is one.", &Measures::links},
         {"latency", "", "Hops without contention.", &Measures::latency},
         {"bound", "", "Lower bounds on the latency.", &Measures::bound},
         {"contention", "", "Hops under moderate contention.", &Measures::contention},
         {"single_node_faults", "", "Hops after the fault of one router, over all routers.",
          &Measures::single_faults},
         {"random_faults", "", "Hops after random faults of 5 % of the routers and of the links.",
          &Measures::random_faults},
         {"wires", "", "Wire lengths in the chosen arrangement.", &Measures::wires},
         {"smallest_degree", "links", "Fewest links at a router.", &Measures::smallest_degree},
         {"edge_connectivity", "links", "Fewest links whose loss disconnects the network.",
          &Measures::edge_connectivity},
         {"vertex_connectivity", "routers", "Fewest routers whose loss disconnects the network.",
          &Measures::vertex_connectivity},
         {"bisection", "", "The smallest bisection found.", &Measures::bisection},
         {"metis_bisection", "links", "Links of the bisection that METIS finds.", &Measures::metis_bisection},
         {"path_spread", "", "How evenly shortest paths load the network.", &Measures::spread},
         {"left_out", "", "Measures that were skipped, with the reason, one line each.",
          &Measures::left_out}}};
}

} // namespace nocturne::measures
