// The DMA engines of all processors, with their memories, in front of a network of either level.
#pragma once

#include "models/network/configuration.hpp"
#include "models/network/message_network.hpp"
#include "schedules/schedule/link_shares.hpp"
#include "sim/execution/program.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// What the status register of an engine says.
struct EngineStatus {
    bool is_done = false;
    bool has_failed = false; ///< a step was not over when its time-out expired
    bool is_busy = false;    ///< it runs, or messages that it has issued have not left yet
};

/// A message that has come whole.
struct Arrival {
    ProcessorId source;
    MessageId message;

    friend auto operator<=>(const Arrival&, const Arrival&) = default;
};

/// What an engine has done since its start.
struct EngineLog {
    std::vector<Arrival> arrivals; ///< in order; with time-outs only
    std::uint32_t sent = 0;        ///< messages that have left, in the order of the program
};

/// Runs a program. A message has what was in its slot when it was issued, and is written or added when all of
/// it has come, in no time: of two additions one is over before the other begins.
///
/// A host may drive it (program to run_for()): it acts between two cycles, never from within the simulation,
/// and time stands still meanwhile. What it takes for an access it lets pass by run_for(). Then the tasks of
/// the program are steps of processors, and have time-outs: an engine whose step takes longer stops, and so
/// do all that are halted. Messages that have been issued still leave and arrive.
class DmaMachine final : public MessageClient {
public:
    /// All that it is given must outlive it.
    DmaMachine(MessageNetwork& network, const HardwareConfig& hardware, Memories& memories);

    /// Begins the program in the present cycle; its adaptive messages take the routing. `time_out`: cycles
    /// for each task, start-up included; 0: none. No engine may be busy. Both must outlive the run.
    void begin(const Program& program, const Routing& routing, std::uint32_t time_out = 0);

    bool is_done() const { return ended_ == task_count_; }
    /// When the last task ended, so far.
    std::uint64_t end_cycle() const { return end_cycle_; }
    struct Interval {
        std::uint64_t begin = never;
        std::uint64_t end = 0;
    };
    /// Of each step that has begun: from the first begin of its tasks to the last end.
    std::span<const Interval> steps() const;
    /// When each task ended, if the program is of a schedule of chunks.
    std::span<const std::uint64_t> task_ends() const { return task_ends_; }
    /// Messages that have come, and their cycles from the source queue on, summed.
    std::uint64_t messages() const { return messages_; }
    std::uint64_t latency_cycles() const { return latency_cycles_; }

    // For a host.

    std::uint64_t now() const { return network_.now(); }
    void halt();
    /// Until the end of a cycle in which engines become done or fail; false if nothing moves any more.
    bool run_to_interrupt();
    void run_for(std::uint64_t cycles);
    EngineStatus status(ProcessorId id) const;
    EngineLog log(ProcessorId id) const { return {engines_[id].arrivals, engines_[id].sent}; }

    void message_sent(const NetworkMessage& message) override;
    void message_arrived(const NetworkMessage& message, ProcessorId at) override;
    void message_lost(const NetworkMessage& message) override;
    void timer(std::uint32_t code) override;

private:
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
    /// Of a task or a processor: its number times timer_kinds, plus one of these.
    enum TimerKind : std::uint32_t {
        program_begins,
        is_started_up,
        hold_has_ended,
        may_begin, ///< its links have room, or what it reads is released
        time_out_is_due,
        time_passes,
        timer_kinds,
    };
    /// A message under way, by NetworkMessage::tag.
    struct Flight {
        SlotId to = 0;
        TaskId sender = 0;
        TaskId awaited_by = 0;
        std::uint32_t run = 0; ///< in which it was sent
        MessageId message = 0; ///< the place that was read
        Operation operation = Operation::copy;
        bool has_left = false; ///< the source
        bool is_lost = false;
        std::vector<std::uint32_t> content = {};
    };
    /// Of a host's engine.
    struct Engine {
        std::uint32_t sent = 0;
        std::uint32_t unsent = 0;
        std::uint32_t tasks_left = 0;
        bool is_stopped = false;
        bool has_failed = false;
        TaskId task = no_number;     ///< that runs
        std::uint64_t issues = 0;    ///< when its start-up is over
        std::uint64_t deadline = 0;  ///< of its task
        std::uint64_t timer = never; ///< when the next timer of its time-out is due
        std::vector<Arrival> arrivals = {};
    };

    bool is_driven() const { return time_out_ > 0; }
    bool is_stopped(TaskId task) const;
    void begin_first();
    void begin_what_is_to_begin();
    void begin_ready();
    bool takes_links(TaskId task);
    void begin_task(TaskId task);
    bool takes_start_up(TaskId task);
    void issue(TaskId task);
    void send(const ProgramMessage& message);
    void account(TaskId task);
    void end_task(TaskId task);
    void release(std::span<const TaskId> tasks);
    void set_time_out(ProcessorId id);
    void time_is_up(ProcessorId id);
    void expire();
    void finish(ProcessorId id);

    MessageNetwork& network_;
    const HardwareConfig& hardware_;
    const std::uint64_t start_up_cycles_;
    Memories& memories_;
    const Program* program_ = nullptr;
    const Routing* routing_ = nullptr;
    std::uint32_t time_out_ = 0;
    std::uint32_t run_ = 0; ///< programs that have begun
    std::size_t task_count_ = 0;
    std::size_t ended_ = 0;
    std::vector<std::uint32_t> waits_; ///< by task: for how much it still waits
    std::vector<std::uint32_t>
        missing_;                     ///< by task: sends, arrivals and its own begin that its end waits for
    std::optional<LinkShares> links_; ///< of a schedule of chunks
    std::vector<TaskId> ready_;
    bool is_beginning_ = false;
    std::vector<Flight> flights_;
    std::vector<std::uint32_t> free_flights_;
    std::vector<Interval> steps_;
    std::vector<std::uint64_t> task_ends_;
    std::vector<Engine> engines_;       ///< by processor; empty without a host
    std::vector<ProcessorId> expiring_; ///< whose deadline is this cycle
    bool is_interrupted_ = false;
    bool is_to_begin_ = false;
    std::uint64_t end_cycle_ = 0;
    std::uint64_t messages_ = 0;
    std::uint64_t latency_cycles_ = 0;
};

} // namespace nocturne
