#include "schedules/optimize/portfolio.hpp"

#include "models/routing/random.hpp"
#include "schedules/bounds/exhausted.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/bounds/port_bound.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "schedules/constructions/empty_schedule.hpp"
#include "schedules/optimize/checkpoint.hpp"
#include "schedules/optimize/engines.hpp"
#include "schedules/optimize/shared_progress.hpp"
#include "schedules/schedule/schedule_bytes.hpp"
#include "schedules/search/warm_start.hpp"
#include "schedules/workers/workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned any_number = std::numeric_limits<unsigned>::max();

/// What one worker process is asked to do.
struct Task {
    const Engine* engine;
    unsigned steps;
    std::uint64_t seed;
    std::uint64_t effort; ///< 0 = no limit
};

struct TaskResult {
    Outcome outcome;
    std::uint64_t tried;
    std::string source; ///< of the schedule
    std::vector<Step> steps;
    std::string proof; ///< if impossible: DRAT
};

nlohmann::json to_json(const SearchResult& result)
{
    nlohmann::json json{
        {"outcome", static_cast<int>(result.outcome)}, {"tried", result.tried}, {"proof", result.proof}};
    if (result.schedule) {
        json["source"] = result.schedule->source;
        json["steps"] = nlohmann::json::binary(to_bytes(result.schedule->steps));
    }
    return json;
}

/// A job that the round did not wait for has given up.
TaskResult task_result(const nlohmann::json& json)
{
    if (json.is_null())
        return {Outcome::gave_up, std::numeric_limits<std::uint64_t>::max(), {}, {}, {}};
    TaskResult result{static_cast<Outcome>(json["outcome"].get<int>()),
                      json["tried"].get<std::uint64_t>(),
                      {},
                      {},
                      json["proof"].get<std::string>()};
    if (!json.contains("steps"))
        return result;
    result.source = json["source"].get<std::string>();
    result.steps = steps_from_bytes(json["steps"].get_binary());
    return result;
}

/// The engines that the options allow, cheapest first.
std::vector<const Engine*> engines_for(const Problem& problem, const PortfolioOptions& options)
{
    if (options.engine != "auto") {
        const Engine& engine = find_engine(options.engine);
        if (!engine.suits(problem))
            throw std::invalid_argument(
                fmt::format("engine {} cannot do {}", engine.name, describe(problem)));
        return {&engine};
    }
    std::vector<const Engine*> suitable;
    for (const Engine& engine : engines())
        if (!engine.only_by_name && engine.suits(problem))
            suitable.push_back(&engine);
    return suitable;
}

/// One call of find_schedule().
class Portfolio {
public:
    Portfolio(const Problem& problem, const PortfolioOptions& options)
        : problem_(problem), options_(options), engines_(engines_for(problem, options)), start_(Clock::now())
    {
        for (const Message& message : problem.collective.messages)
            deliveries_ += message.receivers.size();
        state_.seed = options.seed;
        if (!options.checkpoint.empty() && std::filesystem::exists(options.checkpoint))
            state_ = load_checkpoint(options.checkpoint, problem);
        if (options.start)
            begin_with(*options.start);
        seconds_before_ = state_.seconds;
        deadline_ = start_ + options.budget;
    }

    PortfolioResult run()
    {
        try {
            if (state_.round == 0)
                first_round();
            check_request();
            for (std::vector<Task> tasks = next_tasks(); !tasks.empty(); tasks = next_tasks())
                next_round(tasks);
        } catch (const Interrupted& interrupted) {
            if (state_.round == 0)
                throw;
            signal_ = interrupted.exit_status() - 128;
        }
        return {state_.bound, state_.schedule, state_.engine, seconds(), signal_};
    }

private:
    double seconds() const
    {
        return seconds_before_ + std::chrono::duration<double>(Clock::now() - start_).count();
    }

    void begin_with(const Schedule& start)
    {
        const std::size_t fewer = state_.schedule ? state_.schedule->steps.size() : any_number;
        auto schedule = valid_start(problem_, any_number, &start);
        if (!schedule || schedule->steps.size() >= fewer)
            return;
        state_.schedule = std::move(schedule);
        state_.engine = "start";
    }

    unsigned goal() const { return options_.steps.value_or(state_.bound.steps); }

    bool has_goal() const { return state_.schedule && state_.schedule->steps.size() <= goal(); }

    bool is_done() const { return has_goal() || state_.bound.steps > goal() || Clock::now() >= deadline_; }

