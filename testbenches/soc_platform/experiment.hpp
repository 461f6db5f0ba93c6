// Programs on the platform, each with its messages sent in several ways, and what explains their times.
#pragma once

#include "models/energy/energy_table.hpp"
#include "sim/report/table.hpp"
#include "testbenches/soc_platform/programs.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nocturne::soc_platform {

struct Run {
    std::string workload;
    FabricTiming timing = FabricTiming::flit;
    Communication communication = Communication::schedule;
    double background_gap_cycles = 0; ///< 0: no traffic beside the program's
    bool has_timeline = false;        ///< wanted

    // What came out.
    std::uint64_t message_bytes = 0;
    std::uint64_t steps = 0; ///< of all exchanges, if they follow a schedule
    double model_ns = 0;     ///< (t0 + m t1) x steps
    double zero_load_ns = 0; ///< the same with the network's zero-load time in the place of m t1
    double exchanges_ns = 0; ///< of all, from when the last processor is ready until the last goes on
    double program_ns = 0;   ///< until the last processor ends
    double moving_nj = 0;    ///< energy of what moves in routers and on channels, that of background included
    double energy_nj = 0;    ///< with clock and leakage of the routers
    std::string error = {};  ///< in the result; empty: none
    std::string timeline = {}; ///< as timeline_json() writes it
};

/// Every workload in every timing and communication, without background traffic and, in `flit`, beside it.
std::vector<Run> runs_of(const std::vector<std::string>& workloads, const PlatformConfig& config);

/// Fills in what comes out, each run in a worker process. Throws as PlatformConfig::validate(),
/// make_workload() and Platform.
void carry_out(std::span<Run> runs, const PlatformConfig& config, const EnergyTable& energy);

/// What a schedule takes, ns: t0 = start of a copy and barrier, t1 = cycle / flit.
double model_time(const TileWorkload& workload, const PlatformConfig& config);

/// What it takes in an idle network, ns: in each step the longest request and its response by the zero-load
/// formula, and for each exchange the five accesses to registers of its engine.
double zero_load_time(const TileWorkload& workload, const Topology& topology, const PlatformConfig& config);

Table table_of(std::span<const Run> runs);

/// What contradicts the README: a wrong result, a schedule that does not take its zero-load time in `flit`
/// and `at`. (`lt` takes the use of links for random arrivals, and adds contention.)
std::vector<std::string> contradictions(std::span<const Run> runs);

} // namespace nocturne::soc_platform
