#include "models/routing/distances.hpp"
#include "models/routing/random.hpp"
#include "schedules/scatter/hop_table.hpp"
#include "schedules/scatter/scatter_engines.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/search/search_meter.hpp"
#include "schedules/search/warm_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

constexpr std::string_view one_hop_engine = "local";
constexpr unsigned hop_moves_per_ejection = 1;

/// The ejection pool: all of the state of a search.
class RoutePool {
public:
    RoutePool(const Problem& problem, unsigned steps, const SearchControl& control);
    SearchResult run();

private:
    using Cost = std::int64_t;
    static constexpr Cost infinite = std::numeric_limits<Cost>::max();
    /// A hop costs this and a random part of as much, a message in the way far more than the hops of any
    /// route.
    static constexpr Cost hop_cost = 32;
    static constexpr Cost conflict_cost = 1 << 20;
    static constexpr std::uint32_t wait = ~0u;

    void begin_with(const std::vector<Step>& start);
    std::optional<std::uint32_t> find_hop(const Transfer& transfer) const;
    bool is_possible() const;
    MessageId take();
    bool find_route(MessageId message);
    void eject();
    void perturb();
    Schedule schedule() const;

    const Problem& problem_;
    const Messages messages_;
    Resources resources_;
    ProcessorHops hops_;
    std::vector<std::vector<std::uint32_t>> distance_; ///< by receiver and processor
    std::uint32_t steps_;
    HopTable table_;
    SearchMeter meter_;
    SplitMix64 random_;
    std::vector<MessageId> pool_;
    std::vector<TimedHop> route_; ///< what find_route() found
    std::vector<Cost> cost_;      ///< of being at a processor when a step begins, by step and processor
    std::vector<std::uint32_t> came_by_; ///< a hop, or wait; as cost_
};

RoutePool::RoutePool(const Problem& problem, unsigned steps, const SearchControl& control)
    : problem_(problem), messages_(problem.collective.messages()), resources_(problem),
      hops_(problem.topology, resources_), distance_(problem.topology.processor_count()), steps_(steps),
      table_(resources_, hops_, steps, messages_.size()), meter_(control, one_hop_engine, steps),
      random_(control.seed), cost_((steps + std::size_t{1}) * problem.topology.processor_count()),
      came_by_(cost_.size())
{
    for (const Message& message : messages_) {
        const ProcessorId receiver = message.receivers.front();
        if (message.receivers.size() != 1)
            throw std::invalid_argument(
                fmt::format("{}: a message has {} receivers", describe(problem), message.receivers.size()));
        if (distance_[receiver].empty())
            distance_[receiver] = hops_.distances_to(receiver);
    }
    for (MessageId id = 0; id < messages_.size(); ++id)
        pool_.push_back(id);
    begin_with(usable_steps(problem, meter_.control().start));
}

/// Messages whose whole route is there and free take it.
void RoutePool::begin_with(const std::vector<Step>& start)
{
    std::vector<std::vector<TimedHop>> routes(messages_.size());
    std::vector<ProcessorId> at;
    for (const Message& message : messages_)
        at.push_back(message.origin);
    for (std::uint32_t step = 0; step < start.size() && step < steps_; ++step)
        for (const Transfer& transfer : start[step])
            // One hop a step, and none beyond the receiver.
            if (const MessageId id = transfer.message; transfer.source == at[id] &&
                                                       at[id] != messages_[id].receivers.front() &&
                                                       (routes[id].empty() || routes[id].back().step < step))
                if (const auto hop = find_hop(transfer)) {
                    routes[id].push_back({step, *hop});
                    at[id] = transfer.destination;
                }
    std::erase_if(pool_, [&](MessageId id) {
        if (at[id] != messages_[id].receivers.front() ||
            std::any_of(routes[id].begin(), routes[id].end(),
                        [&](const TimedHop& hop) { return table_.price(hop) > 0; }))
            return false;
        table_.put(id, routes[id]);
        return true;
    });
}

std::optional<std::uint32_t> RoutePool::find_hop(const Transfer& transfer) const
{
    const ChannelId channel = transfer.path->empty() ? no_channel : transfer.path->front();
    for (std::uint32_t i = hops_.first(transfer.source); i != hops_.first(transfer.source + 1); ++i)
        if (hops_.all()[i].to == transfer.destination && hops_.all()[i].channel == channel)
            return i;
    return std::nullopt;
}

