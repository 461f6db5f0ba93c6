#include "schedules/flows/shortest_walks.hpp"

#include "models/routing/distances.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace nocturne {
namespace {

constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max();
constexpr std::uint32_t unsettled = ~0u;

} // namespace

ShortestWalks::ShortestWalks(const WalkGraph& graph)
    : graph_(&graph), layers_(graph.slack().value_or(0) + 1), hops_(graph.vertex_count()),
      distance_(graph.vertex_count() * layers_), rank_(distance_.size()), flow_(distance_.size(), 0),
      load_(graph.resource_count(), 0)
{
}

void ShortestWalks::find_hops()
{
    std::fill(hops_.begin(), hops_.end(), unreachable);
    // Vertices at this distance, those at the next one.
    std::vector<std::uint32_t> near{source_};
    std::vector<std::uint32_t> next;
    hops_[source_] = 0;
    while (!near.empty()) {
        for (std::size_t i = 0; i < near.size(); ++i) {
            if (!leads_on(near[i]))
                continue;
            for (const WalkGraph::Arc& arc : graph_->arcs_from(near[i])) {
                const std::uint32_t hops = hops_[near[i]] + (graph_->is_channel(arc) ? 1 : 0);
                if (hops_[arc.to] <= hops)
                    continue;
                hops_[arc.to] = hops;
                (graph_->is_channel(arc) ? next : near).push_back(arc.to);
            }
        }
        near.swap(next);
        next.clear();
    }
}

std::uint32_t ShortestWalks::excess_of(const WalkGraph::Arc& arc) const
{
    if (layers_ == 1 && !graph_->slack())
        return 0;
    return hops_[arc.from] + (graph_->is_channel(arc) ? 1 : 0) - hops_[arc.to];
}

void ShortestWalks::search(ProcessorId source, std::span<const std::int64_t> lengths)
{
    source_ = source;
    lengths_ = lengths;
    if (graph_->slack())
        find_hops();
    std::fill(distance_.begin(), distance_.end(), far);
    std::fill(rank_.begin(), rank_.end(), unsettled);
    settled_.clear();
    using Entry = std::pair<std::int64_t, State>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    distance_[state(source, 0)] = 0;
    queue.emplace(0, state(source, 0));
    while (!queue.empty()) {
        const State reached = queue.top().second;
        queue.pop();
        if (rank_[reached] != unsettled)
            continue;
        rank_[reached] = static_cast<std::uint32_t>(settled_.size());
        settled_.push_back(reached);
        const std::uint32_t vertex = reached / layers_;
        const std::uint32_t excess = reached % layers_;
        if (!leads_on(vertex))
            continue;
        for (const WalkGraph::Arc& arc : graph_->arcs_from(vertex)) {
            const std::uint32_t then = excess + excess_of(arc);
            if (then >= layers_)
                continue;
            const std::int64_t distance = distance_[reached] + length(arc);
            if (State next = state(arc.to, then); distance < distance_[next]) {
                distance_[next] = distance;
                queue.emplace(distance, next);
            }
        }
    }
}

ShortestWalks::State ShortestWalks::nearest(ProcessorId receiver) const
{
    const auto first = distance_.begin() + state(receiver, 0);
    return static_cast<State>(std::min_element(first, first + layers_) - distance_.begin());
}

std::int64_t ShortestWalks::distance_to(ProcessorId receiver) const
{
    return distance_[nearest(receiver)];
}

bool ShortestWalks::reaches(ProcessorId receiver) const
{
    return distance_to(receiver) != far;
}

std::vector<Load> ShortestWalks::loads(std::span<const WalkDemand> demands)
{
    for (const WalkDemand& demand : demands)
        flow_[nearest(demand.receiver)] += static_cast<double>(demand.messages);
    for (auto reached = settled_.rbegin(); reached != settled_.rend(); ++reached)
        if (const double messages = std::exchange(flow_[*reached], 0); messages > 0)
            pass_back(*reached, messages);
    std::vector<Load> result;
    for (ResourceId resource = 0; resource < load_.size(); ++resource)
        if (const double messages = std::exchange(load_[resource], 0); messages > 0)
            result.push_back({resource, messages});
    return result;
}

void ShortestWalks::pass_back(State reached, double messages)
{
    const std::uint32_t vertex = reached / layers_;
    const std::uint32_t excess = reached % layers_;
    // The arcs of shortest walks into this state. Arcs of length 0 lead from states settled earlier, not
    // round in a circle.
    const auto before = [&](const WalkGraph::Arc& arc) {
        if (!leads_on(arc.from) || excess_of(arc) > excess)
            return unsettled;
        const State from = state(arc.from, excess - excess_of(arc));
        const bool is_on_shortest =
            rank_[from] < rank_[reached] && distance_[from] + length(arc) == distance_[reached];
        return is_on_shortest ? from : unsettled;
    };
    const auto arcs = graph_->arcs_to(vertex);
    const auto ties = std::count_if(arcs.begin(), arcs.end(),
                                    [&](const WalkGraph::Arc& arc) { return before(arc) != unsettled; });
    for (const WalkGraph::Arc& arc : arcs) {
        const State from = before(arc);
        if (from == unsettled)
            continue;
        const double share = messages / static_cast<double>(ties);
        flow_[from] += share;
        if (arc.resource != no_resource)
            load_[arc.resource] += share;
    }
}

} // namespace nocturne
