#include "sim/simulation/background.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

constexpr std::uint8_t background_client = 1; // DMA engines are client 0

} // namespace

Routing with_vc_class_offset(Routing routing, const VcClasses& classes)
{
    if (routing.adaptive())
        throw std::invalid_argument(fmt::format(
            "background traffic: routing {} is decided by the routers; one that is decided at the source is "
            "needed",
            routing.name));
    const auto raised = [routing, offset = classes.count()](ProcessorId source, ProcessorId destination) {
        Route route = routing.route(source, destination);
        for (Hop& hop : route)
            hop.vc_class += offset;
        return route;
    };
    return {routing.name, classes.followed_by(routing.vc_classes),
            ObliviousRoutes{raised, {}, routing.in_order()}, routing.minimal};
}

BackgroundSources::BackgroundSources(Network& network, const Routing& routing, PortModel ports,
                                     const BackgroundTraffic& background)
    : traffic_{make_pattern(network.topology(), background.pattern, background.seed), background.load,
               make_message_sizes(background.packet_flits), make_arrivals(background.arrivals),
               background.seed},
      check_(false)
{
    check_load(traffic_, network.topology(), ports);
    for (ProcessorId id = 0; id < network.topology().processor_count(); ++id)
        sources_.push_back(std::make_unique<TrafficSource>(fmt::format("background_{}", id).c_str(), network,
                                                           routing, id, traffic_, check_, background_client));
}

void BackgroundSources::stop()
{
    for (const auto& source : sources_)
        source->stop();
}

} // namespace nocturne
