// One run of a collective on the simulated hardware, in this process: of a workload, or of a schedule of
// chunks.
#pragma once

#include "models/network/configuration.hpp"
#include "models/topology/link_network.hpp"
#include "sim/execution/contents.hpp"
#include "sim/execution/workload.hpp"
#include "sim/report/results.hpp"
#include "sim/simulation/background.hpp"
#include "sim/simulation/network_model.hpp"

#include <filesystem>
#include <functional>
#include <optional>

namespace nocturne {

class Network;

/// What is kept of the contents of messages.
struct ContentOptions {
    /// Nothing: held at the flit level, digests at the message level.
    std::optional<PayloadForm> payload = {};
    ChunkElement element = ChunkElement::int32; ///< of held sums
};

struct SimulationOptions {
    /// Its t0_ns, by default 1000, is the start-up of each step, or of each transfer of a schedule of chunks:
    /// that of the search (ChunkProblem::start_cycles, by default 0) is in Schedule::made_for and not read
    /// here.
    HardwareConfig hardware;
    PortModel ports;
    /// Of a schedule of chunks: hardware.vcs stands for one virtual channel of each class, and there are as
    /// many times more as its transfers want (hardware_wanted()).
    bool scales_vcs = false;
    /// Of a message, 1 or more; of a schedule of chunks those of a chunk of weight 1, in whole words.
    std::uint64_t message_bytes = 1024;
    std::uint64_t seed = 1; ///< of the messages' contents
    bool record_occupancy = false;
    /// From the beginning until the collective is over, in virtual channels of its own: hardware.vcs must be
    /// enough for both.
    std::optional<BackgroundTraffic> background;
    std::filesystem::path vcd; ///< link activity is traced to this file, named *.vcd; empty: no trace
    NetworkModel model = NetworkModel::flit;
    ContentOptions contents = {};
    LinkDefaults links = {}; ///< what the topology leaves open of the links of a schedule of chunks
    /// Called with the network before the run, at the flit level: to observe links, unless their occupancy is
    /// recorded. May be empty.
    std::function<void(Network&)> observe = {};

    ContentForm content_form() const
    {
        return {
            contents.payload.value_or(model == NetworkModel::flit ? PayloadForm::held : PayloadForm::digest),
            contents.element, seed};
    }
};

struct SimulationResult {
    RunResult run;
    std::vector<double> step_times_ns; ///< from the first engine's begin to the last one's end of each step
    std::vector<double> end_ns;        ///< of each transfer of a schedule of chunks
    /// Of the processor that has the most: memory beyond what a schedule of chunks names, for what waits
    /// until a step ends.
    std::uint64_t staging_bytes = 0;
};

/// Builds the network, runs the engines until nothing moves, and checks every result in the memories. A run
/// that stops short is no error: the result says who waits for whom. Only one simulation at the flit level
/// fits a process (SystemC elaborates once): see run_jobs(). Throws std::invalid_argument for a
/// configuration, or messages, that the hardware cannot take, and for what only the flit level can do
/// (adaptive routing, traces of links); std::runtime_error if something goes wrong in the hardware or the
/// trace cannot be written, and std::logic_error for a second simulation in one process.
SimulationResult simulate(const Topology& topology, const Collective& collective, const Workload& workload,
                          const SimulationOptions& options);

/// With the virtual channels and the ports that a valid schedule has: of messages its own ports, of chunks as
/// many as its transfers want (hardware_wanted()), of virtual channels up to most_vcs.
SimulationOptions fitted_to(const Schedule& schedule, const Topology& topology, SimulationOptions options);

/// Why transfers of a valid schedule of chunks have to wait for each other where they share a link by the
/// model of its time: `up to 40 share a link, which has 32 virtual channels`. Nothing if they need not.
std::optional<std::string> shortage_of_vcs(const Schedule& schedule, const Topology& topology,
                                           const SimulationOptions& options);

/// The same for a complete and valid schedule, with options that are fitted_to() it. Of messages what comes
/// for a place that is in use waits in a staging buffer until its step ends; see workload_of(). One of chunks
/// has no mode but its own: see program_of_chunks().
SimulationResult simulate(const Schedule& schedule, const Topology& topology, Synchronization synchronization,
                          const SimulationOptions& options);

/// About what one simulation of a valid schedule takes of this machine's memory. Throws as simulate() for
/// messages that are too large for the memories.
std::uint64_t simulation_bytes(const Schedule& schedule, const Topology& topology,
                               const SimulationOptions& options);

} // namespace nocturne
