#include "models/endpoints/traffic_sources.hpp"

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

TrafficSources::TrafficSources(MessageNetwork& network, const Routing& routing, const Traffic& traffic,
                               MessageObserver& observer, std::uint8_t client)
    : network_(network), routing_(routing), traffic_(traffic), observer_(observer), client_(client),
      last_cycle_(network.last_cycle())
{
    network_.attach(*this, client);
    for (ProcessorId id = 0; id < network.topology().processor_count(); ++id) {
        SplitMix64 random(SplitMix64(traffic.seed ^ (std::uint64_t{id} << 32))());
        const std::uint64_t seed_of_arrivals = random();
        sources_.push_back({random, Arrivals(traffic.arrivals, traffic.load * traffic.pattern.share(id),
                                             traffic.sizes.mean_flits(), seed_of_arrivals)});
        set_timer(id);
    }
}

/// The first cycle that a source can act in is 1. What would come after the end of simulated time does not
/// come.
void TrafficSources::set_timer(ProcessorId id)
{
    Arrivals& arrivals = sources_[id].arrivals;
    if (arrivals.is_silent())
        return;
    if (const std::uint64_t next = arrivals.next(); next < last_cycle_)
        network_.set_timer(next + 1, id, client_);
}

void TrafficSources::timer(std::uint32_t id)
{
    if (is_stopped_)
        return;
    if (network_.queued(id) < traffic_.queue_packets)
        send(id);
    else
        ++rejections_;
    set_timer(id);
}

void TrafficSources::send(ProcessorId id)
{
    Source& source = sources_[id];
    const ProcessorId destination = traffic_.pattern.destination(id, source.random);
    const std::uint32_t flits = traffic_.sizes.draw(source.random);
    send_observed(network_, {id, destination, flits, 0, source.messages++, client_}, routing_, observer_);
}

} // namespace nocturne
