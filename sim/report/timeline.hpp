// Timelines in the trace format of Chrome and Perfetto (https://ui.perfetto.dev opens the files).
#pragma once

#include "sim/report/recovery_results.hpp"
#include "sim/report/results.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne {

/// Something that took its time.
struct TimelineSpan {
    std::string group; ///< `links`, `messages`: a process of the trace, in the order of appearance
    std::string lane;  ///< a thread of it, likewise; spans of one lane that overlap get lanes of their own
    std::string name;
    double begin_ns = 0;
    double end_ns = 0;

    friend bool operator==(const TimelineSpan&, const TimelineSpan&) = default;
};

/// The trace as JSON: a complete event (`"ph": "X"`) for each span, times in us as the format has them, and
/// the names of groups and lanes. Throws std::invalid_argument for a span that ends before it begins, or a
/// time that is not finite.
std::string timeline_json(const std::vector<TimelineSpan>& spans);

/// Of a run whose occupancy was recorded: the steps, from the first flit on a link to the last one; each
/// message, by its source; and each link, with the messages that hold it.
std::vector<TimelineSpan> timeline_of(const RunResult& run);

/// Of a run with a fault: its phases, and the fault itself.
std::vector<TimelineSpan> timeline_of(const RecoveryResult& result);

} // namespace nocturne