    void check_request() const
    {
        if (state_.bound.steps > goal())
            throw std::invalid_argument(fmt::format("{}: {} steps are not enough, at least {} are needed: {}",
                                                    describe(problem_), goal(), state_.bound.steps,
                                                    state_.bound.reason));
    }

    /// The bound and the constructions. No deadline: without a bound there is nothing to say.
    void first_round()
    {
        std::vector<Task> tasks;
        for (const Engine* const engine : engines_)
            if (engine->is_construction)
                tasks.push_back({engine, any_number, state_.seed, 0});
        // The last job is the bound.
        SharedProgress progress(tasks.size() + 1);
        std::vector<Job> jobs = jobs_for(tasks, Clock::time_point::max(), progress);
        jobs.emplace_back(
            [this] { return nlohmann::json(to_json(lower_bound(problem_), problem_.topology)); });
        WorkerOptions workers;
        workers.workers = options_.workers;
        workers.on_progress = [&](std::size_t, std::size_t) { report(tasks, progress); };
        const std::vector<nlohmann::json> results = run_jobs(jobs, workers);
        state_.bound = parse_bound(results.back(), problem_.topology, "lower bound");
        for (std::size_t i = 0; i < tasks.size(); ++i)
            take(tasks[i], task_result(results[i]));
        end_round();
    }

    void next_round(const std::vector<Task>& tasks)
    {
        SharedProgress progress(tasks.size());
        const std::vector<Job> jobs = jobs_for(tasks, deadline_, progress);
        std::vector<std::pair<Task, TaskResult>> early; // what there is should a signal end the round
        WorkerOptions workers;
        workers.workers = options_.workers;
        // An engine that does not look at the clock while it sits in a solver is stopped a little later.
        workers.deadline = deadline_ + std::chrono::seconds(2);
        workers.on_progress = [&](std::size_t, std::size_t) { report(tasks, progress); };
        workers.settles = [&](std::size_t job, const nlohmann::json& result) {
            progress.finish(job);
            TaskResult found = task_result(result);
            if (found.outcome != Outcome::found)
                return false;
            early.emplace_back(tasks[job], std::move(found));
            return true;
        };
        try {
            const std::vector<nlohmann::json> results = run_jobs(jobs, workers);
            for (std::size_t i = 0; i < tasks.size(); ++i)
                take(tasks[i], task_result(results[i]));
        } catch (const Interrupted&) {
            for (auto& [task, found] : early)
                take(task, std::move(found));
            throw;
        }
        end_round();
    }

    /// Every engine at the goal, then at looser targets; nothing if the search is over. The targets ascend, so that the
    /// first task of the list that succeeds makes those behind it superfluous.
    std::vector<Task> next_tasks() const
    {
        if (is_done())
            return {};
        constexpr double first_seconds = 0.1;
        constexpr double most_seconds = 60;
        const double seconds =
            std::min(most_seconds, first_seconds * std::pow(3, std::min(state_.failures, 20U)));
        const double share = 1000.0 / static_cast<double>(std::max<std::uint64_t>(1, deliveries_));
        std::vector<Task> tasks;
        for (const unsigned target : targets())
            for (const Engine* const engine : engines_) {
                if (engine->is_construction || out_of_ideas_.contains({engine, target}))
                    continue;
                const auto number = static_cast<std::uint64_t>(engine - engines().data());
                SplitMix64 random(state_.seed ^ (std::uint64_t{state_.round} << 48) ^ (number << 40) ^
                                  target);
                // Less than a placement for each delivery leads nowhere.
                const double effort = std::max(static_cast<double>(engine->pace) * share * seconds,
                                               2 * static_cast<double>(deliveries_));
                tasks.push_back({engine, target, random(), static_cast<std::uint64_t>(effort) + 1});
            }
        return tasks;
    }

    std::vector<unsigned> targets() const
    {
        const unsigned least = goal();
        std::vector<unsigned> targets{least};
        if (!state_.schedule) {
            // Ever looser, and one that takes no luck.
            const unsigned doublings = std::min(state_.failures, 20U);
            const std::uint64_t extra = std::max<std::uint64_t>(1, least / 32) << doublings;
            targets.push_back(static_cast<unsigned>(std::min<std::uint64_t>(least + extra, any_number / 4)));
            targets.push_back(2 * targets.back() + 8);
        } else if (const auto best = static_cast<unsigned>(state_.schedule->steps.size()); best > least + 1) {
            targets.push_back(least + (best - least) / 2);
            targets.push_back(best - 1);
        }
        targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
        return targets;
    }

