#include "schedules/formats/foreign_schedule.hpp"

#include "schedules/schedule/start_order.hpp"
#include "schedules/schedule/transfer_order.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>

namespace nocturne {

namespace {

/// Starts transfers as soon as what they wait for is over and all their links have room for them; of those
/// that wait for the same link, what has most behind it, then what has waited longest.
class EarliestStart {
public:
    EarliestStart(const Schedule& schedule, const LinkNetwork& network,
                  const std::vector<TransferTime>& times, const std::vector<double>& rest)
        : transfers_(schedule), times_(times), rest_(rest), waits_(times.size()), can_start_(times.size(), 0),
          followers_(schedule), network_(network), calendar_(network), waiting_(network.link_count())
    {
        for (std::uint32_t id = 0; id < times.size(); ++id) {
            waits_[id] = schedule.after.of(id).size();
            if (waits_[id] == 0)
                events_.push({0, -rest[id], id, std::nullopt});
        }
    }

    /// By their starts.
    std::vector<std::uint32_t> order()
    {
        while (!events_.empty()) {
            const Event event = events_.top();
            events_.pop();
            if (event.freed)
                serve(*event.freed, event.time);
            else
                start_or_wait(event.transfer, event.time);
        }
        return std::move(order_);
    }

private:
    /// A transfer has left a link, or waits for no other: at the same time links come first.
    struct Event {
        double time;
        double urgency; ///< less is first
        std::uint32_t transfer;
        std::optional<LinkId> freed;

        bool operator>(const Event& other) const
        {
            return std::tuple(time, !freed, urgency, transfer) >
                   std::tuple(other.time, !other.freed, other.urgency, other.transfer);
        }
    };
    using Waiting = std::tuple<double, double, std::uint32_t>; ///< urgency, since when, which

    /// From when on the link has room for the transfer.
    double room_on(LinkId link, std::uint32_t id, double now) const
    {
        return calendar_.earliest_on(link, rate_of(transfers_[id].links(), network_), now);
    }

    void serve(LinkId link, double now)
    {
        while (!waiting_[link].empty()) {
            const std::uint32_t id = std::get<2>(waiting_[link].top());
            if (room_on(link, id, now) > now)
                return;
            waiting_[link].pop();
            start_or_wait(id, now);
        }
    }

    void start_or_wait(std::uint32_t id, double now)
    {
        const std::span<const LinkId> path = transfers_[id].links();
        const auto last =
            std::ranges::max_element(path, {}, [&](LinkId link) { return room_on(link, id, now); });
        if (last != path.end() && room_on(*last, id, now) > now) {
            waiting_[*last].emplace(-rest_[id], can_start_[id], id);
            return;
        }
        order_.push_back(id);
        const double released = now + times_[id].holds_links;
        calendar_.hold(path, now, released);
        for (const LinkId link : path)
            events_.push({released, 0, 0, link});
        for (const std::uint32_t follower : followers_.of(id)) {
            can_start_[follower] = std::max(can_start_[follower], now + times_[id].duration);
            if (--waits_[follower] == 0)
                events_.push({can_start_[follower], -rest_[follower], follower, std::nullopt});
        }
    }

    const TransferList transfers_;
    const std::vector<TransferTime>& times_;
    const std::vector<double>& rest_;
    std::vector<std::size_t> waits_;
    std::vector<double> can_start_;
    const Followers followers_;
    const LinkNetwork& network_;
    LinkShares calendar_;
    std::vector<std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>>> waiting_; ///< by link
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    std::vector<std::uint32_t> order_;
};

/// How long each transfer and those that wait for it take at least.
std::vector<double> rest_of(const Schedule& schedule, const LinkNetwork& network,
                            const std::vector<TransferTime>& times)
{
    std::vector<double> rest(times.size(), 0);
    const std::vector<std::uint32_t> order = order_of_transfers(schedule, network);
    for (auto id = order.rbegin(); id != order.rend(); ++id) {
        rest[*id] += times[*id].duration;
        for (const std::uint32_t before : schedule.after.of(*id))
            rest[before] = std::max(rest[before], rest[*id]);
    }
    return rest;
}

} // namespace

void order_links(Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost)
{
    const std::vector<std::uint32_t> weights = transfer_weights(schedule);
    const TransferList transfers(schedule);
    std::vector<TransferTime> times;
    for (std::uint32_t id = 0; id < weights.size(); ++id)
        times.push_back(transfer_time(transfers[id], weights[id], network, cost));
    double best = time_of(schedule, network, cost);
    const Schedule as_listed = schedule;
    for (const std::vector<double>& rest :
         {std::vector<double>(times.size(), 0), rest_of(schedule, network, times)}) {
        Schedule other = in_order(as_listed, EarliestStart(as_listed, network, times, rest).order());
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
