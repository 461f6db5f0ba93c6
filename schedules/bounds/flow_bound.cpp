#include "schedules/bounds/flow_bound.hpp"

#include "schedules/bounds/scatter_cut.hpp"
#include "schedules/flows/least_congestion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

using Clock = std::chrono::steady_clock;
using Lengths = LeastCongestion::Lengths;

/// Arcs looked at by the shortest walks from all senders; what decides how much is tried, so that results do
/// not depend on the machine. A second is worth some ten millions.
constexpr std::uint64_t work_of_weights = 40'000'000;
constexpr std::uint64_t work_of_evening = 300'000'000;
constexpr std::uint64_t work_of_program = 60'000; ///< the most of one pass for which the program is solved
constexpr std::uint64_t most_program_work = 30'000'000;
constexpr std::uint64_t most_rounds = 40;

/// More groups mix routings more freely, fewer make a smaller program.
constexpr std::size_t most_single_messages = 256;

/// In the order of the sources.
std::vector<WalkGroup> groups_of(const Problem& problem)
{
    const auto& messages = problem.collective.messages();
    std::vector<WalkGroup> groups;
    for (const Message& message : messages) {
        const bool alone = messages.size() <= most_single_messages;
        if (alone || groups.empty() || groups.back().source != message.origin)
            groups.push_back({message.origin, {}});
        groups.back().demands.push_back({message.receivers.front(), 1});
    }
    return groups;
}

/// 1 for the channels between the two halves of a grid along a dimension; of a torus, between those halves
/// that the fewest channels join, as some may be missing.
Lengths across_halves(const Topology& topology, std::size_t dimension, std::size_t resources)
{
    const Grid& grid = *topology.grid();
    const unsigned extent = grid.extent[dimension], half = extent / 2;
    Lengths best;
    std::ptrdiff_t fewest = 0;
    for (unsigned first = 0; first < (grid.wraps ? std::max(1U, half) : 1); ++first) {
        const auto is_behind = [&](RouterId router) {
            return (topology.coordinates(router)[dimension] + extent - first) % extent >= half;
        };
        Lengths across(resources, 0);
        for (ChannelId id = 0; id < topology.channel_count(); ++id)
            across[id] =
                is_behind(topology.channel(id).source) != is_behind(topology.channel(id).target) ? 1 : 0;
        const auto channels = std::count(across.begin(), across.end(), 1);
        if (best.empty() || channels < fewest) {
            best = std::move(across);
            fewest = channels;
        }
    }
    return best;
}

/// Every channel 1; the send ports 1; the channels along one dimension of a grid, or between its halves, 1.
void consider_plain_lengths(LeastCongestion& search, const Topology& topology, const WalkGraph& graph)
{
    const std::size_t channels = topology.channel_count();
    Lengths lengths(graph.resource_count(), 0);
    std::fill_n(lengths.begin(), channels, 1);
    search.consider(lengths);
    if (graph.relays() || channels == 0) {
        std::fill_n(lengths.begin(), channels, 0);
        std::fill_n(lengths.begin() + channels, graph.processor_count(), 1);
        search.consider(lengths);
    }
    if (!topology.grid())
        return;
    for (std::size_t dimension = 0; dimension < topology.grid()->extent.size(); ++dimension) {
        Lengths along(graph.resource_count(), 0);
        for (ChannelId id = 0; id < channels; ++id) {
            const auto place = [&](RouterId router) { return topology.coordinates(router)[dimension]; };
            along[id] = place(topology.channel(id).source) != place(topology.channel(id).target) ? 1 : 0;
        }
        search.consider(along);
        search.consider(across_halves(topology, dimension, graph.resource_count()));
    }
}

ChannelLengths by_kind(const Lengths& lengths, const Topology& topology)
{
    const auto ejections = lengths.end() - static_cast<std::ptrdiff_t>(topology.processor_count());
    const auto injections = ejections - static_cast<std::ptrdiff_t>(topology.processor_count());
    return {{lengths.begin(), injections}, {injections, ejections}, {ejections, lengths.end()}};
}

std::string describe_walks(const Problem& problem)
{
    if (!problem.slack)
        return "";
    return *problem.slack == 0
               ? ", over minimal walks"
               : fmt::format(", over walks of up to {} hops more than minimal", *problem.slack);
}

std::string describe_lengths(const Topology& topology, const FlowSolution& solution)
{
    const auto& [channels, injections, ejections] = solution.lengths;
    std::int64_t longest = 0;
    std::size_t taken = 0;
    for (const auto* const lengths : {&channels, &injections, &ejections})
        for (const std::int64_t length : *lengths) {
            longest = std::max(longest, length);
            taken += length > 0 ? 1 : 0;
        }
    const auto some_channels =
        channels.size() - static_cast<std::size_t>(std::count(channels.begin(), channels.end(), 0));
    if (longest > 1 || taken != some_channels)
        return fmt::format(
            "by lengths on {} channels and {} ports, shortest walks add up to {}, and a step offers {}",
            some_channels, taken - some_channels, solution.distance, solution.capacity);
    if (taken == topology.channel_count())
        return fmt::format("the messages need {} hops in all, and a step offers {}", solution.distance,
                           solution.capacity);
    return fmt::format("the messages need {} hops over {} of the {} channels, and a step offers {}",
                       solution.distance, taken, topology.channel_count(), solution.capacity);
}

} // namespace

FlowSolution solve_flow(const Problem& problem, Clock::time_point deadline)
{
    if (!is_personalized(problem.collective))
        throw std::invalid_argument(
            fmt::format("{}: a flow bound is for messages with one receiver", describe(problem)));
    const WalkGraph graph(problem);
    LeastCongestion search(graph, groups_of(problem), CongestionPrecision::whole_steps,
                           {.deadline = deadline});
    if (const auto cut = scatter_cut(problem, graph)) {
        search.consider(*cut);
    } else {
        consider_plain_lengths(search, problem.topology, graph);
        search.follow_weights(static_cast<unsigned>(std::min(most_rounds, work_of_weights / search.work())));
        if (!search.is_settled() && search.work() <= work_of_program)
            search.solve_program(most_program_work);
        else if (!search.is_settled())
            search.even_out(work_of_evening);
        search.simplify();
    }
    const LengthsProof& proof = search.proof();
    return {by_kind(proof.lengths, problem.topology), proof.distance, proof.capacity};
}

std::optional<Bound> flow_bound(const Problem& problem, Clock::time_point deadline)
{
    if (!is_personalized(problem.collective))
        return std::nullopt;
    FlowSolution solution = solve_flow(problem, deadline);
    return Bound{solution.steps(), describe_lengths(problem.topology, solution) + describe_walks(problem),
                 std::move(solution.lengths)};
}

} // namespace nocturne
