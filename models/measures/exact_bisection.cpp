#include "models/measures/exact_bisection.hpp"

#include <algorithm>
#include <array>

namespace nocturne::measures {

namespace {

class Branching {
public:
    Branching(const Graph& graph, const Bisection& found, std::uint64_t least, std::uint64_t steps)
        : graph_(graph), best_(found), least_(least), steps_(steps), order_(order_of(graph)),
          is_in_first_(graph.node_count()), is_placed_(graph.node_count()), links_(graph.node_count())
    {
        for (std::size_t i = order_.size(); i-- > 0;)
            weight_left_.push_back(graph.injecting(order_[i]) +
                                   (weight_left_.empty() ? 0 : weight_left_.back()));
        std::ranges::reverse(weight_left_);
        weight_left_.push_back(0);
    }

    Bisection run()
    {
        branch(0);
        best_.is_exact = steps_ > 0;
        return best_;
    }

private:
    /// Each node has as many links as possible to those before it, so that bounds grow early.
    static std::vector<NodeId> order_of(const Graph& graph)
    {
        std::vector<NodeId> order;
        std::vector<std::size_t> joined(graph.node_count());
        std::vector<bool> is_taken(graph.node_count());
        while (order.size() < graph.node_count()) {
            NodeId best = graph.node_count();
            for (NodeId node = 0; node < graph.node_count(); ++node)
                if (!is_taken[node] && (best == graph.node_count() || joined[node] > joined[best]))
                    best = node;
            is_taken[best] = true;
            order.push_back(best);
            for (const NodeId other : graph.successors(best))
                ++joined[other];
            for (const NodeId other : graph.predecessors(best))
                ++joined[other];
        }
        return order;
    }

    /// Calls `visit(other)` for each link of the node: the arcs out, and those in that are not their
    /// opposites.
    template <typename Visit>
    void for_each_link(NodeId node, Visit visit) const
    {
        for (const NodeId other : graph_.successors(node))
            visit(other);
        for (const ArcId id : graph_.arcs_to(node))
            if (graph_.opposite(id) == no_arc)
                visit(graph_.arc(id).source);
    }

    void branch(std::size_t depth)
    {
        if (steps_ == 0 || bound_ >= best_.links)
            return;
        if (depth == order_.size()) {
            best_.links = bound_;
            best_.is_in_first = is_in_first_;
            return;
        }
        const NodeId node = order_[depth];
        // The side with more of its links first; the first node of all has but one side, the parts being
        // alike.
        const bool first = links_[node][1] >= links_[node][0];
        for (const bool side : {first, !first}) {
            if (depth == 0 && side != first)
                break;
            const std::uint64_t missing = missing_weight(side, node);
            if (missing > weight_left_[depth + 1])
                continue;
            place(node, side);
            branch(depth + 1);
            take_back(node, side);
            if (steps_ == 0)
                return;
        }
    }

    /// What both parts lack of their least weight once the node is on that side.
    std::uint64_t missing_weight(bool side, NodeId node) const
    {
        std::array<std::uint64_t, 2> weight = weight_;
        weight[side] += graph_.injecting(node);
        return (least_ > weight[0] ? least_ - weight[0] : 0) + (least_ > weight[1] ? least_ - weight[1] : 0);
    }

    void place(NodeId node, bool side)
    {
        --steps_;
        is_placed_[node] = true;
        is_in_first_[node] = side;
        weight_[side] += graph_.injecting(node);
        bound_ += links_[node][!side] - std::min(links_[node][0], links_[node][1]);
        for_each_link(node, [&](NodeId other) {
            if (!is_placed_[other]) {
                bound_ -= std::min(links_[other][0], links_[other][1]);
                ++links_[other][side];
                bound_ += std::min(links_[other][0], links_[other][1]);
            }
        });
    }

    void take_back(NodeId node, bool side)
    {
        for_each_link(node, [&](NodeId other) {
            if (!is_placed_[other]) {
                bound_ -= std::min(links_[other][0], links_[other][1]);
                --links_[other][side];
                bound_ += std::min(links_[other][0], links_[other][1]);
            }
        });
        bound_ -= links_[node][!side] - std::min(links_[node][0], links_[node][1]);
        weight_[side] -= graph_.injecting(node);
        is_placed_[node] = false;
    }

    const Graph& graph_;
    Bisection best_;
    std::uint64_t least_;
    std::uint64_t steps_; // left
    std::vector<NodeId> order_;
    std::vector<std::uint64_t> weight_left_; // of the nodes from a place of the order on
    std::vector<bool> is_in_first_;
    std::vector<bool> is_placed_;
    std::vector<std::array<std::uint64_t, 2>> links_; // of a node to those that are placed, by their side
    std::array<std::uint64_t, 2> weight_{};
    std::uint64_t bound_ = 0;
};

} // namespace

Bisection improve_exactly(const Graph& graph, const Bisection& found, std::uint64_t least,
                          std::uint64_t steps)
{
    return steps == 0 ? found : Branching(graph, found, least, steps).run();
}

} // namespace nocturne::measures
