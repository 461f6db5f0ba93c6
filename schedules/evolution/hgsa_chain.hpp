// A slave of HGSA.
#pragma once

#include "schedules/evolution/hgsa.hpp"
#include "schedules/evolution/hgsa_moves.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace nocturne {

/// A chain of simulated annealing that crosses its solution with one that comes from elsewhere.
class HgsaChain final : public Island {
public:
    /// `start` as a chromosome, or null.
    HgsaChain(std::shared_ptr<const TimedPathEncoding> encoding, const HgsaParameters& parameters,
              const Schedule* start, std::uint32_t island, std::uint64_t seed);

    EpochReport advance(std::span<const std::uint8_t> immigrant, const SearchControl& control) override;
    std::vector<std::uint8_t> save() const override;
    void load(std::span<const std::uint8_t> state) override;

private:
    using Gene = TimedConflicts::Gene;

    TimedChromosome initial(const Schedule* start);
    bool accepts(std::uint64_t before, std::uint64_t after);
    void iterate();
    void cool();
    std::uint64_t evaluate();
    void cross(const TimedChromosome& other);
    void take(const TimedChromosome& from, std::size_t first, std::size_t last);
    double changed_share() const;

    std::shared_ptr<const TimedPathEncoding> encoding_;
    HgsaParameters parameters_;
    std::uint32_t island_;
    SplitMix64 random_;
    double temperature_;
    TimedConflicts table_;
    HgsaMutation mutation_;
    TimedChromosome at_exchange_;      ///< the own parent, and what diversity is measured against
    std::uint64_t at_temperature_ = 0; ///< iterations
    bool alone_ = false;               ///< heated again, not yet at the final_temperature
    std::uint64_t epochs_ = 0;
    std::uint64_t conflicts_; ///< of the solution in the table
    std::uint64_t best_;
    std::vector<Gene> different_; ///< genes of the two parents of a crossover, ascending
};

} // namespace nocturne
