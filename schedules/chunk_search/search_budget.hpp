// What is left of a search's conflicts.
#pragma once

#include "schedules/chunk_search/exact_steps.hpp"

#include <algorithm>

namespace nocturne {

class SearchBudget {
public:
    explicit SearchBudget(const ExactConfig& config)
        : end_(config.end), limited_(config.conflicts > 0), left_(config.conflicts)
    {
    }

    bool is_spent() const { return end_.has_come() || (limited_ && left_ == 0); }
    void spend(std::uint64_t conflicts) { left_ -= std::min(left_, conflicts); }

    /// At most an `of`-th of what is left, and `most` conflicts.
    SolveControl share(std::uint64_t of, std::uint64_t most) const
    {
        SolveControl control = rest();
        control.conflicts = limited_ ? std::clamp<std::uint64_t>(left_ / of, 1, most) : most;
        return control;
    }
    SolveControl rest() const { return {.conflicts = left_, .end = end_}; }

private:
    SearchEnd end_;
    bool limited_;
    std::uint64_t left_;
};

} // namespace nocturne
