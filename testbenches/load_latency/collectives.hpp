// An all-to-all scatter on the axes of the curves: scheduled, not scheduled, and beside other traffic.
#pragma once

#include "sim/report/table.hpp"
#include "sim/report/traffic_results.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace nocturne::load_latency {

struct CollectiveRuns {
    std::vector<std::string> topologies;
    std::vector<std::uint32_t> message_flits;
    std::vector<double> backgrounds; ///< flits per processor and cycle
    std::uint64_t seed = 1;
    std::function<void(std::size_t done, std::size_t total)> on_progress = {};
};

/// One all-to-all scatter.
struct CollectiveRun {
    std::string topology;
    std::string traffic; ///< `schedule`, `schedule, self-timed`, `shifted`, `random`
    std::uint32_t message_flits = 0;
    double background = 0;
    std::uint64_t steps = 0;       ///< of the schedule; 0 without one
    std::uint64_t bound_steps = 0; ///< that no schedule can beat; 0 without one
    double cycles = 0;             ///< until the last byte is in the last memory
    double flit_rate = 0;          ///< of the collective, flits per processor and cycle
    double average_latency_cycles = 0;
    bool is_deadlocked = false;
    bool is_right = false; ///< all memories, to the byte
};

/// For each topology, message size and background the schedule with the fewest steps, under a barrier and
/// self-timed, and the same messages in shifted and in random order. No start-up time: what is compared is
/// the network. Throws std::runtime_error if no schedule is found.
std::vector<CollectiveRun> run_collectives(const CollectiveRuns& runs);

Table collective_table(const std::vector<CollectiveRun>& runs);

/// The given curves of the collective's network, and its runs, a point for each message size: at the load
/// that the collective and its background make together. What a message takes beyond its own length is what
/// the network adds, whatever the length.
std::string collective_picture(const std::string& topology, const std::vector<CollectiveRun>& runs,
                               const std::vector<TrafficCurve>& curves);

} // namespace nocturne::load_latency
