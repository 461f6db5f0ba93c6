// One simulation of requests and replies, in this process.
#pragma once

#include "models/endpoints/closed_loop.hpp"
#include "sim/report/closed_loop_results.hpp"
#include "sim/traffic/measure.hpp"

namespace nocturne {

/// Which virtual channels requests and replies take between routers: each their own, or all of them the same.
/// Shared, a reply may wait behind a request that waits for a processor which takes none before its replies
/// have left: a protocol deadlock (Dally and Towles, Principles and Practices of Interconnection Networks,
/// section 14.1.5).
enum class MessageClasses { separate, shared };

/// Virtual channels that the loop needs over this routing.
VcClasses vc_classes_of(const Routing& routing, MessageClasses classes);

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
