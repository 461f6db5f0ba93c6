// How much the solutions of a population differ.
#pragma once

#include "schedules/evolution/chromosome.hpp"
#include "schedules/evolution/island.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// Generation::diversity of populations.
class Diversity {
public:
    /// The encoding must outlive it.
    explicit Diversity(const ChromosomeEncoding& encoding) : encoding_(&encoding) {}

    /// Solutions of the encoding, one or more.
    double of(std::span<const Chromosome* const> population);

    /// Mean of the conflicts, and diversity, of solutions that have `conflicts` and `genes`, one or more.
    template <class Solution>
    void describe(const std::vector<Solution>& population, Generation& generation)
    {
        double sum = 0;
        std::vector<const Chromosome*> chromosomes;
        for (const Solution& solution : population) {
            sum += static_cast<double>(solution.conflicts);
            chromosomes.push_back(&solution.genes);
        }
        generation.mean = sum / static_cast<double>(population.size());
        generation.diversity = of(chromosomes);
    }

private:
    const ChromosomeEncoding* encoding_;
    std::vector<std::uint32_t> frequency_; ///< of whole genes; zeros between calls
};

} // namespace nocturne
