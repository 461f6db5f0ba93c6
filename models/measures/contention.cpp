#include "models/measures/contention.hpp"

#include "models/measures/deviation.hpp"
#include "models/measures/latency.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace nocturne::measures {

namespace {

constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

/// Earliest arrivals from one source after the other, each delayed by those before it.
class TurnBySource {
public:
    explicit TurnBySource(const Graph& graph)
        : graph_(graph), sources_(graph.arc_count()), arrival_(graph.node_count()), hops_(graph.node_count()),
          last_(graph.node_count()), settled_(graph.node_count()), below_(graph.node_count())
    {
        result_.messages.resize(graph.arc_count());
    }

    Contention run()
    {
        std::uint64_t hops = 0, maximum = 0;
        bool is_connected = true;
        for (const auto& [injection, ejection] : graph_.processors()) {
            search(injection);
            std::ranges::fill(below_, 0);
            for (NodeId node = 0; node < graph_.node_count(); ++node) {
                const std::uint64_t receivers = graph_.ejected(node) - (node == ejection);
                if (receivers == 0)
                    continue;
                if (arrival_[node] == never) {
                    is_connected = false;
                    continue;
                }
                below_[node] = receivers;
                hops += receivers * hops_[node];
                maximum = std::max<std::uint64_t>(maximum, hops_[node]);
            }
            send(injection);
        }
        finish(hops, maximum, is_connected);
        return std::move(result_);
    }

private:
    /// Ascending by arrival, of equal ones the largest number first.
    static bool is_later(const std::pair<std::uint32_t, NodeId>& a, const std::pair<std::uint32_t, NodeId>& b)
    {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    }

    void search(NodeId source)
    {
        std::ranges::fill(arrival_, never);
        settled_.assign(settled_.size(), false);
        order_.clear();
        arrival_[source] = 0;
        hops_[source] = 0;
        queue_.assign(1, {0, source});
        while (!queue_.empty()) {
            std::ranges::pop_heap(queue_, is_later);
            const NodeId node = queue_.back().second;
            queue_.pop_back();
            if (settled_[node])
                continue;
            settled_[node] = true;
            order_.push_back(node);
            for (const ArcId id : graph_.arcs_from(node)) {
                const NodeId next = graph_.arc(id).target;
                const std::uint32_t arrival = std::max(arrival_[node], sources_[id]) + 1;
                const std::pair<std::uint32_t, std::uint32_t> found{arrival, hops_[node] + 1};
                if (settled_[next] || found >= std::pair{arrival_[next], hops_[next]})
                    continue;
                std::tie(arrival_[next], hops_[next]) = found;
                last_[next] = id;
                queue_.emplace_back(arrival, next);
                std::ranges::push_heap(queue_, is_later);
            }
        }
    }

    /// Sends the messages of `below_`, by their nodes, along the tree of the search.
    void send(NodeId source)
    {
        for (std::size_t i = order_.size(); i-- > 0;) {
            const NodeId node = order_[i];
            if (node == source || below_[node] == 0)
                continue;
            const ArcId id = last_[node];
            result_.messages[id] += below_[node];
            ++sources_[id];
            below_[graph_.arc(id).source] += below_[node];
        }
    }

    void finish(std::uint64_t hops, std::uint64_t maximum, bool is_connected)
    {
        if (!is_connected) {
            result_.average_with_self = result_.average = result_.maximum = infinite;
            result_.link_deviation = result_.printed_deviation = infinite;
            return;
        }
        const auto processors = static_cast<double>(graph_.processor_count());
        if (processors > 0)
            result_.average_with_self = static_cast<double>(hops) / (processors * processors);
        if (processors > 1)
            result_.average = static_cast<double>(hops) / (processors * (processors - 1));
        result_.maximum = static_cast<double>(maximum);
        result_.link_deviation = sample_deviation(result_.messages);
        std::size_t degree = 0;
        for (NodeId node = 0; node < graph_.node_count(); ++node)
            degree = std::max(degree, graph_.arcs_from(node).size());
        std::vector<std::uint64_t> places = result_.messages;
        places.resize(degree * graph_.node_count());
        if (const auto count = static_cast<double>(places.size()); count > 0)
            result_.printed_deviation = 0.5 * sample_deviation(places) * std::sqrt((count - 1) / count);
    }

    const Graph& graph_;
    std::vector<std::uint32_t> sources_; // earlier ones that use an arc
    std::vector<std::uint32_t> arrival_; // cycle, by node
    std::vector<std::uint32_t> hops_;
    std::vector<ArcId> last_; // arc over which a node is reached
    std::vector<bool> settled_;
    std::vector<NodeId> order_;        // as nodes were settled
    std::vector<std::uint64_t> below_; // messages to a node and through it
    std::vector<std::pair<std::uint32_t, NodeId>> queue_;
    Contention result_;
};

} // namespace

Contention moderate_contention(const Graph& graph)
{
    return TurnBySource(graph).run();
}

} // namespace nocturne::measures
