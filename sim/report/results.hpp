// What runs return: plain values, no hardware, no printing. What each figure is, and its unit, says its list
// of fields; as JSON they travel from a worker process to its parent (see fields.hpp).
#pragma once

#include "sim/report/fields.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// Use of one channel over a run.
struct ChannelUse {
    std::string channel;
    std::uint64_t flits;
    std::uint64_t packets;
    double utilisation;

    friend bool operator==(const ChannelUse&, const ChannelUse&) = default;
};
Fields<ChannelUse> fields_of(const ChannelUse*);

/// A message held a channel (one virtual channel of it) over an interval.
struct ChannelOccupancy {
    std::string channel;
    std::string message;
    std::uint32_t step; ///< of the schedule, from 1; 1 without one
    double begin_ns;
    double end_ns;
    std::uint32_t link = 0;

    friend bool operator==(const ChannelOccupancy&, const ChannelOccupancy&) = default;
};
Fields<ChannelOccupancy> fields_of(const ChannelOccupancy*);

/// One edge of a waiting cycle: who holds a channel and what it waits for.
struct WaitingFor {
    std::string channel;
    unsigned vc;
    std::string message;
    std::string waits_for;

    friend bool operator==(const WaitingFor&, const WaitingFor&) = default;
};
Fields<WaitingFor> fields_of(const WaitingFor*);

/// The run made no progress. `cycle` is the circular wait, in order; empty if the network stalled for another
/// reason, which `reason` says.
struct Stall {
    double time_ns;
    std::string reason;
    std::vector<WaitingFor> cycle;

    friend bool operator==(const Stall&, const Stall&) = default;
};
Fields<Stall> fields_of(const Stall*);

// What is said of the same figures, wherever they are.
inline constexpr const char* converted_meaning =
    "How a schedule in chunks was converted to steps; null for a schedule of messages.";
inline constexpr const char* blocked_meaning = "Cycles in which the flit at the head of a buffer was "
                                               "blocked, summed over the flits; null at the message level.";
inline constexpr const char* blocked_in_window =
    "Cycles in which the flit at the head of a buffer was blocked, summed over the flits, for waits that "
    "ended in the window; null at the message level.";
inline constexpr const char* credit_wait_meaning =
    "Blocked cycles in which only a credit was missing; null at the message level.";
inline constexpr const char* head_wait_meaning =
    "Cycles in which the head of a message waited for a virtual channel or behind other messages, summed "
    "over the messages; null at the flit level.";

/// What RunResult::traffic says of a schedule whose steps begin without a barrier.
inline constexpr std::string_view self_timed_schedule = "schedule, self-timed";

inline constexpr const char* reply_vcs_meaning =
    "Virtual channels of each link that replies have, if that was asked for; null: half of them.";
inline constexpr const char* selection_meaning =
    "Selection among the outputs of adaptive routing; null if the routing is not adaptive.";

/// One simulated collective, scheduled or not.
struct RunResult {
    std::string model = "flit"; ///< see NetworkModel
    std::string traffic;        ///< empty: nothing was run
    std::string routing;
    std::string selection = {}; ///< empty if nothing is selected
    unsigned vcs = 1;
    unsigned flit_bytes = 4;
    double cycle_ns = 0;
    double t0_ns = 0;
    std::uint64_t message_bytes = 0;
    double time_ns = 0;
    std::optional<std::uint64_t> blocked_cycles;
    std::optional<std::uint64_t> credit_wait_cycles;
    std::optional<std::uint64_t> head_wait_cycles;
    std::uint32_t missing_buffer_flits = 0;
    std::uint64_t flit_hops = 0;
    std::uint64_t messages_delivered = 0;
    std::uint64_t messages_owed = 0;
    double average_message_latency_cycles = 0;
    bool memory_ok = false;
    std::optional<Stall> stall;
    std::vector<ChannelUse> channels;
    std::vector<ChannelOccupancy> occupancy;

    friend bool operator==(const RunResult&, const RunResult&) = default;
};
Fields<RunResult> fields_of(const RunResult*);

/// A schedule replayed with one size, beside what the models say of it.
struct ReplayResult {
    std::string schedule;
    std::string topology;
    std::string collective;
    std::string ports; ///< empty of chunks
    std::string mode;
    bool valid = false;
    std::vector<std::string> violations;
    std::optional<std::uint32_t> steps = 0;   ///< nothing under dependencies
    std::optional<std::uint32_t> chunks = {}; ///< that each block is cut into; of chunks, as what follows
    std::optional<std::uint64_t> bytes = {};  ///< of the largest vector that a processor contributes
    std::optional<double> unblocked_ns = {};
    std::optional<double> algorithm_bandwidth = {}; ///< GB/s
    std::optional<double> bus_bandwidth = {};       ///< GB/s
    std::optional<std::uint64_t> staging_bytes = {};
    double model_time_ns = 0;
    std::optional<double> hop_overhead_ns = {}; ///< of messages
    std::vector<double> step_times_ns;
    RunResult run;

    friend bool operator==(const ReplayResult&, const ReplayResult&) = default;
};
Fields<ReplayResult> fields_of(const ReplayResult*);

/// Least squares of time per step = t0 + hop overhead + m t1 over several message sizes.
struct TimingFit {
    double t0_ns = 0;
    double t1_ns_per_byte = 0;
    double residual_ns = 0;
    double model_t0_ns = 0;
    double model_t1_ns_per_byte = 0;
    double hop_overhead_ns = 0;

    friend bool operator==(const TimingFit&, const TimingFit&) = default;
};
Fields<TimingFit> fields_of(const TimingFit*);

/// A schedule against the same messages with no schedule, over message sizes.
struct Comparison {
    std::string schedule;
    std::string topology;
    std::string collective;
    std::optional<std::uint32_t> steps = 0;   ///< nothing under dependencies
    std::optional<std::uint32_t> chunks = {}; ///< that each block is cut into; nothing of messages
    std::uint32_t vcs = 1;
    std::vector<std::uint64_t> message_bytes; ///< ascending
    std::vector<ReplayResult> replays;        ///< one a size
    std::optional<TimingFit> fit;             ///< of messages
    /// By (routing, traffic, size); of messages first the self-timed schedule by size.
    std::vector<RunResult> baselines;

    friend bool operator==(const Comparison&, const Comparison&) = default;
};
Fields<Comparison> fields_of(const Comparison*);

} // namespace nocturne
