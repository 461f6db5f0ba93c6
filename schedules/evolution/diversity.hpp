// How much the solutions of a population differ.
#pragma once

#include "schedules/evolution/chromosome.hpp"

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

private:
    const ChromosomeEncoding* encoding_;
    std::vector<std::uint32_t> frequency_; ///< of whole genes; zeros between calls
};

} // namespace nocturne
