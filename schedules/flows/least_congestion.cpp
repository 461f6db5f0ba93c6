#include "schedules/flows/least_congestion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace nocturne {
namespace {

constexpr unsigned most_evenings = 60;
constexpr unsigned most_iterations = 400;
/// Of each group, that the program begins with.
constexpr std::size_t most_first_routings = 10;
/// Shares of loads, by group and resource, that are kept at most.
constexpr std::size_t most_shares = 30'000'000;
/// Loads of routings that are kept at most, of several rounds.
constexpr std::size_t most_loads = 8'000'000;

/// The finest lengths of whole steps; sums over 2^24 messages and their hops stay below 2^63.
constexpr std::int64_t finest_of_steps = 1 << 20;
constexpr std::int64_t finest_of_all = 1 << 30;

/// As fine as sums over all demands, and over all capacities, allow.
std::int64_t finest_lengths(const WalkGraph& graph, std::span<const WalkGroup> groups,
                            CongestionPrecision precision)
{
    if (precision == CongestionPrecision::whole_steps)
        return finest_of_steps;
    constexpr double most = 4e18;
    double weight = 1, capacity = 1;
    for (const WalkGroup& group : groups)
        for (const WalkDemand& demand : group.demands)
            weight += static_cast<double>(demand.messages);
    for (ResourceId resource = 0; resource < graph.resource_count(); ++resource)
        capacity += static_cast<double>(graph.capacity(resource));
    const double sum = std::max(weight * static_cast<double>(graph.vertex_count()), capacity);
    return std::clamp(static_cast<std::int64_t>(most / sum), std::int64_t{1}, finest_of_all);
}

/// 1 where shortest walks crowd most: bridges, and cuts that all messages cross evenly.
LeastCongestion::Lengths crowded(const std::vector<double>& congestion, double most)
{
    LeastCongestion::Lengths lengths(congestion.size());
    std::transform(congestion.begin(), congestion.end(), lengths.begin(),
                   [=](double each) { return each > most * (1 - 1e-9) ? 1 : 0; });
    return lengths;
}

double highest(const std::vector<double>& values)
{
    return *std::max_element(values.begin(), values.end());
}

} // namespace

LeastCongestion::LeastCongestion(const WalkGraph& graph, std::vector<WalkGroup> groups,
                                 CongestionPrecision precision, const SearchEnd& end)
    : graph_(graph), groups_(std::move(groups)), precision_(precision), end_(end),
      finest_(finest_lengths(graph, groups_, precision)), walks_(graph),
      congestion_(std::numeric_limits<double>::infinity())
{
    for (std::size_t group = 0; group < groups_.size(); ++group)
        work_ += begins_source(group) ? graph.arcs().size() * (graph.slack().value_or(0) + 1) : 0;
}

/// CLP's tolerance is 1e-7.
bool LeastCongestion::proves(double congestion) const
{
    constexpr double tolerance = 1e-6;
    if (precision_ == CongestionPrecision::whole_steps)
        return static_cast<double>(best_.steps()) >= std::ceil(congestion - tolerance);
    return best_.congestion() >= congestion * (1 - tolerance);
}

/// Calls visit(group) after the search from each group's source, and keeps what the lengths prove.
template <typename Visit>
void LeastCongestion::measure(Lengths lengths, Visit visit)
{
    LengthsProof proof{std::move(lengths), 0, 0};
    for (ResourceId resource = 0; resource < graph_.resource_count(); ++resource)
        proof.capacity += proof.lengths[resource] * static_cast<std::int64_t>(graph_.capacity(resource));
    for (std::size_t group = 0; group < groups_.size(); ++group) {
        if (begins_source(group))
            walks_.search(groups_[group].source, proof.lengths);
        for (const WalkDemand& demand : groups_[group].demands)
            proof.distance +=
                static_cast<std::int64_t>(demand.messages) * walks_.distance_to(demand.receiver);
        visit(group);
    }
    if (proof.capacity > 0 && (best_.lengths.empty() || proof.congestion() > best_.congestion()))
        best_ = std::move(proof);
}

void LeastCongestion::consider(const Lengths& lengths)
{
    measure(lengths, [](std::size_t) {});
}

/// Whole numbers in the ratio of `weights`.
LeastCongestion::Lengths LeastCongestion::rounded(const std::vector<double>& weights,
                                                  std::int64_t longest) const
{
    const double most = highest(weights);
    Lengths lengths(weights.size());
    std::transform(weights.begin(), weights.end(), lengths.begin(),
                   [=](double weight) { return std::llround(weight / most * static_cast<double>(longest)); });
    return lengths;
}

