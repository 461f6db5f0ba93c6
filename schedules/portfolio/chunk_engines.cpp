#include "schedules/portfolio/chunk_engines.hpp"

#include "schedules/chunk_flows/flow_schedule.hpp"
#include "schedules/chunk_search/translated_search.hpp"
#include "schedules/chunk_search/turned_network.hpp"
#include "schedules/chunk_trees/chunk_trees.hpp"
#include "schedules/conversion/conversion.hpp"
#include "schedules/portfolio/construct.hpp"
#include "schedules/problem/copying_problem.hpp"
#include "schedules/schedule/schedule_bytes.hpp"
#include "schedules/workers/ordered_jobs.hpp"
#include "schedules/workers/process.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace nocturne {
namespace {

/// Nodes times links: beyond it the flows to every receiver alone take minutes.
constexpr std::size_t most_for_trees = 100'000;

/// Edges that flows look at; a second is worth some ten millions.
constexpr std::uint64_t most_packing_work = 10'000'000;

/// Chunks times demands: beyond it the search by time takes minutes, and other engines do better.
constexpr double most_choices = 2e10;
constexpr double most_choices_in_all = 4e8; ///< of all runs: a second or two

/// Hops of chunks that orders of flows and trees are tried for, in all: some seconds.
constexpr double most_ordered_hops = 4'000'000;

} // namespace

ChunkEngines::ChunkEngines(const ChunkProblem& problem, const PortfolioOptions& options, const SearchEnd& end,
                           BestSchedule& best)
    : network_(problem.objective == ChunkObjective::time ? problem.network
                                                         : without_latencies(problem.network)),
      problem_(problem), options_(options), end_(end), best_(best),
      owed_(owed_pairs(problem.collective).value_or(OwedPairs{}))
{
}

/// A round is a cycle where rounds count.
AlphaBeta ChunkEngines::cost_for(const Collective& collective) const
{
    if (problem_.objective == ChunkObjective::time)
        return cost_of(problem_, collective);
    return {.bytes_per_weight = static_cast<double>(network_.unit_bytes_per_cycle())};
}

void ChunkEngines::construct(const PartsTask&)
{
    const Collective& one = problem_.collective;
    const auto offer_hops = [&] {
        if (problem_.objective != ChunkObjective::steps)
            if (const auto hops = constructed_steps(*problem_.topology, one, Switching::store_and_forward))
                best_.offer(chunks_of_steps(*hops, network_), "construct");
    };
    const bool is_of_pairs = !owed_.demands.empty();
    if (is_of_pairs) // of these many are at the bound, and judging a million transfers takes its time
        offer_hops();
    if (const auto steps = constructed_steps(*problem_.topology, one))
        offer_steps(*steps);
    if (!is_of_pairs)
        offer_hops();
}

void ChunkEngines::offer_steps(const Schedule& steps)
{
    if (owed_.demands.empty()) {
        best_.offer(chunks_of_steps(steps, network_), "construct");
        return;
    }
    flow_ = flow_of_steps(steps, network_, owed_);
    flow_engine_ = "construct";
    if (problem_.objective != ChunkObjective::time) { // links carry in each round what they do in a step
        best_.offer(chunks_of_steps(steps, network_), flow_engine_);
        return;
    }
    const SearchEnd end = best_.is_empty() ? SearchEnd{.stop = end_.stop} : end_;
    if (!best_.is_empty() && end.has_come())
        return;
    if (auto found = flow_schedule(*flow_, problem_.collective, 1, options_.seed, end))
        best_.offer(std::move(*found), flow_engine_);
}

bool ChunkEngines::begins_translated() const
{
    return problem_.objective == ChunkObjective::time && problem_.parts.value_or(1) == 1 &&
           is_large(problem_.collective);
}

void ChunkEngines::begin_translated()
{
    const Collective& one = problem_.collective;
    if (auto found = search_translated(network_, one, {.cost = cost_for(one)})) {
        exchange_in_one_part_ = {found->cycles, static_cast<double>(count_transfers(found->schedule))};
        best_.offer(std::move(found->schedule), "time");
    }
}

