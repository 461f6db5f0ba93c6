#include "schedules/portfolio/portfolio.hpp"

#include "models/routing/random.hpp"
#include "schedules/bounds/infeasibility_bound.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/bounds/port_bound.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "schedules/constructions/empty_schedule.hpp"
#include "schedules/portfolio/checkpoint.hpp"
#include "schedules/portfolio/engines.hpp"
#include "schedules/portfolio/shared_progress.hpp"
#include "schedules/schedule/schedule_bytes.hpp"
#include "schedules/search/warm_start.hpp"
#include "schedules/workers/process.hpp"
#include "schedules/workers/workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <string_view>
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

double seconds_between(Clock::time_point begin, Clock::time_point end)
{
    return std::chrono::duration<double>(end - begin).count();
}

Clock::duration duration_of(double seconds)
{
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

/// One call of find_schedule().
class Portfolio {
public:
    Portfolio(const Problem& problem, const PortfolioOptions& options)
        : problem_(problem), options_(options), start_(options.begun.value_or(Clock::now())),
          deadline_(start_ + options.budget), engines_(engines_for(problem, options)),
          deliveries_(count_deliveries(problem.collective))
    {
        state_.seed = options.seed;
        if (!options.checkpoint.empty())
            go_on();
        if (options.start)
            begin_with(*options.start);
        seconds_before_ = state_.seconds;
    }

    PortfolioResult run()
    {
        const SignalWatch signals; // between two rounds nothing else watches
        try {
            if (state_.round == 0 || was_cut_short())
                first_round();
            check_request();
            for (std::vector<Task> tasks = next_tasks(); !tasks.empty(); tasks = next_tasks()) {
                signals.throw_if_interrupted();
                next_round(tasks);
            }
            signals.throw_if_interrupted();
        } catch (const Interrupted& interrupted) {
            if (state_.round == 0)
                throw;
            signal_ = interrupted.exit_status() - 128;
        }
        return {state_.bound, state_.schedule, state_.engine, seconds(), signal_};
    }

private:
    double seconds() const { return seconds_before_ + seconds_between(start_, Clock::now()); }

    /// Takes the state from the checkpoint if there is one, and says there that a session has begun: if the
    /// next one finds that it came to nothing, the single tasks were too long.
    void go_on()
    {
        constexpr double least_seconds = 0.5;
        if (std::filesystem::exists(options_.checkpoint)) {
            state_ = load_checkpoint(options_.checkpoint, problem_);
            if (state_.seed != options_.seed)
                throw std::invalid_argument(fmt::format("{}: this search has seed {}, not {}",
                                                        options_.checkpoint.string(), state_.seed,
                                                        options_.seed));
            if (state_.is_open)
                state_.longest_seconds = std::max(least_seconds, state_.longest_seconds / 2);
        } else {
            state_.bound = port_bound(problem_);
        }
        check_request(); // before anything is written
        state_.is_open = true;
        save_checkpoint(options_.checkpoint, problem_, state_);
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

    /// What does not look at the clock, or sits in a solver, is stopped a little later than the rest.
    Clock::time_point with_grace(Clock::time_point end) const
    {
        return end + std::clamp<Clock::duration>(options_.budget / 10, std::chrono::milliseconds(200),
                                                 std::chrono::seconds(2));
    }

    /// When the first round has to end.
    Clock::time_point end_of_first_round() const
    {
        return std::min(deadline_, start_ + duration_of(state_.longest_seconds));
    }

    /// Had the first round of an earlier session much less time than there is now?
    bool was_cut_short() const
    {
        return state_.cut_seconds > 0 &&
               seconds_between(Clock::now(), end_of_first_round()) > 1.5 * state_.cut_seconds;
    }

    /// The bound and the constructions. The bound may take half of the time.
    void first_round()
    {
        std::vector<Task> tasks;
        for (const Engine* const engine : engines_)
            if (engine->is_construction)
                tasks.push_back({engine, any_number, state_.seed, 0});
        const Clock::time_point begin = Clock::now();
        const Clock::time_point end = std::max(begin, end_of_first_round());
        // The last job is the bound.
        SharedProgress progress(tasks.size() + 1);
        std::vector<Job> jobs = jobs_for(tasks, end, progress);
        jobs.emplace_back([this, half = begin + (end - begin) / 2] {
            const nlohmann::json bound = to_json(lower_bound(problem_, half), problem_.topology);
            return nlohmann::json{{"bound", bound}, {"is_cut", Clock::now() >= half}};
        });
        WorkerOptions workers;
        workers.workers = options_.workers;
        workers.deadline = with_grace(end);
        workers.on_progress = [&](std::size_t, std::size_t) { report(tasks, progress); };
        const std::vector<nlohmann::json> results = run_jobs(jobs, workers);
        const nlohmann::json& last = results.back();
        const Bound bound = last.is_null() ? port_bound(problem_)
                                           : parse_bound(last["bound"], problem_.topology, "lower bound");
        if (bound.steps > state_.bound.steps || state_.round == 0)
            state_.bound = bound;
        const bool is_cut = std::any_of(results.begin(), results.end(),
                                        [](const auto& result) { return result.is_null(); }) ||
                            last["is_cut"].get<bool>();
        state_.cut_seconds = is_cut ? seconds_between(begin, end) : 0;
        for (std::size_t i = 0; i < tasks.size(); ++i)
            take(state_, tasks[i], task_result(results[i]));
        close_round(state_, true);
        save(state_);
    }

    void next_round(const std::vector<Task>& tasks)
    {
        const std::vector<Task> open = open_tasks(tasks);
        SharedProgress progress(open.size());
        const std::vector<Job> jobs = jobs_for(open, deadline_, progress);
        std::vector<std::pair<Task, TaskResult>> early; // what there is should a signal end the round
        WorkerOptions workers;
        workers.workers = options_.workers;
        workers.deadline = with_grace(deadline_);
        workers.on_progress = [&](std::size_t, std::size_t) { report(open, progress); };
        workers.settles = [&](std::size_t job, const nlohmann::json& result) {
            progress.finish(job);
            TaskResult found = task_result(result);
            keep(open[job], found);
            if (found.outcome != Outcome::found)
                return false;
            early.emplace_back(open[job], std::move(found));
            return true;
        };
        const std::vector<FinishedTask> before = state_.done;
        bool has_come_on = false;
        try {
            const std::vector<nlohmann::json> results = run_jobs(jobs, workers);
            for (std::size_t i = 0; i < open.size(); ++i)
                has_come_on = take(state_, open[i], task_result(results[i])) || has_come_on;
        } catch (const Interrupted&) {
            for (auto& [task, found] : early)
                take(state_, task, std::move(found));
            throw;
        }
        for (const Task& task : tasks)
            for (const FinishedTask& done : before)
                if (done.engine == task.engine->name && done.steps == task.steps)
                    take(state_, task, {Outcome::gave_up, done.tried, {}, {}, {}});
        if (Clock::now() >= deadline_) { // not all of them had their effort: a later session does them again
            if (has_come_on)
                save(state_);
            return;
        }
        close_round(state_, has_come_on);
        save(state_);
    }

    /// Those that an earlier session has not done in vain.
    std::vector<Task> open_tasks(std::vector<Task> tasks) const
    {
        std::erase_if(tasks, [&](const Task& task) {
            return std::any_of(state_.done.begin(), state_.done.end(), [&](const FinishedTask& done) {
                return done.engine == task.engine->name && done.steps == task.steps;
            });
        });
        return tasks;
    }

    /// A task of the round has ended: should the process be killed now, a later session goes on from here.
    void keep(const Task& task, const TaskResult& result)
    {
        if (options_.checkpoint.empty() || Clock::now() >= deadline_)
            return;
        if (result.outcome == Outcome::gave_up) {
            state_.done.push_back({std::string(task.engine->name), task.steps, result.tried});
            save(state_);
            return;
        }
        SearchState next = state_;
        close_round(next, take(next, task, result));
        save(next);
    }

    /// Every engine at the goal, then at looser targets; nothing if the search is over. The targets ascend,
    /// so that the first task of the list that succeeds makes those behind it superfluous. What is tiny for
    /// an engine is left to it alone, for as long as it comes on.
    std::vector<Task> next_tasks()
    {
        if (is_done())
            return {};
        constexpr double first_seconds = 0.1;
        const double seconds =
            std::min(state_.longest_seconds, first_seconds * std::pow(3, std::min(state_.failures, 20U)));
        const double share = 1000.0 / static_cast<double>(std::max<std::uint64_t>(1, deliveries_));
        const Engine* const alone = state_.failures == 0 ? engine_that_comes_first() : nullptr;
        std::vector<Task> tasks;
        for (const unsigned target : targets())
            for (const Engine* const engine : engines_) {
                if (engine->is_construction || (alone != nullptr && engine != alone) ||
                    state_.given_up.contains({std::string(engine->name), target}) ||
                    !fits_into_memory(*engine, target))
                    continue;
                const auto number = static_cast<std::uint64_t>(engine - engines().data());
                SplitMix64 random(state_.seed ^ (std::uint64_t{state_.round} << 48) ^ (number << 40) ^
                                  target);
                // Less than a placement for each delivery leads nowhere.
                const double effort =
                    std::max(static_cast<double>(engine->effort_per_second) * share * seconds,
                             2 * static_cast<double>(deliveries_));
                tasks.push_back({engine, target, random(), static_cast<std::uint64_t>(effort) + 1});
            }
        return tasks;
    }

    const Engine* engine_that_comes_first() const
    {
        const auto comes_first = [&](const Engine* engine) {
            return engine->comes_first != nullptr && engine->comes_first(problem_, goal()) &&
                   !state_.given_up.contains({std::string(engine->name), goal()});
        };
        const auto engine = std::find_if(engines_.begin(), engines_.end(), comes_first);
        return engine == engines_.end() ? nullptr : *engine;
    }

    /// Says what much memory is for, and what is not tried for want of it; an engine that was asked for by
    /// name is refused.
    bool fits_into_memory(const Engine& engine, unsigned target)
    {
        constexpr std::uint64_t gigabyte = 1'000'000'000;
        const std::uint64_t bytes = engine.memory == nullptr ? 0 : engine.memory(problem_, target);
        const bool fits = bytes <= options_.most_memory;
        if (fits && bytes <= gigabyte)
            return true;
        const auto in_gigabytes = [&](std::uint64_t some) {
            return fmt::format("{:.1f} GB", static_cast<double>(some) / static_cast<double>(gigabyte));
        };
        const std::string text = fmt::format("{} in {} steps: engine {} takes about {} of memory",
                                             describe(problem_), target, engine.name, in_gigabytes(bytes));
        const std::string limit =
            fmt::format("more than the {} that it may", in_gigabytes(options_.most_memory));
        if (!fits && options_.engine != "auto" && target == goal())
            throw std::invalid_argument(fmt::format("{}, {}", text, limit));
        if (options_.on_note && noted_.insert(engine.name).second)
            options_.on_note(fits ? text : fmt::format("{}, {}: it is left out", text, limit));
        return fits;
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

    /// What the result makes of the state. True if it comes on: a better schedule or a higher bound.
    bool take(SearchState& state, const Task& task, TaskResult result) const
    {
        // It did not use what it was given, so more will not help.
        if (result.outcome == Outcome::gave_up && result.tried < task.effort / 8)
            state.given_up.insert({std::string(task.engine->name), task.steps});
        if (result.outcome == Outcome::impossible && task.steps >= state.bound.steps) {
            state.bound = proven_bound(problem_, task.steps,
                                       fmt::format("engine {}, tried {}", task.engine->name, result.tried),
                                       std::move(result.proof));
            return true;
        }
        if (result.outcome != Outcome::found ||
            (state.schedule && state.schedule->steps.size() <= result.steps.size()))
            return false;
        state.schedule = empty_schedule(problem_, task.engine->name);
        state.schedule->source = std::move(result.source);
        state.schedule->steps = std::move(result.steps);
        state.engine = task.engine->name;
        return true;
    }

    /// An engine says that it is impossible and has no proof, an integer program that decides in floating
    /// point for one: what becomes a bound needs one.
    void prove(const Task& task, SearchResult& result, Clock::time_point deadline) const
    {
        result.outcome = Outcome::gave_up;
        if (task.steps < state_.bound.steps)
            return;
        SolveControl control;
        control.deadline = deadline;
        InfeasibilitySearch search = infeasibility_bound(problem_, task.steps, control);
        if (!search.bound)
            return;
        result.outcome = Outcome::impossible;
        result.proof = std::move(std::get<InfeasibilityProof>(search.bound->certificate).proof);
    }

    /// Effort triples after a round that was in vain.
    static void close_round(SearchState& state, bool has_come_on)
    {
        ++state.round;
        state.failures += has_come_on ? 0 : 1;
        state.done.clear();
    }

    void save(SearchState state) const
    {
        if (options_.checkpoint.empty())
            return;
        state.seconds = seconds();
        state.is_open = false;
        save_checkpoint(options_.checkpoint, problem_, state);
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
    Clock::time_point start_;
    Clock::time_point deadline_;
    std::vector<const Engine*> engines_;
    const std::uint64_t deliveries_;
    double seconds_before_ = 0;
    SearchState state_;
    std::set<std::string_view> noted_; ///< engines whose memory has been told
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
