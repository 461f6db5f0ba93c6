// What is left of a search's time and conflicts.
#pragma once

#include "schedules/chunk_search/exact_steps.hpp"

#include <algorithm>
#include <chrono>

namespace nocturne {

class SearchBudget {
public:
    explicit SearchBudget(const ExactConfig& config)
        : end_(after(config.seconds)), limited_(config.conflicts > 0), left_(config.conflicts)
    {
    }

    bool is_spent() const { return Clock::now() >= end_ || (limited_ && left_ == 0); }
    void spend(std::uint64_t conflicts) { left_ -= std::min(left_, conflicts); }

    /// At most so much of what is left; 0 conflicts: all of them.
    SolveControl some(double seconds, std::uint64_t conflicts) const
    {
        SolveControl control = rest();
        control.deadline = std::min(end_, after(seconds));
        if (conflicts > 0)
            control.conflicts = limited_ ? std::min(conflicts, left_) : conflicts;
        return control;
    }
    SolveControl rest() const
    {
        SolveControl control;
        control.deadline = end_;
        control.conflicts = left_;
        return control;
    }

private:
    using Clock = std::chrono::steady_clock;

    static Clock::time_point after(double seconds)
    {
        return Clock::now() +
               std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }

    Clock::time_point end_;
    bool limited_;
    std::uint64_t left_;
};

} // namespace nocturne
