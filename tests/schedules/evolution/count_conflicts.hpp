// Conflicts counted the plain way: what the tables are held against.
#pragma once

#include "schedules/evolution/conflicts.hpp"
#include "schedules/evolution/hgsa_conflicts.hpp"

namespace nocturne::test {

/// ConflictTable::conflicts(), pair by pair.
std::uint64_t count_conflicts(const ChromosomeEncoding& encoding, const Chromosome& chromosome);
/// TimedConflicts::conflicts(), transfer by transfer.
std::uint64_t count_conflicts(const TimedPathEncoding& encoding, const TimedChromosome& chromosome);

} // namespace nocturne::test
