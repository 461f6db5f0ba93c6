// What a network is worth: its measures, the schedules of its collectives, and what the hardware does with
// them.
#pragma once

#include "models/measures/fault_latency.hpp"
#include "models/measures/latency.hpp"
#include "models/network/configuration.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/topology.hpp"
#include "sim/report/fields.hpp"
#include "sim/report/table.hpp"
#include "sim/traffic/measure.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nocturne {

struct AssessmentOptions {
    std::chrono::milliseconds search_budget{5'000}; ///< wall-clock time for the schedule of each collective
    std::uint64_t message_bytes = 1024;             ///< of the replays; 1 or more
    /// Of replays and of synthetic traffic; more virtual channels are taken where a routing needs them.
    HardwareConfig hardware = {.vcs = 4};
    MeasurementPlan plan = {.warm_up_cycles = 2'000, .window_cycles = 10'000, .drain_cycles = 10'000};
    double load_tolerance = 0.01; ///< of the load at which the network saturates
    std::uint64_t seed = 1;
    unsigned workers = 0; ///< processes; 0 = one for each core
    /// Called before the search for saturation runs, with what it runs on.
    std::function<void(const Topology&, const Routing&, const HardwareConfig&)> on_saturation = {};
};

/// A collective on a network, all-port, wormhole switching, any paths.
struct CollectiveAssessment {
    unsigned bound = 0;                   ///< no schedule has fewer steps
    std::optional<unsigned> steps = {};   ///< of the best schedule found within the budget, valid
    std::optional<double> replay_ns = {}; ///< of that schedule on the hardware, with a barrier at each step
};

struct Assessment {
    std::string network;
    std::size_t channels = 0;
    unsigned smallest_degree = 0;
    unsigned largest_degree = 0;
    measures::HopLatency latency;
    unsigned edge_connectivity = 0;
    std::uint64_t bisection_links = 0; ///< the fewest found between parts of 40 % or more
    measures::FaultLatency single_fault;
    measures::FaultLatency random_faults;
    std::optional<double> wire_total = {}; ///< where positions are known
    std::optional<double> wire_maximum = {};
    CollectiveAssessment scatter;   ///< all-to-all scatter
    CollectiveAssessment broadcast; ///< all-to-all broadcast
    /// Highest load of uniform traffic, packets of 8 flits, at which the network is steady under the routing
    /// `auto`; in shares of what one injection link carries.
    std::optional<double> saturation_load = {};
};

/// Results depend on the search budget as schedules do: a slower machine may find longer ones. Throws
/// std::invalid_argument for a network that is no direct one, in which a processor does not reach another, or
/// that the routing refuses.
Assessment assess(const Topology& topology, const AssessmentOptions& options);

Fields<Assessment> fields_of(const Assessment*);

/// What is called the average of a network, here and where it is measured.
inline constexpr const char* average_with_self_meaning =
    "Mean over all ordered pairs of processors, including each processor with itself.";

/// The fewest proven steps of an all-to-all scatter first.
std::vector<Assessment> by_scatter(std::vector<Assessment> assessments);

struct FigurePlace {
    std::string figure;
    std::uint64_t place;
};
Fields<FigurePlace> fields_of(const FigurePlace*);

/// For each figure of a network its place among all, 1 the best, equals sharing the better place.
struct NetworkPlaces {
    std::string network;
    double mean_place = 0;
    std::vector<FigurePlace> places;
};
Fields<NetworkPlaces> fields_of(const NetworkPlaces*);

/// Ordered by the mean of the places.
std::vector<NetworkPlaces> places_of(std::span<const Assessment> assessments);
/// The same with a column for each figure.
Table rank_table(std::span<const Assessment> assessments);

} // namespace nocturne
