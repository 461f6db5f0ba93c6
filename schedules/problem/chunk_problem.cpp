#include "schedules/problem/chunk_problem.hpp"

#include "models/routing/switching.hpp"
#include "models/text/unknown_name.hpp"
#include "schedules/problem/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace nocturne {

std::string_view to_string(ChunkObjective objective)
{
    constexpr std::array<std::string_view, 3> names{"steps", "bandwidth", "time"};
    return names[static_cast<std::size_t>(objective)];
}

ChunkObjective parse_chunk_objective(std::string_view text)
{
    return value_named("objective", text,
                       {ChunkObjective::steps, ChunkObjective::bandwidth, ChunkObjective::time});
}

void check(const ChunkProblem& problem)
{
    if (problem.collective.processors != problem.network.processor_count())
        throw std::invalid_argument(fmt::format("{} has {} processors, the collective is for {}",
                                                problem.network.name(), problem.network.processor_count(),
                                                problem.collective.processors));
    if (!(problem.bytes > 0))
        throw std::invalid_argument("0 bytes: a collective moves some");
    if (problem.parts == 0U)
        throw std::invalid_argument("0 chunks, it takes at least 1");
}

namespace {

std::string in_words(std::string_view collective, std::string_view network,
                     std::optional<ChunkObjective> objective)
{
    std::string text =
        fmt::format("{} on {}, {}", collective, network, to_string(Switching::memory_to_memory));
    if (objective)
        text += fmt::format(", for {}", to_string(*objective));
    return text;
}

} // namespace

std::string describe_chunks(const Collective& collective, std::string_view network,
                            std::optional<ChunkObjective> objective)
{
    return in_words(describe(collective), network, objective);
}

std::string describe(const ChunkProblem& problem)
{
    return in_words(describe(problem.collective, problem.parts.value_or(1)), problem.network.name(),
                    problem.objective);
}

MadeFor setting_of(const ChunkProblem& problem)
{
    return {.bytes = static_cast<std::uint64_t>(std::llround(problem.bytes)),
            .start_cycles = problem.start_cycles,
            .latency_holds_link = problem.latency_holds_link};
}

AlphaBeta cost_of(const ChunkProblem& problem, const Collective& collective)
{
    return {.bytes_per_weight = problem.bytes / static_cast<double>(largest_contribution(collective)),
            .start_cycles = problem.start_cycles,
            .latency_holds_link = problem.latency_holds_link};
}

std::uint64_t largest_contribution(const Collective& collective)
{
    std::vector<std::uint64_t> weights(collective.processors, 0);
    for (const Chunk& chunk : collective.chunks)
        for (const std::uint32_t contributor : chunk.contributors)
            weights[contributor] += chunk.weight;
    return *std::max_element(weights.begin(), weights.end());
}

} // namespace nocturne
