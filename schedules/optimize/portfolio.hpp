// `auto`: all engines that suit a problem, in worker processes, from the lower bound upwards.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/search/engine.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace nocturne {

/// How far a portfolio has come.
struct PortfolioProgress {
    std::string engine; ///< of the task that runs now, the first of them
    unsigned steps = 0; ///< that it is trying for; 0 while the bound is computed
    std::uint64_t tried = 0;
    std::uint64_t unscheduled = 0;
    unsigned lower_bound = 0;                    ///< 0: not known yet
    std::optional<unsigned> best = std::nullopt; ///< steps of the best schedule so far
    double seconds = 0;
};

struct PortfolioOptions {
    std::string engine = "auto"; ///< or just this one
    std::optional<unsigned> steps =
        std::nullopt;                         ///< a schedule of so many steps will do; nothing = the fewest
    std::chrono::milliseconds budget{60'000}; ///< wall-clock time, bounds included
    std::uint64_t seed = 1;
    unsigned workers = 0; ///< processes; 0 = one for each core
    std::filesystem::path checkpoint =
        {}; ///< state of the search, written after each round, read if it exists
    /// For all engines to begin with: see SearchControl::start. If it is valid it is the best schedule until there is one
    /// with fewer steps, of engine `start`.
    std::optional<Schedule> start = std::nullopt;
    std::function<void(const PortfolioProgress&)> on_progress = {}; ///< about five times a second
};

struct PortfolioResult {
    Bound bound;
    std::optional<Schedule> schedule = std::nullopt; ///< the best that was found, valid
    std::string engine = {};                         ///< that found it
    double seconds = 0;                              ///< spent, with those before a checkpoint
    int signal = 0; ///< that ended the search early (Ctrl-C: SIGINT); 0 = none

    /// Has no schedule fewer steps?
    bool is_optimal() const { return schedule && schedule->steps.size() == bound.steps; }
};

/// Goes in rounds. The first computes the lower bounds and tries the constructions. Each later one is a list of tasks,
/// (engine, steps, seed, effort): every suitable engine at the bound; then between the bound and the best schedule so
/// far, or above the bound, further each time, as long as there is none. Tasks run in worker processes; the first in the
/// list that succeeds ends the round, so that the result depends on problem, seed and rounds only, not on the number of
/// workers. Effort triples after a round in vain. It ends when bound and schedule meet, or `steps` is reached, when the
/// budget ends or a signal (SIGINT, SIGTERM, SIGHUP) arrives; an engine that searches exhaustively raises the bound
/// where it finds nothing, if the checker of bounds agrees.
///
/// Throws std::invalid_argument for a problem that check() refuses, 0 steps, fewer steps than the bound (with its
/// reason), a budget of 0, a schedule to begin with for another number of processors or messages, no such engine, one that does not suit, and std::runtime_error for a checkpoint that cannot be
/// read or written, or that belongs to another problem. If the budget ends before the first round does, that is a
/// std::runtime_error too.
PortfolioResult find_schedule(const Problem& problem, const PortfolioOptions& options = {});

} // namespace nocturne