    std::vector<Job> jobs_for(const std::vector<Task>& tasks, Clock::time_point deadline,
                              SharedProgress& progress) const
    {
        std::vector<Job> jobs;
        for (std::size_t i = 0; i < tasks.size(); ++i)
            jobs.emplace_back([this, task = tasks[i], i, deadline, &progress] {
                SearchControl control;
                control.seed = task.seed;
                control.effort = task.effort;
                control.deadline = deadline;
                control.start = options_.start ? &*options_.start : nullptr;
                control.on_progress = [&](const SearchProgress& now) {
                    progress.set(i, now.tried, now.unscheduled);
                };
                SearchResult result = search(*task.engine, problem_, task.steps, control);
                if (result.outcome == Outcome::impossible && result.proof.empty())
                    prove(task, result, deadline);
                return to_json(result);
            });
        return jobs;
    }

    void take(const Task& task, TaskResult result)
    {
        // It did not use what it was given, so more will not help.
        if (result.outcome == Outcome::gave_up && result.tried < task.effort / 8)
            out_of_ideas_.insert({task.engine, task.steps});
        if (result.outcome == Outcome::impossible && task.steps >= state_.bound.steps)
            state_.bound = proven_bound(problem_, task.steps,
                                        fmt::format("engine {}, tried {}", task.engine->name, result.tried),
                                        std::move(result.proof));
        if (result.outcome != Outcome::found ||
            (state_.schedule && state_.schedule->steps.size() <= result.steps.size()))
            return;
        is_better_ = true;
        state_.schedule = empty_schedule(problem_, task.engine->name);
        state_.schedule->source = std::move(result.source);
        state_.schedule->steps = std::move(result.steps);
        state_.engine = task.engine->name;
    }

    /// An engine says that it is impossible and has no proof, an integer program that decides in floating point for one:
    /// what becomes a bound needs one.
    void prove(const Task& task, SearchResult& result, Clock::time_point deadline) const
    {
        result.outcome = Outcome::gave_up;
        if (task.steps < state_.bound.steps)
            return;
        SolveControl control;
        control.deadline = deadline;
        ExhaustiveSearch search = exhausted_bound(problem_, task.steps, control);
        if (!search.bound)
            return;
        result.outcome = Outcome::impossible;
        result.proof = std::move(std::get<Exhaustion>(search.bound->certificate).proof);
    }

    /// Effort triples after a round that was in vain.
    void end_round()
    {
        ++state_.round;
        state_.failures += is_better_ || state_.round == 1 ? 0 : 1;
        is_better_ = false;
        state_.seconds = seconds();
        if (!options_.checkpoint.empty())
            save_checkpoint(options_.checkpoint, problem_, state_);
    }

    void report(const std::vector<Task>& tasks, const SharedProgress& progress) const
    {
        if (!options_.on_progress)
            return;
        PortfolioProgress now;
        if (const auto running = progress.first_running(); running && *running < tasks.size()) {
            const auto [tried, unscheduled] = progress.get(*running);
            now.engine = tasks[*running].engine->name;
            now.steps = state_.round == 0 ? 0 : tasks[*running].steps;
            now.tried = tried;
            now.unscheduled = unscheduled;
        }
        now.lower_bound = state_.round == 0 ? 0 : state_.bound.steps;
        if (state_.schedule)
            now.best = static_cast<unsigned>(state_.schedule->steps.size());
        now.seconds = seconds();
        options_.on_progress(now);
    }

    const Problem& problem_;
    const PortfolioOptions& options_;
    std::vector<const Engine*> engines_;
    std::uint64_t deliveries_ = 0;
    Clock::time_point start_;
    Clock::time_point deadline_;
    double seconds_before_ = 0;
    SearchState state_;
    std::set<std::pair<const Engine*, unsigned>>
        out_of_ideas_;       ///< engines, and the steps that they have no way to reach
    bool is_better_ = false; ///< the round has found a better schedule
    int signal_ = 0;
};

} // namespace

PortfolioResult find_schedule(const Problem& problem, const PortfolioOptions& options)
{
    check(problem);
    if (options.steps == 0U)
        throw std::invalid_argument("0 steps: a schedule has 1 or more");
    if (options.budget.count() <= 0)
        throw std::invalid_argument("a budget of 0 s: a search takes time");
    return Portfolio(problem, options).run();
}

} // namespace nocturne
