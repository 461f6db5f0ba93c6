// The runs without a schedule, sorted into what one column of a table or one curve of a picture shows.
#pragma once

#include "sim/report/results.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne {

/// Runs of one traffic under one routing, one for each of Comparison::message_bytes; null where there is
/// none.
struct BaselineSeries {
    std::string label; ///< the traffic, and the routing where it ran under several
    std::vector<const RunResult*> runs;
};

/// In the order of the first run of each; the pointers lead into `comparison`.
std::vector<BaselineSeries> baseline_series(const Comparison& comparison);

/// The fastest run without a schedule that carried the collective out with messages of that size; null if
/// there is none. The pointer leads into `comparison`.
const RunResult* strongest_baseline(const Comparison& comparison, std::uint64_t message_bytes);

} // namespace nocturne
