#include "schedules/bounds/flow_bound.hpp"

#include "schedules/bounds/congestion_program.hpp"
#include "schedules/bounds/evened_load.hpp"
#include "schedules/bounds/scatter_cut.hpp"
#include "schedules/bounds/shortest_walks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

using Clock = std::chrono::steady_clock;
using Lengths = std::vector<std::int64_t>; // by resource

/// Arcs looked at by the shortest walks from all senders; what decides how much is tried, so that results do
/// not depend on the machine. A second is worth some ten millions.
constexpr std::uint64_t work_of_weights = 40'000'000;
constexpr std::uint64_t work_of_evening = 300'000'000;
constexpr std::uint64_t work_of_program = 60'000; ///< the most of one pass for which the program is solved
constexpr unsigned most_rounds = 40;
constexpr unsigned most_evenings = 60;
constexpr unsigned most_iterations = 400;
/// Shares of loads, by group and resource, that are kept at most.
constexpr std::size_t most_shares = 30'000'000;

/// The finest lengths; sums over 2^24 messages and their hops stay below 2^63.
constexpr std::int64_t finest = 1 << 20;

/// More groups mix routings more freely, fewer make a smaller program.
constexpr std::size_t most_single_messages = 256;

/// Messages that the program routes together.
struct Group {
    ProcessorId source;
    std::vector<WalkDemand> demands;
};

/// In the order of the sources.
std::vector<Group> groups_of(const Problem& problem)
{
    const auto& messages = problem.collective.messages();
    std::vector<Group> groups;
    for (const Message& message : messages) {
        const bool alone = messages.size() <= most_single_messages;
        if (alone || groups.empty() || groups.back().source != message.origin)
            groups.push_back({message.origin, {}});
        groups.back().demands.push_back({message.receivers.front(), 1});
    }
    return groups;
}

/// How a group is routed: what it puts on each resource that it uses.
using Loads = std::vector<Load>;

/// Whole numbers in the ratio of `weights`, the largest `largest`.
Lengths rounded(const std::vector<double>& weights, std::int64_t largest)
{
    const double most = *std::max_element(weights.begin(), weights.end());
    Lengths lengths(weights.size());
    std::transform(weights.begin(), weights.end(), lengths.begin(),
                   [=](double weight) { return std::llround(weight / most * static_cast<double>(largest)); });
    return lengths;
}

class FlowSearch {
public:
    FlowSearch(const Problem& problem, Clock::time_point deadline)
        : problem_(problem), deadline_(deadline), graph_(problem), groups_(groups_of(problem)), walks_(graph_)
    {
    }

    FlowSolution run()
    {
        if (const auto cut = scatter_cut(problem_, graph_)) {
            consider(*cut);
            return solution();
        }
        try_plain_lengths();
        if (!weights_settle_it() && !is_over()) {
            if (work() <= work_of_program)
                solve_program();
            else
                even_out();
        }
        simplify();
        return solution();
    }

private:
    /// What lengths prove.
    struct Proof {
        Lengths lengths;
        std::int64_t distance = 0;
        std::int64_t capacity = 1;

        std::int64_t steps() const { return (distance + capacity - 1) / capacity; }
        /// Is the bound `congestion`, rounded up? CLP's tolerance is 1e-7.
        bool proves(double congestion) const
        {
            return static_cast<double>(steps()) >= std::ceil(congestion - 1e-6);
        }
        /// At least so congested is every routing.
        double congestion() const { return static_cast<double>(distance) / static_cast<double>(capacity); }
        bool is_better_than(const Proof& other) const { return congestion() > other.congestion(); }
    };

    using Routings = std::vector<Loads>; // by group

    bool is_over() const { return deadline_ != Clock::time_point::max() && Clock::now() >= deadline_; }

    std::uint64_t work() const
    {
        std::uint64_t sources = 0;
        for (std::size_t group = 0; group < groups_.size(); ++group)
            sources += group == 0 || groups_[group].source != groups_[group - 1].source ? 1 : 0;
        return sources * graph_.arcs().size() * (graph_.slack().value_or(0) + 1);
    }

