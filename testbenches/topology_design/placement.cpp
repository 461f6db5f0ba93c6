#include "testbenches/topology_design/placement.hpp"

#include "models/measures/wires.hpp"

#include <algorithm>
#include <vector>

namespace nocturne::topology_design {
namespace {

using measures::Graph;
using measures::NodeId;

/// Each node but the first of its part is a neighbour of one before it, so that most places are out of reach.
std::vector<NodeId> breadth_first_order(const Graph& graph)
{
    std::vector<NodeId> order;
    std::vector<bool> is_seen(graph.node_count(), false);
    const auto see = [&](NodeId node) {
        if (!is_seen[node])
            order.push_back(node);
        is_seen[node] = true;
    };
    for (NodeId first = 0; first < graph.node_count(); ++first) {
        see(first);
        for (std::size_t at = order.size() - 1; at < order.size(); ++at) {
            for (const NodeId next : graph.successors(order[at]))
                see(next);
            for (const NodeId previous : graph.predecessors(order[at]))
                see(previous);
        }
    }
    return order;
}

class Placement {
public:
    Placement(const Graph& graph, std::span<const Position> places, double longest)
        : graph_(graph), places_(places), longest_(longest), order_(breadth_first_order(graph)),
          place_of_(graph.node_count(), none), is_taken_(places.size(), false)
    {
    }

    /// Puts the nodes from this one of the order on.
    bool put_from(std::size_t at)
    {
        if (at == order_.size())
            return true;
        const NodeId node = order_[at];
        for (std::size_t place = 0; place < places_.size(); ++place) {
            if (is_taken_[place] || !reaches(graph_.successors(node), place) ||
                !reaches(graph_.predecessors(node), place))
                continue;
            is_taken_[place] = true;
            place_of_[node] = place;
            if (put_from(at + 1))
                return true;
            is_taken_[place] = false;
            place_of_[node] = none;
        }
        return false;
    }

private:
    static constexpr std::size_t none = ~std::size_t{0};

    bool reaches(std::span<const NodeId> others, std::size_t place) const
    {
        return std::ranges::all_of(others, [&](NodeId other) {
            return place_of_[other] == none ||
                   measures::manhattan_distance(places_[place_of_[other]], places_[place]) <= longest_;
        });
    }

    const Graph& graph_;
    std::span<const Position> places_;
    double longest_;
    std::vector<NodeId> order_;
    std::vector<std::size_t> place_of_;
    std::vector<bool> is_taken_;
};

} // namespace

bool can_be_placed(const Graph& graph, std::span<const Position> places, double longest)
{
    return Placement(graph, places, longest).put_from(0);
}

} // namespace nocturne::topology_design
