// The DMA engines of all processors in front of a network of the message-level model.
#pragma once

#include "models/worm/worm_network.hpp"
#include "sim/simulation/simulate.hpp"
#include "sim/simulation/workload.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// Runs the steps of a workload as the DMA engines do: wait for the start-up time if there is something to
/// send, send all, wait until all has left and what is expected has come, then the barrier or the next step.
class WormMachine final : public WormClient {
public:
    /// All that it is given must outlive it.
    WormMachine(const Topology& topology, const Collective& collective, const Workload& workload,
                const SimulationOptions& options);

    /// Until nothing moves.
    void run();

    const WormNetwork& network() const { return network_; }
    bool is_done() const { return done_ == engines_.size(); }
    /// The end of the last step that has ended.
    std::uint64_t end_cycle() const { return end_cycle_; }
    /// From the first engine's begin to the last one's end of each step that has begun; 0 if it has not
    /// ended.
    std::vector<std::uint64_t> step_cycles() const;
    std::uint64_t messages() const { return messages_; }
    /// Of the messages that came, source queue included, summed.
    std::uint64_t latency_cycles() const { return latency_cycles_; }
    /// Does the processor hold the right contents of the message?
    bool holds(ProcessorId id, MessageId message) const;

    void message_sent(const WormMessage& message) override;
    void message_arrived(const WormMessage& message) override;
    void timer(std::uint32_t code) override;

private:
    enum class Phase : std::uint8_t { starting_up, transferring, at_barrier, done };
    struct Engine {
        std::uint32_t step = 0;
        std::uint32_t unsent = 0;
        Phase phase = Phase::starting_up;
        bool has_started_up = false;
    };
    /// What travels with a message.
    struct Load {
        const Sending* sending = nullptr;
        std::uint64_t digest = 0;
    };
    struct StepTime {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        bool has_begun = false;
    };

    void begin_step(ProcessorId id);
    void issue(ProcessorId id);
    void proceed(ProcessorId id);
    std::size_t place(ProcessorId id, MessageId message) const;
    std::uint64_t digest_of(MessageId message) const;

    const Workload& workload_;
    const std::uint64_t start_up_cycles_;
    const std::uint64_t seed_;
    const std::uint64_t message_bytes_;
    const std::uint32_t flits_;
    WormNetwork network_;
    std::vector<Engine> engines_;
    std::vector<std::size_t> first_step_; ///< by processor: its first in missing_
    std::vector<std::int64_t> missing_;   ///< by engine and step: messages that have not come
    std::vector<std::size_t> first_held_; ///< by processor: its first in held_; one entry more at the end
    std::vector<MessageId> held_;         ///< messages that it ever holds, ascending
    std::vector<std::uint64_t> digests_;  ///< of what lies at their places
    std::vector<Load> loads_;             ///< by WormMessage::tag
    std::vector<std::uint32_t> unused_loads_;
    std::vector<StepTime> step_times_;
    std::size_t at_barrier_ = 0;
    std::size_t done_ = 0;
    std::uint64_t end_cycle_ = 0;
    std::uint64_t messages_ = 0;
    std::uint64_t latency_cycles_ = 0;
};

} // namespace nocturne