/// Considers the lengths, and routes every group over shortest walks.
std::vector<LeastCongestion::Routing> LeastCongestion::route(const std::vector<double>& weights)
{
    Lengths lengths = rounded(weights, finest_);
    // No channel for nothing: shortest walks shall make no detours.
    for (const WalkGraph::Arc& arc : graph_.arcs())
        if (graph_.is_channel(arc))
            ++lengths[arc.resource];
    std::vector<Routing> routings;
    measure(std::move(lengths),
            [&](std::size_t group) { routings.push_back({group, walks_.loads(groups_[group].demands)}); });
    return routings;
}

/// By resource, of one routing of each group.
std::vector<double> LeastCongestion::congestion_of(std::span<const Routing> routings) const
{
    std::vector<double> congestion(graph_.resource_count(), 0);
    for (const Routing& routing : routings)
        for (const Load& load : routing.loads)
            congestion[load.resource] += load.messages / static_cast<double>(graph_.capacity(load.resource));
    return congestion;
}

/// The first ones, which do not yet know where it is crowded, go where memory is short.
void LeastCongestion::keep_round(std::vector<Routing> round)
{
    std::size_t loads = 0;
    for (const auto* routings : {&routings_, &round})
        for (const Routing& routing : *routings)
            loads += routing.loads.size();
    if (loads > most_loads && !routings_.empty())
        routings_.erase(routings_.begin(), routings_.begin() + static_cast<std::ptrdiff_t>(groups_.size()));
    std::move(round.begin(), round.end(), std::back_inserter(routings_));
}

/// The mixture is that of the last rounds.
void LeastCongestion::take_mean(std::size_t rounds)
{
    const std::span<const Routing> last = std::span(routings_).last(rounds * groups_.size());
    shares_.assign(routings_.size(), 0);
    std::fill(shares_.end() - static_cast<std::ptrdiff_t>(last.size()), shares_.end(),
              1 / static_cast<double>(rounds));
    congestion_ = highest(congestion_of(last)) / static_cast<double>(rounds);
}

void LeastCongestion::follow_weights(unsigned most_rounds)
{
    constexpr double rate = 0.5;
    std::vector<double> weights(graph_.resource_count(), 0);
    for (ResourceId resource = 0; resource < weights.size(); ++resource)
        weights[resource] =
            graph_.is_scarce(resource) ? 1 / static_cast<double>(graph_.capacity(resource)) : 0;
    for (unsigned round = 0; round < most_rounds && !end_.has_come(); ++round) {
        std::vector<Routing> routings = route(weights);
        const std::vector<double> congestion = congestion_of(routings);
        const double most = highest(congestion);
        keep_round(std::move(routings));
        if (proves(most))
            return take_mean(1);
        if (round == 0)
            consider(crowded(congestion, most));
        for (std::size_t resource = 0; resource < weights.size(); ++resource)
            weights[resource] *=
                1 + rate / std::sqrt(1.0 + static_cast<double>(round)) * congestion[resource] / most;
    }
    if (!routings_.empty())
        take_mean((routings_.size() / groups_.size() + 1) / 2);
}

void LeastCongestion::even_out(std::uint64_t most_work)
{
    constexpr double first_sharpness = 20, last_sharpness = 150, growth = 1.1, forgetting = 0.9,
                     close = 1.002;
    const auto rounds = std::min<std::uint64_t>(most_evenings, most_work / (2 * work_));
    if (rounds == 0 || routings_.empty() || groups_.size() * graph_.resource_count() > most_shares)
        return;
    EvenedLoad& load = evened_.emplace(graph_, groups_.size());
    for (const Routing& routing : std::span(routings_).last(groups_.size()))
        load.set(routing.group, routing.loads);
    std::vector<double> mean(graph_.resource_count(), 0);
    double sharpness = first_sharpness;
    const auto evening = [&](std::uint64_t round) {
        for (std::size_t group = 0; group < groups_.size(); ++group) {
            if (end_.has_come())
                return false;
            const Lengths lengths = rounded(load.prices(sharpness), finest_);
            walks_.search(groups_[group].source, lengths);
            load.move(group, walks_.loads(groups_[group].demands), sharpness);
        }
        const std::vector<double> now = load.prices(sharpness);
        for (ResourceId resource = 0; resource < now.size(); ++resource)
            mean[resource] = forgetting * mean[resource] + now[resource];
        consider(rounded(round % 2 == 0 ? now : mean, finest_));
        sharpness = std::min(last_sharpness, sharpness * growth);
        return !proves(load.most()) && load.most() >= close * best_.congestion();
    };
    for (std::uint64_t round = 0; round < rounds && evening(round); ++round)
        continue;
    if (load.most() < congestion_)
        congestion_ = load.most();
    else
        evened_.reset();
}

