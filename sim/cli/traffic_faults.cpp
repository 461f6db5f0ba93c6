#include "sim/cli/traffic_faults.hpp"

#include "models/topology/faults.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne::cli {

OptionTable traffic_fault_options()
{
    constexpr CountRange cycles{0, MeasurementPlan::most_cycles};
    return option_table(
        "Faults",
        {{"fault", names_value("F"),
          "failed part: link:00-01, channel:00-01 or node:00; failed from the start, unless --fault-cycle is "
          "given; repeatable"},
         {"fault-cycle",
          count_value("C", cycles),
          "the fault occurs in this cycle; flits in the failed part are lost",
          {"fault"}},
         {"fault-until", count_value("C", cycles), "the fault ends in this cycle", {"fault-cycle"}},
         {"reroute-after",
          count_value("N", cycles),
          "cycles until sources learn of the fault, or of its end, and reroute; default: they never reroute",
          {"fault-cycle"}}});
}

Topology network_with_faults(const OptionValues& given, const Topology& topology)
{
    if (!given.has("fault") || given.has("fault-cycle"))
        return topology;
    Topology rest = with_faults(topology, given.texts("fault"));
    require_connected(rest);
    return rest;
}

FaultSpecification faults_of(const OptionValues& given)
{
    FaultSpecification faults;
    if (!given.has("fault-cycle"))
        return faults;
    faults.parts = given.texts("fault");
    faults.down.from = given.count("fault-cycle");
    if (given.has("fault-until"))
        faults.down.until = given.count("fault-until");
    if (faults.down.until <= faults.down.from)
        throw std::invalid_argument(fmt::format("--fault-until {}: the fault comes in cycle {}",
                                                faults.down.until, faults.down.from));
    if (given.has("reroute-after"))
        faults.reroute_after = given.count("reroute-after");
    return faults;
}

} // namespace nocturne::cli
