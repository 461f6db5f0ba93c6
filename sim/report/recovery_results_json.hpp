// Recovery results to JSON and back, one member for each field; see results_json.hpp.
#pragma once

#include "sim/report/recovery_results.hpp"

#include <nlohmann/json.hpp>

namespace nocturne {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecoveryPhase, name, begin_ns, end_ns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LostTransfer, step, message, source, destination)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecoveryResult, schedule, topology, collective, routing, message_bytes,
                                   steps, faults, fault_ns, until_ns, outcome, phases, time_ns, lost,
                                   flits_lost, probes, located, lost_processors, owed, dropped, duplicates,
                                   repair_steps, repair_routing, search_seconds, messages_owed,
                                   messages_delivered, memory_ok)

} // namespace nocturne
