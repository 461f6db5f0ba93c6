#include "schedules/chunk_portfolio/chunk_portfolio.hpp"

#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/chunk_flows/flow_schedule.hpp"
#include "schedules/chunk_search/front.hpp"
#include "schedules/chunk_search/round_bounds.hpp"
#include "schedules/chunk_search/timed_search.hpp"
#include "schedules/chunk_trees/chunk_trees.hpp"
#include "schedules/chunks/chunk_validator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array<std::string_view, 3> objective_names{"steps", "bandwidth", "time"};

/// Beyond it the formulas of the exact search have no end.
constexpr std::size_t most_exact_places = 4096;

/// Chunks times members of an all-reduce: 1024 members with a chunk each are searched in seconds.
constexpr std::uint64_t most_sums = std::uint64_t{1} << 20;

ChunkFinding finding_of(ChunkedSchedule schedule, std::string engine, const LinkNetwork& network,
                        const ChunkRequest& request)
{
    if (const auto violations = validate(schedule, network); !violations.empty())
        throw std::logic_error(
            fmt::format("engine {} returned an invalid schedule: {}", engine, violations.front().text));
    ChunkFinding finding;
    finding.cost = cost_of(request, schedule.collective);
    if (schedule.synchronization == ChunkSynchronization::steps)
        finding.cost.latency_holds_link = false; // a step has one alpha: what is claimed is about that
    finding.cycles = time_of(schedule, network, finding.cost);
    finding.schedule = std::move(schedule);
    finding.engine = std::move(engine);
    return finding;
}

/// The front of schedules in exactly so many parts.
std::vector<FrontPoint> front_in_parts(const LinkNetwork& network, const ChunkRequest& request,
                                       FrontConfig config)
{
    const std::uint32_t parts = *request.parts;
    config.most_parts = 1;
    config.extra_rounds = 3 * parts;
    std::vector<FrontPoint> points = find_front(
        network, [&](std::uint32_t) { return request.of_parts(parts); }, config);
    // Halves of an all-reduce have parts of their own.
    std::erase_if(points, [&](const FrontPoint& point) { return point.schedule.collective.parts != parts; });
    return points;
}

/// By S, R and C.
std::optional<ChunkFinding> find_in_steps(const LinkNetwork& network, const ChunkRequest& request)
{
    FrontConfig config;
    config.seconds = request.seconds;
    config.seconds_each = request.seconds / 4;
    if (request.objective == ChunkObjective::steps)
        config.extra_steps = 0;
    std::vector<FrontPoint> points = request.parts ? front_in_parts(network, request, config)
                                                   : find_front(network, request.of_parts, config);
    if (points.empty())
        return std::nullopt;
    FrontPoint& point = request.objective == ChunkObjective::steps ? points.front() : points.back();
    const auto fewest = least_steps(network, point.schedule.collective).value_or(0);
    ChunkFinding finding = finding_of(std::move(point.schedule), "exact", network, request);
    finding.is_optimal = request.objective == ChunkObjective::steps ? point.steps == fewest && point.is_proven
                                                                    : point.is_least;
    return finding;
}

/// Few chunks where latency counts, many where bandwidth does. Each sum of an all-reduce is made at one
/// member: so many parts as members, or a multiple, share that out evenly.
std::vector<std::uint32_t> parts_to_try(const ChunkedCollective& one)
{
    if (one.kind != ChunkedKind::allreduce)
        return {1, 2, 4, 8, 16};
    const auto members = static_cast<std::uint32_t>(one.chunks.front().contributors.size());
    std::vector<std::uint32_t> parts{1, 4, 16};
    for (const std::uint32_t multiple : {members, 2 * members, 4 * members})
        if (std::uint64_t{multiple} * members <= most_sums)
            parts.push_back(multiple);
    return parts;
}

/// A schedule by time.
struct TimedCandidate {
    ChunkedSchedule schedule;
    std::string engine;
    double cycles;
};

/// From the search by time, or over flows or packed trees if that is faster.
std::optional<TimedCandidate> search_candidate(const LinkNetwork& network,
                                               const ChunkedCollective& collective, const TimedConfig& config)
{
    auto found = search_by_time(network, collective, config);
    if (!found)
        return std::nullopt;
    TimedCandidate candidate{std::move(found->schedule), "time", found->cycles};
    const auto keep = [&](auto other, const char* engine) {
        if (other && other->cycles < candidate.cycles)
            candidate = {std::move(other->schedule), engine, other->cycles};
    };
    keep(spread_over_trees(network, collective,
                           {.cost = config.cost,
                            .seed = config.seed,
                            .seconds = config.seconds / 4,
                            .packing_seconds = config.seconds}),
         "trees");
    keep(schedule_flow(network, collective, {.cost = config.cost, .seconds = config.seconds}), "flow");
    return candidate;
}

