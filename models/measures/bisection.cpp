#include "models/measures/bisection.hpp"

#include "models/measures/gain_buckets.hpp"
#include "models/routing/random.hpp"
#include "models/text/unknown_name.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

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

/// The best of `found` and what at most `steps` steps find; exact if they end by themselves. `least` is the
/// least number of processors of a part. Steps put a node on a side; a bound is the number of links between
/// the parts so far, and for each node that is on neither side the fewer of its links to one of them.
Bisection improve_exactly(const Graph& graph, const Bisection& found, std::uint64_t least,
                          std::uint64_t steps)
{
    return steps == 0 ? found : Branching(graph, found, least, steps).run();
}

/// The links of each node, undirected, self-loops left out.
std::vector<std::vector<NodeId>> neighbours_of(const Graph& graph)
{
    std::vector<std::vector<NodeId>> neighbours(graph.node_count());
    for (const ArcId id : links_of(graph)) {
        const auto [a, b] = graph.arc(id);
        if (a == b)
            continue;
        neighbours[a].push_back(b);
        neighbours[b].push_back(a);
    }
    return neighbours;
}

/// Passes of Fiduccia and Mattheyses over one graph.
class Refinement {
public:
    Refinement(const Graph& graph, std::uint64_t least)
        : graph_(graph), neighbours_(neighbours_of(graph)), least_(least), side_(graph.node_count())
    {
        for (NodeId node = 0; node < graph.node_count(); ++node) {
            total_ += graph.injecting(node);
            slack_ = std::max<std::uint64_t>(slack_, graph.injecting(node));
            reach_ = std::max(reach_, static_cast<std::int64_t>(neighbours_[node].size()));
        }
    }

    /// From halves in the order given. The links between the parts; nothing if they are not even enough.
    std::optional<std::uint64_t> run(std::span<const NodeId> order)
    {
        weight_ = {};
        for (const NodeId node : order) {
            side_[node] = 2 * weight_[1] < total_;
            weight_[side_[node]] += graph_.injecting(node);
        }
        while (pass()) {
        }
        if (!is_even())
            return std::nullopt;
        std::uint64_t twice = 0;
        for (NodeId node = 0; node < graph_.node_count(); ++node)
            twice += static_cast<std::uint64_t>(std::ranges::count_if(
                neighbours_[node], [&](NodeId other) { return side_[other] != side_[node]; }));
        return twice / 2;
    }

    const std::vector<bool>& sides() const { return side_; }

private:
    bool is_even() const { return weight_[0] >= least_ && weight_[1] >= least_; }

    /// How much is missing to parts that are even enough.
    std::uint64_t shortage() const
    {
        const std::uint64_t smaller = std::min(weight_[0], weight_[1]);
        return smaller < least_ ? least_ - smaller : 0;
    }

    /// Moves each node once, and takes back all moves behind the best moment. Was anything won?
    bool pass()
    {
        std::array<GainBuckets, 2> buckets{GainBuckets(graph_.node_count(), reach_),
                                           GainBuckets(graph_.node_count(), reach_)};
        std::vector<bool> is_locked(graph_.node_count());
        for (NodeId node = 0; node < graph_.node_count(); ++node)
            buckets[side_[node]].insert(node, gain_of(node));
        std::vector<NodeId> moves;
        std::int64_t gain = 0, best_gain = 0;
        std::uint64_t best_shortage = shortage();
        std::size_t best_count = 0;
        for (NodeId node = choose(buckets); node != GainBuckets::none; node = choose(buckets)) {
            const bool from = side_[node];
            gain += buckets[from].gain(node);
            buckets[from].remove(node);
            is_locked[node] = true;
            for (const NodeId other : neighbours_[node])
                if (!is_locked[other])
                    buckets[side_[other]].change(other, side_[other] == from ? 2 : -2);
            move(node);
            moves.push_back(node);
            if (shortage() < best_shortage || (shortage() == best_shortage && gain > best_gain)) {
                best_shortage = shortage();
                best_gain = gain;
                best_count = moves.size();
            }
        }
        for (std::size_t i = moves.size(); i-- > best_count;)
            move(moves[i]);
        return best_count > 0;
    }

    void move(NodeId node)
    {
        weight_[side_[node]] -= graph_.injecting(node);
        side_[node] = !side_[node];
        weight_[side_[node]] += graph_.injecting(node);
    }

    std::int64_t gain_of(NodeId node) const
    {
        std::int64_t gain = 0;
        for (const NodeId other : neighbours_[node])
            gain += side_[other] == side_[node] ? -1 : 1;
        return gain;
    }

