// `auto`: all engines that suit a problem, in worker processes, from the lower bound upwards.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/search/engine.hpp"
#include "schedules/workers/job_pool.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace nocturne {

struct PortfolioOptions {
    std::string engine = "auto"; ///< or just this one
    /// A schedule of so many steps will do; nothing = the fewest.
    std::optional<unsigned> steps = std::nullopt;
    /// Wall-clock time from `begun` on, bounds and constructions included.
    std::chrono::milliseconds budget{60'000};
    /// Budget and seconds count from here; nothing = from the call.
    std::optional<std::chrono::steady_clock::time_point> begun = std::nullopt;
    std::uint64_t seed = 1;
    unsigned workers = 0; ///< processes; 0 = one for each core
    /// To processes that run portfolio_work() for this problem; nothing = worker processes of this machine.
    const JobTransport* transport = nullptr;
    std::filesystem::path checkpoint =
        {}; ///< state of the search, written after each task, read if it exists
    std::uint64_t most_memory =
        4'000'000'000; ///< bytes that an engine may take in one process, as it estimates
    /// For all engines to begin with: see SearchControl::start. If it is valid it is the best schedule until
    /// there is one with fewer steps, of engine `start`.
    std::optional<Schedule> start = std::nullopt;
    std::function<void(const SearchProgress&)> on_progress = {}; ///< about five times a second
    /// Told once for an engine: that it takes gigabytes of memory, or is left out because it would take too
    /// many.
    std::function<void(const std::string&)> on_note = {};
};

struct PortfolioResult {
    Bound bound;
    std::optional<Schedule> schedule = std::nullopt; ///< the best that was found, valid
    std::string engine = {};                         ///< that found it
    double seconds = 0; ///< wall-clock time since `begun`, with that of the sessions before a checkpoint
    int signal = 0;     ///< that ended the search early (Ctrl-C: SIGINT); 0 = none
    EndReason end = EndReason::settled;

    /// Has no schedule fewer steps?
    bool is_optimal() const { return schedule && schedule->steps.size() == bound.steps; }
};

/// Goes in rounds. The first computes the lower bounds, in half of the budget, and tries the constructions:
/// both end with the budget, and what there is by then is the result, a bound at least. Engines that look
/// for the fewest steps by themselves follow if the constructions do not reach the bound, and may take three
/// quarters of what is left of the budget, or all of it if no other engine comes after them. Each later one
/// is a list of tasks, (engine, steps, seed, effort): every suitable engine at the bound; then between the
/// bound and the best schedule so far, or above the bound, further each time, as long as there is none. What
/// is tiny for an exhaustive engine is left to that one alone first. Tasks run in worker processes; the first
/// in the list that succeeds ends the round, so that the result depends on problem, seed and rounds only, not
/// on the number of workers. Effort triples after a round in vain. It ends when bound and schedule meet, or
/// `steps` is reached, when the budget ends or a signal (SIGINT, SIGTERM, SIGHUP) arrives; an engine that
/// proves that there is no schedule raises the bound, and its proof is the bound's certificate.
///
/// With a checkpoint a later call goes on from the last task that has ended, also if the process was killed.
/// A task that was under way begins again; where a whole call has ended none, they get half the effort from
/// then on.
///
/// Throws std::invalid_argument for a problem that check() refuses, 0 steps, fewer steps than the bound (with
/// its reason), a budget of 0, a schedule to begin with for another number of processors or messages, no such
/// engine, one that does not suit or, asked for by name, takes too much memory, and a checkpoint of another
/// seed; std::runtime_error for a checkpoint that cannot be read or written, or that belongs to another
/// problem.
PortfolioResult find_schedule(const Problem& problem, const PortfolioOptions& options = {});

/// What the processes behind PortfolioOptions::transport do, on this machine or another, for the same problem
/// and schedule to begin with.
JobPool::Work portfolio_work(const Problem& problem, const std::optional<Schedule>& start = std::nullopt);

} // namespace nocturne
