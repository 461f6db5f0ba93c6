// Jobs begun ahead of the order in which their results are wanted: a search that stops at the first that is
// enough, in several processes.
#pragma once

#include "schedules/workers/job_pool.hpp"
#include "schedules/workers/workers.hpp"

#include <chrono>
#include <csignal>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace nocturne {

/// What one process makes sooner takes longer to hand to another, which has to touch its memory anew.
inline constexpr std::chrono::duration<double> worth_handing_over{0.3};

/// Of jobs 0, 1, … that each make a value of their own, whatever the others make.
template <class Value>
struct OrderedJobs {
    std::size_t count = 0;
    /// Is the next one still wanted? Asked before its value is taken (in one process: made), more than once.
    std::function<bool(std::size_t job)> is_wanted;
    std::function<Value(std::size_t job)> make;
    /// In the order of the jobs; not of those that were stopped.
    std::function<void(std::size_t job, Value value)> take;
    /// How a value comes back from another process: the first is called there.
    std::function<nlohmann::json(const Value& value)> encode;
    std::function<Value(std::size_t job, const nlohmann::json& json)> decode;
    /// Has somebody asked for an end? Then what has been taken is all. None: nobody will.
    std::function<bool()> is_stopped = {};
    /// Jobs are made in this process until one takes so long.
    std::chrono::duration<double> least_to_hand_over{};
    /// Called before other processes begin: what is made from then on is made there. None: nothing to do.
    std::function<void()> on_hand_over = {};
};

/// Takes one value after the other until one is not wanted. What is taken does not depend on the number of
/// workers; with one, or for one job, all is done in this process. Otherwise as run_jobs(), but that a signal
/// ends it as is_stopped() does, and then goes on to whoever waits for it; WorkerOptions::settles is of no
/// account.
template <class Value>
void run_in_order(const OrderedJobs<Value>& jobs, WorkerOptions options)
{
    using Clock = std::chrono::steady_clock;
    const bool is_alone = (options.workers == 0 ? usable_cores() : options.workers) == 1;
    std::size_t next = 0;
    std::chrono::duration<double> taken{};
    for (; next < jobs.count && jobs.is_wanted(next); ++next) {
        if (!is_alone && next + 1 < jobs.count && taken >= jobs.least_to_hand_over)
            break;
        const Clock::time_point begun = Clock::now();
        jobs.take(next, jobs.make(next));
        taken = Clock::now() - begun;
    }
    if (next == jobs.count || !jobs.is_wanted(next))
        return;
    if (jobs.on_hand_over)
        jobs.on_hand_over();
    const std::size_t first = next;
    std::vector<Job> forks;
    for (std::size_t job = first; job < jobs.count; ++job)
        forks.emplace_back([&jobs, job] { return jobs.encode(jobs.make(job)); });
    std::vector<nlohmann::json> waiting(jobs.count);
    bool is_over = false;
    const auto take_next = [&](const nlohmann::json& result) {
        jobs.take(next, jobs.decode(next, result));
        ++next;
        is_over = next < jobs.count && !jobs.is_wanted(next);
    };
    options.settles = [&](std::size_t fork, const nlohmann::json& result) {
        const std::size_t done = first + fork;
        if (is_over || done != next) {
            waiting[done] = result;
            return is_over;
        }
        take_next(result);
        while (!is_over && next < jobs.count && !waiting[next].is_null())
            take_next(std::exchange(waiting[next], nullptr));
        return is_over;
    };
    struct Stopped {};
    options.on_progress = [&, told = std::move(options.on_progress)](std::size_t done, std::size_t total) {
        if (told)
            told(first + done, first + total);
        if (jobs.is_stopped && jobs.is_stopped())
            throw Stopped{};
    };
    try {
        run_jobs(forks, options);
    } catch (const Stopped&) {
        return;
    } catch (const Interrupted& interrupted) {
        std::raise(interrupted.exit_status() - 128);
        return;
    }
    // Those behind one that the deadline stopped.
    for (; !is_over && next < jobs.count; ++next)
        if (!waiting[next].is_null() && jobs.is_wanted(next))
            jobs.take(next, jobs.decode(next, waiting[next]));
}

} // namespace nocturne