void ChunkEngines::begin()
{
    // What takes milliseconds is not cut: there is something then, however busy the machine is, or how early
    // the flag is set.
    constexpr std::size_t most_uncut = 100'000; // demands times links
    const Collective& one = problem_.collective;
    const SearchEnd end = one.demands.size() * network_.link_count() <= most_uncut ? SearchEnd{} : end_;
    if (owed_.demands.empty()) {
        const AlphaBeta cost = cost_for(one);
        if (auto found =
                search_by_time(network_, one, {.cost = cost, .seed = options_.seed, .runs = 1, .end = end})) {
            was_cut_ = was_cut_ || found->is_cut;
            // Without runs chance has decided nothing: the same would be made again.
            if (found->runs == 0 && !owes_whole(one))
                exchange_in_one_part_ = {found->cycles,
                                         static_cast<double>(count_transfers(found->schedule))};
            best_.offer(std::move(found->schedule), "time");
        }
    } else if (auto direct = search_by_time(
                   network_, one, {.cost = cost_for(one), .seed = options_.seed, .runs = 0, .end = end})) {
        was_cut_ = was_cut_ || direct->is_cut;
        best_.offer(std::move(direct->schedule), "time");
    } else if (const auto shortest =
                   least_congested_flow(network_, owed_.demands, FlowEffort::shortest, end)) {
        auto found = schedule_over(*shortest, *owed_pairs(one), network_, one,
                                   {.cost = cost_for(one),
                                    .seed = options_.seed,
                                    .runs = 1,
                                    .end = {.stop = end_.stop}}); // there is nothing yet
        if (found)
            best_.offer(std::move(found->schedule), "flow");
    }
}

void ChunkEngines::offer_flow()
{
    constexpr std::uint32_t runs = 2;
    if (searched_flow() == nullptr || end_.has_come())
        return;
    if (auto found = flow_schedule(*flow_, problem_.collective, runs, options_.seed, end_))
        best_.offer(std::move(*found), flow_engine_);
}

void ChunkEngines::attempt(const std::function<void()>& engine)
{
    try {
        engine();
    } catch (const std::invalid_argument&) {
        note_failure();
    } catch (const std::length_error&) {
        note_failure();
    } catch (const std::bad_alloc&) {
        note_failure();
    }
}

/// The exception that is being handled, if it is the first.
void ChunkEngines::note_failure()
{
    if (!failure_)
        failure_ = std::current_exception();
}

double ChunkEngines::find_in(const PartsTask& task, std::span<const Engine* const> engines)
{
    least_ = std::numeric_limits<double>::infinity();
    found_in_task_ = 0;
    orders_.reset();
    if (!is_reporting_)
        best_.leave_judging();
    const auto begun = SearchEnd::Clock::now();
    attempt([&] {
        collective_ = in_parts(problem_.collective, task.parts);
        for (const Engine* const engine : engines)
            if (engine->by_objective->turn == EngineTurn::parts) {
                report(engine->name, task.parts);
                (this->*engine->by_objective->search)(task);
            }
    });
    seconds_a_part_ = std::chrono::duration<double>(SearchEnd::Clock::now() - begun).count() / task.parts;
    return least_;
}

void ChunkEngines::try_parts(std::span<const PartsTask> tasks, std::span<const Engine* const> engines,
                             const std::function<bool(const PartsTask&)>& is_wanted,
                             const std::function<void(const PartsTask&, double least)>& take)
{
    before_ = {.is_empty = best_.is_empty(), .too_many = too_many_for_trees_, .trees_lead = trees_lead_at_};
    if (!before_.is_empty)
        before_.transfers_a_part =
            static_cast<double>(count_transfers(best_.schedule())) / best_.schedule().collective.parts;
    std::size_t bettered_before = 0;
    OrderedJobs<double> jobs;
    jobs.count = tasks.size();
    jobs.is_wanted = [&](std::size_t job) { return is_wanted(tasks[job]); };
    jobs.make = [&](std::size_t job) { return find_in(tasks[job], engines); };
    jobs.take = [&](std::size_t job, double least) { take(tasks[job], least); };
    jobs.encode = [&](double least) { return state_after(least, bettered_before); };
    jobs.decode = [&](std::size_t, const nlohmann::json& state) { return take_over(state); };
    jobs.is_stopped = [&] { return end_.is_stopped(); };
    jobs.least_to_hand_over = least_to_hand_over(tasks);
    jobs.on_hand_over = [&] {
        bettered_before = best_.times_bettered();
        is_reporting_ = false;
    };
    WorkerOptions workers{.workers = options_.workers, .deadline = with_grace(end_.deadline)};
    workers.on_progress = [&](std::size_t done, std::size_t) {
        is_reporting_ = true;
        report({}, tasks[std::min(done, tasks.size() - 1)].parts);
        is_reporting_ = false;
    };
    run_in_order(jobs, std::move(workers));
    is_reporting_ = true;
}

