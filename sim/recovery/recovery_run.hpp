// The phases of a recovery, one after the other, for any traffic and any planner of what is owed.
#pragma once

#include "sim/recovery/recovery.hpp"
#include "sim/recovery/repair_plan.hpp"

#include <cstddef>
#include <functional>
#include <string>

namespace nocturne {

/// What runs until the fault comes.
struct RecoverableTraffic {
    std::string name;
    const Collective& collective;
    PortModel ports;
    Workload workload;
};

/// Programs for what is owed.
struct OwedProgram {
    Workload workload;
    double seconds = 0; ///< wall-clock time of the search for them
};

/// `from` is the step of the first loss.
using Planner =
    std::function<OwedProgram(const Faults& located, const MessageOwners& owners, std::size_t from)>;

/// Builds the machine, runs the traffic into the fault, and does what recover() says. Options are taken as
/// they are: the caller has checked them. Throws std::runtime_error if most_rounds are in vain.
RecoveryResult run_recovery(RecoverableTraffic traffic, const Topology& topology,
                            const RecoveryOptions& options, Planner plan);

} // namespace nocturne
