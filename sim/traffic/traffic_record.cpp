#include "sim/traffic/traffic_record.hpp"

namespace nocturne {

TrafficRecord::TrafficRecord(const ClockDomain& domain, const Window& window, std::uint32_t processors,
                             bool in_order)
    : domain_(domain), window_(window), check_(processors, in_order), latency_(window.batches),
      queueing_(window.batches), network_(window.batches), created_flits_(window.batches),
      delivered_flits_(window.batches)
{
}

void TrafficRecord::packet_created(const Packet& packet)
{
    check_.packet_created(packet);
    if (const std::size_t batch = window_.batch_of(packet.created); batch < window_.batches) {
        ++measured_;
        created_flits_[batch] += packet.flits;
    }
}

void TrafficRecord::packet_delivered(const Packet& packet, ProcessorId at)
{
    check_.packet_delivered(packet, at);
    const Cycle now = domain_.now();
    last_arrival_ = now;
    if (const std::size_t batch = window_.batch_of(now); batch < window_.batches)
        delivered_flits_[batch] += packet.flits;
    const std::size_t batch = window_.batch_of(packet.created);
    if (batch >= window_.batches)
        return;
    const auto add = [&](std::vector<Batch>& batches, Cycle cycles) {
        batches[batch].sum += static_cast<double>(cycles);
        batches[batch].count += 1;
    };
    add(latency_, now - packet.created);
    add(queueing_, packet.injected - packet.created);
    add(network_, now - packet.injected);
    latencies_.add(now - packet.created);
}

} // namespace nocturne
