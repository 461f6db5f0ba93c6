#include "schedules/chunk_flows/priced_flow.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <queue>
#include <utility>

namespace nocturne {
namespace {

constexpr double no_length = std::numeric_limits<double>::infinity();
constexpr LinkId no_link = ~0u;

/// Links looked at by the searches from all sources: some five seconds.
constexpr std::uint64_t most_work = 40'000'000;
/// Links of paths that are kept: more of them are a finer mean.
constexpr std::uint64_t most_path_links = 16'000'000;

/// Shortest paths from one source.
struct PathTree {
    std::vector<LinkId> into;   ///< by node: the last link; none at the source
    std::vector<double> length; ///< by node
};

PathTree shortest_paths(const LinkNetwork& network, NodeId source, const std::vector<double>& lengths)
{
    const std::size_t nodes = network.node_count();
    PathTree tree{std::vector<LinkId>(nodes, no_link), std::vector<double>(nodes, no_length)};
    std::vector<bool> is_done(nodes, false);
    using Entry = std::pair<double, NodeId>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    tree.length[source] = 0;
    open.emplace(0.0, source);
    while (!open.empty()) {
        const auto [so_far, node] = open.top();
        open.pop();
        if (is_done[node])
            continue;
        is_done[node] = true;
        for (const LinkId id : network.links_from(node)) {
            const NodeId next = network.link(id).target;
            if (const double length = so_far + lengths[id]; length < tree.length[next]) {
                tree.length[next] = length;
                tree.into[next] = id;
                open.emplace(length, next);
            }
        }
    }
    return tree;
}

std::vector<LinkId> path_to(const LinkNetwork& network, const PathTree& tree, NodeId receiver)
{
    std::vector<LinkId> path;
    for (NodeId node = receiver; tree.into[node] != no_link; node = network.link(tree.into[node]).source)
        path.push_back(tree.into[node]);
    std::reverse(path.begin(), path.end());
    return path;
}

class FlowPricing {
public:
    FlowPricing(const LinkNetwork& network, std::span<const PairDemand> demands)
        : network_(network), demands_(demands), lengths_(network.link_count())
    {
        for (LinkId id = 0; id < lengths_.size(); ++id)
            lengths_[id] = 1 / static_cast<double>(network.units(id));
        for (std::size_t i = 0; i < demands.size(); ++i)
            by_source_.emplace_back(demands[i].source, i);
        std::sort(by_source_.begin(), by_source_.end());
    }

    std::optional<PricedFlow> run(std::uint64_t most_rounds, const SearchEnd& end)
    {
        std::uint64_t sources = 0;
        for (std::size_t i = 0; i < by_source_.size(); ++i)
            sources += begins_source(i) ? 1 : 0;
        const std::uint64_t rounds = std::clamp<std::uint64_t>(
            most_work / std::max<std::uint64_t>(sources * network_.link_count(), 1), 1, most_rounds);
        for (std::uint64_t round = 0; round < rounds; ++round) {
            std::optional<Round> routed = route(end);
            if (!routed)
                break;
            reprice(routed->congestion, round);
            keep(std::move(*routed), (rounds + 1) / 2);
            if (mean_congestion() <= result_.least_rounds * (1 + 1e-6))
                break;
        }
        if (rounds_.empty())
            return std::nullopt;
        result_.flow = {mean_congestion(), shares()};
        return std::move(result_);
    }

private:
    /// All demands, each over a shortest path.
    struct Round {
        std::vector<std::vector<LinkId>> paths; ///< by demand
        std::vector<double> congestion;         ///< by link: rounds that it takes
    };

    bool begins_source(std::size_t i) const
    {
        return i == 0 || by_source_[i].first != by_source_[i - 1].first;
    }

    /// Nothing if a receiver cannot be reached, or the end has come.
    std::optional<Round> route(const SearchEnd& end)
    {
        Round round{std::vector<std::vector<LinkId>>(demands_.size()),
                    std::vector<double>(network_.link_count(), 0)};
        double distance = 0, capacity = 0;
        for (LinkId id = 0; id < lengths_.size(); ++id)
            capacity += lengths_[id] * static_cast<double>(network_.units(id));
        PathTree tree;
        for (std::size_t i = 0; i < by_source_.size(); ++i) {
            const auto& [source, index] = by_source_[i];
            if (begins_source(i)) {
                if (end.has_come())
                    return std::nullopt;
                tree = shortest_paths(network_, source, lengths_);
            }
            const PairDemand& demand = demands_[index];
            if (tree.length[demand.receiver] == no_length)
                return std::nullopt;
            const auto weight = static_cast<double>(demand.weight);
            distance += weight * tree.length[demand.receiver];
            round.paths[index] = path_to(network_, tree, demand.receiver);
            for (const LinkId id : round.paths[index])
                round.congestion[id] += weight / static_cast<double>(network_.units(id));
        }
        if (capacity > 0 && distance / capacity > result_.least_rounds) {
            result_.least_rounds = distance / capacity;
            result_.lengths = lengths_;
        }
        return round;
    }

    void reprice(const std::vector<double>& congestion, std::uint64_t round)
    {
        constexpr double rate = 0.5;
        const double most = *std::max_element(congestion.begin(), congestion.end());
        for (LinkId id = 0; id < lengths_.size(); ++id)
            lengths_[id] *= 1 + rate / std::sqrt(1 + static_cast<double>(round)) * congestion[id] / most;
    }

    /// The last ones: the first do not yet know where it is crowded.
    void keep(Round round, std::uint64_t most)
    {
        std::uint64_t links = 1;
        for (const auto& path : round.paths)
            links += path.size();
        rounds_.push_back(std::move(round));
        if (rounds_.size() > std::clamp<std::uint64_t>(most_path_links / links, 1, most))
            rounds_.pop_front();
    }

    double mean_congestion() const
    {
        double most = 0;
        for (LinkId id = 0; id < network_.link_count(); ++id) {
            double sum = 0;
            for (const Round& round : rounds_)
                sum += round.congestion[id];
            most = std::max(most, sum / static_cast<double>(rounds_.size()));
        }
        return most;
    }

    std::vector<std::vector<PathShare>> shares() const
    {
        std::vector<std::vector<PathShare>> all(demands_.size());
        for (std::size_t i = 0; i < demands_.size(); ++i) {
            const double part = static_cast<double>(demands_[i].weight) / static_cast<double>(rounds_.size());
            for (const Round& round : rounds_) {
                const auto known = std::find_if(all[i].begin(), all[i].end(), [&](const PathShare& share) {
                    return share.path == round.paths[i];
                });
                if (known != all[i].end())
                    known->weight += part;
                else
                    all[i].push_back({round.paths[i], part});
            }
            std::stable_sort(all[i].begin(), all[i].end(),
                             [](const PathShare& a, const PathShare& b) { return a.weight > b.weight; });
        }
        return all;
    }

    const LinkNetwork& network_;
    std::span<const PairDemand> demands_;
    std::vector<std::pair<std::uint32_t, std::size_t>> by_source_; ///< and index of the demand
    std::vector<double> lengths_;
    std::deque<Round> rounds_;
    PricedFlow result_;
};

} // namespace

std::optional<PricedFlow> nearly_least_congested_flow(const LinkNetwork& network,
                                                      std::span<const PairDemand> demands,
                                                      std::uint64_t most_rounds, const SearchEnd& end)
{
    if (demands.empty() || network.link_count() == 0)
        return std::nullopt;
    return FlowPricing(network, demands).run(most_rounds, end);
}

} // namespace nocturne
