#include "schedules/portfolio/portfolio.hpp"

#include "schedules/bounds/infeasibility_bound.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "schedules/portfolio/checkpoint.hpp"
#include "schedules/portfolio/find_backwards.hpp"
#include "schedules/portfolio/task.hpp"
#include "schedules/portfolio/task_plan.hpp"
#include "schedules/problem/copying_problem.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/search/warm_start.hpp"
#include "schedules/workers/process.hpp"
#include "schedules/workers/workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned unlimited = std::numeric_limits<unsigned>::max();

double seconds_between(Clock::time_point begin, Clock::time_point end)
{
    return std::chrono::duration<double>(end - begin).count();
}

/// Where nothing more is known.
Bound bound_at_once(const Problem& problem)
{
    return reduces(problem.collective) ? lower_bound(problem, Clock::time_point::min()) : port_bound(problem);
}

/// PortfolioOptions::stop is set.
struct Stopped {};

/// One call of find_schedule().
class Portfolio {
public:
    Portfolio(const Problem& problem, const PortfolioOptions& options)
        : problem_(problem), options_(options), start_(options.begun.value_or(Clock::now())),
          deadline_(deadline_after(options.budget, start_)), plan_(problem, options)
    {
        state_.seed = options.seed;
        state_.bound = bound_at_once(problem);
        if (!options.checkpoint.empty())
            go_on();
        if (options.start)
            begin_with(*options.start);
        seconds_before_ = state_.seconds;
    }

