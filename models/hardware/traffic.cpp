#include "models/hardware/traffic.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace nocturne {

TrafficSource::TrafficSource(const sc_core::sc_module_name& name, Network& network, const Routing& routing,
                             ProcessorId processor, const TrafficSourceConfig& config)
    : sc_module(name), network_(network), routing_(routing), processor_(processor), config_(config),
      random_(SplitMix64(config.seed ^ (std::uint64_t{processor} << 32))())
{
    if (config.packet_flits == 0)
        throw std::invalid_argument("traffic: a packet of 0 flits");
    if (!(config.load >= 0 && config.load <= 1))
        throw std::invalid_argument(
            fmt::format("traffic: load {}: expected flits per cycle from 0 to 1", config.load));
    network_.interface(processor_).attach(*this);
}

void TrafficSource::schedule_next()
{
    const double probability = config_.load / config_.packet_flits;
    if (probability <= 0)
        return;
    // The gap between two successes of a Bernoulli trial a cycle, drawn at once.
    const double gap =
        probability >= 1 ? 0 : std::floor(std::log1p(-random_.uniform()) / std::log1p(-probability));
    const double at = static_cast<double>(network_.domain().now()) + 1 + gap;
    if (at < static_cast<double>(config_.stop))
        network_.domain().schedule(static_cast<Cycle>(at), *this, 0);
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
