#include "schedules/flows/least_congestion.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nocturne {
namespace {

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

/// The finest lengths. Sums over 2^24 messages and their hops are whole numbers below 2^53; where the
/// congestion itself is to be proved they need not be.
constexpr std::int64_t finest_for_steps = 1 << 20;
constexpr std::int64_t finest = std::int64_t{1} << 40;

/// Whole numbers in the ratio of `weights`, the largest `largest`.
Lengths rounded(const std::vector<double>& weights, std::int64_t largest)
{
    const double most = *std::max_element(weights.begin(), weights.end());
    Lengths lengths(weights.size());
    std::transform(weights.begin(), weights.end(), lengths.begin(),
                   [=](double weight) { return std::llround(weight / most * static_cast<double>(largest)); });
    return lengths;
}

/// 1 where shortest walks crowd most: bridges, and cuts that all messages cross evenly.
Lengths crowded(const std::vector<double>& congestion, double most)
{
    Lengths lengths(congestion.size());
    std::transform(congestion.begin(), congestion.end(), lengths.begin(),
                   [=](double each) { return each > most * (1 - 1e-9) ? 1 : 0; });
    return lengths;
}

} // namespace

LeastCongestion::LeastCongestion(const WalkGraph& graph, std::vector<FlowGroup> groups, Goal goal,
                                 const SearchEnd& end)
    : graph_(graph), groups_(std::move(groups)), goal_(goal), end_(end), walks_(graph)
{
}

std::uint64_t LeastCongestion::work() const
{
    std::uint64_t sources = 0;
    for (std::size_t group = 0; group < groups_.size(); ++group)
        sources += begins_source(group) ? 1 : 0;
    return sources * graph_.arcs().size() * (graph_.slack().value_or(0) + 1);
}

bool LeastCongestion::is_small() const
{
    return work() <= work_of_program;
}

/// Calls visit(group) after the search from each group's source.
template <typename Visit>
LeastCongestion::Proof LeastCongestion::pass(Lengths lengths, Visit visit)
{
    Proof proof{std::move(lengths), 0, 0};
    for (ResourceId resource = 0; resource < graph_.resource_count(); ++resource)
        proof.capacity +=
            static_cast<double>(proof.lengths[resource]) * static_cast<double>(graph_.capacity(resource));
    for (std::size_t group = 0; group < groups_.size(); ++group) {
        if (begins_source(group))
            walks_.search(groups_[group].source, proof.lengths);
        for (const WalkDemand& demand : groups_[group].demands)
            proof.distance += static_cast<double>(demand.messages) *
                              static_cast<double>(walks_.distance_to(demand.receiver));
        visit(group);
    }
    return proof;
}

LeastCongestion::Proof LeastCongestion::proof_of(Lengths lengths)
{
    return pass(std::move(lengths), [](std::size_t) {});
}

void LeastCongestion::keep_better(Proof proof)
{
    if (proof.capacity > 0 && (best_.lengths.empty() || proof.congestion() > best_.congestion()))
        best_ = std::move(proof);
}

/// CLP's tolerance is 1e-7.
bool LeastCongestion::proves(double congestion) const
{
    constexpr double tolerance = 1e-6;
    return goal_ == Goal::whole_steps ? std::ceil(bound()) >= std::ceil(congestion - tolerance)
                                      : bound() >= congestion * (1 - tolerance);
}

/// Considers the lengths, and routes every group over shortest walks.
LeastCongestion::Routings LeastCongestion::route(const std::vector<double>& weights)
{
    Lengths lengths = rounded(weights, goal_ == Goal::whole_steps ? finest_for_steps : finest);
    // No channel for nothing: shortest walks shall make no detours.
    for (const WalkGraph::Arc& arc : graph_.arcs())
        if (graph_.is_channel(arc))
            ++lengths[arc.resource];
    Routings routings(groups_.size());
    keep_better(pass(std::move(lengths),
                     [&](std::size_t group) { routings[group] = walks_.loads(groups_[group].demands); }));
    return routings;
}

std::vector<double> LeastCongestion::congestion_of(const Routings& routings) const
{
    std::vector<double> congestion(graph_.resource_count(), 0);
    for (const auto& loads : routings)
        for (const Load& load : loads)
            congestion[load.resource] += load.messages / static_cast<double>(graph_.capacity(load.resource));
    return congestion;
}

std::vector<double> LeastCongestion::first_weights() const
{
    std::vector<double> weights(graph_.resource_count(), 0);
    for (ResourceId resource = 0; resource < weights.size(); ++resource)
        weights[resource] =
            graph_.is_scarce(resource) ? 1 / static_cast<double>(graph_.capacity(resource)) : 0;
    return weights;
}

