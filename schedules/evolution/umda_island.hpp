// One population of UMDA.
#pragma once

#include "models/routing/random.hpp"
#include "schedules/evolution/chromosome.hpp"
#include "schedules/evolution/conflicts.hpp"
#include "schedules/evolution/diversity.hpp"
#include "schedules/evolution/island.hpp"
#include "schedules/evolution/umda.hpp"
#include "schedules/evolution/umda_mutation.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace nocturne {

/// What all islands of a model share.
struct UmdaSetting {
    ChromosomeEncoding encoding;
    UmdaParameters parameters;
    const Schedule* start; ///< or null
};

class UmdaIsland final : public Island {
public:
    UmdaIsland(std::shared_ptr<const UmdaSetting> setting, std::uint32_t island, std::uint64_t seed);

    EpochReport advance(std::span<const std::uint8_t> immigrant, const SearchControl& control) override;
    std::vector<std::uint8_t> save() const override;
    void load(std::span<const std::uint8_t> state) override;

private:
    struct Solution {
        Chromosome genes;
        std::uint64_t conflicts;
        std::uint64_t born; ///< solutions before it
    };

    bool is_better(const Solution& a, const Solution& b) const;
    bool is_populated() const { return populated_ != 0; }
    bool populate(const SearchControl& control);
    bool evolve(const SearchControl& control);
    void choose_parents();
    void sample();
    void repair();
    std::uint64_t evaluate();
    void take_in(std::span<const std::uint8_t> immigrant);
    void record(EpochReport& report);
    const Solution& best() const;

    std::shared_ptr<const UmdaSetting> setting_;
    const ChromosomeEncoding& encoding_;
    const UmdaParameters& parameters_;
    std::uint32_t island_;
    SplitMix64 random_;
    ConflictTable table_;
    UmdaMutation mutation_;
    Diversity diversity_;
    std::vector<Solution> population_;
    std::vector<Solution> children_;
    std::vector<const Chromosome*> parents_;
    std::vector<std::uint32_t> ranks_; ///< of the population, the best first
    Chromosome child_;
    std::vector<std::uint32_t> sent_; ///< by sender and step, of the child being sampled
    bool is_overloaded_ = false;      ///< does a sender of the child send too much?
    std::uint64_t populated_ = 0;     ///< populations so far: 0 before the first generation
    std::uint64_t generation_ = 0;
    std::uint64_t born_ = 0; ///< solutions so far
    std::uint64_t best_ever_ = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t best_since_restart_ = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t progress_ = 0; ///< generation of that best
};

} // namespace nocturne
