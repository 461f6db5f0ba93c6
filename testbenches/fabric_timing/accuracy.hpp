// How far the timings `lt` and `at` are from `flit`.
#pragma once

#include "testbenches/fabric_timing/platform.hpp"

#include <string>
#include <vector>

namespace nocturne::fabric_timing {

/// Traffic at which the timings are compared.
struct AccuracyCell {
    std::string topology;
    unsigned vcs = 2;
    Asking asking = Asking::open;
    double load = 0.1; ///< open: a part of what the flit level answers at most; blocking: of the time of an
                       ///< initiator that it is not waiting for a response, at zero load
};

/// The mean latency of transactions at one load, cycles.
struct AccuracyRow {
    AccuracyCell cell;
    double answered = 0; ///< transactions of an initiator and cycle at the flit level
    double flit = 0;
    double at = 0;
    double lt = 0;

    double lt_error_percent() const { return 100 * (lt / flit - 1); }
    double at_error_percent() const { return 100 * (at / flit - 1); }
};

/// Each simulation of so many cycles in a process of its own.
std::vector<AccuracyRow> measure_accuracy(const std::vector<std::string>& topologies, std::uint64_t cycles);

} // namespace nocturne::fabric_timing
