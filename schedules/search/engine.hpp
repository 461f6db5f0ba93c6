// The interface of the engines that search for schedules.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/problem/search_end.hpp"
#include "schedules/schedule/schedule.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace nocturne {

/// What is named as the engine of a schedule that a search began with.
inline constexpr std::string_view of_start = "start";

/// What limits a search. The same seed and effort give the same result, bit for bit; a deadline is for people
/// who wait.
struct SearchControl {
    std::uint64_t seed = 1;
    std::uint64_t effort = 0; ///< the most that SearchProgress::tried may reach; 0 = no limit
    SearchEnd end = {};       ///< costs a look at the clock: ask it every few hundred placements
    /// A schedule of the same collective to begin with, for the same or a similar network (vertices as in the
    /// problem's): what of it holds is kept as far as the engine can. Constructions have no use for it.
    const Schedule* start = nullptr;
    unsigned workers = 1; ///< processes that an engine which can may spread over; never changes the result
    std::function<void(const SearchProgress&)> on_progress = {}; ///< called a few times a second at most
};

enum class Outcome {
    found,      ///< a schedule with at most the steps asked for
    gave_up,    ///< effort, time or ideas ran out
    impossible, ///< proven: no schedule has so few steps (exhaustive engines only)
};

struct SearchResult {
    Outcome outcome = Outcome::gave_up;
    std::optional<Schedule> schedule = std::nullopt; ///< valid if `found`, otherwise nothing
    std::uint64_t tried = 0;
    std::uint64_t unscheduled = 0; ///< deliveries missing from the best attempt; 0 if found
    /// If impossible, and the engine has one: the proof that a bound of kind infeasibility needs. A claim
    /// without a proof is left for others to prove.
    std::string proof = {};
};

struct ObjectiveSearch; // schedules/portfolio/chunk_engines.hpp

/// A way to search for schedules: one row of the table of engines (schedules/portfolio/engines.hpp). It is
/// for messages in few steps, as the members say, or for chunks by an objective.
struct Engine {
    std::string_view name;    ///< `local`
    std::string_view summary; ///< one line
    /// Can it be tried on the problem at all, which copies, or adds, as `adds` says? Cheap.
    bool (*suits)(const Problem& problem) = nullptr;
    /// A schedule of at most `steps` (1 or more) steps. Throws std::invalid_argument if it does not suit.
    SearchResult (*search)(const Problem& problem, unsigned steps, const SearchControl& control) = nullptr;
    /// Effort that takes about a second where 1000 deliveries are owed, and half a second where it is 500:
    /// how a portfolio shares out time and still gets the same result on any machine.
    std::uint64_t effort_per_second = 250'000;
    /// Does it find what it finds at once, whatever steps, seed and effort? Then it is asked only once.
    bool is_construction = false;
    /// Does it look by itself for the fewest steps that it can find, in one long search? Then it is asked
    /// once as well, after the constructions.
    bool is_gradual = false;
    /// Must it be asked for by name? Engines that repeat experiments of the papers are slower than the rest.
    bool only_by_name = false;
    /// Is the problem so small for it that it is asked before all others, and alone? None: never.
    bool (*comes_first)(const Problem& problem, unsigned steps) = nullptr;
    /// About as many bytes as a search for so many steps takes. None: few.
    std::uint64_t (*memory)(const Problem& problem, unsigned steps) = nullptr;
    /// Is it for collectives that add? The others are for those that only copy.
    bool adds = false;
    /// How it searches by an objective. None: it is for messages in few steps.
    const ObjectiveSearch* by_objective = nullptr;
};

/// Can the engine be tried on the problem?
inline bool can_try(const Engine& engine, const Problem& problem)
{
    return engine.suits != nullptr && engine.adds == reduces(problem.collective) && engine.suits(problem);
}

/// What `engine` finds, judged by the validator: an invalid schedule or one with too many steps is a
/// std::logic_error that says which rule it breaks, never a result. Throws std::invalid_argument for 0 steps,
/// an engine that does not suit, or a schedule to begin with that is for another number of processors or
/// messages.
SearchResult search(const Engine& engine, const Problem& problem, unsigned steps,
                    const SearchControl& control);

} // namespace nocturne