void LeastCongestion::route_once()
{
    routings_ = {route(first_weights())};
    const std::vector<double> congestion = congestion_of(routings_.back());
    congestion_ = *std::max_element(congestion.begin(), congestion.end());
}

void LeastCongestion::search()
{
    if (spread() || end_.has_come())
        return;
    if (is_small())
        solve_program();
    else
        even_out();
}

/// Multiplicative weights: where shortest walks crowd, lengths grow. True if some routing meets the bound.
bool LeastCongestion::spread()
{
    constexpr double rate = 0.5;
    const auto rounds = std::min<std::uint64_t>(most_rounds, work_of_weights / work());
    std::vector<double> weights = first_weights();
    for (std::uint64_t round = 0; round < rounds && !end_.has_come(); ++round) {
        if (!is_small())
            routings_.clear();
        routings_.push_back(route(weights));
        const std::vector<double> congestion = congestion_of(routings_.back());
        congestion_ = *std::max_element(congestion.begin(), congestion.end());
        if (proves(congestion_))
            return true;
        if (round == 0)
            consider(crowded(congestion, congestion_));
        for (std::size_t resource = 0; resource < weights.size(); ++resource)
            weights[resource] *=
                1 + rate / std::sqrt(1.0 + static_cast<double>(round)) * congestion[resource] / congestion_;
    }
    return false;
}

/// Frank and Wolfe's algorithm, a group at a time: it moves a part of its messages to what are the shortest
/// walks by now, under prices that become steeper round by round, until bound and congestion are close.
void LeastCongestion::even_out()
{
    constexpr double first_sharpness = 20, last_sharpness = 150, growth = 1.1, forgetting = 0.9,
                     close = 1.002;
    const auto rounds = std::min<std::uint64_t>(most_evenings, work_of_evening / (2 * work()));
    if (rounds == 0 || routings_.empty() || groups_.size() * graph_.resource_count() > most_shares)
        return;
    EvenedLoad& load = evened_.emplace(graph_, groups_.size());
    for (std::size_t group = 0; group < groups_.size(); ++group)
        load.set(group, routings_.back()[group]);
    std::vector<double> mean(graph_.resource_count(), 0);
    double sharpness = first_sharpness;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        for (std::size_t group = 0; group < groups_.size(); ++group) {
            if (end_.has_come()) {
                congestion_ = load.most();
                return;
            }
            const Lengths lengths = rounded(load.prices(sharpness), finest_for_steps);
            walks_.search(groups_[group].source, lengths);
            load.move(group, walks_.loads(groups_[group].demands), sharpness);
        }
        congestion_ = load.most();
        const std::vector<double> now = load.prices(sharpness);
        for (ResourceId resource = 0; resource < now.size(); ++resource)
            mean[resource] = forgetting * mean[resource] + now[resource];
        consider(rounded(round % 2 == 0 ? now : mean, finest_for_steps));
        if (proves(congestion_) || congestion_ < close * bound())
            return;
        sharpness = std::min(last_sharpness, sharpness * growth);
    }
}

/// Column generation, until the congestion of the mixture is proved.
void LeastCongestion::solve_program()
{
    CongestionProgram program(graph_, groups_.size(), end_);
    const auto add = [&](const Routings& routings) {
        for (std::size_t group = 0; group < routings.size(); ++group)
            program.add(group, routings[group]);
    };
    for (const Routings& routings : routings_)
        add(routings);
    for (unsigned iteration = 0; iteration < most_iterations && !end_.has_come(); ++iteration) {
        auto mixture = program.solve();
        if (!mixture)
            return;
        congestion_ = mixture->congestion;
        shares_ = std::move(mixture->shares);
        if (proves(congestion_))
            return;
        routings_.push_back(route(mixture->prices));
        add(routings_.back());
    }
}

void LeastCongestion::simplify()
{
    const double steps = std::ceil(best_.congestion());
    const std::vector<double> weights(best_.lengths.begin(), best_.lengths.end());
    for (std::int64_t largest = 1; largest < finest_for_steps && !end_.has_come();
         largest += largest < 32 ? 1 : largest) {
        Proof proof = proof_of(rounded(weights, largest));
        if (proof.capacity > 0 && std::ceil(proof.congestion()) >= steps) {
            best_ = std::move(proof);
            return;
        }
    }
}

std::vector<double> LeastCongestion::flow(std::size_t group) const
{
    if (evened_)
        return evened_->share(group);
    std::vector<double> flow(graph_.resource_count(), 0);
    const auto add = [&](const Routings& routings, double share) {
        for (const Load& load : routings[group])
            flow[load.resource] += share * load.messages;
    };
    if (shares_.empty())
        add(routings_.back(), 1);
    for (std::size_t i = group; i < shares_.size(); i += groups_.size())
        add(routings_[i / groups_.size()], shares_[i]);
    return flow;
}

} // namespace nocturne
