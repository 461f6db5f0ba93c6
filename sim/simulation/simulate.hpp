// One simulation of one workload, in this process.
#pragma once

#include "models/hardware/payload.hpp"
#include "models/network/configuration.hpp"
#include "sim/report/results.hpp"
#include "sim/simulation/background.hpp"
#include "sim/simulation/network_model.hpp"
#include "sim/simulation/workload.hpp"

#include <filesystem>
#include <functional>
#include <optional>

namespace nocturne {

class Network;

struct SimulationOptions {
    HardwareConfig hardware;
    PortModel ports;
    std::uint64_t message_bytes = 1024; ///< 1 or more
    std::uint64_t seed = 1;             ///< of the messages' contents
    bool record_occupancy = false;
    /// From the beginning until the collective is over, in virtual channels of its own: hardware.vcs must be
    /// enough for both.
    std::optional<BackgroundTraffic> background;
    std::filesystem::path vcd; ///< link activity is traced to this file, named *.vcd; empty: no trace
    NetworkModel model = NetworkModel::flit;
    PayloadForm payload = PayloadForm::held; ///< at the flit level; the message level keeps digests
    /// Called with the network before the run, at the flit level: to observe links, unless their occupancy is
    /// recorded. May be empty.
    std::function<void(Network&)> observe = {};
};

struct SimulationResult {
    RunResult run;
    std::vector<double> step_times_ns; ///< from the first engine's begin to the last one's end of each step
};

/// Builds the hardware, runs it until nothing moves, and checks every memory; at the message level see
/// simulate_worm(). A run that stops short is no error: the result says who waits for whom. Only one
/// simulation at the flit level fits a process (SystemC elaborates once): see run_jobs(). Throws
/// std::invalid_argument for a configuration, or messages, that the hardware cannot take, std::runtime_error
/// if something goes wrong in the hardware or the trace cannot be written, and std::logic_error for a second
/// simulation in one process.
SimulationResult simulate(const Topology& topology, const Collective& collective, const Workload& workload,
                          const SimulationOptions& options);

} // namespace nocturne
