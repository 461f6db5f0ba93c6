#include "models/endpoints/trace_replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::uint64_t most_flits = std::uint64_t{1} << 30;
constexpr std::size_t most_messages = (std::size_t{1} << 27) - 1; ///< what timers can number

constexpr std::uint32_t time_has_come = 0; ///< of a timer; others are of a message whose wait is over, plus 1

void check(std::span<const TraceMessage> trace, const HardwareConfig& config, std::uint64_t last_cycle)
{
    const std::uint64_t latest = std::min(TraceReplay::latest_cycle, last_cycle - 1);
    if (trace.size() > most_messages)
        throw std::invalid_argument(
            fmt::format("trace: {} messages; at most {} are possible", trace.size(), most_messages));
    for (std::size_t i = 0; i < trace.size(); ++i) {
        if (config.flits(trace[i].bytes) > most_flits)
            throw std::invalid_argument(fmt::format("trace: message {}: {} bytes are more than {} flits", i,
                                                    trace[i].bytes, most_flits));
        if (trace[i].cycle > latest)
            throw std::invalid_argument(
                fmt::format("trace: message {}: cycle {}; {} is the latest", i, trace[i].cycle, latest));
    }
}

} // namespace

TraceReplay::TraceReplay(MessageNetwork& network, const HardwareConfig& hardware, const Routing& routing,
                         std::span<const TraceMessage> trace, MessageObserver& observer)
    : network_(network), hardware_(hardware), routing_(routing), trace_(trace), observer_(observer),
      sent_(network.topology().processor_count()), first_follower_(trace.size() + 1)
{
    check(trace, hardware, network.last_cycle());
    network.attach(*this);
    for (std::uint32_t i = 0; i < trace.size(); ++i) {
        waiting_for_.push_back(static_cast<std::uint32_t>(trace[i].after.size()));
        if (trace[i].after.empty())
            on_time_.push_back(i);
        for (const std::uint32_t before : trace[i].after)
            ++first_follower_[before + 1];
    }
    std::partial_sum(first_follower_.begin(), first_follower_.end(), first_follower_.begin());
    followers_.resize(first_follower_.back());
    std::vector<std::size_t> next(first_follower_.begin(), first_follower_.end() - 1);
    for (std::uint32_t i = 0; i < trace.size(); ++i)
        for (const std::uint32_t before : trace[i].after)
            followers_[next[before]++] = i;
    send_due();
}

/// All that is due, and an event for what comes next.
void TraceReplay::send_due()
{
    for (; next_on_time_ < on_time_.size(); ++next_on_time_) {
        const std::uint32_t message = on_time_[next_on_time_];
        const std::uint64_t due = trace_[message].cycle + 1;
        if (due > network_.now()) {
            network_.set_timer(due, time_has_come);
            return;
        }
        send(message);
    }
}

void TraceReplay::timer(std::uint32_t code)
{
    if (code == time_has_come)
        send_due();
    else
        send(code - 1);
}

void TraceReplay::send(std::uint32_t message)
{
    const TraceMessage& what = trace_[message];
    const auto flits = static_cast<std::uint32_t>(hardware_.flits(what.bytes));
    send_observed(network_, {what.source, what.destination, flits, message, sent_[what.source]++}, routing_,
                  observer_);
}

void TraceReplay::message_arrived(const NetworkMessage& message, ProcessorId at)
{
    const std::uint32_t number = message.tag; // sending ends the life of the reference
    ++arrived_;
    observer_.message_delivered(message, at);
    for (std::size_t i = first_follower_[number]; i < first_follower_[number + 1]; ++i) {
        const std::uint32_t follower = followers_[i];
        if (--waiting_for_[follower] > 0)
            continue;
        if (trace_[follower].cycle == 0)
            send(follower);
        else if (trace_[follower].cycle > network_.last_cycle() - network_.now())
            out_of_time_ = out_of_time_.value_or(follower);
        else
            network_.set_timer(network_.now() + trace_[follower].cycle, 1 + follower);
    }
}

} // namespace nocturne