    PortfolioResult run()
    {
        const SignalWatch signals; // between two rounds nothing else watches
        bool is_settled = false, is_stopped = false;
        try {
            if (state_.round == 0 || was_cut_short())
                first_round();
            check_request();
            while (!is_done()) {
                signals.throw_if_interrupted();
                throw_if_stopped();
                const std::vector<Task> tasks = plan_.next(state_, goal());
                if (is_settled = tasks.empty(); is_settled)
                    break;
                next_round(tasks);
            }
            signals.throw_if_interrupted();
        } catch (const Interrupted& interrupted) {
            if (state_.round == 0)
                throw;
            signal_ = interrupted.exit_status() - 128;
        } catch (const Stopped&) {
            is_stopped = true;
        }
        PortfolioResult result{.schedule = state_.schedule,
                               .engine = state_.engine,
                               .bounds = {.steps = state_.bound},
                               .is_optimal =
                                   state_.schedule && state_.schedule->steps.size() == state_.bound.steps,
                               .seconds = seconds(),
                               .signal = signal_};
        result.end = end_reason(result.is_optimal, signal_ != 0 || is_stopped, !has_goal() && !is_settled);
        return result;
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
        }
        check_request(); // before anything is written
        state_.is_open = true;
        save_checkpoint(options_.checkpoint, problem_, state_);
    }

    void begin_with(const Schedule& start)
    {
        const std::size_t fewer = state_.schedule ? state_.schedule->steps.size() : unlimited;
        auto schedule = valid_start(problem_, unlimited, &start);
        if (!schedule && options_.on_note)
            options_.on_note("the initial schedule is not valid here; engines use its valid parts");
        if (!schedule || schedule->steps.size() >= fewer)
            return;
        state_.schedule = std::move(schedule);
        state_.engine = of_start;
    }

    unsigned goal() const { return options_.steps.value_or(state_.bound.steps); }

    bool has_goal() const { return state_.schedule && state_.schedule->steps.size() <= goal(); }

    bool is_done() const
    {
        return has_goal() || state_.bound.steps > goal() || state_.round >= options_.most_rounds ||
               Clock::now() >= deadline_;
    }

    void check_request() const
    {
        if (state_.bound.steps > goal())
            throw std::invalid_argument(fmt::format("{}: {} steps are not enough, at least {} are needed: {}",
                                                    describe(problem_), goal(), state_.bound.steps,
                                                    state_.bound.reason));
    }

    void throw_if_stopped() const
    {
        if (options_.stop != nullptr && *options_.stop)
            throw Stopped{};
    }

    /// Tasks and progress must outlive it.
    WorkerOptions workers_until(Clock::time_point end, const std::vector<Task>& tasks,
                                const SharedProgress& progress) const
    {
        WorkerOptions workers;
        workers.workers = options_.workers;
        workers.deadline = with_grace(end, std::clamp<Clock::duration>((deadline_ - start_) / 10,
                                                                       std::chrono::milliseconds(200),
                                                                       std::chrono::seconds(2)));
        workers.on_progress = [&](std::size_t, std::size_t) {
            report(tasks, progress);
            throw_if_stopped();
        };
        return workers;
    }

    /// When the first round has to end.
    Clock::time_point end_of_first_round() const
    {
        const std::chrono::duration<double> longest(state_.longest_seconds);
        return std::min(deadline_, start_ + std::chrono::duration_cast<Clock::duration>(longest));
    }

    /// These engines need time more than the others: most of what is left of the budget, all of it if no
    /// other engine comes after them, unless an earlier session has shown that this is too long. Handing over
    /// a schedule of a million transfers takes some of it.
    Clock::time_point end_of_gradual_search()
    {
        const Clock::time_point now = Clock::now();
        if (state_.longest_seconds < SearchState{}.longest_seconds)
            return std::max(now, end_of_first_round());
        const std::uint64_t deliveries = problem_.collective.demands.size();
        return now + time_for_gradual(deadline_ - now, deliveries, plan_.next(state_, goal()).size());
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
        const std::vector<Task> tasks = plan_.constructions(state_.seed);
        const Clock::time_point begin = Clock::now();
        const Clock::time_point end = std::max(begin, end_of_first_round());
        // The last job is the bound.
        SharedProgress progress(tasks.size() + 1);
        std::vector<Order> orders = orders_for(tasks, end);
        orders.push_back({std::nullopt, begin + (end - begin) / 2});
        const auto results = run(orders, progress, workers_until(end, tasks, progress));
        const nlohmann::json& last = results.back();
        const Bound bound =
            last.is_null() ? state_.bound : parse_bound(last["bound"], problem_.topology, "lower bound");
        if (bound.steps > state_.bound.steps || state_.round == 0)
            state_.bound = bound;
        const bool is_cut =
            std::ranges::any_of(results, [](const auto& result) { return result.is_null(); }) ||
            last["is_cut"].get<bool>();
        for (std::size_t i = 0; i < tasks.size(); ++i)
            take(state_, tasks[i], task_result(results[i]));
        const bool is_gradual_cut = !is_done() && !search_gradually(end_of_gradual_search());
        state_.cut_seconds = is_cut || is_gradual_cut ? seconds_between(begin, end) : 0;
        close_round(state_, true);
        save(state_);
    }

    /// The engines that come down by themselves; false if there was no time for all of them.
    bool search_gradually(Clock::time_point end)
    {
        const std::vector<Task> tasks = plan_.gradual(state_, goal());
        SharedProgress progress(tasks.size());
        std::vector<Order> orders;
        // Where there are fewer processes than engines, these take turns.
        const std::size_t at_a_time = orders_at_a_time(options_);
        const auto turns = static_cast<Clock::rep>((tasks.size() + at_a_time - 1) / at_a_time);
        const Clock::time_point begin = Clock::now();
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            const auto turn = static_cast<Clock::rep>(i / at_a_time) + 1;
            orders.push_back({tasks[i], begin + (end - begin) / turns * turn});
        }
        const auto results = run(orders, progress, workers_until(deadline_, tasks, progress));
        for (std::size_t i = 0; i < tasks.size(); ++i)
            take(state_, tasks[i], task_result(results[i]));
        return std::ranges::none_of(results, [](const auto& result) { return result.is_null(); });
    }

    void next_round(const std::vector<Task>& tasks)
    {
        const std::vector<Task> open = open_tasks(tasks);
        SharedProgress progress(open.size());
        std::vector<std::pair<Task, TaskResult>> early; // what there is should a signal end the round
        WorkerOptions workers = workers_until(deadline_, open, progress);
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
            const std::vector<nlohmann::json> results = run(orders_for(open, deadline_), progress, workers);
            for (std::size_t i = 0; i < open.size(); ++i)
                has_come_on = take(state_, open[i], task_result(results[i])) || has_come_on;
        } catch (...) { // a signal, or the flag
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
            return std::ranges::any_of(state_.done, [&](const FinishedTask& done) {
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

    std::vector<nlohmann::json> run(const std::vector<Order>& orders, SharedProgress& progress,
                                    const WorkerOptions& workers) const
    {
        return carry_out(problem_, orders, state_.bound.steps, options_, progress, workers);
    }

    /// What the result makes of the state. True if it comes on: a better schedule or a higher bound.
    bool take(SearchState& state, const Task& task, TaskResult result) const
    {
        // It did not use what it was given, so more will not help.
        if (result.outcome == Outcome::gave_up && result.tried < task.effort / 8)
            state.given_up.insert({std::string(task.engine->name), task.steps});
        if (result.outcome == Outcome::impossible && task.steps >= state.bound.steps) {
            state.bound = proven_bound(
                problem_, task.steps,
                result.tried == 0 ? fmt::format("engine {}, without a search", task.engine->name)
                                  : fmt::format("engine {}, tried {}", task.engine->name, result.tried),
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
        SearchProgress now;
        if (const auto running = progress.first_running(); running && *running < tasks.size()) {
            const auto [tried, unscheduled] = progress.get(*running);
            now.engine = tasks[*running].engine->name;
            now.steps = state_.round == 0 ? 0 : tasks[*running].steps;
            now.tried = tried;
            now.unscheduled = unscheduled;
        }
        now.lower_bound = state_.round == 0 ? 0 : state_.bound.steps;
        if (state_.schedule)
            now.best = static_cast<double>(state_.schedule->steps.size());
        now.seconds = seconds();
        options_.on_progress(now);
    }

    const Problem& problem_;
    const PortfolioOptions& options_;
    Clock::time_point start_;
    Clock::time_point deadline_;
    TaskPlan plan_;
    double seconds_before_ = 0;
    SearchState state_;
    int signal_ = 0;
};

} // namespace

PortfolioResult find_schedule(const Problem& problem, const PortfolioOptions& options)
{
    check(problem);
    if (options.steps == 0U)
        throw std::invalid_argument("0 steps: a schedule has 1 or more");
    if (!(options.budget.count() > 0))
        throw std::invalid_argument("a budget of 0 s: a search takes time");
    if (is_copied_backwards(problem))
        return find_backwards(problem, options);
    return Portfolio(problem, options).run();
}

} // namespace nocturne
