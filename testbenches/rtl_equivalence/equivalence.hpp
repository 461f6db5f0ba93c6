// Designs beside the simulation: is every flit on every link in the same cycle?
#pragma once

#include "sim/rtl/scheduled_plan.hpp"
#include "sim/rtl/wormhole_design.hpp"
#include "testbenches/rtl_equivalence/tools.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nocturne::rtl_equivalence {

/// A wormhole network and what is sent through it.
struct WormholeCell {
    std::string topology;
    std::string routing;
    unsigned vcs;
    std::string stages; ///< `1:1:1:1`: cycles of the stages of routers and switches
    std::string traffic;
    std::string packet_flits; ///< `1:1+8:1`, as make_message_sizes() with + in the place of commas
    std::size_t packets;
};

/// From an object with a text for each member. Throws std::exception for what is no cell.
WormholeCell cell_of(const nlohmann::json& row);

/// What came out of a comparison.
struct Equivalence {
    std::string verdict;     ///< what the bench said, its last line
    std::uint64_t flits = 0; ///< on links
    std::string difference;  ///< first_difference() of bench and simulation

    bool holds() const { return difference.empty() && flits > 0 && verdict.starts_with("PASS"); }
};

/// Makes the design in the folder, which must not exist, and runs it there and the simulation in a worker
/// process.
Equivalence compare_packets(const Topology& topology, const HardwareConfig& hardware, const Routing& routing,
                            std::span<const BenchPacket> packets, const std::string& folder,
                            Simulator simulator);

/// The same for a cell, whose load rises from 1 % of a flit per processor and cycle to a whole one.
Equivalence compare_wormhole(const WormholeCell& cell, const std::string& folder, Simulator simulator);

/// The same for a schedule; the verdict says PASS only if the bench takes the cycles of the replay.
Equivalence compare_scheduled(const Schedule& schedule, const Topology& topology,
                              const ScheduledOptions& options, const std::string& folder,
                              Simulator simulator);

} // namespace nocturne::rtl_equivalence
