#include "models/hardware/traffic.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

namespace {

const TrafficSourceConfig& checked(const TrafficSourceConfig& config)
{
    if (config.packet_flits == 0)
        throw std::invalid_argument("traffic: a packet of 0 flits");
    if (!(config.load >= 0 && config.load <= 1))
        throw std::invalid_argument(
            fmt::format("traffic: load {}: expected flits per cycle from 0 to 1", config.load));
    return config;
}

} // namespace

TrafficSource::TrafficSource(const sc_core::sc_module_name& name, Network& network, const Routing& routing,
                             ProcessorId processor, const TrafficSourceConfig& config)
    : sc_module(name), network_(network), routing_(routing), processor_(processor), config_(checked(config)),
      random_(SplitMix64(config.seed ^ (std::uint64_t{processor} << 32))()),
      arrivals_(BernoulliArrivals{}, config.load, config.packet_flits, random_())
{
    network_.interface(processor_).attach(*this);
}

void TrafficSource::schedule_next()
{
    if (arrivals_.is_silent())
        return;
    // The first cycle that a source can act in is 1.
    if (const Cycle at = arrivals_.next() + 1; at < config_.stop)
        network_.domain().schedule(at, *this, 0);
}

void TrafficSource::on_event(std::uint32_t, std::uint64_t)
{
    const auto processors = static_cast<std::uint32_t>(network_.topology().processor_count());
    const ProcessorId destination = random_.below(processors);
    network_.interface(processor_)
        .send(network_.make_packet(processor_, destination, config_.packet_flits,
                                   routing_.route(processor_, destination)));
    schedule_next();
}

void TrafficSource::packet_arrived(const Packet& packet)
{
    ++received_;
    latency_cycles_ += network_.domain().now() - packet.created;
}

} // namespace nocturne
