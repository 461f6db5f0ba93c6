#include "models/topology/indices_by.hpp"
#include "schedules/chunk_bounds/pair_traffic.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nocturne {
namespace {

/// What leaves the first nodes of an order, and what all others leave to them, one node more at a time.
class Sweep {
public:
    Sweep(const LinkNetwork& network, const TrafficMatrix& traffic)
        : network_(network), traffic_(traffic), is_inside_(network.node_count())
    {
    }

    /// If it is better than what there is.
    void run(const NodeOrder& order)
    {
        std::fill(is_inside_.begin(), is_inside_.end(), false);
        double owed_out = 0, owed_in = 0, units_out = 0, units_in = 0;
        for (std::size_t count = 1; count < order.size(); ++count) {
            const NodeId node = order[count - 1];
            is_inside_[node] = true;
            for (const LinkId id : network_.links_from(node))
                (is_inside_[network_.link(id).target] ? units_in : units_out) +=
                    (is_inside_[network_.link(id).target] ? -1. : 1.) *
                    static_cast<double>(network_.units(id));
            for (const LinkId id : network_.links_to(node))
                (is_inside_[network_.link(id).source] ? units_out : units_in) +=
                    (is_inside_[network_.link(id).source] ? -1. : 1.) *
                    static_cast<double>(network_.units(id));
            if (node < traffic_.size())
                for (NodeId other = 0; other < traffic_.size(); ++other) {
                    if (other == node)
                        continue;
                    owed_out += is_inside_[other] ? -traffic_[other][node] : traffic_[node][other];
                    owed_in += is_inside_[other] ? -traffic_[node][other] : traffic_[other][node];
                }
            keep(owed_out, units_out, order, count, false);
            keep(owed_in, units_in, order, count, true);
        }
    }

    std::vector<NodeId> best() const { return best_; }

private:
    void keep(double owed, double units, const NodeOrder& order, std::size_t count, bool is_rest)
    {
        if (units < 0.5 || owed / units <= most_ * (1 + 1e-9))
            return;
        most_ = owed / units;
        const auto middle = order.begin() + static_cast<std::ptrdiff_t>(count);
        best_ = is_rest ? std::vector(middle, order.end()) : std::vector(order.begin(), middle);
        std::sort(best_.begin(), best_.end());
    }

    const LinkNetwork& network_;
    const TrafficMatrix& traffic_;
    std::vector<bool> is_inside_;
    double most_ = 0;
    std::vector<NodeId> best_;
};

NodeOrder breadth_first(const LinkNetwork& network, NodeId from)
{
    NodeOrder order{from};
    std::vector<bool> seen(network.node_count(), false);
    seen[from] = true;
    for (std::size_t i = 0; i < order.size(); ++i)
        for (const LinkId id : network.links_from(order[i]))
            if (const NodeId next = network.link(id).target; !seen[next]) {
                seen[next] = true;
                order.push_back(next);
            }
    return order;
}

/// By an eigenvector of the second largest eigenvalue of a lazy random walk over the links, which changes
/// slowest from node to node (Fiedler, Algebraic connectivity of graphs, Czechoslovak Mathematical Journal
/// 23, 1973), by power iteration.
NodeOrder by_slowest_change(const LinkNetwork& network)
{
    constexpr unsigned iterations = 500;
    const std::size_t nodes = network.node_count();
    std::vector<double> degree(nodes, 0), value(nodes), next(nodes);
    for (const NetworkLink& link : network.links())
        for (const NodeId end : {link.source, link.target})
            degree[end] += static_cast<double>(link.bytes_per_cycle);
    std::iota(value.begin(), value.end(), 0.0);
    for (unsigned i = 0; i < iterations; ++i) {
        const double sum = std::accumulate(degree.begin(), degree.end(), 0.0);
        double mean = 0;
        for (NodeId node = 0; node < nodes; ++node)
            mean += degree[node] * value[node] / sum;
        double most = 0;
        for (double& each : value) {
            each -= mean;
            most = std::max(most, std::abs(each));
        }
        for (NodeId node = 0; node < nodes; ++node)
            next[node] = value[node] / std::max(most, 1e-300);
        value = next;
        for (const NetworkLink& link : network.links()) {
            const auto width = static_cast<double>(link.bytes_per_cycle);
            next[link.source] +=
                width * (value[link.target] - value[link.source]) / (2 * degree[link.source]);
            next[link.target] +=
                width * (value[link.source] - value[link.target]) / (2 * degree[link.target]);
        }
        value.swap(next);
    }
    return indices_by<NodeId>(nodes, [&](NodeId node) { return value[node]; });
}

} // namespace

std::vector<NodeOrder> sweep_orders(const LinkNetwork& network)
{
    constexpr std::size_t most_starts = 32;
    std::vector<NodeOrder> orders(1);
    orders.front().resize(network.node_count());
    std::iota(orders.front().begin(), orders.front().end(), 0U);
    orders.push_back(by_slowest_change(network));
    const std::size_t stride = (network.node_count() + most_starts - 1) / most_starts;
    for (std::size_t from = 0; from < network.node_count(); from += stride)
        orders.push_back(breadth_first(network, orders.front()[from]));
    return orders;
}

std::vector<NodeId> best_swept_cut(const LinkNetwork& network, const TrafficMatrix& traffic)
{
    Sweep sweep(network, traffic);
    for (const NodeOrder& order : sweep_orders(network))
        sweep.run(order);
    return sweep.best();
}

} // namespace nocturne
