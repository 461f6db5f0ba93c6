// What the fitness functions of all three engines cost, in one currency.
#pragma once

#include <cstdint>

namespace nocturne {

/// Fitness evaluations, counted where fitness is computed, so that no engine gets one for nothing. The
/// prices:
/// - 1 for the conflicts of a whole solution, and for those that a gene would have in another place with all
///   others as they are: both say how fit a solution is. The papers' programs, which count all conflicts
///   anew, evaluate a chromosome for either. That a table kept up to date answers faster is seen in the time,
///   not in the count.
/// - 1 / genes for the conflicts of one gene where it is, which is that share of what its solution's fitness
///   consists of.
class FitnessCount {
public:
    /// Of solutions with so many genes; 0 genes count as 1.
    explicit FitnessCount(std::uint64_t genes) : genes_(genes == 0 ? 1 : genes) {}

    void add_solution() { shares_ += genes_; }
    void add_gene() { ++shares_; }

    /// Whole ones.
    std::uint64_t evaluations() const { return shares_ / genes_; }
    /// What has been counted, in shares of 1 / genes: to be saved, and to go on from.
    std::uint64_t shares() const { return shares_; }
    void resume(std::uint64_t shares) { shares_ = shares; }

private:
    std::uint64_t genes_;
    std::uint64_t shares_ = 0;
};

} // namespace nocturne
