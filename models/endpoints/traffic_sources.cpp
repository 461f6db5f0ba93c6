#include "models/endpoints/traffic_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

constexpr std::uint64_t most_sources = std::uint64_t{1} << 27; ///< what timers can number

} // namespace

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
        const Arrivals possible(traffic.arrivals, load,
                                traffic.sizes.mean_flits() * traffic.pattern.unicasts(id), 0);
    }
}

double highest_load(const Traffic& traffic, const Topology& topology, PortModel ports)
{
    double highest = std::numeric_limits<double>::infinity();
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        const double share = traffic.pattern.share(id);
        const double of_arrivals =
            highest_load(traffic.arrivals, traffic.sizes.mean_flits() * traffic.pattern.unicasts(id));
        const double own = std::min<double>(send_ports(topology, id, ports), of_arrivals);
        double load = own / share;
        while (load * share > own) // rounded up
            load = std::nextafter(load, 0);
        highest = std::min(highest, load);
    }
    return highest;
}

TrafficSources::TrafficSources(MessageNetwork& network, std::span<const TrafficClass> classes,
                               std::uint8_t client)
    : network_(network), classes_(classes.begin(), classes.end()), client_(client),
      last_cycle_(network.last_cycle())
{
    const std::uint32_t processors = classes.empty() ? 0 : classes.front().traffic.pattern.processors();
    if (std::uint64_t{processors} * classes.size() + 2 > most_sources)
        throw std::invalid_argument(fmt::format("{} classes of traffic at {} processors: at most {} sources",
                                                classes.size(), processors, most_sources - 2));
    network_.attach(*this, client);
    sources_.reserve(processors * classes_.size());
    for (std::uint32_t of_class = 0; of_class < classes_.size(); ++of_class) {
        const Traffic& traffic = classes_[of_class].traffic;
        for (ProcessorId id = 0; id < processors; ++id) {
            SplitMix64 random(SplitMix64(traffic.seed ^ (std::uint64_t{id} << 32))());
            const std::uint64_t seed_of_arrivals = random();
            sources_.push_back(
                {random,
                 Arrivals(traffic.arrivals, traffic.load * traffic.pattern.share(id),
                          traffic.sizes.mean_flits() * traffic.pattern.unicasts(id), seed_of_arrivals),
                 0, id, of_class, count_++, &classes_[of_class]});
            set_timer(sources_.back());
        }
    }
}

void TrafficSources::plan_reroutes(Reroutes reroutes)
{
    reroutes_ = std::move(reroutes);
    const DownTime& when = reroutes_.when;
    takes_reroutes_ = when.from <= 1; // before anything is sent
    if (!takes_reroutes_)
        network_.set_timer(when.from, count_, client_);
    if (when.until < last_cycle_)
        network_.set_timer(std::max<std::uint64_t>(when.until, 1), count_ + 1, client_);
}

/// The first cycle that a source can act in is 1. What would come after the end of simulated time does not
/// come.
void TrafficSources::set_timer(Source& source)
{
    Arrivals& arrivals = source.arrivals;
    if (arrivals.is_silent())
        return;
    if (const std::uint64_t next = arrivals.next(); next < last_cycle_)
        network_.set_timer(next + 1, source.code, client_);
}

void TrafficSources::timer(std::uint32_t code)
{
    if (is_stopped_)
        return;
    if (code >= count_) {
        takes_reroutes_ = code == count_;
        return;
    }
    Source& source = sources_[code];
    if (network_.queued(source.processor) < source.of->traffic.queue_packets)
        send(source);
    else
        ++rejections_;
    set_timer(source);
}

void TrafficSources::send(Source& source)
{
    const TrafficClass& of = *source.of;
    if (!of.traffic.pattern.is_multicast()) [[likely]] {
        const ProcessorId destination = of.traffic.pattern.destination(source.processor, source.random);
        send_to(destination, of.traffic.sizes.draw(source.random), source);
        return;
    }
    const std::span<const ProcessorId> group = of.traffic.pattern.group(source.processor, source.random);
    const std::uint32_t flits = of.traffic.sizes.draw(source.random);
    of.observer.multicast_begins(source.processor, std::ranges::all_of(group, [&](ProcessorId destination) {
                                     return is_reachable(source.processor, destination);
                                 }));
    if (takes_reroutes_) {
        for (const ProcessorId destination : group)
            send_to(destination, flits, source);
        return;
    }
    multicast_.clear();
    for (const ProcessorId destination : group)
        multicast_.push_back(sending_to(destination, flits, source));
    send_observed(network_, multicast_, of.routing, of.observer);
}

bool TrafficSources::is_reachable(ProcessorId source, ProcessorId destination) const
{
    return !takes_reroutes_ || (!reroutes_.is_gone[source] && !reroutes_.is_gone[destination]);
}

MessageNetwork::Sending TrafficSources::sending_to(ProcessorId destination, std::uint32_t flits,
                                                   Source& source) const
{
    return {source.processor, destination,        flits, source.of_class, source.messages++,
            client_,          source.of->priority};
}

void TrafficSources::send_to(ProcessorId destination, std::uint32_t flits, Source& source)
{
    const TrafficClass& of = *source.of;
    if (!is_reachable(source.processor, destination)) {
        ++undeliverable_;
        return;
    }
    const MessageNetwork::Sending sending = sending_to(destination, flits, source);
    if (takes_reroutes_)
        send_around(of, sending);
    else
        send_observed(network_, sending, of.routing, of.observer);
}

void TrafficSources::send_around(const TrafficClass& of, const MessageNetwork::Sending& sending)
{
    const Route route = of.routing.route(sending.source, sending.destination);
    if (std::ranges::none_of(route, [&](const Hop& hop) { return reroutes_.is_down[hop.channel]; })) {
        send_observed(network_, sending, route, of.observer);
        return;
    }
    ++rerouted_;
    send_observed(network_, sending, reroutes_.around->route(sending.source, sending.destination),
                  of.observer);
}

} // namespace nocturne
