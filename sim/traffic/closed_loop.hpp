// One simulation of requests and replies, in this process.
#pragma once

#include "models/endpoints/closed_loop.hpp"
#include "sim/report/closed_loop_results.hpp"
#include "sim/traffic/measure.hpp"

namespace nocturne {

/// Runs requests and replies for warm-up and window of the plan, then until all are answered; its drain and
/// `saturated_batches` do not matter, since a closed loop cannot be saturated. Round trips count that end in
/// the window. The texts of the result are left empty but for the model. A
/// deadlock, among the messages or with the processors, is no error: the result says it. Only one simulation
/// fits a process: see run_jobs(). Throws std::invalid_argument for a loop, plan or configuration out of
/// range, a pattern of another number of processors and a routing that is decided by the routers;
/// std::logic_error if a packet does not arrive exactly once and whole.
ClosedLoopResult measure_closed_loop(const Topology& topology, const Routing& routing,
                                     const MeasuredNetwork& network, const ClosedLoop& loop,
                                     MessageClasses classes, const MeasurementPlan& plan);

} // namespace nocturne
