#include "schedules/reschedule/delivery_places.hpp"

#include "schedules/problem/transfer_rules.hpp"
#include "schedules/search/warm_start.hpp"

#include <algorithm>
#include <utility>

namespace nocturne {
namespace {

constexpr std::uint32_t never = ~0U;

} // namespace

DeliveryPlaces::DeliveryPlaces(const Problem& problem, std::uint32_t steps, const Schedule& start)
    : problem_(problem), steps_(steps), resources_(problem), table_(resources_.capacities(), steps),
      price_(steps * resources_.channel_count()), held_from_(resources_.processor_count())
{
    find_deliveries(start);
    place_deliveries(start);
}

void DeliveryPlaces::find_deliveries(const Schedule& start)
{
    const auto& messages = problem_.collective.messages();
    std::vector<std::vector<std::pair<ProcessorId, bool>>> destinations(messages.size());
    for (MessageId m = 0; m < messages.size(); ++m)
        for (const ProcessorId receiver : messages[m].receivers)
            destinations[m].emplace_back(receiver, true);
    for (const Step& step : start.steps)
        for (const Transfer& transfer : step)
            for (const ProcessorId id : {transfer.source, transfer.destination})
                if (id != messages[transfer.message].origin)
                    destinations[transfer.message].emplace_back(id, false);
    for (MessageId m = 0; m < messages.size(); ++m) {
        first_.push_back(static_cast<DeliveryId>(deliveries_.size()));
        // Owed before not owed, which then goes as a duplicate.
        std::sort(destinations[m].begin(), destinations[m].end(), [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first < b.first : a.second > b.second;
        });
        for (const auto& [destination, is_owed] : destinations[m])
            if (deliveries_.size() == first_.back() || deliveries_.back().destination != destination)
                deliveries_.push_back({m, destination, is_owed});
    }
    first_.push_back(static_cast<DeliveryId>(deliveries_.size()));
}

void DeliveryPlaces::place_deliveries(const Schedule& start)
{
    const std::vector<std::size_t> kept = fullest_steps(start.steps, steps_);
    const TransferRules rules(problem_);
    for (std::uint32_t step = 0; step < kept.size(); ++step)
        for (const Transfer& transfer : start.steps[kept[step]]) {
            const DeliveryId id = find(transfer.message, transfer.destination);
            Delivery& delivery = deliveries_[id];
            if (delivery.now)
                continue;
            // A message that has lost all receivers but one goes straight there from now on.
            if (!rules.allows_ends(problem_.collective.messages()[transfer.message], transfer.source,
                                   transfer.destination))
                continue;
            delivery.before = DeliveryPlace{step, transfer.source, *transfer.path};
            // All-port processors have fewer ports where a channel has failed.
            if (is_free(*delivery.before, delivery.destination))
                put(id, *delivery.before);
        }
}

std::span<const Delivery> DeliveryPlaces::of_message(MessageId message) const
{
    return std::span(deliveries_).subspan(first_[message], first_[message + 1] - first_[message]);
}

DeliveryId DeliveryPlaces::find(MessageId message, ProcessorId destination) const
{
    const auto all = of_message(message);
    const auto found =
        std::lower_bound(all.begin(), all.end(), destination,
                         [](const Delivery& delivery, ProcessorId id) { return delivery.destination < id; });
    return first_[message] + static_cast<DeliveryId>(found - all.begin());
}

bool DeliveryPlaces::is_needed(DeliveryId id) const
{
    return deliveries_[id].is_owed || passes_on(deliveries_[id]);
}

bool DeliveryPlaces::passes_on(const Delivery& delivery) const
{
    return std::ranges::any_of(of_message(delivery.message), [&](const Delivery& other) {
        return other.now && other.now->source == delivery.destination;
    });
}

DeliveryPlaces::Cost DeliveryPlaces::children_price(const Delivery& delivery, std::uint32_t step) const
{
    Cost sum = 0;
    for (const Delivery& other : of_message(delivery.message))
        if (other.now && other.now->source == delivery.destination && other.now->step <= step)
            sum += price(other);
    return sum;
}

std::span<const MessageHolder> DeliveryPlaces::holders(MessageId message)
{
    const Message& sent = problem_.collective.messages()[message];
    holders_.assign(1, {sent.origin, 0});
    if (forbids_relays(problem_.slack, sent))
        return holders_;
    by_step_.clear();
    for (DeliveryId id = first_[message]; id < first_[message + 1]; ++id) {
        held_from_[deliveries_[id].destination] = never;
        if (deliveries_[id].now)
            by_step_.push_back(id);
    }
    held_from_[sent.origin] = 0;
    std::ranges::sort(by_step_, [&](DeliveryId a, DeliveryId b) {
        return std::pair(deliveries_[a].now->step, a) < std::pair(deliveries_[b].now->step, b);
    });
    for (const DeliveryId id : by_step_) {
        const Delivery& delivery = deliveries_[id];
        if (held_from_[delivery.now->source] > delivery.now->step)
            continue;
        held_from_[delivery.destination] = delivery.now->step + 1;
        holders_.push_back({delivery.destination, delivery.now->step + 1});
    }
    return holders_;
}

bool DeliveryPlaces::is_free(const DeliveryPlace& place, ProcessorId destination) const
{
    return !table_.is_full(resources_.send_port(place.source), place.step) &&
           !table_.is_full(resources_.receive_port(destination), place.step) &&
           std::ranges::none_of(place.path,
                                [&](ChannelId channel) { return table_.is_full(channel, place.step); });
}

void DeliveryPlaces::put(DeliveryId id, DeliveryPlace place)
{
    Delivery& delivery = deliveries_[id];
    delivery.now = std::move(place);
    const DeliveryPlace& at = *delivery.now;
    for (const ChannelId channel : at.path) {
        table_.put(channel, at.step, id);
        price_[at.step * resources_.channel_count() + channel] = price(delivery);
    }
    table_.put(resources_.send_port(at.source), at.step, id);
    table_.put(resources_.receive_port(delivery.destination), at.step, id);
}

DeliveryPlace DeliveryPlaces::take(DeliveryId id)
{
    Delivery& delivery = deliveries_[id];
    DeliveryPlace at = std::move(*delivery.now);
    delivery.now.reset();
    for (const ChannelId channel : at.path) {
        table_.remove(channel, at.step, id);
        price_[at.step * resources_.channel_count() + channel] = 0;
    }
    table_.remove(resources_.send_port(at.source), at.step, id);
    table_.remove(resources_.receive_port(delivery.destination), at.step, id);
    return at;
}

DeliveryPlaces::Cost DeliveryPlaces::port_price(ResourceId port, std::uint32_t step) const
{
    if (!table_.is_full(port, step))
        return 0;
    Cost least = impossible;
    for (const DeliveryId id : table_.holders(port, step))
        least = std::min(least, price(deliveries_[id]));
    return least;
}

DeliveryPlaces::Cost DeliveryPlaces::send_price(std::uint32_t step, ProcessorId processor) const
{
    return port_price(resources_.send_port(processor), step);
}

DeliveryPlaces::Cost DeliveryPlaces::receive_price(std::uint32_t step, ProcessorId processor) const
{
    return port_price(resources_.receive_port(processor), step);
}

/// If those that go already make no room at a port, the cheapest of the others goes, too.
void DeliveryPlaces::add_cheapest(ResourceId port, std::uint32_t step,
                                  std::vector<DeliveryId>& obstacles) const
{
    const auto users = table_.holders(port, step);
    const auto goes = [&](DeliveryId id) {
        return std::find(obstacles.begin(), obstacles.end(), id) != obstacles.end();
    };
    if (!table_.is_full(port, step) || std::any_of(users.begin(), users.end(), goes))
        return;
    obstacles.push_back(*std::ranges::min_element(
        users, [&](DeliveryId a, DeliveryId b) { return price(deliveries_[a]) < price(deliveries_[b]); }));
}

void DeliveryPlaces::add_obstacles(DeliveryId id, const DeliveryPlace& place,
                                   std::vector<DeliveryId>& obstacles) const
{
    const Delivery& delivery = deliveries_[id];
    const auto add = [&](DeliveryId other) {
        if (std::find(obstacles.begin(), obstacles.end(), other) == obstacles.end())
            obstacles.push_back(other);
    };
    for (const ChannelId channel : place.path)
        for (const DeliveryId holder : table_.holders(channel, place.step))
            add(holder);
    for (DeliveryId other = first_[delivery.message]; other < first_[delivery.message + 1]; ++other)
        if (const auto& now = deliveries_[other].now;
            now && now->source == delivery.destination && now->step <= place.step)
            add(other);
    add_cheapest(resources_.send_port(place.source), place.step, obstacles);
    add_cheapest(resources_.receive_port(delivery.destination), place.step, obstacles);
}

Schedule DeliveryPlaces::schedule() const
{
    Schedule schedule = empty_schedule(problem_, "repair");
    schedule.steps.resize(steps_);
    for (const Delivery& delivery : deliveries_)
        if (delivery.now)
            schedule.steps[delivery.now->step].push_back(
                {delivery.message, delivery.now->source, delivery.destination, delivery.now->path});
    std::erase_if(schedule.steps, [](const Step& step) { return step.empty(); });
    return schedule;
}

} // namespace nocturne
