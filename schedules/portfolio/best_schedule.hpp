// The best schedule of chunks so far, by what somebody wants to be short.
#pragma once

#include "schedules/problem/chunk_problem.hpp"
#include "schedules/problem/search_end.hpp"
#include "schedules/schedule/chunk_time.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace nocturne {

/// What an objective compares, in order; less is better.
using ChunkScore = std::array<double, 4>;

/// What is best must also be judged before a search's end. How long that takes is known from schedules that
/// were judged before: the end of the search is brought forward by that, and a schedule that comes too late
/// to be judged is not taken if there is one.
class BestSchedule {
public:
    /// All must outlive it. `engine`: whose schedules are taken, or `auto`. `end`: of the search, whose
    /// deadline is that of its result at first. `accepts`: PortfolioOptions::accepts.
    BestSchedule(const ChunkProblem& problem, std::string_view engine, SearchEnd& end,
                 std::function<bool(const Schedule&)> accepts = {})
        : problem_(problem), asked_(engine), end_(end), accepts_(std::move(accepts)), deadline_(end.deadline)
    {
    }

    /// Whatever an engine found: put into steps if the objective counts them, without its barriers if time
    /// counts, and cut into the parts asked for if these are a multiple. False if it needs the barriers, or
    /// what there is is as good, or better.
    bool offer(Schedule schedule, std::string_view engine);

    /// Throws std::logic_error if what there is is not valid.
    void judge();

    bool is_empty() const { return engine_.empty(); }
    const Schedule& schedule() const { return schedule_; }
    /// At the end of a search: nothing is asked of the schedule after it.
    Schedule take() { return std::move(schedule_); }
    const std::string& engine() const { return engine_; }
    /// time_of() it.
    double cycles() const { return cycles_; }
    /// The first number of the score: steps, rounds a chunk, or cycles. Infinity if there is none.
    double value() const;
    /// To another process, to which what is kept from now on is offered.
    void leave_judging() { is_judging_ = false; }
    /// How many times it has been bettered.
    std::size_t times_bettered() const { return times_bettered_; }

private:
    bool keep(Schedule schedule, std::string_view engine);
    bool keep_without_barriers(const Schedule& schedule, std::string_view engine);
    ChunkScore score_of(const Schedule& schedule, double cycles) const;
    SearchEnd::Clock::duration time_to_judge(const Schedule& schedule) const;

    const ChunkProblem& problem_;
    std::string asked_;
    SearchEnd& end_;
    std::function<bool(const Schedule&)> accepts_;
    SearchEnd::Clock::time_point deadline_;
    Schedule schedule_;
    std::string engine_;
    ChunkScore score_{};
    double cycles_ = 0;
    std::size_t times_bettered_ = 0;
    bool is_judging_ = true;
    bool is_judged_ = false;
    std::size_t most_judged_ = 0; ///< transfers, of what has been judged
    double judged_seconds_ = 0;   ///< that these took
};

} // namespace nocturne
