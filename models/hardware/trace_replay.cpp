#include "models/hardware/trace_replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::uint64_t most_flits = std::uint64_t{1} << 30;

enum TraceEvent : std::uint32_t { time_has_come, wait_is_over };

void check(std::span<const TraceMessage> trace, Network& network)
{
    const HardwareConfig& config = network.config();
    const std::uint64_t latest = std::min(TraceReplay::latest_cycle, network.domain().last_cycle() - 1);
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

TraceReplay::TraceReplay(const sc_core::sc_module_name& name, Network& network, const Routing& routing,
                         std::span<const TraceMessage> trace, TrafficObserver& observer)
    : sc_module(name), network_(network), routing_(routing), trace_(trace), observer_(observer),
      first_follower_(trace.size() + 1)
{
    check(trace, network);
    for (ProcessorId id = 0; id < network.topology().processor_count(); ++id)
        network.interface(id).attach(ports_.emplace_back(*this, id));
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
}

/// All that is due, and an event for what comes next.
void TraceReplay::send_due()
{
    for (; next_on_time_ < on_time_.size(); ++next_on_time_) {
        const std::uint32_t message = on_time_[next_on_time_];
        const Cycle due = trace_[message].cycle + 1;
        if (due > network_.domain().now()) {
            network_.domain().schedule(due, *this, time_has_come);
            return;
        }
        send(message);
    }
}

void TraceReplay::on_event(std::uint32_t code, std::uint64_t data)
{
    if (code == time_has_come)
        send_due();
    else
        send(static_cast<std::uint32_t>(data));
}

void TraceReplay::send(std::uint32_t message)
{
    const TraceMessage& what = trace_[message];
    const auto flits = static_cast<std::uint32_t>(network_.config().flits(what.bytes));
    const PacketId id = network_.make_packet(what.source, what.destination, flits, routing_);
    Packet& packet = network_.packets()[id];
    packet.step = ports_[what.source].packets++;
    packet.address = message;
    network_.interface(what.source).send(id);
    observer_.packet_created(network_.packets()[id]);
}

void TraceReplay::arrived(const Packet& packet, ProcessorId at)
{
    const std::uint32_t message = packet.address; // sending may move the packet
    ++arrived_;
    observer_.packet_delivered(packet, at);
    for (std::size_t i = first_follower_[message]; i < first_follower_[message + 1]; ++i) {
        const std::uint32_t follower = followers_[i];
        if (--waiting_for_[follower] > 0)
            continue;
        if (trace_[follower].cycle == 0)
            send(follower);
        else if (trace_[follower].cycle > network_.domain().last_cycle() - network_.domain().now())
            out_of_time_ = out_of_time_.value_or(follower);
        else
            network_.domain().schedule(network_.domain().now() + trace_[follower].cycle, *this, wait_is_over,
                                       follower);
    }
}

} // namespace nocturne