    /// Calls visit(group) after the search from each group's source; returns what the lengths prove.
    template <typename Visit>
    Proof pass(Lengths lengths, Visit visit)
    {
        Proof proof{std::move(lengths), 0, 0};
        for (ResourceId resource = 0; resource < graph_.resources().count(); ++resource)
            proof.capacity += proof.lengths[resource] * graph_.resources().capacity(resource);
        for (std::size_t group = 0; group < groups_.size(); ++group) {
            if (group == 0 || groups_[group].source != groups_[group - 1].source)
                walks_.search(groups_[group].source, proof.lengths);
            for (const WalkDemand& demand : groups_[group].demands)
                proof.distance += demand.messages * walks_.distance_to(demand.receiver);
            visit(group);
        }
        return proof;
    }

    void keep_better(Proof proof)
    {
        if (proof.capacity > 0 && (best_.lengths.empty() || proof.is_better_than(best_)))
            best_ = std::move(proof);
    }

    void consider(Lengths lengths)
    {
        keep_better(pass(std::move(lengths), [](std::size_t) {}));
    }

    /// Considers the lengths, and routes every group over shortest walks.
    Routings route(const std::vector<double>& weights)
    {
        Lengths lengths = rounded(weights, finest);
        // No channel for nothing: shortest walks shall make no detours.
        for (const WalkGraph::Arc& arc : graph_.arcs())
            if (graph_.is_channel(arc))
                ++lengths[arc.resource];
        Routings routings(groups_.size());
        keep_better(pass(std::move(lengths),
                         [&](std::size_t group) { routings[group] = walks_.loads(groups_[group].demands); }));
        return routings;
    }

    void try_plain_lengths();
    bool weights_settle_it();
    void even_out();
    void solve_program();
    void simplify();

    FlowSolution solution() const { return {graph_.by_kind(best_.lengths), best_.distance, best_.capacity}; }

    const Problem& problem_;
    Clock::time_point deadline_;
    WalkGraph graph_;
    std::vector<Group> groups_;
    ShortestWalks walks_;
    Proof best_;
    std::vector<Routings> routings_; // found on the way, for the program to mix
};

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
void FlowSearch::try_plain_lengths()
{
    const Topology& topology = problem_.topology;
    const std::size_t channels = topology.channel_count();
    Lengths lengths(graph_.resources().count(), 0);
    std::fill_n(lengths.begin(), channels, 1);
    consider(lengths);
    if (graph_.relays() || channels == 0) {
        std::fill_n(lengths.begin(), channels, 0);
        std::fill_n(lengths.begin() + channels, graph_.processor_count(), 1);
        consider(lengths);
    }
    if (!topology.grid())
        return;
    for (std::size_t dimension = 0; dimension < topology.grid()->extent.size(); ++dimension) {
        Lengths along(graph_.resources().count(), 0);
        for (ChannelId id = 0; id < channels; ++id) {
            const auto place = [&](RouterId router) { return topology.coordinates(router)[dimension]; };
            along[id] = place(topology.channel(id).source) != place(topology.channel(id).target) ? 1 : 0;
        }
        consider(std::move(along));
        consider(across_halves(topology, dimension, graph_.resources().count()));
    }
}

/// 1 where shortest walks crowd most: bridges, and cuts that all messages cross evenly.
Lengths crowded(const std::vector<double>& congestion, double most)
{
    Lengths lengths(congestion.size());
    std::transform(congestion.begin(), congestion.end(), lengths.begin(),
                   [=](double each) { return each > most * (1 - 1e-9) ? 1 : 0; });
    return lengths;
}

