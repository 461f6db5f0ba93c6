// Contracts in simulation.
#pragma once

#include "models/network/configuration.hpp"
#include "models/routing/routing.hpp"
#include "schedules/slots/slot_table.hpp"
#include "sim/contracts/contract_sources.hpp"
#include "sim/report/results.hpp"
#include "sim/simulation/background.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace nocturne {

struct ContractCheckPlan {
    std::uint64_t cycles = 100'000;          ///< in which messages come; 1 to most_check_cycles
    BackgroundTraffic background{.load = 1}; ///< best effort, at every processor
    std::uint64_t seed = 1;                  ///< of the flows' messages

    static constexpr std::uint64_t most_check_cycles = std::uint64_t{1} << 40;
};

struct SeenContracts {
    std::vector<SeenFlow> flows;
    double guaranteed_rate = 0;    ///< flits that arrived, per processor and cycle
    double best_effort_rate = 0;   ///< likewise
    std::uint64_t time_cycles = 0; ///< until the network was empty
    std::optional<Stall> stall;    ///< a deadlock among best-effort packets
};

/// The routing of best-effort traffic. Throws as make_routing(), and std::invalid_argument for one that is
/// decided by the routers.
Routing best_effort_routing(const Topology& topology, const HardwareConfig& hardware,
                            const BackgroundTraffic& background);

/// Runs flows that do their worst (ConformingMessages) in the slots of a table beside best-effort traffic on
/// the flit-level network, for so many cycles and then until all has arrived. Whether hardware and table are
/// such that contracts hold is asked neither of slot_timing() nor of check_slots(): it is what is seen. Only
/// one simulation fits a process. Throws std::invalid_argument for a plan or a load out of range and what the
/// functions for its parts throw; std::logic_error if a packet does not arrive once, whole and in order.
SeenContracts check_contracts(const Topology& topology, const HardwareConfig& hardware,
                              const SlotTiming& timing, const std::vector<GuaranteedFlow>& flows,
                              const SlotTable& table, const ContractCheckPlan& plan);

} // namespace nocturne
