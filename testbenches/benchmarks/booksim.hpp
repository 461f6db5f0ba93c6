// Both levels of the model beside BookSim2 (Jiang et al., "A detailed and flexible cycle-accurate
// network-on-chip simulator", ISPASS 2013), built by the reader.
#pragma once

#include "sim/report/table.hpp"

#include <string>

namespace nocturne::benchmarks {

/// Million flit-hops a second of both programs, and the ratio, of each of speed_cases() but for messages on
/// networks of more than 64 processors: `runs` times in turns, of each the quickest. BookSim2 simulates the
/// same network, load, packets and number of cycles; the time of a run of a few cycles, which is its set-up,
/// is taken off, as ours is not counted. Throws as program_sample() and run_jobs().
Table beside_booksim(const std::string& booksim, unsigned runs);

} // namespace nocturne::benchmarks
