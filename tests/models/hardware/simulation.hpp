// A SystemC kernel of its own for each simulation: a test can run any number of them in one process.
#pragma once

#include "models/hardware/clock_domain.hpp"

namespace nocturne::test {

/// Modules that are made while this lives belong to its kernel, which starts at time zero; declare it before
/// them, and one at a time. Warnings and errors of SystemC are thrown as sc_core::sc_report, out of
/// sc_start() if a process is their source.
class Simulation {
public:
    Simulation();
    ~Simulation();
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

private:
    sc_core::sc_simcontext* outer_;
    sc_core::sc_simcontext* outer_default_;
    sc_core::sc_actions warning_actions_;
};

/// Runs everything that comes before a cycle, and nothing of the cycle itself.
void run_before(const ClockDomain& domain, Cycle cycle);
/// Runs everything up to a cycle, the cycle included.
void run_through(const ClockDomain& domain, Cycle cycle);
/// Runs until nothing is left to do.
void run_to_end();

} // namespace nocturne::test
