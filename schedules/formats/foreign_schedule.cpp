#include "schedules/formats/foreign_schedule.hpp"

#include "schedules/schedule/start_order.hpp"
#include "schedules/schedule/transfer_order.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>

namespace nocturne {

namespace {

/// Of several that could start first what has most behind it, of these what can start first.
Schedule longest_rest_first(const Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost)
{
    const std::vector<std::uint32_t> weights = transfer_weights(schedule);
    const TransferList transfers(schedule);
    std::vector<std::uint32_t> order = order_of_transfers(schedule, network);
    std::vector<double> rest(order.size(), 0); ///< least time of the transfer and those that wait for it
    for (auto id = order.rbegin(); id != order.rend(); ++id) {
        rest[*id] += transfer_time(transfers[*id], weights[*id], network, cost).duration;
        for (const std::uint32_t before : schedule.after.of(*id))
            rest[before] = std::max(rest[before], rest[*id]);
    }
    std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t id) { return rest[id]; });
    return in_order(schedule, order);
}

} // namespace

void order_links(Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost)
{
    double best = time_of(schedule, network, cost);
    const Schedule as_read = schedule;
    for (const LinkTurn turn : {LinkTurn::as_ready, LinkTurn::as_listed}) {
        Schedule other = in_order_of_starts(
            turn == LinkTurn::as_ready ? as_read : longest_rest_first(as_read, network, cost), network, cost,
            turn);
        if (const double time = time_of(other, network, cost); time < best) {
            best = time;
            schedule = std::move(other);
        }
    }
}

ProcessorPaths::NodePath ProcessorPaths::find(NodeId source, NodeId destination) const
{
    struct Reached {
        std::uint32_t hops = ~0U;
        std::pair<double, double> load = {}; ///< of the fullest link, and of all
        NodeId from = 0;
        bool is_choice = false;
    };
    std::vector<Reached> reached(network_.node_count());
    reached[source].hops = 0;
    std::deque<NodeId> open{source};
    for (; !open.empty() && reached[open.front()].hops < reached[destination].hops; open.pop_front()) {
        const Reached here = reached[open.front()];
        for (const LinkId link : network_.links_from(open.front())) {
            const NodeId target = network_.link(link).target;
            Reached& there = reached[target];
            const std::pair load{std::max(here.load.first, load_[link]), here.load.second + load_[link]};
            if (there.hops == ~0U) {
                if (network_.kind(target) != NodeKind::processor)
                    open.push_back(target);
            } else if (there.hops != here.hops + 1) {
                continue;
            }
            const bool is_choice = here.is_choice || there.hops != ~0U;
            if (there.hops == ~0U || load < there.load)
                there = {here.hops + 1, load, open.front(), is_choice};
            there.is_choice = is_choice;
        }
    }
    NodePath path;
    if (reached[destination].hops == ~0U)
        return path;
    path.is_choice = reached[destination].is_choice;
    for (NodeId node = destination; node != source; node = reached[node].from)
        path.nodes.push_back(node);
    path.nodes.push_back(source);
    std::ranges::reverse(path.nodes);
    return path;
}

std::vector<LinkId> ProcessorPaths::between(NodeId source, NodeId destination)
{
    const auto [found, is_new] = paths_.try_emplace({source, destination});
    if (is_new)
        found->second = find(source, destination);
    const NodePath& way = found->second;
    chosen_ += way.is_choice;
    std::vector<LinkId> path;
    for (std::size_t i = 0; i + 1 < way.nodes.size(); ++i) {
        std::optional<LinkId> least;
        for (const LinkId link : network_.links_from(way.nodes[i]))
            if (network_.link(link).target == way.nodes[i + 1] && (!least || load_[link] < load_[*least]))
                least = link;
        path.push_back(*least);
        load_[*least] += 1 / static_cast<double>(network_.link(*least).bytes_per_cycle);
    }
    return path;
}

std::vector<LinkId> path_over(const LinkNetwork& network, const std::vector<NodeId>& nodes)
{
    std::vector<LinkId> path;
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
        const auto links = network.links_from(nodes[i]);
        const auto link = std::find_if(links.begin(), links.end(),
                                       [&](LinkId id) { return network.link(id).target == nodes[i + 1]; });
        if (link == links.end())
            return {};
        path.push_back(*link);
    }
    return path;
}

} // namespace nocturne
