#include "models/hardware/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace nocturne {

void check_load(const Traffic& traffic, const Topology& topology, PortModel ports)
{
    if (traffic.queue_packets == 0)
        throw std::invalid_argument("source queues of 0 packets: 1 or more");
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        const double load = traffic.load * traffic.pattern.share(id);
        const unsigned links = send_ports(topology, id, ports);
        if (!(load >= 0 && load <= links))
            throw std::invalid_argument(
                fmt::format("load {}: processor {} would offer {} flits per cycle; it injects from 0 to {}",
                            traffic.load, topology.processor(id).name, load, links));
        const Arrivals possible(traffic.arrivals, load, traffic.sizes.mean_flits(), 0);
    }
}

double highest_load(const Traffic& traffic, const Topology& topology, PortModel ports)
{
    const double of_arrivals = highest_load(traffic.arrivals, traffic.sizes.mean_flits());
    double highest = std::numeric_limits<double>::infinity();
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        const double share = traffic.pattern.share(id);
        const double own = std::min<double>(send_ports(topology, id, ports), of_arrivals);
        double load = own / share;
        while (load * share > own) // rounded up
            load = std::nextafter(load, 0);
        highest = std::min(highest, load);
    }
    return highest;
}

TrafficSource::TrafficSource(const sc_core::sc_module_name& name, Network& network, const Routing& routing,
                             ProcessorId processor, const Traffic& traffic, TrafficObserver& observer,
                             std::uint8_t client)
    : sc_module(name), network_(network), routing_(routing), processor_(processor), traffic_(traffic),
      observer_(observer), client_(client),
      random_(SplitMix64(traffic.seed ^ (std::uint64_t{processor} << 32))()),
      arrivals_(traffic.arrivals, traffic.load * traffic.pattern.share(processor), traffic.sizes.mean_flits(),
                random_())
{
    network_.interface(processor_).attach(*this, client);
}

void TrafficSource::schedule_next()
{
    if (arrivals_.is_silent())
        return;
    // The first cycle that a source can act in is 1. What would come after the end of simulated time does not
    // come.
    if (const std::uint64_t next = arrivals_.next(); next < network_.domain().last_cycle())
        network_.domain().schedule(next + 1, *this, 0);
}

void TrafficSource::on_event(std::uint32_t, std::uint64_t)
{
    if (stopped_)
        return;
    if (network_.interface(processor_).queued() < traffic_.queue_packets)
        send_packet();
    else
        ++rejections_;
    schedule_next();
}

void TrafficSource::send_packet()
{
    const ProcessorId destination = traffic_.pattern.destination(processor_, random_);
    const std::uint32_t flits = traffic_.sizes.draw(random_);
    const PacketId packet = network_.make_packet(processor_, destination, flits, routing_);
    network_.packets()[packet].step = packets_++;
    network_.packets()[packet].client = client_;
    network_.interface(processor_).send(packet);
    observer_.packet_created(network_.packets()[packet]);
}

} // namespace nocturne
