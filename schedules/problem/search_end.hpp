// When a search must give up what it has not finished, how far it has come, and why it is over.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace nocturne {

/// At a time, or as soon as a flag is set. What a search does before that depends on neither: it shares out
/// work that is counted, and an end that comes late enough changes nothing.
struct SearchEnd {
    using Clock = std::chrono::steady_clock;

    Clock::time_point deadline = Clock::time_point::max();
    const std::atomic<bool>* stop = nullptr; ///< set from elsewhere: by a signal, or a thread

    bool is_stopped() const { return stop != nullptr && stop->load(std::memory_order_relaxed); }
    /// Costs a look at the clock.
    bool has_come() const
    {
        return is_stopped() || (deadline != Clock::time_point::max() && Clock::now() >= deadline);
    }
};

/// When so much time is over, wall-clock; at most 30 years.
inline SearchEnd::Clock::time_point
deadline_after(std::chrono::duration<double> budget,
               SearchEnd::Clock::time_point begin = SearchEnd::Clock::now())
{
    constexpr std::chrono::duration<double> most{1e9};
    return begin + std::chrono::duration_cast<SearchEnd::Clock::duration>(std::min(budget, most));
}

/// So much time from now on.
inline SearchEnd end_after(std::chrono::duration<double> budget, const std::atomic<bool>* stop = nullptr)
{
    return {deadline_after(budget), stop};
}

/// What does not look at the clock, or sits in a solver, is stopped a little later than the rest.
inline SearchEnd::Clock::time_point with_grace(SearchEnd::Clock::time_point deadline,
                                               SearchEnd::Clock::duration grace = std::chrono::seconds(1))
{
    return deadline > SearchEnd::Clock::time_point::max() - grace ? deadline : deadline + grace;
}

/// Why a search is over.
enum class EndReason {
    at_bound,      ///< what was found is optimal
    settled,       ///< all that is tried was tried, or what was asked for was found
    out_of_budget, ///< more time might find better
    interrupted,   ///< from elsewhere
};
/// `at the bound`, `settled`, `out of budget`, `interrupted`.
constexpr std::string_view to_string(EndReason reason)
{
    constexpr std::string_view names[]{"at the bound", "settled", "out of budget", "interrupted"};
    return names[static_cast<std::size_t>(reason)];
}

/// Interrupted, or cut by the end of its budget, a search is settled no more.
constexpr EndReason end_reason(bool is_at_bound, bool is_interrupted, bool is_cut)
{
    return is_at_bound      ? EndReason::at_bound
           : is_interrupted ? EndReason::interrupted
           : is_cut         ? EndReason::out_of_budget
                            : EndReason::settled;
}

/// How far a search has come.
struct SearchProgress {
    std::string_view engine = {};    ///< that runs now, the first of them; empty: none
    unsigned steps = 0;              ///< that it is trying for; 0 while the bound is computed
    std::uint64_t tried = 0;         ///< placements, conflicts, …: what the engine counts as effort
    std::uint64_t unscheduled = 0;   ///< deliveries that have no place in its best schedule so far
    unsigned lower_bound = 0;        ///< of steps; 0: not known yet
    unsigned parts = 0;              ///< by an objective: that it is trying, at most
    std::optional<double> best = {}; ///< steps so far, or what the objective counts first; none yet
    double seconds = 0;
};

} // namespace nocturne
