// The SystemC kernel as simulations here use it: what is wrong is thrown, in words of ours.
#pragma once

#include <systemc>

#include <string_view>

namespace nocturne {

/// To be called before the first module of a simulation: a warning of the kernel is a mistake of ours and
/// becomes an error, its remarks go. Throws std::logic_error if a simulation has run in this process (in this
/// sc_simcontext) already: SystemC elaborates once, so that each simulation takes a worker process of its own
/// (see run_jobs()).
void prepare_kernel();

/// `nanoseconds`, 0 or more, as simulated time. Throws std::invalid_argument, with the name of the parameter,
/// if it is no multiple of the time resolution: sc_time would round it without a word.
sc_core::sc_time exact_time(double nanoseconds, std::string_view parameter);

/// sc_start(): until nothing moves any more, or for a time. Throws std::runtime_error, one line with the
/// simulated time, for whatever a process of the simulation throws, and for errors and warnings of the
/// kernel.
void run_kernel();
void run_kernel(const sc_core::sc_time& time, sc_core::sc_starvation_policy policy = sc_core::SC_RUN_TO_TIME);

} // namespace nocturne
