// All engines that suit a problem, one beside or after the other, and what is best of what they find.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/problem/chunk_problem.hpp"
#include "schedules/search/engine.hpp"
#include "schedules/workers/job_pool.hpp"
#include "schedules/workers/ordered_jobs.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace nocturne {

struct PortfolioOptions {
    std::string engine = "auto"; ///< or just this one
    /// A schedule of so many steps will do; nothing = the fewest. Of messages only.
    std::optional<unsigned> steps = std::nullopt;
    /// Wall-clock time from `begun` on, bounds and constructions included.
    std::chrono::duration<double> budget{60};
    /// Budget and seconds count from here; nothing = from the call.
    std::optional<std::chrono::steady_clock::time_point> begun = std::nullopt;
    /// Rounds after which it ends whatever the time; see find_schedule(). Of messages only.
    unsigned most_rounds = std::numeric_limits<unsigned>::max();
    std::uint64_t seed = 1;
    unsigned workers = 0; ///< processes; 0 = one for each core
    /// What one process makes in less time is not handed to another. Of chunks only; it changes how long a
    /// search takes, not what it finds.
    std::chrono::duration<double> least_to_hand_over = worth_handing_over;
    /// Set from elsewhere (signal, thread): give up now, with what there is. Of messages that is not before
    /// the first round has ended, but for the schedule to begin with.
    const std::atomic<bool>* stop = nullptr;
    /// To processes that run portfolio_work() for this problem; nothing = worker processes of this machine.
    /// Of messages only.
    const JobTransport* transport = nullptr;
    /// State of the search, written after each task, read if it exists. Of messages only.
    std::filesystem::path checkpoint = {};
    /// Bytes that an engine may take in one process, as it estimates. Of messages only.
    std::uint64_t most_memory = 4'000'000'000;
    /// For all engines to begin with, valid, of chunks cut into any number of parts: the best schedule until
    /// there is a better one, of engine `start`. Of messages one that is not valid will do: engines use what
    /// they can of it (SearchControl::start).
    std::optional<Schedule> start = std::nullopt;
    /// Can a schedule be used? Those that cannot are passed over. Nothing: all can. Of chunks only.
    std::function<bool(const Schedule&)> accepts = {};
    std::function<void(const SearchProgress&)> on_progress = {}; ///< about five times a second
    /// Told once for an engine: that it takes gigabytes of memory, or is left out because it would take too
    /// many.
    std::function<void(const std::string&)> on_note = {};
};

struct PortfolioResult {
    std::optional<Schedule> schedule = std::nullopt; ///< the best that was found, valid
    std::string engine = {};                         ///< that found it
    /// What no schedule beats, each proven by its certificate. Of messages: on steps. Of chunks: for so many
    /// parts if these were given, otherwise for any number of them; rounds are counted in the parts of
    /// `schedule->collective`, which is what refutations() takes.
    Bounds bounds = {};
    bool is_optimal = false; ///< is there no better schedule?
    double seconds = 0;      ///< wall-clock time since `begun`, with that of the sessions before a checkpoint
    /// That ended a search of messages early (Ctrl-C: SIGINT); 0 = none. One of chunks leaves signals to
    /// whoever sets its flag.
    int signal = 0;
    EndReason end = EndReason::settled;

    // Of chunks.
    AlphaBeta cost = {}; ///< bytes_per_weight for the schedule's number of parts
    double cycles = 0;   ///< time_of() it
    /// By how much what the objective counts first is more than its bound: 0.25 for a quarter, 0 at the
    /// bound. None without a bound or a schedule.
    std::optional<double> gap = std::nullopt;
    std::vector<std::uint32_t> parts_tried = {}; ///< ascending; empty if they were given

    /// Of messages: on their steps.
    const Bound& bound() const { return *bounds.steps; }
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

/// The same of chunks, by what their objective counts. Every engine's schedules are compared by it, whatever
/// they were made for. For steps and rounds these are a front, decided exactly for as long as networks are
/// small enough for that (front.hpp); for rounds and time search_by_time(), spread_over_trees(), flows and
/// constructions for whole messages, in numbers of parts that are searched (parts_search.hpp), or in those
/// asked for and all that divide them.
///
/// What is tried is a fixed sequence that depends on problem and seed alone, not on budget, flag or number of
/// workers: it ends at the bound or when it is over, and where they cut it the best so far is the result, so
/// that more time is never worse.
///
/// Throws std::invalid_argument for a problem that check() refuses, a receiver that cannot be reached, an
/// option that is for messages only, a budget of 0, a schedule to begin with of another collective, that is
/// not valid or in parts that do not divide those asked for, and an engine that does not exist or does not
/// suit; where nothing was found, because it is too large for all engines, what the first of these threw.
PortfolioResult find_schedule(const ChunkProblem& problem, const PortfolioOptions& options = {});

/// What the processes behind PortfolioOptions::transport do, on this machine or another, for the same problem
/// and schedule to begin with.
JobPool::Work portfolio_work(const Problem& problem, const std::optional<Schedule>& start = std::nullopt);

} // namespace nocturne
