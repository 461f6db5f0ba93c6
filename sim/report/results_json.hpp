// Result values to JSON and back, one member for each field: how they travel from a worker process to its
// parent. Exact for every finite number as text, and for every number in a binary form such as CBOR. Reading
// throws nlohmann::json::exception for a member that is missing or of another type.
#pragma once

#include "sim/report/optional_json.hpp"
#include "sim/report/results.hpp"

#include <nlohmann/json.hpp>

namespace nocturne {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ChannelUse, channel, flits, utilisation)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ChannelOccupancy, channel, message, step, begin_ns, end_ns, link)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(WaitingFor, channel, vc, message, waits_for)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Stall, time_ns, reason, cycle)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunResult, traffic, routing, message_bytes, time_ns, blocked_cycles,
                                   credit_wait_cycles, missing_buffer_flits, flit_hops, messages_delivered,
                                   messages_owed, average_message_latency_cycles, memory_ok, stall, channels,
                                   occupancy)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ReplayResult, schedule, topology, collective, ports, mode, valid,
                                   violations, steps, model_time_ns, hop_overhead_ns, step_times_ns, run)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TimingFit, t0_ns, t1_ns_per_byte, residual_ns, model_t0_ns,
                                   model_t1_ns_per_byte, hop_overhead_ns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Comparison, schedule, topology, collective, steps, message_bytes, replays,
                                   fit, baselines)

} // namespace nocturne
