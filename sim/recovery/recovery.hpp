// A schedule in whose replay something fails, and a host that brings it to its end all the same.
#pragma once

#include "models/topology/faults.hpp"
#include "sim/execution/simulate.hpp"
#include "sim/execution/unscheduled.hpp"
#include "sim/report/recovery_results.hpp"

#include <string>
#include <vector>

namespace nocturne {

struct RecoveryOptions {
    SimulationOptions simulation;    ///< hardware, message size, seed; ports and traces are ignored
    std::vector<std::string> faults; ///< as parse_faults() takes them
    double fault_ns = 0;             ///< when they come
    double until_ns = 0;             ///< when they are over; 0: never
    double host_word_ns = 10;        ///< for each word of 32 bits that the host reads or writes
    double host_compute_ns = 0;      ///< what the search for a schedule counts for in simulated time
    unsigned most_rounds = 4;        ///< how often the host tries again before it gives up
};

/// Runs in this process (see simulate()), at the level of `simulation.model`, what a system does that loses a
/// link or a router while a schedule runs:
///
///   replay       the schedule under the barrier, with a time-out in every engine
///   detect       from the fault to the last engine's halt: some engines report messages that have not come,
///                the host halts the others, waits for what is under way, and reads from the records of
///                arrivals what has been lost
///   locate       channels of the lost messages' paths, less those that carried something later, are
///                suspects; a probe over each, through the same engines; then over the channels around those
///                that failed, until no more fail. If all probes pass, the fault was intermittent.
///   schedule     what is owed, on what is left of the network: see plan_repair()
///   program      the new programs into memories and registers
///   replay owed  and from the second line again, if that does not come to its end either
///   check        the host reads the records once more: everything has come, and once
///
/// Then every memory is compared. Registers, interrupts and the barrier are a network of their own, which
/// does not fail; a processor whose router has failed is lost: what is owed to it is dropped, and so is what
/// only it has. Throws std::invalid_argument for a schedule that is not valid or adds, a fault that does not
/// exist or that (if it is for good) disconnects the network, or a time below 0 or that ends before it
/// begins; std::runtime_error if most_rounds are in vain.
RecoveryResult recover(const Schedule& schedule, const Topology& topology, const RecoveryOptions& options);

/// The same for the messages of a collective without a schedule, in a network with the routing of that name,
/// as unscheduled() has it; `options.simulation.ports` are the ports. What is owed is sent again over ways
/// that the deadlock-free routing of what is left of the network gives; the hardware has the virtual channels
/// for both, at least. Every time-out is a generous one, since messages wait for each other. Throws what
/// recover(), make_routing() and unscheduled() throw, and std::invalid_argument for a routing that can
/// deadlock: that would look like a fault.
RecoveryResult recover_unscheduled(const Topology& topology, const Collective& collective,
                                   const std::string& routing, const UnscheduledTraffic& traffic,
                                   const RecoveryOptions& options);

/// The virtual channels that recover_unscheduled() needs. Throws as it does.
unsigned unscheduled_vc_classes(const Topology& topology, const std::string& routing,
                                const RecoveryOptions& options);

/// The longest of the transfers of a step, each alone in the network, cycles. Throws std::invalid_argument
/// for a transfer without a path.
std::uint64_t longest_transfer_cycles(const Step& step, const Topology& topology,
                                      const HardwareConfig& hardware, std::uint64_t message_bytes);

/// When a fault comes in the middle of the transfers of a step (from 0), ns. Throws std::invalid_argument for
/// a step that the schedule does not have, and for a transfer without a path.
double middle_of_step_ns(const Schedule& schedule, std::size_t step, const Topology& topology,
                         const HardwareConfig& hardware, std::uint64_t message_bytes);

/// The run that recover_unscheduled() interrupts: the same messages on the same hardware without the fault,
/// in this process, with occupancy recorded. Throws as recover_unscheduled().
RunResult run_without_fault(const Topology& topology, const Collective& collective,
                            const std::string& routing, const UnscheduledTraffic& traffic,
                            const RecoveryOptions& options);

} // namespace nocturne
