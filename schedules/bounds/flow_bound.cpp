#include "models/routing/distances.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/flows/least_congestion.hpp"
#include "schedules/flows/network_flow.hpp"

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

/// Is each channel on minimal walks from the only origin, or to the only receiver?
std::vector<bool> minimal_channels(const Problem& problem, bool one_origin)
{
    const Topology& topology = problem.topology;
    const Message& message = problem.collective.messages().front();
    const auto hops = one_origin
                          ? distances_from(topology, topology.processor(message.origin).injection)
                          : distances_to(topology, topology.processor(message.receivers.front()).ejection);
    std::vector<bool> minimal;
    for (const Channel& channel : topology.channels()) {
        const auto [near, far] = one_origin ? std::pair{channel.source, channel.target}
                                            : std::pair{channel.target, channel.source};
        minimal.push_back(hops[near] != unreachable && hops[near] + 1 == hops[far]);
    }
    return minimal;
}

/// The walks of all messages: `graph` without the arcs that lead nowhere.
std::vector<WalkGraph::Arc> usable_arcs(const Problem& problem, const WalkGraph& graph, bool one_origin)
{
    const auto minimal = graph.slack() ? minimal_channels(problem, one_origin)
                                       : std::vector<bool>(problem.topology.channel_count(), true);
    std::vector<bool> sends(graph.vertex_count(), false);
    std::vector<bool> receives(graph.vertex_count(), false);
    for (const Message& message : problem.collective.messages()) {
        sends[message.origin] = true;
        receives[message.receivers.front()] = true;
    }
    std::vector<WalkGraph::Arc> arcs;
    for (const WalkGraph::Arc& arc : graph.arcs()) {
        const bool is_usable = graph.is_channel(arc)                ? minimal[arc.resource]
                               : graph.relays()                     ? true
                               : arc.from < graph.processor_count() ? sends[arc.from]
                                                                    : receives[arc.to];
        if (is_usable)
            arcs.push_back(arc);
    }
    return arcs;
}

struct Cut {
    std::vector<std::int64_t> lengths; ///< 1 for its resources
    std::int64_t steps;                ///< that the messages across it need
};

/// A minimum cut that `steps` steps cannot bring all messages through; nothing if there is none.
std::optional<Cut> tight_cut(const Problem& problem, const WalkGraph& graph,
                             const std::vector<WalkGraph::Arc>& arcs, std::int64_t steps)
{
    const auto source = static_cast<std::uint32_t>(graph.vertex_count());
    const std::uint32_t sink = source + 1;
    MaxFlow flow(graph.vertex_count() + 2);
    for (const WalkGraph::Arc& arc : arcs)
        flow.add_arc(arc.from, arc.to,
                     arc.resource == no_resource
                         ? MaxFlow::unlimited
                         : static_cast<std::int64_t>(graph.capacity(arc.resource)) * steps);
    for (const Message& message : problem.collective.messages()) {
        flow.add_arc(source, message.origin, 1);
        flow.add_arc(message.receivers.front(), sink, 1);
    }
    if (flow.run(source, sink) == static_cast<std::int64_t>(problem.collective.messages().size()))
        return std::nullopt;
    Cut cut{std::vector<std::int64_t>(graph.resource_count(), 0), 0};
    std::int64_t capacity = 0;
    for (const WalkGraph::Arc& arc : arcs)
        if (flow.is_on_source_side(arc.from) && !flow.is_on_source_side(arc.to)) {
            cut.lengths[arc.resource] = 1;
            capacity += static_cast<std::int64_t>(graph.capacity(arc.resource));
        }
    const auto across = std::ranges::count_if(problem.collective.messages(), [&](const Message& message) {
        return flow.is_on_source_side(message.origin) && !flow.is_on_source_side(message.receivers.front());
    });
    cut.steps = (across + capacity - 1) / capacity;
    return cut;
}

/// Lengths 0 and 1, by resource, that prove the best flow bound of a scatter with one sender or one receiver:
/// a minimum cut, through which the fewest steps' capacity does not suffice. Nothing if neither all origins
/// nor all receivers are the same processor, or under a slack other than 0, when walks that share a channel
/// may have different hops left.
std::optional<std::vector<std::int64_t>> scatter_cut(const Problem& problem, const WalkGraph& graph)
{
    const auto& messages = problem.collective.messages();
    const auto all_share = [&](auto end) {
        return std::ranges::all_of(
            messages, [&](const Message& message) { return end(message) == end(messages.front()); });
    };
    const bool one_origin = all_share([](const Message& message) { return message.origin; });
    const bool one_receiver = all_share([](const Message& message) { return message.receivers.front(); });
    if ((!one_origin && !one_receiver) || graph.slack().value_or(0) > 0)
        return std::nullopt;
    const auto arcs = usable_arcs(problem, graph, one_origin);
    // Steps rise to what the cut at hand proves, until no cut is too tight: the last one that was proves the
    // bound.
    std::vector<std::int64_t> lengths(graph.resource_count(), 1);
    std::int64_t steps = 1;
    while (auto cut = tight_cut(problem, graph, arcs, steps)) {
        lengths = std::move(cut->lengths);
        steps = cut->steps;
    }
    return lengths;
}

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
        const auto channels = std::ranges::count(across, 1);
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
    const auto some_channels = channels.size() - static_cast<std::size_t>(std::ranges::count(channels, 0));
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
