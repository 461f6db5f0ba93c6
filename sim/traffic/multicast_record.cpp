#include "sim/traffic/multicast_record.hpp"

#include "sim/traffic/packet_latency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace nocturne {

void MulticastRecord::multicast_begins(ProcessorId, bool is_whole)
{
    begins_ = is_whole;
}

/// All unicasts of a multicast are created at once, one after the other.
void MulticastRecord::message_created(const NetworkMessage& message)
{
    std::deque<Multicast>& of_source = under_way_[message.source];
    if (const std::optional<bool> is_whole = std::exchange(begins_, std::nullopt))
        of_source.push_back({message.number, *is_whole});
    ++of_source.back().unicasts;
    ++of_source.back().left;
}

MulticastRecord::Multicast& MulticastRecord::multicast_of(const NetworkMessage& message)
{
    std::deque<Multicast>& of_source = under_way_[message.source];
    return *--std::ranges::upper_bound(of_source, message.number, {}, &Multicast::first);
}

void MulticastRecord::message_delivered(const NetworkMessage& message, ProcessorId)
{
    Multicast& multicast = multicast_of(message);
    const std::uint64_t latency = network_.now() - message.created;
    multicast.sum += latency;
    multicast.last = std::max(multicast.last, latency);
    end_unicast(message);
}

void MulticastRecord::message_lost(const NetworkMessage& message)
{
    multicast_of(message).is_whole = false;
    end_unicast(message);
}

void MulticastRecord::end_unicast(const NetworkMessage& message)
{
    Multicast& multicast = multicast_of(message);
    if (--multicast.left > 0)
        return;
    const std::size_t batch = window_.batch_of(message.created);
    if (batch < window_.batches && multicast.is_whole) {
        last_counts_.add(multicast.last);
        last_latency_[batch].sum += static_cast<double>(multicast.last);
        last_latency_[batch].count += 1;
        mean_latency_ += static_cast<double>(multicast.sum) / multicast.unicasts;
        least_ = multicasts_ == 0 ? multicast.unicasts : std::min(least_, multicast.unicasts);
        most_ = std::max(most_, multicast.unicasts);
        unicasts_ += multicast.unicasts;
        ++multicasts_;
    }
    std::deque<Multicast>& of_source = under_way_[message.source];
    while (!of_source.empty() && of_source.front().left == 0)
        of_source.pop_front();
}

MulticastLatency MulticastRecord::result(double cycle_ns, bool is_steady) const
{
    MulticastLatency result;
    result.cycle_ns = cycle_ns;
    result.multicasts = multicasts_;
    if (multicasts_ == 0)
        return result;
    const auto count = static_cast<double>(multicasts_);
    result.unicasts_per_multicast = static_cast<double>(unicasts_) / count;
    const std::string least = least_ == most_ ? std::string() : fmt::format("{} to ", least_);
    if (network_.copies_multicasts())
        result.sent_as =
            fmt::format("one packet to {}{}, which routers copy{}", least, most_,
                        network_.multicast() == nocturne::Multicast::reserved ? ", on a reserved way" : "");
    else
        result.sent_as =
            fmt::format("{}{} unicast{}, one behind the other", least, most_, most_ == 1 ? "" : "s");
    if (!is_steady)
        return result;
    const Estimate last = estimate_ratio(last_latency_);
    result.average_last_latency_cycles = last.mean;
    result.average_last_latency_error_cycles = finite_or_nothing(last.error);
    result.average_mean_latency_cycles = mean_latency_ / count;
    result.p99_last_latency_cycles = last_counts_.quantile(0.99);
    result.maximum_last_latency_cycles = last_counts_.quantile(1);
    return result;
}

} // namespace nocturne
