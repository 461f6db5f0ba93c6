#include "models/endpoints/trace_replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

constexpr std::uint64_t most_flits = std::uint64_t{1} << 30;
constexpr std::size_t most_open = (std::size_t{1} << 27) - 1; ///< what timers can number

constexpr std::uint32_t time_has_come = 0; ///< of a timer; others are of a place whose wait is over, plus 1

constexpr std::size_t whole_trace = std::numeric_limits<std::size_t>::max();

} // namespace

std::vector<Routing> routings_by_class(const Routing& base, std::uint32_t classes)
{
    if (classes == 1)
        return {base};
    if (!base.is_oblivious())
        throw std::invalid_argument(
            fmt::format("classes of messages: routing {} is decided by the routers; one "
                        "that is decided at the source is needed",
                        base.name));
    VcClasses all = base.vc_classes;
    for (std::uint32_t of_class = 1; of_class < classes; ++of_class)
        all = all.followed_by(base.vc_classes);
    std::vector<Routing> result;
    for (std::uint32_t of_class = 0; of_class < classes; ++of_class) {
        auto route = [&base, first = of_class * base.vc_classes](ProcessorId source,
                                                                 ProcessorId destination) {
            Route found = base.route(source, destination);
            for (Hop& hop : found)
                hop.vc_class += first;
            return found;
        };
        // Messages of different classes overtake each other.
        result.push_back({base.name, all, ObliviousRoutes{route, {}, false}, base.minimal});
    }
    return result;
}

TraceReplay::TraceReplay(MessageNetwork& network, const HardwareConfig& hardware,
                         std::span<const Routing> routings, TraceReader& trace, MessageObserver& observer,
                         std::size_t window)
    : network_(network), hardware_(hardware), routings_(routings), trace_(trace), observer_(observer),
      window_(window), latest_(std::min(latest_cycle, network.last_cycle() - 1)),
      sent_(network.topology().processor_count())
{
    network.attach(*this);
    send_due();
}

TraceReplay::TraceReplay(MessageNetwork& network, const HardwareConfig& hardware, const Routing& routing,
                         std::span<const TraceMessage> trace, MessageObserver& observer)
    : network_(network), hardware_(hardware), routings_(&routing, 1), list_(trace), trace_(*list_),
      observer_(observer), window_(whole_trace), latest_(std::min(latest_cycle, network.last_cycle() - 1)),
      sent_(network.topology().processor_count())
{
    network.attach(*this);
    send_due();
}

void TraceReplay::read_ahead()
{
    // A trace all of whose messages wait for others has no first one that is not sent.
    while (!is_read_ &&
           (on_time_.empty() ? open_.size() < window_ : read_ - on_time_.top().second.first < window_)) {
        if (trace_.next(next_)) {
            take(next_);
        } else {
            is_read_ = true;
            arrivals_ = {};
        }
    }
}

std::uint32_t TraceReplay::new_place()
{
    if (unused_place_ == none) {
        if (places_.size() == most_open)
            throw std::invalid_argument(fmt::format(
                "trace: message {}: {} messages are kept at once; more are not possible", read_, most_open));
        places_.emplace_back();
        return static_cast<std::uint32_t>(places_.size() - 1);
    }
    const std::uint32_t place = unused_place_;
    unused_place_ = places_[place].first_follower;
    return place;
}

void TraceReplay::take(const TraceMessage& message)
{
    const auto number = static_cast<std::uint32_t>(read_++);
    const std::uint64_t flits = hardware_.flits(message.bytes);
    if (flits > most_flits)
        throw std::invalid_argument(fmt::format("trace: message {}: {} bytes are more than {} flits", number,
                                                message.bytes, most_flits));
    if (const std::uint64_t cycle = std::max(message.cycle, message.earliest); cycle > latest_)
        throw std::invalid_argument(
            fmt::format("trace: message {}: cycle {}; {} is the latest", number, cycle, latest_));
    const std::uint32_t place = new_place();
    places_[place] = {message.cycle,
                      message.earliest,
                      0,
                      message.source,
                      message.destination,
                      static_cast<std::uint32_t>(flits),
                      number,
                      0,
                      message.of_class,
                      message.others,
                      static_cast<std::uint32_t>(1 + message.others.size()),
                      none};
    open_[number] = place;
    if (!message.after.empty()) {
        add_dependencies(place, message.after);
        return;
    }
    if (message.cycle + 1 < network_.now())
        throw std::invalid_argument(
            fmt::format("trace: message {} of cycle {} is read in cycle {}: the trace "
                        "is not sorted by time",
                        number, message.cycle, network_.now() - 1));
    on_time_.push({message.cycle, {number, place}});
}

