// What is to be known of a run before its results are read.
#pragma once

#include "models/network/configuration.hpp"
#include "models/routing/routing.hpp"
#include "sim/execution/simulate.hpp"
#include "sim/report/results.hpp"
#include "sim/traffic/load_curves.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace nocturne::cli {

/// Remarks (InputLog::remark()), where there is something to say: that the routing can deadlock, and how;
/// where latencies differ, what its paths are minimal in. Of a routing that leaves some pairs without a
/// route the others are checked. Networks of more than 1024 processors, where the check takes as long as
/// short runs do, are not checked, which is said of routings that are not made for it.
void remark_routing(const Topology& topology, const Routing& routing);

/// The same for many runs: of each network, which must outlive this, and routing, by its name, once.
class RoutingRemarks {
public:
    void add(const Topology& topology, const Routing& routing);

private:
    std::vector<std::pair<const Topology*, std::string>> done_;
};

/// Likewise: that buffers are too small for the time that a credit takes; that channels are wider than a
/// flit, of which a simulation makes no use; that the links of a named machine are faster (gpu_machine()).
void remark_hardware(const Topology& topology, const HardwareConfig& hardware);

/// Likewise where routers copy multicasts of so many flits, and their ways are not reserved: that trees that
/// meet may wait for each other in a circle, since buffers do not have room for a whole packet.
void remark_trees(const Topology& topology, const HardwareConfig& hardware, std::uint64_t flits);

/// Likewise of a valid schedule: that links have too few virtual channels for transfers that share them by
/// the model of its time, so that it takes longer.
void remark_shared_links(const Schedule& schedule, const Topology& topology,
                         const SimulationOptions& options);

/// Likewise after runs of chunks, of that in which flits that had to wait cost most, if they cost more than
/// 1 %.
void remark_blocked(const std::vector<ReplayResult>& runs);

/// Likewise, of the size of which it costs most: that transfers take cycles that the schedule's own time does
/// not count, if they cost more than 5 %, and the start-up with which a search would.
void remark_uncounted(const Schedule& schedule, const Topology& topology, const SimulationOptions& options,
                      const std::vector<ReplayResult>& runs);

/// Likewise before a run: arrivals of which one run cannot tell how far its means are from those of others,
/// since they are self-similar, periodic, or have states that are long beside the window; and what each
/// sender offers of a class that few send.
void remark_arrivals(const std::vector<CurveSpecification>& curves, const MeasurementPlan& plan);
/// Likewise of the message level where messages are so short that the flit level takes no longer.
void remark_short_messages(const CurveSpecification& curve, const HardwareConfig& hardware);

/// Notes, by the network's name, about how many cycles a packet takes across it without load: from its first
/// processor to the router that is furthest from there.
void note_way(std::map<std::string, std::uint64_t>& across, const Topology& topology,
              const HardwareConfig& hardware);
/// Remarks on points that are steady because nothing was sent, and on those that are called saturated and
/// were measured before packets come to their destinations; and on saturations that were looked for in
/// windows that are too short to tell. `across`: of note_way().
void remark_windows(const std::vector<TrafficCurve>& curves, const MeasurementPlan& plan,
                    const std::map<std::string, std::uint64_t>& across);

/// Prints what `auto` and the like were in runs that have `topology`, `routing` and `routing_taken`, a line
/// for each: `routing auto on mesh:4x4: dor`.
template <class Runs>
void print_routings_taken(const Runs& runs)
{
    std::set<std::string> lines;
    for (const auto& run : runs)
        if (run.routing != run.routing_taken &&
            lines.insert(run.topology + ' ' + run.routing + ' ' + run.routing_taken).second)
            fmt::print("routing {} on {}: {}\n", run.routing, run.topology, run.routing_taken);
}

/// Prints the remarks that this command has not printed yet, on standard error: before a run that may take
/// long. What comes later is printed at the command's end.
void print_remarks();

} // namespace nocturne::cli
