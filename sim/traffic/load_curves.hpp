// Latency over load: many simulations in worker processes.
#pragma once

#include "schedules/workers/workers.hpp"
#include "sim/report/traffic_results.hpp"
#include "sim/simulation/memory_need.hpp"
#include "sim/traffic/class_specification.hpp"
#include "sim/traffic/measure.hpp"
#include "sim/traffic/shared_topology.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nocturne {

/// Faults during a run by name; see TrafficFaults and parse_faults().
struct FaultSpecification {
    std::vector<std::string> parts = {}; ///< none: nothing fails
    DownTime down = {};
    std::optional<std::uint64_t> reroute_after = {};
};

/// Traffic on a network by name: what a curve is measured for.
struct CurveSpecification {
    std::string topology; ///< what results call it
    SharedTopology network;
    std::string routing = "auto";       ///< see make_routing()
    std::string pattern = "uniform";    ///< see make_pattern()
    std::string arrivals = "bernoulli"; ///< see make_arrivals()
    std::string packet_flits = "8";     ///< see make_message_sizes()
    HardwareConfig hardware = {};
    /// HardwareConfig::vcs is raised to the virtual-channel classes of the routing, and of the routings of
    /// all other such curves that are measured with it: curves of one picture are of the same hardware.
    bool as_many_vcs_as_needed = true;
    PortModel ports = one_port;
    std::size_t queue_packets = 2000; ///< see Traffic
    std::uint64_t seed = 1;           ///< of traffic, random permutations, and randomized routing
    NetworkModel model = NetworkModel::flit;
    /// Several kinds of traffic at once, each with its own load: then the three texts above say what results
    /// call them. A search for saturation scales all loads by one factor.
    std::vector<ClassSpecification> classes = {};
    /// Of set_class_vcs(), which has changed `network` too; empty: the same on all links.
    std::vector<std::vector<unsigned>> class_vcs = {};
    FaultSpecification faults = {};
};

struct CurveOptions {
    MeasurementPlan plan;
    /// Points that are done, and go on being done: read if it exists, and written after each point. Points
    /// measured otherwise (other network, traffic, plan, seed, sources of the models) in it are kept, and not
    /// taken for these. Empty: none.
    std::filesystem::path checkpoint;
    /// Called before anything runs for each curve, with what it runs on; of curves that share network,
    /// routing and hardware, as the runs with several seeds do, for the first.
    std::function<void(const CurveSpecification&, const Routing&, const HardwareConfig&)> on_prepared = {};
    /// Called when a signal ends the measurement after some points, with how many are done, how many there
    /// were to be, and what the shell expects: the curves have those that are done then. None: Interrupted is
    /// thrown.
    std::function<void(std::size_t done, std::size_t points, int exit_status)> on_interrupt = {};
    MemoryLimit memory;
    WorkerOptions workers; ///< fewer where memory does not suffice for so many at a time; they never change a
                           ///< result; its `settles` and `deadline` are not for the caller
};

/// Each curve at each load, in this order; of classes the load of all together, to which the loads of each
/// are scaled by one factor. Throws what measure_traffic() and the functions named above throw, before
/// anything runs as far as that can be known then; std::runtime_error for a checkpoint that cannot be read
/// or written, or is none.
std::vector<TrafficCurve> measure_curves(std::span<const CurveSpecification> curves,
                                         std::span<const double> loads, const CurveOptions& options);

/// Where curves are searched for saturation: a load that is steady, and one that is not, this close together.
struct SaturationSearch {
    double from = 0;
    std::optional<double> to =
        {}; ///< above `from`; nothing: for each curve the highest load that its traffic can offer
    double tolerance = 0.005; ///< least_tolerance or more

    static constexpr double least_tolerance = 1e-6;
};

/// For each curve the loads between which it saturates, with all points measured on the way, by ascending
/// load. The interval is cut in three in each round, at two points measured at once, so that two cores gain a
/// factor of three in the time of one simulation; all curves go on together. If the load `to` is not
/// saturated, lowest_saturated_load is nothing. Throws as measure_curves(), and std::invalid_argument for an
/// interval or tolerance out of range.
std::vector<TrafficCurve> find_saturation(std::span<const CurveSpecification> curves,
                                          const SaturationSearch& search, const CurveOptions& options);

} // namespace nocturne