void TraceReplay::add_dependencies(std::uint32_t place, const std::vector<std::uint32_t>& after)
{
    const std::uint32_t number = places_[place].number;
    std::uint64_t last_arrival = 0;
    bool is_known = true; // when they arrived
    for (const std::uint32_t before : after) {
        if (const std::uint32_t* const open = open_.find(before)) {
            add_follower(*open, place);
            ++places_[place].waiting_for;
        } else if (read_ - before <= arrivals_.size()) {
            last_arrival = std::max(last_arrival, arrivals_[before % arrivals_.size()]);
        } else {
            is_known = false;
        }
    }
    places_[place].last_arrival = last_arrival;
    if (places_[place].waiting_for > 0)
        return;
    const Open& message = places_[place];
    const std::uint64_t due = std::max(last_arrival + message.cycle, message.earliest + 1);
    // What arrived longer ago than is remembered was before now, so that an earliest cycle after now decides.
    const bool is_decided = is_known || (message.cycle == 0 && message.earliest + 1 >= network_.now());
    if (!is_decided || due < network_.now())
        throw std::invalid_argument(fmt::format(
            "trace: message {} could be sent before it is read, {} messages ahead of the first that "
            "is not sent: those that it waits for stand too far before it",
            number, window_));
    send_when_due(place);
}

void TraceReplay::add_follower(std::uint32_t of, std::uint32_t follower)
{
    std::uint32_t entry = unused_follower_;
    if (entry == none) {
        entry = static_cast<std::uint32_t>(followers_.size());
        followers_.emplace_back();
    } else {
        unused_follower_ = followers_[entry].next;
    }
    followers_[entry] = {follower, places_[of].first_follower};
    places_[of].first_follower = entry;
}

/// All that is due, and an event for what comes next.
void TraceReplay::send_due()
{
    for (read_ahead(); !on_time_.empty(); read_ahead()) {
        const std::uint64_t due = on_time_.top().first + 1;
        if (due > network_.now()) {
            network_.set_timer(due, time_has_come);
            return;
        }
        const std::uint32_t place = on_time_.top().second.second;
        on_time_.pop();
        send(place);
    }
}

void TraceReplay::timer(std::uint32_t code)
{
    if (code == time_has_come)
        send_due();
    else
        send(code - 1);
}

/// What it waits for has arrived.
void TraceReplay::send_when_due(std::uint32_t place)
{
    const Open& message = places_[place];
    const std::uint64_t now = network_.now(), after = message.last_arrival;
    if (message.cycle > network_.last_cycle() - after) {
        out_of_time_ = out_of_time_.value_or(message.number);
        return;
    }
    const std::uint64_t due = std::max(after + message.cycle, message.earliest + 1);
    if (due <= now)
        send(place);
    else
        network_.set_timer(due, 1 + place);
}

void TraceReplay::send(std::uint32_t place)
{
    Open& what = places_[place];
    const auto sending_to = [&](ProcessorId destination) {
        return MessageNetwork::Sending{what.source, destination, what.flits, what.number,
                                       sent_[what.source]++};
    };
    if (what.others.empty()) {
        send_observed(network_, sending_to(what.destination), routings_[what.of_class], observer_);
        return;
    }
    std::vector<MessageNetwork::Sending> to_each{sending_to(what.destination)};
    for (const ProcessorId other : std::exchange(what.others, {}))
        to_each.push_back(sending_to(other));
    observer_.multicast_begins(what.source, true);
    send_observed(network_, to_each, routings_[what.of_class], observer_);
}

void TraceReplay::message_arrived(const NetworkMessage& message, ProcessorId at)
{
    const std::uint32_t number = message.tag; // sending ends the life of the reference
    const std::uint64_t now = network_.now();
    observer_.message_delivered(message, at);
    const std::uint32_t place = *open_.find(number);
    if (--places_[place].left > 0)
        return;
    open_.erase(number);
    if (!is_read_) {
        if (arrivals_.empty())
            arrivals_.resize(2 * std::min(window_, usual_window));
        if (read_ - number <= arrivals_.size())
            arrivals_[number % arrivals_.size()] = now;
    }
    std::uint32_t entry = places_[place].first_follower;
    // The order in which they were read.
    std::uint32_t first = none;
    while (entry != none) {
        const std::uint32_t next = followers_[entry].next;
        followers_[entry].next = first;
        first = entry;
        entry = next;
    }
    places_[place].first_follower = unused_place_;
    unused_place_ = place;
    while (first != none) {
        const Follower follower = followers_[first];
        followers_[first].next = unused_follower_;
        unused_follower_ = first;
        first = follower.next;
        Open& open = places_[follower.open];
        open.last_arrival = std::max(open.last_arrival, now);
        if (--open.waiting_for == 0)
            send_when_due(follower.open);
    }
    if (on_time_.empty() && !is_read_)
        send_due();
}

} // namespace nocturne
