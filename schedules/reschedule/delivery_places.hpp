// The state of a repair: which delivery is where, and what it is worth to leave it there.
#pragma once

#include "models/topology/path.hpp"
#include "schedules/problem/step_table.hpp"
#include "schedules/reschedule/residual_paths.hpp"
#include "schedules/schedule/schedule.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nocturne {

using DeliveryId = std::uint32_t;

/// When, from where and how a delivery comes.
struct DeliveryPlace {
    std::uint32_t step;
    ProcessorId source;
    Path path;

    friend bool operator==(const DeliveryPlace&, const DeliveryPlace&) = default;
};

/// A message that comes to a processor, because it is owed or because it is passed on there.
struct Delivery {
    MessageId message;
    ProcessorId destination;
    bool is_owed = false;
    ResidualPaths::Cost weight = 1;                     ///< of pushing it out
    std::optional<DeliveryPlace> before = std::nullopt; ///< in the schedule that is repaired
    std::optional<DeliveryPlace> now = std::nullopt;    ///< nothing while it waits
};

/// Who has a message.
struct MessageHolder {
    ProcessorId processor;
    std::uint32_t from; ///< first step in which it can send it
};

/// Deliveries and the channels and ports that they hold in a number of steps.
class DeliveryPlaces {
public:
    using Cost = ResidualPaths::Cost;
    static constexpr Cost impossible = ~0U / 4; ///< more than any sum of prices

    /// The deliveries that `problem`, which must outlive this, owes, and those of `start`; at their places in
    /// `start` as far as these are free. If `start` has more than `steps` steps those with the fewest
    /// transfers are left out.
    DeliveryPlaces(const Problem& problem, std::uint32_t steps, const Schedule& start);

    std::uint32_t steps() const { return steps_; }
    std::size_t count() const { return deliveries_.size(); }
    const Delivery& operator[](DeliveryId id) const { return deliveries_[id]; }
    void bump_weight(DeliveryId id) { ++deliveries_[id].weight; } ///< only while it waits

    /// The deliveries of a message: ids from first_of(message) to first_of(message + 1).
    DeliveryId first_of(MessageId message) const { return first_[message]; }
    std::span<const Delivery> of_message(MessageId message) const;
    /// The delivery to a processor that is its destination in the problem or in the start, or relays it
    /// there.
    DeliveryId find(MessageId message, ProcessorId destination) const;

    /// Is it owed, or does its destination pass it on?
    bool is_needed(DeliveryId id) const;
    bool passes_on(const Delivery& delivery) const;
    /// Price of all deliveries that the destination passes on up to and in `step`: they cannot stay if it
    /// comes in that step.
    Cost children_price(const Delivery& delivery, std::uint32_t step) const;

    /// Who has the message and since when, the origin first; processors whose own delivery hangs in the air
    /// hold nothing, nor do those that they pass it on to: otherwise a delivery could become its own source.
    /// With a slack a message for one receiver goes straight. Valid until the next call.
    std::span<const MessageHolder> holders(MessageId message);

    bool is_free(const DeliveryPlace& place, ProcessorId destination) const;
    /// The delivery waits, and the place is free.
    void put(DeliveryId id, DeliveryPlace place);
    DeliveryPlace take(DeliveryId id);

    /// Its weight, and one more at the place where it was before: others move first.
    Cost price(const Delivery& delivery) const
    {
        return delivery.weight + (delivery.now == delivery.before ? 1 : 0);
    }
    /// By channel: the price of who holds it in the step; 0 = free.
    std::span<const Cost> channel_prices(std::uint32_t step) const
    {
        return std::span(price_).subspan(step * resources_.channel_count(), resources_.channel_count());
    }
    /// What room for one more message at a port of the processor costs: 0 if there is some, `impossible` if
    /// it has no port.
    Cost send_price(std::uint32_t step, ProcessorId processor) const;
    Cost receive_price(std::uint32_t step, ProcessorId processor) const;
    /// Adds the deliveries that have to go before `id` can be put there.
    void add_obstacles(DeliveryId id, const DeliveryPlace& place, std::vector<DeliveryId>& obstacles) const;

    /// What is placed, without empty steps.
    Schedule schedule() const;

private:
    void find_deliveries(const Schedule& start);
    void place_deliveries(const Schedule& start);
    Cost port_price(ResourceId port, std::uint32_t step) const;
    void add_cheapest(ResourceId port, std::uint32_t step, std::vector<DeliveryId>& obstacles) const;

    const Problem& problem_;
    std::uint32_t steps_;
    Resources resources_;

    std::vector<Delivery> deliveries_; ///< by message, then destination
    std::vector<DeliveryId> first_;    ///< by message, and one more

    StepTable table_;         ///< deliveries at their places; every transfer holds its two ports
    std::vector<Cost> price_; ///< by step and channel

    std::vector<MessageHolder> holders_;
    std::vector<DeliveryId> by_step_;      ///< scratch of holders()
    std::vector<std::uint32_t> held_from_; ///< likewise, by processor
};

} // namespace nocturne
