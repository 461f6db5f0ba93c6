// When a search must give up what it has not finished.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>

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

/// So many seconds from now on, wall-clock; at most 30 years.
inline SearchEnd end_after(double seconds, const std::atomic<bool>* stop = nullptr)
{
    constexpr double most_seconds = 1e9;
    const std::chrono::duration<double> time(std::min(seconds, most_seconds));
    return {SearchEnd::Clock::now() + std::chrono::duration_cast<SearchEnd::Clock::duration>(time), stop};
}

} // namespace nocturne
