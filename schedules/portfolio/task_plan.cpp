#include "schedules/portfolio/task_plan.hpp"

#include "models/routing/random.hpp"
#include "schedules/portfolio/engines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace nocturne {
namespace {

constexpr unsigned any_number = std::numeric_limits<unsigned>::max();

std::vector<unsigned> targets(const SearchState& state, unsigned goal)
{
    const unsigned least = goal;
    std::vector<unsigned> targets{least};
    if (!state.schedule) {
        // Ever looser, and one that takes no luck.
        const unsigned doublings = std::min(state.failures, 20U);
        const std::uint64_t extra = std::max<std::uint64_t>(1, least / 32) << doublings;
        targets.push_back(static_cast<unsigned>(std::min<std::uint64_t>(least + extra, any_number / 4)));
        targets.push_back(2 * targets.back() + 8);
    } else if (const auto best = static_cast<unsigned>(state.schedule->steps.size()); best > least + 1) {
        targets.push_back(least + (best - least) / 2);
        targets.push_back(best - 1);
    }
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    return targets;
}

/// What is owed: of a sum each contribution by itself.
std::uint64_t count_deliveries(const Collective& collective)
{
    if (!reduces(collective))
        return collective.demands.size();
    std::uint64_t contributions = 0;
    for (const Demand& demand : collective.demands)
        contributions += demand.contributors.size();
    return contributions;
}

/// Few messages are better left to engines that search over all of them at once; of somewhat more, gradual
/// engines have a limited turn before these.
constexpr std::uint64_t few_deliveries = 1'000, many_deliveries = 10'000;
constexpr std::uint64_t limited_effort = 20'000'000; // a second or two

} // namespace

TaskPlan::TaskPlan(const Problem& problem, const PortfolioOptions& options)
    : problem_(problem), options_(options), engines_(engines_for(problem, options.engine)),
      deliveries_(count_deliveries(problem.collective))
{
}

std::vector<Task> TaskPlan::constructions(std::uint64_t seed) const
{
    std::vector<Task> tasks;
    for (const Engine* const engine : engines_)
        if (engine->is_construction)
            tasks.push_back({engine, any_number, seed, 0});
    return tasks;
}

std::vector<Task> TaskPlan::gradual(const SearchState& state, unsigned goal)
{
    const unsigned most =
        state.schedule ? static_cast<unsigned>(state.schedule->steps.size()) - 1 : any_number;
    std::vector<Task> tasks;
    if (options_.engine == "auto" && deliveries_ < few_deliveries)
        return tasks;
    const bool is_limited = options_.engine == "auto" && deliveries_ < many_deliveries;
    for (const Engine* const engine : engines_)
        if (engine->is_gradual && fits_into_memory(*engine, std::min(most, 2 * goal), goal))
            tasks.push_back({engine, most, state.seed, is_limited ? limited_effort : 0});
    return tasks;
}

std::vector<Task> TaskPlan::next(const SearchState& state, unsigned goal)
{
    constexpr double first_seconds = 0.1;
    const double seconds =
        std::min(state.longest_seconds, first_seconds * std::pow(3, std::min(state.failures, 20U)));
    const double share = 1000.0 / static_cast<double>(std::max<std::uint64_t>(1, deliveries_));
    const Engine* const alone = state.failures == 0 ? engine_that_comes_first(state, goal) : nullptr;
    std::vector<Task> tasks;
    const std::vector<unsigned> all_targets = targets(state, goal);
    // Once the first round was in vain, those that were left out for few messages are asked, too.
    const bool asks_gradual =
        options_.engine == "auto" && deliveries_ < few_deliveries && state.failures == 1;
    for (const unsigned target : all_targets)
        for (const Engine* const engine : engines_) {
            if (engine->is_gradual && asks_gradual && target == all_targets.back() &&
                fits_into_memory(*engine, target, goal))
                tasks.push_back({engine, target, state.seed, limited_effort});
            if (engine->is_construction || engine->is_gradual || (alone != nullptr && engine != alone) ||
                state.given_up.contains({std::string(engine->name), target}) ||
                !fits_into_memory(*engine, target, goal))
                continue;
            const auto number = static_cast<std::uint64_t>(engine - engines().data());
            SplitMix64 random(state.seed ^ (std::uint64_t{state.round} << 48) ^ (number << 40) ^ target);
            // Less than a placement for each delivery leads nowhere.
            const double effort = std::max(static_cast<double>(engine->effort_per_second) * share * seconds,
                                           2 * static_cast<double>(deliveries_));
            tasks.push_back({engine, target, random(), static_cast<std::uint64_t>(effort) + 1});
        }
    return tasks;
}

const Engine* TaskPlan::engine_that_comes_first(const SearchState& state, unsigned goal) const
{
    const auto comes_first = [&](const Engine* engine) {
        return engine->comes_first != nullptr && engine->comes_first(problem_, goal) &&
               !state.given_up.contains({std::string(engine->name), goal});
    };
    const auto engine = std::find_if(engines_.begin(), engines_.end(), comes_first);
    return engine == engines_.end() ? nullptr : *engine;
}

/// Says what much memory is for, and what is not tried for want of it; an engine that was asked for by
/// name is refused.
bool TaskPlan::fits_into_memory(const Engine& engine, unsigned target, unsigned goal)
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
    const std::string limit = fmt::format("more than the limit of {}", in_gigabytes(options_.most_memory));
    if (!fits && options_.engine != "auto" && target == goal)
        throw std::invalid_argument(fmt::format("{}, {}", text, limit));
    if (options_.on_note && noted_.insert(engine.name).second)
        options_.on_note(fits ? text : fmt::format("{}, {}: engine skipped", text, limit));
    return fits;
}

std::chrono::steady_clock::duration time_for_gradual(std::chrono::steady_clock::duration left,
                                                     std::uint64_t deliveries, std::size_t later_tasks)
{
    using Duration = std::chrono::steady_clock::duration;
    constexpr std::chrono::microseconds for_delivery{10};
    const Duration searching = left - std::min<Duration>(for_delivery * deliveries, left / 4);
    return later_tasks == 0 ? searching : searching / 4 * 3;
}

} // namespace nocturne