/// While numbers double, the next takes as long as all before it and is seldom wanted by the time it is made.
std::chrono::duration<double> ChunkEngines::least_to_hand_over(std::span<const PartsTask> tasks) const
{
    const auto is_quick = [](const PartsTask& task) { return task.effort == PartsTask::Effort::quick; };
    if (std::ranges::any_of(tasks, is_quick))
        return std::chrono::duration<double>::max();
    const std::chrono::duration<double> least = options_.least_to_hand_over;
    const bool is_known_long = !tasks.empty() && seconds_a_part_ * tasks.front().parts >= least.count();
    return is_known_long ? std::chrono::duration<double>{} : least;
}

/// In another process: what the parent has to know of it.
nlohmann::json ChunkEngines::state_after(double least, std::size_t bettered_before) const
{
    nlohmann::json state{{"least", std::isfinite(least) ? nlohmann::json(least) : nlohmann::json()},
                         {"transfers_a_part", found_in_task_},
                         {"too_many_for_trees", too_many_for_trees_},
                         {"trees_lead_at", trees_lead_at_},
                         {"was_cut", was_cut_}};
    if (best_.times_bettered() != bettered_before) {
        state["engine"] = best_.engine();
        state["parts"] = best_.schedule().collective.parts;
        state["schedule"] = nlohmann::json::binary(to_bytes(best_.schedule()));
    }
    if (failure_)
        try {
            std::rethrow_exception(failure_);
        } catch (...) {
            state["failure"] = nlohmann::json::binary(current_failure());
        }
    return state;
}

double ChunkEngines::take_over(const nlohmann::json& state)
{
    if (const auto found = state["transfers_a_part"].get<double>(); found > 0)
        transfers_a_part_ = found;
    too_many_for_trees_ = std::min(too_many_for_trees_, state["too_many_for_trees"].get<std::uint32_t>());
    trees_lead_at_ = std::min(trees_lead_at_, state["trees_lead_at"].get<std::uint32_t>());
    was_cut_ = was_cut_ || state["was_cut"].get<bool>();
    if (state.contains("schedule"))
        best_.offer(schedule_from_bytes(state["schedule"].get_binary(),
                                        in_parts(problem_.collective, state["parts"].get<std::uint32_t>())),
                    state["engine"].get<std::string>());
    if (state.contains("failure"))
        try {
            rethrow_failure(state["failure"].get_binary());
        } catch (...) {
            note_failure();
        }
    return state["least"].is_null() ? std::numeric_limits<double>::infinity() : state["least"].get<double>();
}

void ChunkEngines::report(std::string_view engine, std::uint32_t parts) const
{
    if (options_.on_progress && is_reporting_)
        options_.on_progress({.engine = engine,
                              .parts = parts,
                              .best = best_.is_empty() ? std::nullopt : std::optional(best_.value())});
}

void ChunkEngines::offer(Schedule schedule, double cycles, std::string_view engine)
{
    const std::uint32_t parts = schedule.collective.parts;
    transfers_a_part_ = found_in_task_ = static_cast<double>(count_transfers(schedule)) / parts;
    // What an end cuts short, more time may find in another order, in more rounds.
    if (problem_.objective != ChunkObjective::time && end_.has_come() && !best_.is_empty())
        return;
    least_ = std::min(least_, problem_.objective == ChunkObjective::time ? cycles : cycles / parts);
    best_.offer(std::move(schedule), engine);
}

/// Each link chooses among the chunks of the whole network.
double ChunkEngines::choices() const
{
    return static_cast<double>(collective_.demands.size()) * static_cast<double>(collective_.chunks.size());
}

std::uint32_t ChunkEngines::runs_of(const PartsTask& task) const
{
    return static_cast<std::uint32_t>(
        task.effort == PartsTask::Effort::quick ? 2 : std::clamp(most_choices_in_all / choices(), 2.0, 20.0));
}

