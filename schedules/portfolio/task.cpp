#include "schedules/portfolio/task.hpp"

#include "schedules/bounds/infeasibility_bound.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "schedules/problem/copying_problem.hpp"
#include "schedules/schedule/schedule_bytes.hpp"
#include "schedules/sums/sum_schedules.hpp"
#include "schedules/workers/described_jobs.hpp"

#include <algorithm>
#include <limits>
#include <thread>
#include <variant>

namespace nocturne {
namespace {

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

void prove(const Problem& problem, const Task& task, SearchResult& result, const SearchControl& within)
{
    result.outcome = Outcome::gave_up;
    const SolveControl control{.end = {.deadline = within.end.deadline}};
    InfeasibilitySearch search = infeasibility_bound(problem, task.steps, control);
    if (!search.bound)
        return;
    result.outcome = Outcome::impossible;
    result.proof = std::move(std::get<InfeasibilityProof>(search.bound->certificate).proof);
}

} // namespace

nlohmann::json run_task(const Problem& problem, const Task& task, const SearchControl& control,
                        unsigned lower_bound)
{
    SearchResult result = search(*task.engine, problem, task.steps, control);
    if (result.outcome == Outcome::impossible && result.proof.empty()) {
        if (task.steps >= lower_bound)
            prove(problem, task, result, control);
        else
            result.outcome = Outcome::gave_up;
    }
    return to_json(result);
}

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

namespace {

using Clock = std::chrono::steady_clock;

nlohmann::json bound_until(const Problem& problem, Clock::time_point deadline)
{
    const nlohmann::json bound = to_json(lower_bound(problem, deadline), problem.topology);
    return {{"bound", bound}, {"is_cut", Clock::now() >= deadline}};
}

nlohmann::json result_of(const Problem& problem, const Order& order, unsigned lower_bound,
                         const std::optional<Schedule>& start,
                         const std::function<void(const SearchProgress&)>& on_progress)
{
    if (!order.task)
        return bound_until(problem, order.deadline);
    SearchControl control;
    control.seed = order.task->seed;
    control.effort = order.task->effort;
    control.end.deadline = order.deadline;
    control.start = start ? &*start : nullptr;
    control.on_progress = on_progress;
    return run_task(problem, *order.task, control, lower_bound);
}

/// For another process, whose clock is another: the time counts from now.
nlohmann::json description_of(const Order& order, unsigned lower_bound)
{
    const std::chrono::duration<double> left = order.deadline - Clock::now();
    nlohmann::json json{{"seconds", left.count()}};
    if (order.task)
        json.update({{"engine", order.task->engine->name},
                     {"steps", order.task->steps},
                     {"seed", order.task->seed},
                     {"effort", order.task->effort},
                     {"lower_bound", lower_bound}});
    return json;
}

Order order_of(const nlohmann::json& description)
{
    const std::chrono::duration<double> left{description["seconds"].get<double>()};
    Order order{std::nullopt, Clock::now() + std::chrono::duration_cast<Clock::duration>(left)};
    if (description.contains("engine"))
        order.task =
            Task{&find_engine(description["engine"].get<std::string>()), description["steps"].get<unsigned>(),
                 description["seed"].get<std::uint64_t>(), description["effort"].get<std::uint64_t>()};
    return order;
}

} // namespace

std::vector<Order> orders_for(const std::vector<Task>& tasks, Clock::time_point deadline)
{
    std::vector<Order> orders;
    for (const Task& task : tasks)
        orders.push_back({task, deadline});
    return orders;
}

std::vector<nlohmann::json> carry_out(const Problem& problem, const std::vector<Order>& orders,
                                      unsigned lower_bound, const PortfolioOptions& options,
                                      SharedProgress& progress, const WorkerOptions& workers)
{
    if (options.transport) {
        std::vector<JobDescription> descriptions;
        for (const Order& order : orders)
            descriptions.emplace_back([&] { return description_of(order, lower_bound); });
        return run_jobs(*options.transport, descriptions, workers);
    }
    std::vector<Job> jobs;
    for (std::size_t number = 0; number < orders.size(); ++number)
        jobs.emplace_back([&, number] {
            return result_of(
                problem, orders[number], lower_bound, options.start,
                [&](const SearchProgress& now) { progress.set(number, now.tried, now.unscheduled); });
        });
    return run_jobs(jobs, workers);
}

std::size_t orders_at_a_time(const PortfolioOptions& options)
{
    if (options.transport)
        return options.transport->places;
    return options.workers > 0 ? options.workers : std::max(1U, std::thread::hardware_concurrency());
}

JobPool::Work portfolio_work(const Problem& problem, const std::optional<Schedule>& start)
{
    if (is_copied_backwards(problem))
        return portfolio_work(turned(problem),
                              start ? std::optional(run_backwards(*start, turned(problem))) : start);
    return described_work([problem, start](const nlohmann::json& description) {
        const unsigned lower_bound = description.value("lower_bound", 0U);
        return result_of(problem, order_of(description), lower_bound, start, {});
    });
}

} // namespace nocturne
