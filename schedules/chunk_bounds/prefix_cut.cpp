#include "models/topology/indices_by.hpp"
#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/chunk_bounds/pair_traffic.hpp"
#include "schedules/chunk_search/timed_schedules.hpp"

#include <algorithm>

namespace nocturne {
namespace {

/// A set of nodes, and what leaves it.
class PrefixSet {
public:
    PrefixSet(const LinkNetwork& network, const std::vector<std::uint32_t>& order)
        : network_(network), is_inside_(network.node_count(), false), next_(network.node_count(), no_node),
          previous_(next_)
    {
        for (std::size_t i = 1; i < order.size(); ++i) {
            next_[order[i - 1]] = order[i];
            previous_[order[i]] = order[i - 1];
        }
    }

    /// Members inside whose next is outside, over units that leave.
    double ratio() const { return units_ > 0.5 ? crossings_ / units_ : 0; }

    void flip(NodeId node)
    {
        const bool was_inside = is_inside_[node];
        const auto leaves = [&] {
            double crossings = 0;
            if (next_[node] != no_node)
                crossings += is_inside_[node] && !is_inside_[next_[node]] ? 1 : 0;
            if (previous_[node] != no_node)
                crossings += is_inside_[previous_[node]] && !is_inside_[node] ? 1 : 0;
            return crossings;
        };
        const double before = leaves();
        is_inside_[node] = !was_inside;
        crossings_ += leaves() - before;
        const double sign = was_inside ? -1 : 1;
        for (const LinkId id : network_.links_from(node))
            if (!is_inside_[network_.link(id).target])
                units_ += sign * static_cast<double>(network_.units(id));
        for (const LinkId id : network_.links_to(node))
            if (is_inside_[network_.link(id).source])
                units_ -= sign * static_cast<double>(network_.units(id));
    }

    /// To the best of the sets that the first nodes of an order are.
    void sweep(const NodeOrder& order)
    {
        for (NodeId node = 0; node < is_inside_.size(); ++node)
            if (is_inside_[node])
                flip(node);
        double best = 0;
        std::size_t best_count = 0;
        for (std::size_t count = 1; count <= order.size(); ++count) {
            flip(order[count - 1]);
            if (ratio() > best) {
                best = ratio();
                best_count = count;
            }
        }
        for (std::size_t i = best_count; i < order.size(); ++i)
            flip(order[i]);
    }

    /// For as long as a node inside or outside makes it better.
    void climb(const SearchEnd& end)
    {
        constexpr double worth_while = 1 + 1e-9;
        for (bool is_better = true; is_better && !end.has_come();) {
            is_better = false;
            for (NodeId node = 0; node < is_inside_.size(); ++node) {
                const double before = ratio();
                flip(node);
                if (ratio() > before * worth_while)
                    is_better = true;
                else
                    flip(node);
            }
        }
    }

    std::vector<NodeId> nodes() const
    {
        return indices_where(is_inside_.size(), [&](NodeId node) { return is_inside_[node]; });
    }

private:
    static constexpr NodeId no_node = ~NodeId{0};

    const LinkNetwork& network_;
    std::vector<bool> is_inside_;
    std::vector<NodeId> next_, previous_; ///< by node: of the scan
    double crossings_ = 0;
    double units_ = 0; ///< that leave
};

/// Members as they follow each other in periods: on grids whose rows are numbered one after the other the
/// first columns are a set that a scan leaves in every row. Switches last.
std::vector<NodeOrder> periodic_orders(const LinkNetwork& network, const std::vector<std::uint32_t>& members)
{
    constexpr std::size_t most_periods = 64; // beside those that divide the number of members
    std::vector<NodeOrder> orders;
    std::vector<bool> is_member(network.node_count(), false);
    for (const std::uint32_t member : members)
        is_member[member] = true;
    for (std::size_t period = 2; period < members.size(); ++period) {
        if (period > most_periods && members.size() % period != 0)
            continue;
        NodeOrder& order = orders.emplace_back();
        for (std::size_t first = 0; first < period; ++first)
            for (std::size_t i = first; i < members.size(); i += period)
                order.push_back(members[i]);
        for (NodeId node = 0; node < network.node_count(); ++node)
            if (!is_member[node])
                order.push_back(node);
    }
    return orders;
}

} // namespace

std::optional<Bound> best_prefix_cut(const LinkNetwork& network, const Collective& collective,
                                     const SearchEnd& end)
{
    const std::vector<std::uint32_t> members = scan_order(collective);
    if (members.empty())
        return std::nullopt;
    std::vector<NodeOrder> orders{members};
    for (const auto& more : {periodic_orders(network, members), sweep_orders(network)})
        orders.insert(orders.end(), more.begin(), more.end());
    PrefixSet set(network, members);
    NodeCut cut;
    double best = 0;
    for (NodeOrder& order : orders)
        for (unsigned direction = 0; direction < 2 && (best == 0 || !end.has_come()); ++direction) {
            set.sweep(order);
            set.climb(end);
            if (set.ratio() > best) {
                best = set.ratio();
                cut.nodes = set.nodes();
            }
            std::ranges::reverse(order);
        }
    std::optional<Bound> bound = proven_bound(std::move(cut), network, collective);
    return bound && Ratio{} < bound->rounds ? bound : std::nullopt;
}

} // namespace nocturne