/// Prices on the way to the lengths that prove most.
std::vector<double> LeastCongestion::between(const std::vector<double>& prices, double share_of_best) const
{
    std::vector<double> weights(prices.size());
    for (std::size_t resource = 0; resource < weights.size(); ++resource)
        weights[resource] = share_of_best * static_cast<double>(best_.lengths[resource]) /
                                static_cast<double>(best_.capacity) +
                            (1 - share_of_best) * prices[resource];
    return weights;
}

/// Those that cost their group less than all that it has; says how many.
std::size_t LeastCongestion::add_cheaper(CongestionProgram& program,
                                         const CongestionProgram::Solution& solution,
                                         std::vector<Routing> routings)
{
    constexpr double tolerance = 1e-7;
    std::size_t added = 0;
    for (Routing& routing : routings) {
        double cost = 0;
        for (const Load& load : routing.loads)
            cost += load.messages * solution.prices[load.resource];
        if (cost >= solution.group_costs[routing.group] * (1 - tolerance))
            continue;
        program.add(routing.group, routing.loads);
        routings_.push_back(std::move(routing));
        ++added;
    }
    return added;
}

void LeastCongestion::solve_program(std::uint64_t most_work)
{
    constexpr unsigned patience = 5;
    CongestionProgram program(graph_, groups_.size());
    // The first ones only make the program larger. They stay: the mixture is of them until the program's is.
    const std::size_t left_out =
        routings_.size() - std::min(routings_.size(), most_first_routings * groups_.size());
    for (const Routing& routing : std::span(routings_).subspan(left_out))
        program.add(routing.group, routing.loads);
    unsigned idle = 0; // iterations that have changed nothing
    for (unsigned i = 0; i < most_iterations && idle < patience && program.work() < most_work; ++i) {
        const auto solution = program.solve(end_);
        if (!solution)
            return;
        const double congestion = std::exchange(congestion_, solution->congestion);
        const double proven = best_.congestion();
        evened_.reset();
        shares_.assign(left_out, 0);
        shares_.insert(shares_.end(), solution->shares.begin(), solution->shares.end());
        if (is_settled())
            return;
        std::vector<Routing> plain = route(solution->prices);
        if (is_settled())
            return;
        std::size_t added = 0;
        for (const double share_of_best : {0.8, 0.5})
            if (added == 0)
                added = add_cheaper(program, *solution, route(between(solution->prices, share_of_best)));
        if (added == 0 && add_cheaper(program, *solution, std::move(plain)) == 0)
            return;
        idle = congestion_ < congestion || best_.congestion() > proven ? 0 : idle + 1;
    }
}

void LeastCongestion::simplify()
{
    const auto steps = best_.steps();
    const LengthsProof found = best_;
    const std::vector<double> weights(found.lengths.begin(), found.lengths.end());
    for (std::int64_t largest = 1; largest < finest_ && !end_.has_come();
         largest += largest < 32 ? 1 : largest) {
        best_ = {};
        consider(rounded(weights, largest));
        if (!best_.lengths.empty() && best_.steps() >= steps)
            return;
    }
    best_ = found;
}

std::vector<LeastCongestion::Loads> LeastCongestion::flows() const
{
    std::vector<Loads> flows(groups_.size());
    if (evened_) {
        for (std::size_t group = 0; group < groups_.size(); ++group)
            for (ResourceId resource = 0; resource < graph_.resource_count(); ++resource)
                if (const double messages = evened_->share(group)[resource]; messages > 0)
                    flows[group].push_back({resource, messages});
        return flows;
    }
    for (std::size_t i = 0; i < shares_.size(); ++i)
        if (shares_[i] > 0)
            for (const Load& load : routings_[i].loads)
                flows[routings_[i].group].push_back({load.resource, load.messages * shares_[i]});
    return flows;
}

} // namespace nocturne
