// What can be said of a schedule from memory to memory before it is followed; of use to the validator only.
#pragma once

#include "schedules/schedule/validator.hpp"

#include <string>
#include <vector>

namespace nocturne {

/// Collects violations, in words.
class MemoryReport {
public:
    MemoryReport(const Schedule& schedule, const LinkNetwork& network)
        : schedule_(schedule), network_(network), chunks_(schedule.collective.chunks), transfers_(schedule)
    {
    }

protected:
    bool in_steps() const { return is_in_steps(schedule_); }
    std::uint32_t rounds_of(std::size_t step) const
    {
        return schedule_.rounds.empty() ? 1 : schedule_.rounds[step];
    }
    std::size_t number_in_step(std::uint32_t id) const
    {
        return id - transfers_.first_of(transfers_.step_of(id));
    }
    /// "step 2, transfer 5 (0>4, chunk 7)"
    std::string describe(std::uint32_t id) const;
    /// The violation may be completed by the caller.
    Violation& report(Rule rule, std::string text);
    Violation& report_transfer(Rule rule, std::uint32_t id, const std::string& text);

    const Schedule& schedule_;
    const LinkNetwork& network_;
    const std::vector<Chunk>& chunks_;
    const TransferList transfers_;
    std::vector<Violation> found_;
};

struct MemoryForm {
    std::vector<Violation> violations;
    std::vector<bool> usable; ///< transfers whose nodes, path and time exist
    bool can_run;             ///< collective and placements make sense
};

/// What holds of the collective, of places, and of each transfer by itself.
MemoryForm judge_form(const Schedule& schedule, const LinkNetwork& network);

} // namespace nocturne
