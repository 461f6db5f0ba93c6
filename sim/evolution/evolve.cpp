#include "sim/evolution/evolve.hpp"

#include "schedules/schedule/schedule.hpp"
#include "schedules/schedule/schedule_bytes.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/workers/described_jobs.hpp"
#include "sim/evolution/stop_on_signal.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <stdexcept>

namespace nocturne {
namespace {

using Clock = std::chrono::steady_clock;

/// Keeps every generation at first, later one in fifty at least: a history stays small however long a run is.
class History {
public:
    void add(const Generation& now)
    {
        std::uint64_t& next = next_[now.island];
        last_[now.island] = now;
        if (now.number < next)
            return;
        next = now.number + 1 + now.number / 50;
        records_.push_back(record(now));
    }

    /// With the last generation of each island.
    std::vector<GenerationRecord> take()
    {
        for (const auto& [island, now] : last_)
            if (now.number + 1 + now.number / 50 != next_[island])
                records_.push_back(record(now));
        return std::move(records_);
    }

private:
    static GenerationRecord record(const Generation& now)
    {
        return {now.island, now.number, now.evaluations, now.best, now.mean, now.diversity};
    }

    std::vector<GenerationRecord> records_;
    std::map<std::uint32_t, std::uint64_t> next_;
    std::map<std::uint32_t, Generation> last_;
};

struct OneRun {
    EvolutionRun run;
    std::optional<Schedule> schedule;
};

/// Limits are looked at between epochs: what is found beyond them is no success.
bool is_within_limits(const EvolutionResult& result, const EvolveOptions& options)
{
    return (options.evaluations == 0 || result.evaluations <= options.evaluations) &&
           (options.generations == 0 || result.generations <= options.generations);
}

OneRun evolve_once(const Problem& problem, const EvolveOptions& options, std::uint64_t seed, unsigned workers)
{
    const auto begin = Clock::now();
    const IslandModel model = evolution_model(problem, options.steps, options.parameters,
                                              options.start ? &*options.start : nullptr);
    EvolutionOptions evolution;
    evolution.seed = seed;
    evolution.evaluations = options.evaluations;
    evolution.generations = options.generations;
    evolution.workers = workers;
    evolution.transport = options.transport;
    evolution.end.deadline = begin + options.budget;
    evolution.checkpoint = options.checkpoint;
    History history;
    if (options.record_history)
        evolution.on_generation = [&](const Generation& now) { history.add(now); };
    // Only a checkpoint makes it worth while to stop in good order.
    std::optional<StopOnSignal> signals;
    if (!options.checkpoint.empty())
        evolution.end.stop = &signals.emplace().flag();
    EvolutionResult result = evolve_islands(problem, options.steps, model, evolution);
    if (signals)
        signals->throw_if_interrupted();
    OneRun one;
    one.run.engine = model.engine;
    one.run.seed = seed;
    one.run.steps = options.steps;
    one.run.solved = result.schedule && is_within_limits(result, options);
    one.run.conflicts = result.best;
    one.run.generations = result.generations;
    one.run.evaluations = result.evaluations;
    one.run.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    one.run.history = history.take();
    if (one.run.solved)
        one.schedule = std::move(result.schedule);
    return one;
}

void check_options(const EvolveOptions& options)
{
    if (options.runs == 0)
        throw std::invalid_argument("0 runs: an experiment has 1 or more");
    if (options.budget.count() <= 0)
        throw std::invalid_argument("a budget of 0 s: evolution takes time");
    if (!options.checkpoint.empty() && options.runs > 1)
        throw std::invalid_argument("a checkpoint is for a single run");
}

/// An engine's schedule is judged before anybody sees it.
void judge(const Schedule& schedule, const Problem& problem, const EvolveOptions& options)
{
    if (const auto objection = objection_to(schedule, problem))
        throw std::logic_error(fmt::format("engine {} returned an invalid schedule: {}",
                                           engine_name(options.parameters), *objection));
    if (schedule.steps.size() > options.steps)
        throw std::logic_error(fmt::format("engine {} returned {} steps instead of {}",
                                           engine_name(options.parameters), schedule.steps.size(),
                                           options.steps));
}

/// One of several, in a process of its own.
nlohmann::json run_number(const Problem& problem, EvolveOptions options, unsigned number)
{
    options.transport = nullptr;
    const OneRun one = evolve_once(problem, options, options.seed + number, 1);
    nlohmann::json json{{"run", one.run}};
    if (one.schedule)
        json["steps"] = nlohmann::json::binary(to_bytes(one.schedule->steps));
    return json;
}

std::vector<nlohmann::json> run_all(const Problem& problem, const EvolveOptions& options)
{
    WorkerOptions workers;
    workers.workers = options.workers;
    workers.on_progress = options.on_progress;
    if (options.transport != nullptr) {
        std::vector<JobDescription> descriptions;
        for (unsigned number = 0; number < options.runs; ++number)
            descriptions.emplace_back([number] { return nlohmann::json{{"run", number}}; });
        return run_jobs(*options.transport, descriptions, workers);
    }
    std::vector<Job> jobs;
    for (unsigned number = 0; number < options.runs; ++number)
        jobs.emplace_back([&, number] { return run_number(problem, options, number); });
    return run_jobs(jobs, workers);
}

/// Runs side by side.
EvolveResult evolve_many(const Problem& problem, const EvolveOptions& options)
{
    EvolveResult result;
    for (const nlohmann::json& json : run_all(problem, options)) {
        result.runs.push_back(json["run"].get<EvolutionRun>());
        if (!json.contains("steps") || result.schedule)
            continue;
        result.schedule = empty_schedule(problem, result.runs.back().engine);
        result.schedule->steps = steps_from_bytes(json["steps"].get_binary());
    }
    return result;
}

} // namespace

EvolveResult evolve(const Problem& problem, const EvolveOptions& options)
{
    check(problem);
    check_options(options);
    EvolveResult result;
    if (options.runs > 1) {
        // What is wrong with the problem or a parameter is said once, not by a worker.
        evolution_model(problem, options.steps, options.parameters);
        result = evolve_many(problem, options);
    } else {
        OneRun one = evolve_once(problem, options, options.seed, options.workers);
        result.runs.push_back(std::move(one.run));
        result.schedule = std::move(one.schedule);
        if (options.on_progress)
            options.on_progress(1, 1);
    }
    if (result.schedule)
        judge(*result.schedule, problem, options);
    return result;
}

JobPool::Work evolve_work(const Problem& problem, const EvolveOptions& options)
{
    const auto shared = std::make_shared<const Problem>(problem); // the model refers to it
    const IslandModel model = evolution_model(*shared, options.steps, options.parameters,
                                              options.start ? &*options.start : nullptr);
    return described_work([shared, options, model](const nlohmann::json& description) {
        return description.contains("run") ? run_number(*shared, options, description["run"].get<unsigned>())
                                           : visit_island(model, description);
    });
}

} // namespace nocturne
