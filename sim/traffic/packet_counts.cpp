#include "sim/traffic/packet_counts.hpp"

namespace nocturne {

PacketCounts::PacketCounts(const Window& window, std::size_t processors)
    : window_(window), latency_(window.batches), queueing_(window.batches), network_(window.batches),
      created_flits_(window.batches), delivered_flits_(window.batches), lost_flits_(window.batches),
      backlog_(processors)
{
}

void PacketCounts::created(ProcessorId source, std::uint64_t cycle, std::uint32_t flits)
{
    backlog_[source] += flits;
    if (const std::size_t batch = window_.batch_of(cycle); batch < window_.batches) {
        ++measured_;
        created_flits_[batch] += flits;
    }
}

void PacketCounts::arrived(const PacketTimes& packet)
{
    last_arrival_ = packet.arrived;
    backlog_[packet.source] -= packet.flits;
    if (const std::size_t batch = window_.batch_of(packet.arrived); batch < window_.batches)
        delivered_flits_[batch] += packet.flits;
    const std::size_t batch = window_.batch_of(packet.created);
    if (batch >= window_.batches)
        return;
    const auto add = [&](std::vector<Batch>& batches, std::uint64_t cycles) {
        batches[batch].sum += static_cast<double>(cycles);
        batches[batch].count += 1;
    };
    add(latency_, packet.arrived - packet.created);
    add(queueing_, packet.injected - packet.created);
    add(network_, packet.arrived - packet.injected);
    latencies_.add(packet.arrived - packet.created);
    hops_ += packet.hops;
}

void PacketCounts::lost(const PacketTimes& packet)
{
    backlog_[packet.source] -= packet.flits;
    if (const std::size_t batch = window_.batch_of(packet.arrived); batch < window_.batches)
        lost_flits_[batch] += packet.flits;
    if (window_.batch_of(packet.created) < window_.batches)
        ++measured_lost_;
}

} // namespace nocturne