std::optional<ChunkFinding> find_by_time(const LinkNetwork& network, const ChunkRequest& request)
{
    const std::vector<std::uint32_t> candidates =
        request.parts ? std::vector{*request.parts} : parts_to_try(request.of_parts(1));
    const Clock::time_point begin = Clock::now();
    const auto is_late = [&] {
        return std::chrono::duration<double>(Clock::now() - begin).count() > request.seconds;
    };
    std::optional<ChunkFinding> best;
    for (std::size_t i = 0; i < candidates.size() && !(best && is_late()); ++i) {
        const ChunkedCollective collective = request.of_parts(candidates[i]);
        TimedConfig config;
        config.cost = cost_of(request, collective);
        config.seed = request.seed;
        config.seconds = request.seconds / static_cast<double>(candidates.size());
        auto found = search_candidate(network, collective, config);
        if (!found)
            return std::nullopt;
        if (best && found->cycles >= best->cycles)
            continue;
        best = finding_of(std::move(found->schedule), std::move(found->engine), network, request);
    }
    return best;
}

} // namespace

std::string_view to_string(ChunkObjective objective)
{
    return objective_names[static_cast<std::size_t>(objective)];
}

ChunkObjective parse_chunk_objective(std::string_view text)
{
    const auto found = std::find(objective_names.begin(), objective_names.end(), text);
    if (found == objective_names.end())
        throw std::invalid_argument(
            fmt::format("unknown objective '{}': it is steps, bandwidth or time", text));
    return static_cast<ChunkObjective>(found - objective_names.begin());
}

AlphaBeta cost_of(const ChunkRequest& request, const ChunkedCollective& collective)
{
    return {.bytes_per_weight = request.bytes / static_cast<double>(largest_contribution(collective)),
            .start_cycles = request.start_cycles,
            .latency_holds_link = request.latency_holds_link};
}

std::uint64_t largest_contribution(const ChunkedCollective& collective)
{
    std::vector<std::uint64_t> weights(collective.processors, 0);
    for (const Chunk& chunk : collective.chunks)
        for (const std::uint32_t contributor : chunk.contributors)
            weights[contributor] += chunk.weight;
    return *std::max_element(weights.begin(), weights.end());
}

namespace {

/// Are its rounds at most a tenth more than the bound?
bool is_near_bound(const LinkNetwork& network, const ChunkFinding& finding)
{
    if (finding.is_optimal)
        return true;
    const auto bound = best_chunk_bound(network, finding.schedule.collective);
    return bound &&
           10 * count_rounds(finding.schedule) * bound->rounds.denominator <= 11 * bound->rounds.numerator;
}

std::optional<ChunkFinding> find_any(const LinkNetwork& network, const ChunkRequest& request)
{
    const ChunkedCollective one = request.of_parts(request.parts.value_or(1));
    if (request.objective == ChunkObjective::time ||
        network.node_count() * one.chunks.size() > most_exact_places)
        return find_by_time(network, request);
    const Clock::time_point begin = Clock::now();
    auto found = find_in_steps(network, request);
    if (found && (request.objective == ChunkObjective::steps || is_near_bound(network, *found)))
        return found;
    ChunkRequest rest = request;
    rest.seconds -= std::chrono::duration<double>(Clock::now() - begin).count();
    rest.seconds = std::max(rest.seconds, request.seconds / 10);
    auto by_time = find_by_time(network, rest);
    return found && !(by_time && by_time->cycles < found->cycles) ? std::move(found) : std::move(by_time);
}

} // namespace

std::optional<ChunkFinding> find_chunked_schedule(const LinkNetwork& network, const ChunkRequest& request)
{
    if (!(request.bytes > 0))
        throw std::invalid_argument("0 bytes: a collective moves some");
    if (!(request.seconds > 0))
        throw std::invalid_argument("a budget of 0 s: a search takes time");
    std::optional<ChunkFinding> found = find_any(network, request);
    if (!found)
        return std::nullopt;
    found->claims = best_chunk_claims(network, found->schedule.collective, found->cost);
    if (request.objective == ChunkObjective::time && found->claims.time)
        found->is_optimal = found->cycles <= found->claims.time->cycles * (1 + 1e-9);
    return found;
}

} // namespace nocturne
