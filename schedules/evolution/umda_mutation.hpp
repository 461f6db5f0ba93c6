// Mutation in UMDA: slot swaps and path mutation (Jaroš 2009, sections 4.4 and 4.5).
#pragma once

#include "models/routing/random.hpp"
#include "schedules/evolution/chromosome.hpp"
#include "schedules/evolution/conflicts.hpp"
#include "schedules/evolution/umda.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace nocturne {

/// Tests places for one delivery and leaves it in the best, whether or not that is better than where it was:
/// selection judges. Restored chromosomes stay restored, accelerated ones accelerated.
class UmdaMutation {
public:
    /// Both must outlive it.
    UmdaMutation(const ChromosomeEncoding& encoding, const UmdaParameters& parameters);

    void mutate(ConflictTable& table, SplitMix64& random);

private:
    using Change = std::pair<std::uint32_t, Gene>;

    std::uint32_t choose_delivery();
    void change(std::uint32_t delivery, const Gene& gene);
    void move(std::uint32_t delivery, std::uint16_t step);
    void swap_slots(std::uint32_t delivery, std::uint16_t step);
    void graft(std::uint32_t delivery, std::uint16_t step);
    Gene other_path(std::uint32_t delivery, Gene gene);
    Gene other_source(std::uint32_t delivery, std::uint16_t step);
    bool may_send(ProcessorId source, std::uint32_t delivery, std::uint16_t step) const;

    const ChromosomeEncoding* encoding_;
    const UmdaParameters* parameters_;
    std::vector<std::vector<std::uint32_t>> sent_by_; ///< deliveries of an origin
    ConflictTable* table_ = nullptr;                  ///< of the mutation under way
    SplitMix64* random_ = nullptr;
    std::vector<Change> undo_; ///< genes before the changes of a test, in order
    std::vector<Change> best_; ///< genes after the best test
};

} // namespace nocturne
