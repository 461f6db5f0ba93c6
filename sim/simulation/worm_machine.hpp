// The DMA engines of all processors in front of a network of the message-level model.
#pragma once

#include "models/worm/worm_network.hpp"
#include "sim/simulation/driven_machine.hpp"
#include "sim/simulation/message_contents.hpp"
#include "sim/simulation/simulate.hpp"
#include "sim/simulation/stalls.hpp"
#include "sim/simulation/workload.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace nocturne {

/// Runs the steps of a workload as the DMA engines do: wait for the start-up time if there is something to
/// send, send all, wait until all has left and what is expected has come, then the barrier or the next step.
/// A host may drive it: then engines have time-outs, and keep a log.
class WormMachine final : public MessageClient, public DrivenMachine {
public:
    /// All that it is given must outlive it. `workload` is what runs first; `vc_classes`: its own, and behind
    /// them those of other traffic.
    WormMachine(const Topology& topology, const Collective& collective, const Workload& workload,
                const SimulationOptions& options, const VcClasses& vc_classes);

    /// The workload, in cycle 0, without a host.
    void begin();

    std::uint64_t now() const override { return network_.now(); }
    void program(const Workload& workload, std::uint64_t message_bytes, std::uint32_t time_out) override;
    void start() override;
    void halt() override;
    bool run_to_interrupt() override;
    void run_for(std::uint64_t cycles) override;
    EngineStatus status(ProcessorId id) override;
    EngineLog log(ProcessorId id) override;
    bool holds(const Demand& demand) override;
    std::uint64_t flits_lost() override { return network_.flits_lost(); }
    MessageNetwork& message_network() override { return network_; }

    // For run_workload().
    WormNetwork& network() { return network_; }
    void end() {}
    bool is_done() const { return done_ == engines_.size(); }
    /// Of the last step that has ended.
    double end_ns() const { return static_cast<double>(end_cycle_) * hardware_.cycle_ns; }
    /// From the first engine's begin to the last one's end of each step that has begun; 0 if it has not
    /// ended.
    std::vector<double> step_times_ns() const;
    std::uint64_t messages() const { return messages_; }
    /// Of the messages that came, source queue included, summed.
    std::uint64_t latency_cycles() const { return latency_cycles_; }
    Stall stall() const { return stall_of_engines(network_); }
    /// The key of a digest, see message_key().
    std::uint64_t content_of(const Demand& demand) const { return owed_key(collective_, demand, seed_); }
    bool holds(const Demand& demand, std::uint64_t key);

    void message_sent(const NetworkMessage& message) override;
    void message_arrived(const NetworkMessage& message, ProcessorId at) override;
    void message_lost(const NetworkMessage& message) override;
    void timer(std::uint32_t code) override;

private:
    enum class Phase : std::uint8_t { idle, starting_up, transferring, at_barrier };
    struct Engine {
        std::uint32_t step = 0;
        std::uint32_t unsent = 0;
        std::uint32_t sent = 0;
        std::uint32_t combined = 0; ///< of its combinations
        Phase phase = Phase::idle;
        bool has_started_up = false;
        bool is_done = false;
        bool has_failed = false;
        std::uint64_t issues = 0;              ///< when its start-up is over
        std::uint64_t deadline = 0;            ///< of its step
        std::uint64_t timer = Calendar::never; ///< when the next timer of its time-out is due
    };
    /// What travels with a message.
    struct Load {
        MessageId message = 0;
        std::uint32_t remote_step = 0;
        std::uint32_t buffer = no_buffer;
        std::uint64_t digest = 0;
    };
    struct StepTime {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        bool has_begun = false;
    };

    void take(const Workload& workload);
    void begin_step(ProcessorId id);
    void expire();
    void time_is_up(ProcessorId id);
    void set_time_out(ProcessorId id);
    void stop(Engine& engine);
    void issue(ProcessorId id);
    void proceed(ProcessorId id);
    void end_step(ProcessorId id);
    std::uint64_t* place(ProcessorId id, MessageId message);

    const HardwareConfig& hardware_;
    const Collective& collective_;
    const Workload* workload_;
    const std::uint64_t start_up_cycles_;
    const std::uint64_t seed_;
    std::uint32_t flits_;        ///< of what runs now
    std::uint32_t time_out_ = 0; ///< cycles; 0: none
    WormNetwork network_;
    std::vector<Engine> engines_;
    std::vector<std::size_t> first_step_; ///< by processor: its first in missing_; one entry more at the end
    std::vector<std::int64_t> missing_;   ///< by engine and step: messages that have not come
    std::vector<std::size_t> first_held_; ///< by processor: its first in held_; one entry more at the end
    std::vector<MessageId> held_;         ///< messages that it ever holds, ascending
    std::vector<std::uint64_t> digests_;  ///< of what lies at their places
    std::vector<std::size_t> first_buffer_; ///< likewise in buffers_; empty if nothing is added
    std::vector<std::uint64_t> buffers_;    ///< digests of what lies in staging buffers
    /// What a processor holds only since a host has sent it there: its digest.
    std::map<std::pair<ProcessorId, MessageId>, std::uint64_t> held_later_;
    std::vector<Load> loads_; ///< by NetworkMessage::tag
    std::vector<std::uint32_t> unused_loads_;
    std::vector<StepTime> step_times_;
    std::vector<std::vector<Arrival>> arrivals_; ///< by processor; empty without a host
    std::vector<ProcessorId> expiring_;          ///< whose deadline is this cycle
    bool is_interrupted_ = false;
    std::size_t at_barrier_ = 0;
    std::size_t done_ = 0;
    std::uint64_t end_cycle_ = 0;
    std::uint64_t messages_ = 0;
    std::uint64_t latency_cycles_ = 0;
};

} // namespace nocturne
