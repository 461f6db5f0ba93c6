// What runs return: plain values, no hardware, no printing. Every figure says its unit in its name. As JSON,
// one member for each field, they travel from a worker process to its parent: exact for every finite number
// as text, and for every number in a binary form such as CBOR. Reading throws nlohmann::json::exception for a
// member that is missing or of another type.
#pragma once

#include "sim/report/optional_json.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// Use of one channel over a run.
struct ChannelUse {
    std::string channel;   ///< `00->01`; injection and ejection channels are `P03->03` and `03->P03`
    std::uint64_t flits;   ///< carried
    std::uint64_t packets; ///< carried
    double utilisation;    ///< part of the run, start-up included, in which flits entered it, 0..1

    friend bool operator==(const ChannelUse&, const ChannelUse&) = default;
};

/// A message held a channel (one virtual channel of it) over an interval.
struct ChannelOccupancy {
    std::string channel;
    std::string message; ///< `0>4`: source and destination processor
    std::uint32_t step;  ///< 0-based step of the schedule; 0 without one
    double begin_ns;
    double end_ns;
    /// Index of the channel, since parallel ones have one name: the topology's, then injection, then ejection
    /// channels.
    std::uint32_t link = 0;

    friend bool operator==(const ChannelOccupancy&, const ChannelOccupancy&) = default;
};

/// One edge of a waiting cycle: who holds a channel and what it waits for.
struct WaitingFor {
    std::string channel; ///< held by the message
    unsigned vc;
    std::string message;
    std::string waits_for; ///< the channel that it cannot get

    friend bool operator==(const WaitingFor&, const WaitingFor&) = default;
};

/// The run made no progress. `cycle` is the circular wait, in order; empty if the network stalled for another
/// reason, which `reason` says.
struct Stall {
    double time_ns;
    std::string reason;
    std::vector<WaitingFor> cycle;

    friend bool operator==(const Stall&, const Stall&) = default;
};

/// What RunResult::traffic says of a schedule whose steps begin without a barrier.
inline constexpr std::string_view self_timed_schedule = "schedule, self-timed";

/// One simulated collective, scheduled or not.
struct RunResult {
    std::string model = "flit"; ///< `flit` or `worm`: see NetworkModel
    std::string traffic;        ///< `schedule`, `shifted`, `binomial`, …
    std::string routing;        ///< `source routes` or the routing function
    std::uint64_t message_bytes = 0;
    double time_ns = 0;               ///< from the start to the last byte in the last memory
    std::uint64_t blocked_cycles = 0; ///< summed over the flits at the head of a buffer that cannot move on
    std::uint64_t credit_wait_cycles = 0; ///< those of them in which nothing but a credit was missing
    /// What the smallest buffers lack, flits, to keep their links busy: then waits for credits need not come
    /// from contention.
    std::uint32_t missing_buffer_flits = 0;
    std::uint64_t flit_hops = 0; ///< flits times routers crossed
    std::uint64_t messages_delivered = 0;
    std::uint64_t messages_owed = 0;
    /// Of the messages that came: from the source queue to the last flit.
    double average_message_latency_cycles = 0;
    bool memory_ok = false; ///< every receiver's memory holds what it is owed, byte for byte
    std::optional<Stall> stall;
    std::vector<ChannelUse> channels;
    std::vector<ChannelOccupancy> occupancy; ///< only if recording was asked for

    friend bool operator==(const RunResult&, const RunResult&) = default;
};

/// A schedule replayed with one message size, beside the model (t0 + m t1) * steps.
struct ReplayResult {
    std::string schedule;
    std::string topology;
    std::string collective;
    std::string ports;
    std::string mode; ///< `barrier` or `self-timed`
    bool valid = false;
    std::vector<std::string> violations; ///< one line each; empty if valid
    std::uint32_t steps = 0;
    double model_time_ns = 0; ///< (t0 + m t1) * steps
    /// What the model neglects: pipeline and link delays of the longest path of each step, summed.
    double hop_overhead_ns = 0;
    /// By step; under self-timing from the first start to the last end of a step.
    std::vector<double> step_times_ns;
    RunResult run;

    friend bool operator==(const ReplayResult&, const ReplayResult&) = default;
};

/// Least squares of time per step = t0 + hop overhead + m t1 over several message sizes.
struct TimingFit {
    double t0_ns = 0; ///< fitted intercept less the mean hop overhead of a step
    double t1_ns_per_byte = 0;
    double residual_ns = 0; ///< root mean square, per step
    double model_t0_ns = 0;
    double model_t1_ns_per_byte = 0;
    double hop_overhead_ns = 0; ///< mean per step

    friend bool operator==(const TimingFit&, const TimingFit&) = default;
};

/// A schedule against the same messages with no schedule, over message sizes.
struct Comparison {
    std::string schedule;
    std::string topology;
    std::string collective;
    std::uint32_t steps = 0;
    std::uint32_t vcs = 1;                    ///< virtual channels of a link, the same in every run
    std::vector<std::uint64_t> message_bytes; ///< ascending
    std::vector<ReplayResult> replays;        ///< one a size
    TimingFit fit;
    std::vector<RunResult> baselines; ///< by (routing, traffic, size); first the self-timed schedule by size

    friend bool operator==(const Comparison&, const Comparison&) = default;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ChannelUse, channel, flits, packets, utilisation)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ChannelOccupancy, channel, message, step, begin_ns, end_ns, link)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WaitingFor, channel, vc, message, waits_for)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Stall, time_ns, reason, cycle)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunResult, model, traffic, routing, message_bytes, time_ns, blocked_cycles,
                                   credit_wait_cycles, missing_buffer_flits, flit_hops, messages_delivered,
                                   messages_owed, average_message_latency_cycles, memory_ok, stall, channels,
                                   occupancy)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReplayResult, schedule, topology, collective, ports, mode, valid,
                                   violations, steps, model_time_ns, hop_overhead_ns, step_times_ns, run)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TimingFit, t0_ns, t1_ns_per_byte, residual_ns, model_t0_ns,
                                   model_t1_ns_per_byte, hop_overhead_ns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Comparison, schedule, topology, collective, steps, vcs, message_bytes,
                                   replays, fit, baselines)

} // namespace nocturne