bool RoutePool::is_possible() const
{
    return std::all_of(messages_.begin(), messages_.end(), [&](const Message& message) {
        return distance_[message.receivers.front()][message.origin] <= steps_;
    });
}

SearchResult RoutePool::run()
{
    meter_.end_attempt(pool_.size());
    while (is_possible() && !pool_.empty() && !meter_.is_over()) {
        const MessageId message = take();
        meter_.count();
        const bool is_free = find_route(message);
        if (!is_free) {
            table_.bump_weight(message);
            eject();
        }
        table_.put(message, route_);
        if (!is_free)
            perturb();
        meter_.end_attempt(pool_.size());
    }
    SearchResult result{.tried = meter_.tried(), .unscheduled = meter_.unscheduled()};
    if (pool_.empty()) {
        result.outcome = Outcome::found;
        result.schedule = schedule();
    }
    return result;
}

MessageId RoutePool::take()
{
    std::swap(pool_[random_.below(static_cast<std::uint32_t>(pool_.size()))], pool_.back());
    const MessageId message = pool_.back();
    pool_.pop_back();
    return message;
}

/// The cheapest route of a message, which has none. Is nothing in its way?
bool RoutePool::find_route(MessageId message)
{
    const ProcessorId origin = messages_[message].origin;
    const ProcessorId receiver = messages_[message].receivers.front();
    const auto& distance = distance_[receiver];
    const std::size_t processors = distance.size();
    std::fill_n(cost_.begin(), processors, infinite);
    cost_[origin] = 0;
    for (std::uint32_t step = 0; step < steps_; ++step) {
        const Cost* const now = &cost_[step * processors];
        Cost* const next = &cost_[(step + 1) * processors];
        std::uint32_t* const came_by = &came_by_[(step + 1) * processors];
        std::copy_n(now, processors, next);
        std::fill_n(came_by, processors, wait);
        std::uint64_t noise = random_();
        for (ProcessorId at = 0; at < processors; ++at) {
            if (now[at] == infinite || at == receiver)
                continue;
            for (std::uint32_t i = hops_.first(at); i != hops_.first(at + 1); ++i) {
                const ProcessorId to = hops_.all()[i].to;
                // Steps are left, and the route must be better than what is known.
                if (distance[to] == unreachable || distance[to] + step + 1 > steps_)
                    continue;
                noise = noise << 59 | noise >> 5;
                const Cost hop = now[at] + hop_cost + static_cast<Cost>(noise % hop_cost);
                if (hop >= next[to])
                    continue;
                const Cost cost = hop + conflict_cost * table_.price({step, i});
                if (cost < next[to]) {
                    next[to] = cost;
                    came_by[to] = i;
                }
            }
        }
    }
    route_.clear();
    ProcessorId at = receiver;
    for (std::uint32_t step = steps_; step > 0; --step) {
        const std::uint32_t hop = came_by_[step * processors + at];
        if (hop == wait)
            continue;
        route_.push_back({step - 1, hop});
        at = hops_.all()[hop].from;
    }
    return cost_[steps_ * processors + receiver] < conflict_cost;
}

/// Makes room for the route.
void RoutePool::eject()
{
    for (const TimedHop& hop : route_)
        for (MessageId other = table_.in_the_way(hop); other != no_message; other = table_.in_the_way(hop)) {
            table_.remove(other);
            pool_.push_back(other);
        }
}

/// A few messages change to other routes without conflict.
void RoutePool::perturb()
{
    for (unsigned move = 0; move < hop_moves_per_ejection; ++move) {
        const MessageId message = random_.below(static_cast<std::uint32_t>(messages_.size()));
        if (table_.route(message).empty())
            continue;
        table_.remove(message);
        find_route(message); // its old one is free
        table_.put(message, route_);
    }
}

Schedule RoutePool::schedule() const
{
    Schedule schedule = empty_schedule(problem_, one_hop_engine);
    for (MessageId id = 0; id < messages_.size(); ++id)
        for (const auto& [step, index] : table_.route(id)) {
            const ProcessorHop& hop = hops_.all()[index];
            put_in_step(schedule.steps, step,
                        {id, hop.from, hop.to, hop.channel == no_channel ? Path{} : Path{hop.channel}});
        }
    return schedule;
}

} // namespace

SearchResult search_store_and_forward(const Problem& problem, unsigned steps, const SearchControl& control)
{
    return RoutePool(problem, steps, control).run();
}

} // namespace nocturne