    /// The node to move next: one of the largest gain that may leave its side; from the heavier one of two
    /// alike.
    NodeId choose(std::array<GainBuckets, 2>& buckets) const
    {
        const bool heavier = weight_[1] > weight_[0];
        NodeId chosen = GainBuckets::none;
        for (const bool side : {heavier, !heavier}) {
            const NodeId node = buckets[side].best();
            // Between two even moments a part may lack one node: halves could not exchange any otherwise.
            if (node == GainBuckets::none || weight_[side] + slack_ < least_ + graph_.injecting(node))
                continue;
            if (chosen == GainBuckets::none || buckets[side].gain(node) > buckets[!side].gain(chosen))
                chosen = node;
        }
        return chosen;
    }

    const Graph& graph_;
    std::vector<std::vector<NodeId>> neighbours_;
    std::uint64_t least_;
    std::uint64_t total_ = 0;
    std::uint64_t slack_ = 0;
    std::int64_t reach_ = 0;
    std::vector<bool> side_;
    std::array<std::uint64_t, 2> weight_{};
};

/// Nodes from a random one outwards: their first half is in one piece.
std::vector<NodeId> order_outwards(const Graph& graph, NodeId start)
{
    std::vector<NodeId> order;
    std::vector<bool> is_taken(graph.node_count());
    for (NodeId first = start; order.size() < graph.node_count(); first = (first + 1) % graph.node_count()) {
        if (is_taken[first])
            continue;
        is_taken[first] = true;
        order.push_back(first);
        for (std::size_t head = order.size() - 1; head < order.size(); ++head)
            for (const NodeId next : graph.successors(order[head]))
                if (!is_taken[next]) {
                    is_taken[next] = true;
                    order.push_back(next);
                }
    }
    return order;
}

} // namespace

void check_bisection(const Graph& graph, const BisectionEffort& effort)
{
    if (!graph.is_direct())
        throw std::invalid_argument("bisection: processors inject and are ejected at different routers");
    if (effort.starts == 0)
        throw std::invalid_argument("bisection: at least one start");
    std::size_t nodes = 0;
    for (NodeId node = 0; node < graph.node_count(); ++node)
        nodes += graph.injecting(node) > 0;
    if (nodes < 2)
        throw std::invalid_argument("bisection: fewer than two routers have processors");
}

std::string_view to_string(Evenness evenness)
{
    return evenness == Evenness::halves ? "halves" : "40%";
}

Evenness parse_evenness(std::string_view text)
{
    return value_named("bisection", text, {Evenness::forty_percent, Evenness::halves});
}

std::uint64_t smallest_part(const Graph& graph, Evenness evenness)
{
    const std::uint64_t total = graph.processor_count();
    std::vector<bool> is_reachable(total + 1); // as the number of processors of a part
    is_reachable[0] = true;
    for (NodeId node = 0; node < graph.node_count(); ++node)
        for (std::uint64_t sum = total + 1; sum-- > graph.injecting(node) && graph.injecting(node) > 0;)
            if (is_reachable[sum - graph.injecting(node)])
                is_reachable[sum] = true;
    std::uint64_t most_even = total / 2;
    while (!is_reachable[most_even])
        --most_even;
    return evenness == Evenness::halves ? most_even : std::min(most_even, (2 * total + 4) / 5);
}

std::uint64_t links_between(const Graph& graph, const std::vector<bool>& is_in_first)
{
    const std::vector<ArcId> links = links_of(graph);
    return static_cast<std::uint64_t>(std::ranges::count_if(links, [&](ArcId id) {
        return is_in_first[graph.arc(id).source] != is_in_first[graph.arc(id).target];
    }));
}

Bisection bisection(const Graph& graph, const BisectionEffort& effort)
{
    check_bisection(graph, effort);
    const std::uint64_t least = smallest_part(graph, effort.evenness);
    Refinement refinement(graph, least);
    SplitMix64 random(effort.seed);
    std::vector<NodeId> order(graph.node_count());
    std::iota(order.begin(), order.end(), 0u);
    Bisection best{graph.arc_count() + std::uint64_t{1}};
    for (std::uint32_t start = 0; start < effort.starts; ++start) {
        for (NodeId i = graph.node_count(); i > 1; --i)
            std::swap(order[i - 1], order[random.below(i)]);
        // Every other start from a half in one piece, which random halves of long networks hardly become.
        const std::optional<std::uint64_t> links =
            refinement.run(start % 2 == 0 ? order : order_outwards(graph, order.front()));
        if (links && *links < best.links)
            best = {.links = *links, .is_in_first = refinement.sides()};
    }
    best.evenness = effort.evenness;
    best.smallest_part = least;
    return improve_exactly(graph, best, least, effort.exact_steps);
}

} // namespace nocturne::measures
