// What can be said of a chunked schedule before it is followed; of use to its validator only.
#pragma once

#include "schedules/chunks/chunk_validator.hpp"

#include <string>
#include <vector>

namespace nocturne {

/// Collects violations, in words.
class ChunkReport {
public:
    ChunkReport(const Schedule& schedule, const LinkNetwork& network)
        : schedule_(schedule), network_(network), chunks_(schedule.collective.chunks), transfers_(schedule)
    {
    }

protected:
    bool in_steps() const { return is_in_steps(schedule_); }
    std::uint32_t rounds_of(std::size_t step) const
    {
        return schedule_.rounds.empty() ? 1 : schedule_.rounds[step];
    }
    /// "step 2, transfer 5 (0>4, chunk 7)"
    std::string describe(std::uint32_t id) const;
    std::string describe_place(PlaceId place) const;
    /// The violation may be completed by the caller.
    ChunkViolation& report(ChunkRule rule, std::string text);
    ChunkViolation& report_transfer(ChunkRule rule, std::uint32_t id, const std::string& text);

    const Schedule& schedule_;
    const LinkNetwork& network_;
    const std::vector<Chunk>& chunks_;
    const TransferList transfers_;
    std::vector<ChunkViolation> found_;
};

struct ChunkForm {
    std::vector<ChunkViolation> violations;
    std::vector<bool> usable; ///< transfers whose nodes, path and time exist
    bool can_run;             ///< collective and placements make sense
};

/// The rules from wrong_network to wrong_step, and unknown_dependency.
ChunkForm judge_form(const Schedule& schedule, const LinkNetwork& network);

} // namespace nocturne
