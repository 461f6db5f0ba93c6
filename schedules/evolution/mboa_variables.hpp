// Chromosomes as rows of categorical variables, and what is known of their dependencies before any learning.
#pragma once

#include "schedules/evolution/chromosome.hpp"
#include "schedules/evolution/decision_trees.hpp"

#include <cstdint>
#include <span>

namespace nocturne {

/// Variables of a gene: step, path and, in broadcasts, source; those of delivery d begin at d *
/// variables_per_gene().
std::uint32_t variables_per_gene(const ChromosomeEncoding& encoding);

/// One row for each chromosome; all of the encoding.
CategoricalData to_data(const ChromosomeEncoding& encoding, std::span<const Chromosome* const> chromosomes);

/// A path that its pair of processors does not have is taken modulo their number (the papers' rule), a source
/// that is the receiver itself or does not reach it is the origin.
void from_row(const ChromosomeEncoding& encoding, std::span<const std::uint16_t> row, Chromosome& chromosome);

/// The structural prior: a gene depends on those that it can conflict with, because some path of one and some
/// of the other share a channel or port; in broadcasts, where sources are free, on any other. Of more than
/// `most` such genes a random choice (seeded). All their variables are candidates, and so are the others of
/// the same gene.
CandidateParents conflict_candidates(const ChromosomeEncoding& encoding, std::uint32_t most,
                                     std::uint64_t seed);

} // namespace nocturne
