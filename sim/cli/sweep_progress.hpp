// How far a sweep has come, for people who wait, and for the log of a job of a batch system.
#pragma once

#include "sim/report/progress.hpp"
#include "sim/sweep/run_sweep.hpp"

#include <string>

namespace nocturne::cli {

/// `sweep: 37 of 480 points done, 1 failed, 12 s; about 2 min left`.
std::string sweep_progress_text(const SweepProgress& progress);

/// On a terminal a line that changes; anywhere else a new line on standard error after 30 s, 1 min, 2 min, 4
/// min, … up to every 30 min.
class SweepProgressLine {
public:
    void show(const SweepProgress& progress);

private:
    ProgressLine line_{"sweep"};
    double next_seconds_ = 30; ///< of the next line that is not for a terminal
};

} // namespace nocturne::cli