std::uint32_t ChunkEngines::orders_of(const PartsTask& task)
{
    const double a_part = found_in_task_ > 0 ? found_in_task_ : before_.transfers_a_part;
    const double hops = std::max(a_part * task.parts, static_cast<double>(collective_.demands.size()));
    if (!orders_)
        orders_ = static_cast<std::uint32_t>(std::clamp(most_ordered_hops / hops, 1.0, 0.5 * runs_of(task)));
    return *orders_;
}

void ChunkEngines::search_time(const PartsTask& task)
{
    const bool has_trees = std::isfinite(least_);
    if (has_trees && task.parts > before_.trees_lead) // of more chunks it takes long, and is behind
        return;
    if (task.parts == 1 && exchange_in_one_part_) {
        transfers_a_part_ = found_in_task_ = exchange_in_one_part_->transfers;
        least_ = std::min(least_, exchange_in_one_part_->cycles);
        return;
    }
    const bool has_too_many = (!before_.is_empty || task.parts > 1) && choices() > most_choices;
    const TimedConfig config{
        .cost = cost_for(collective_), .seed = task.seed, .runs = runs_of(task), .end = end_};
    if (auto found = has_too_many ? search_translated(network_, collective_, config)
                                  : search_by_time(network_, collective_, config)) {
        was_cut_ = was_cut_ || found->is_cut;
        if (has_trees && problem_.objective == ChunkObjective::time && least_ < found->cycles)
            trees_lead_at_ = std::min(trees_lead_at_, task.parts);
        offer(std::move(found->schedule), found->cycles, "time");
    }
}

void ChunkEngines::search_trees(const PartsTask& task)
{
    if (task.parts >= before_.too_many || end_.has_come() ||
        network_.node_count() * network_.link_count() > most_for_trees)
        return;
    const bool is_quick = task.effort == PartsTask::Effort::quick;
    const PackedTreesConfig config{.cost = cost_for(collective_),
                                   .seed = task.seed,
                                   .runs = orders_of(task),
                                   .packing_work = most_packing_work,
                                   .only_in_boxes = is_quick,
                                   .end = end_};
    const bool has_halves = reduces(collective_) && !can_be_turned(collective_) && owes_whole(collective_);
    auto found = has_halves ? all_reduce_over_trees(network_, collective_, config)
                            : spread_over_trees(network_, collective_, config);
    if (found)
        offer(std::move(found->schedule), found->cycles, "trees");
    else if (!end_.has_come() && !is_quick)
        too_many_for_trees_ = std::min(too_many_for_trees_, task.parts);
}

void ChunkEngines::search_flow(const PartsTask& task)
{
    searched_flow();
    if (!flow_ || end_.has_come())
        return;
    auto found = flow_schedule(scaled(*flow_, task.parts), collective_, orders_of(task), task.seed, end_);
    if (!found)
        return;
    const double cycles = time_of(*found, network_, cost_for(collective_));
    offer(std::move(*found), cycles, flow_engine_);
}

std::optional<Schedule> ChunkEngines::flow_schedule(const LinkFlow& flow, const Collective& collective,
                                                    std::uint32_t runs, std::uint64_t seed,
                                                    const SearchEnd& end) const
{
    auto found = schedule_over(flow, *owed_pairs(collective), network_, collective,
                               {.cost = cost_for(collective), .seed = seed, .runs = runs, .end = end});
    return found ? std::optional(std::move(found->schedule)) : std::nullopt;
}

const LinkFlow* ChunkEngines::searched_flow()
{
    if (!owed_.demands.empty() && !std::exchange(has_searched_flow_, true)) {
        // Where a construction is at the bound, even lengths mostly prove it.
        const auto shortest =
            flow_ ? least_congested_flow(network_, owed_.demands, FlowEffort::shortest, end_) : std::nullopt;
        if (!shortest || flow_->rounds > shortest->least_rounds * (1 + 1e-6))
            searched_flow_ = least_congested_flow(network_, owed_.demands, FlowEffort::least, end_);
        // In rounds a construction's paths have been tried with the construction.
        const double margin = problem_.objective == ChunkObjective::time ? -1e-6 : 1e-6;
        if (searched_flow_ && (!flow_ || searched_flow_->rounds < flow_->rounds * (1 + margin))) {
            flow_ = searched_flow_;
            flow_engine_ = "flow";
        }
    }
    return searched_flow_ ? &*searched_flow_ : nullptr;
}

} // namespace nocturne
