#include "models/routing/distances.hpp"
#include "schedules/problem/resources.hpp"
#include "schedules/scatter/even_packing.hpp"
#include "schedules/scatter/even_paths.hpp"
#include "schedules/scatter/scatter_engines.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/search/warm_start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

constexpr std::string_view even_engine = "even";
/// Placements for each message.
constexpr std::uint64_t effort_in_all = 20'000;
/// Hops of all paths together: what memory allows.
constexpr std::size_t most_hops = 200'000'000;

/// More paths where they are short and few, and never more than fit into memory.
EvenPathsOptions options_for(const Problem& problem, std::uint64_t seed)
{
    constexpr std::size_t many = 16, fewest = 2;
    const std::size_t messages = problem.collective.messages().size();
    const double hops = std::sqrt(static_cast<double>(problem.topology.router_count()));
    const auto within_memory =
        static_cast<std::size_t>(static_cast<double>(most_hops) / (static_cast<double>(messages) * hops));
    return {.rounds = evening_rounds(messages),
            .most_paths = std::clamp(within_memory, fewest, many),
            .seed = seed};
}

/// Of a schedule to begin with.
struct StartingPlaces {
    std::vector<Path> paths; // by message; empty where it has none
    std::vector<std::uint32_t> steps;
};

StartingPlaces starting_places(const Problem& problem, const Schedule* start)
{
    constexpr unsigned any_number = std::numeric_limits<unsigned>::max();
    StartingPlaces places;
    if (start == nullptr)
        return places;
    for (auto& transfer : straight_transfers(problem, any_number, start)) {
        places.steps.push_back(transfer ? transfer->step : 0);
        places.paths.push_back(transfer ? std::move(transfer->path) : Path{});
    }
    return places;
}

/// Messages that evening has left on their path begin in their step.
std::vector<std::optional<std::uint32_t>> steps_of(const StartingPlaces& start, const PathTable& paths)
{
    std::vector<std::optional<std::uint32_t>> result(start.paths.size());
    for (MessageId id = 0; id < result.size(); ++id) {
        const auto path = paths.path(paths.first_path(id));
        if (!path.empty() &&
            std::equal(path.begin(), path.end(), start.paths[id].begin(), start.paths[id].end()))
            result[id] = start.steps[id];
    }
    return result;
}

} // namespace

bool suits_even_scatter(const Problem& problem)
{
    const auto& messages = problem.collective.messages();
    if (problem.switching != Switching::wormhole || !is_personalized(problem.collective))
        return false;
    std::vector<std::uint32_t> hops;
    ProcessorId origin = ~0u;
    return std::all_of(messages.begin(), messages.end(), [&](const Message& message) {
        if (message.origin != origin) {
            origin = message.origin;
            hops = distances_from(problem.topology, problem.topology.processor(origin).injection);
        }
        return hops[problem.topology.processor(message.receivers.front()).ejection] != unreachable;
    });
}

std::uint64_t memory_of_even_scatter(const Problem& problem, unsigned steps)
{
    const Resources resources(problem);
    // Prices and tags, and a holder for each unit (see HolderTable).
    std::uint64_t step_bytes = 0;
    for (ResourceId id = 0; id < resources.count(); ++id)
        step_bytes += 4 + (resources.is_scarce(id) ? resources.capacity(id) : 0) * sizeof(MessageId);
    // A path in the table, and as a list while it is looked for, which its ports take the place of; the
    // transfers of the schedule.
    constexpr std::uint64_t path_bytes = 100, message_bytes = 300;
    const std::uint64_t messages = problem.collective.messages().size();
    // First fit takes half as many steps again as the fewest.
    return step_bytes * (std::uint64_t{steps} + steps / 2) +
           messages * (message_bytes + options_for(problem, 1).most_paths * path_bytes);
}

SearchResult search_even_scatter(const Problem& problem, unsigned steps, const SearchControl& control)
{
    const std::uint64_t messages = problem.collective.messages().size();
    SearchControl limits = control;
    if (limits.effort == 0)
        limits.effort = effort_in_all * messages;
    const StartingPlaces start = starting_places(problem, control.start);
    EvenPathsOptions options = options_for(problem, control.seed);
    options.start = start.paths;
    options.is_over = [&] { return control.end.has_come(); };
    const PathTable paths = even_paths(problem, options);
    const PathPackingResult packed =
        pack_even_paths(path_resources(problem), paths, limits, steps_of(start, paths));
    SearchResult result{.tried = packed.tried, .unscheduled = packed.unplaced};
    if (packed.unplaced == 0 && packed.steps <= steps) {
        result.outcome = Outcome::found;
        std::vector<StraightTransfer> straight;
        for (const auto& [step, index] : packed.placements) {
            const auto path = paths.path(index);
            straight.push_back({step, Path(path.begin(), path.end())});
        }
        result.schedule = straight_schedule(problem, even_engine, std::move(straight));
    }
    return result;
}

} // namespace nocturne
