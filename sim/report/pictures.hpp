// The pictures of a report: as descriptions, which its page draws, and as SVG text. What throws is draw().
#pragma once

#include "sim/report/plot.hpp"
#include "sim/report/recovery_results.hpp"
#include "sim/report/results.hpp"

#include <string>

namespace nocturne {

/// Time of the collective against message size on logarithmic axes: a curve for the schedule and one for each
/// traffic without a schedule, and the model's line. A run that did not end well is no point; the legend says
/// how many.
LinePlot latency_plot(const Comparison& comparison);

/// Gantt chart of channel occupancy: a row a channel in the order of RunResult::channels, coloured by step,
/// or by source where there are no steps. Channels that carried nothing are left out. More channels or
/// messages than one can read are a heat map: a row for the channels out of a router or processor, or out of
/// several, coloured by the part of them that is held.
std::string occupancy_picture(const RunResult& run, const std::string& title);

/// Gantt chart of a recovery: a row a phase, and one a fault.
GanttPlot recovery_plot(const RecoveryResult& result);

} // namespace nocturne
