// An island of MBOA: its population and one generation after the other.
#pragma once

#include "schedules/evolution/conflicts.hpp"
#include "schedules/evolution/diversity.hpp"
#include "schedules/evolution/mboa.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace nocturne {

/// What the islands of a model share.
struct MboaSetting {
    ChromosomeEncoding encoding;
    CandidateParents candidates;
    MboaParameters parameters;
    const Schedule* start; ///< or null
};

class MboaIsland final : public Island {
public:
    MboaIsland(std::shared_ptr<const MboaSetting> setting, std::uint32_t island, std::uint64_t seed);

    EpochReport advance(std::span<const std::uint8_t> immigrant, const SearchControl& control) override;
    std::vector<std::uint8_t> save() const override;
    void load(std::span<const std::uint8_t> state) override;

private:
    struct Solution {
        Chromosome genes;
        std::uint64_t conflicts = 0;
    };

    void populate(const Schedule* start);
    void evolve();
    DecisionTrees learn();
    std::size_t parent();
    void mutate(Chromosome& genes);
    Gene best_place(std::uint32_t delivery);
    std::uint32_t mutated_gene();
    void repair(Chromosome& genes);
    /// Of the genes that the table holds.
    std::uint64_t conflicts() const;
    void replace_paths(Solution& solution);
    void replace_path(std::uint32_t delivery);
    void replace_one_path(Chromosome& genes);
    void insert(Solution& solution);
    const Solution& best() const;
    Generation generation();

    std::shared_ptr<const MboaSetting> setting_;
    const ChromosomeEncoding& encoding_;
    const MboaParameters& parameters_;
    std::uint32_t island_;
    SplitMix64 random_;
    std::vector<Solution> population_;
    std::uint64_t generation_ = 0;
    bool is_populated_ = false;
    std::uint64_t best_ever_;
    std::uint64_t best_since_restart_;
    std::uint64_t progress_ = 0; ///< generation of the last progress since the restart

    // Only speed depends on these.
    ConflictTable table_;
    std::vector<std::uint16_t> row_;
    Solution child_;
    Diversity diversity_;
};

} // namespace nocturne