/// Multiplicative weights: where shortest walks crowd, lengths grow. True if some routing meets the bound.
bool FlowSearch::weights_settle_it()
{
    constexpr double rate = 0.5;
    const auto rounds = std::min<std::uint64_t>(most_rounds, work_of_weights / work());
    std::vector<double> weights(graph_.resources().count(), 0);
    for (ResourceId resource = 0; resource < weights.size(); ++resource)
        weights[resource] = graph_.resources().is_scarce(resource) ? 1 : 0;
    for (std::uint64_t round = 0; round < rounds && !is_over(); ++round) {
        Routings routings = route(weights);
        std::vector<double> congestion(weights.size(), 0);
        for (const auto& loads : routings)
            for (const Load& load : loads)
                congestion[load.resource] +=
                    load.messages / static_cast<double>(graph_.resources().capacity(load.resource));
        const double most = *std::max_element(congestion.begin(), congestion.end());
        if (best_.proves(most))
            return true;
        if (round == 0)
            consider(crowded(congestion, most));
        for (std::size_t resource = 0; resource < weights.size(); ++resource)
            weights[resource] *=
                1 + rate / std::sqrt(1.0 + static_cast<double>(round)) * congestion[resource] / most;
        routings_.push_back(std::move(routings));
    }
    return false;
}

/// Frank and Wolfe's algorithm, a group at a time: it moves a part of its messages to what are the shortest
/// walks by now, under prices that become steeper round by round, until bound and congestion are close.
void FlowSearch::even_out()
{
    constexpr double first_sharpness = 20, last_sharpness = 150, growth = 1.1, forgetting = 0.9,
                     close = 1.002;
    const auto rounds = std::min<std::uint64_t>(most_evenings, work_of_evening / (2 * work()));
    if (rounds == 0 || routings_.empty() || groups_.size() * graph_.resources().count() > most_shares)
        return;
    EvenedLoad load(graph_.resources(), groups_.size());
    for (std::size_t group = 0; group < groups_.size(); ++group)
        load.set(group, routings_.back()[group]);
    std::vector<double> mean(graph_.resources().count(), 0);
    double sharpness = first_sharpness;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        for (std::size_t group = 0; group < groups_.size(); ++group) {
            if (is_over())
                return;
            const Lengths lengths = rounded(load.prices(sharpness), finest);
            walks_.search(groups_[group].source, lengths);
            load.move(group, walks_.loads(groups_[group].demands), sharpness);
        }
        const std::vector<double> now = load.prices(sharpness);
        for (ResourceId resource = 0; resource < now.size(); ++resource)
            mean[resource] = forgetting * mean[resource] + now[resource];
        if (round % 2 == 0)
            consider(rounded(now, finest));
        else
            consider(rounded(mean, finest));
        if (best_.proves(load.most()) || load.most() < close * best_.congestion())
            return;
        sharpness = std::min(last_sharpness, sharpness * growth);
    }
}

/// Column generation, until the congestion of the mixture, rounded up, is proved.
void FlowSearch::solve_program()
{
    CongestionProgram program(graph_, groups_.size());
    const auto add = [&](const Routings& routings) {
        for (std::size_t group = 0; group < routings.size(); ++group)
            program.add(group, routings[group]);
    };
    for (const Routings& routings : routings_)
        add(routings);
    for (unsigned iteration = 0; iteration < most_iterations && !is_over(); ++iteration) {
        const auto mixture = program.solve(deadline_);
        if (!mixture || best_.proves(mixture->congestion))
            return;
        add(route(mixture->prices));
    }
}

/// The smallest numbers that prove the same steps.
void FlowSearch::simplify()
{
    const auto steps = best_.steps();
    const std::vector<double> weights(best_.lengths.begin(), best_.lengths.end());
    for (std::int64_t largest = 1; largest < finest && !is_over(); largest += largest < 32 ? 1 : largest) {
        Proof proof = pass(rounded(weights, largest), [](std::size_t) {});
        if (proof.capacity > 0 && proof.steps() >= steps) {
            best_ = std::move(proof);
            return;
        }
    }
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
    return FlowSearch(problem, deadline).run();
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
