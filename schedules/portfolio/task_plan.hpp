// Which tasks a round of the portfolio has.
#pragma once

#include "schedules/portfolio/checkpoint.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/portfolio/task.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

namespace nocturne {

class TaskPlan {
public:
    /// Both must outlive the plan. Throws std::invalid_argument for an engine that does not exist or does not
    /// suit.
    TaskPlan(const Problem& problem, const PortfolioOptions& options);

    /// The first round: constructions, which take any number of steps.
    std::vector<Task> constructions(std::uint64_t seed) const;
    /// What follows them if they do not reach the goal: long searches for as few steps as can be, at
    /// least one
    /// less than in the schedule so far.
    std::vector<Task> gradual(const SearchState& state, unsigned goal);
    /// Every engine at the goal, then at looser targets; nothing if the search is over. The targets ascend,
    /// so that the first task of the list that succeeds makes those behind it superfluous. What is tiny for
    /// an engine is left to it alone, for as long as it comes on. After the first round in vain long searches
    /// that gradual() left out have their turn, with a limit.
    /// Throws std::invalid_argument for an engine that was asked for by name and takes too much memory.
    std::vector<Task> next(const SearchState& state, unsigned goal);

private:
    const Engine* engine_that_comes_first(const SearchState& state, unsigned goal) const;
    bool fits_into_memory(const Engine& engine, unsigned target, unsigned goal);

    const Problem& problem_;
    const PortfolioOptions& options_;
    std::vector<const Engine*> engines_; ///< that the options allow, cheapest first
    const std::uint64_t deliveries_;
    std::set<std::string_view> noted_; ///< engines whose memory has been told
};

/// What gradual engines may take of the time that is left, before `later_tasks` of other engines: three
/// quarters, or all of it if there are none; in any case less what it takes to hand over a schedule of so
/// many deliveries (10 us each, at most a quarter of the time).
std::chrono::steady_clock::duration time_for_gradual(std::chrono::steady_clock::duration left,
                                                     std::uint64_t deliveries, std::size_t later_tasks);

} // namespace nocturne
