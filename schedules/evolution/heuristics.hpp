// The heuristics of the papers that make evolution fast enough (Jaroš 2009, section 4.4; Jaroš and Dvořák,
// section 3.4).
#pragma once

#include "models/routing/random.hpp"
#include "schedules/evolution/chromosome.hpp"
#include "schedules/evolution/conflicts.hpp"

namespace nocturne {

/// Sources (broadcasts: anybody but the receiver), paths and steps drawn uniformly. Broadcasts are not
/// restored yet.
Chromosome random_chromosome(const ChromosomeEncoding& encoding, SplitMix64& random);

/// Acceleration (scatters): where a processor sends more messages in a step than its ports take, the surplus,
/// chosen at random, moves to random steps in which the processor has a port free.
void accelerate(const ChromosomeEncoding& encoding, Chromosome& chromosome, SplitMix64& random);

/// The path that restoration gives a delivery with its new source.
enum class RestoredPath {
    random,
    same_index, ///< modulo the number of paths (Jaroš, Ohlídal and Dvořák 2007, section 3.2)
};

/// Restoration (broadcasts): step by step, a receiver whose source has not got the message before that step
/// gets a random source that has, and a path from there. Afterwards the chromosome is admissible: it builds a
/// tree for each message.
void restore(const ChromosomeEncoding& encoding, Chromosome& chromosome, SplitMix64& random,
             RestoredPath path = RestoredPath::random);

/// Good building blocks (broadcasts): all steps 0, so that restoration and selection of steps build the
/// trees.
Chromosome building_blocks(const ChromosomeEncoding& encoding, SplitMix64& random);

/// Genes (broadcasts) whose source does not have the message before their step: what restoration would
/// change.
std::uint64_t count_inadmissible(const ChromosomeEncoding& encoding, const Chromosome& chromosome);

} // namespace nocturne
