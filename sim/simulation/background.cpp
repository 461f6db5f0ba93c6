#include "sim/simulation/background.hpp"

#include "models/routing/make_routing.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::uint8_t background_client = 1; // DMA engines are client 0

/// The cycles after which a collective in which no message arrives is given up, start-up times besides: only
/// beside background traffic, which keeps the network from standing still.
constexpr std::uint64_t most_idle_cycles = 1'000'000;

} // namespace

Traffic traffic_of(const BackgroundTraffic& background, const Topology& topology, PortModel ports)
{
    Traffic traffic{make_pattern(topology, background.pattern, background.seed), background.load,
                    make_message_sizes(background.packet_flits), make_arrivals(background.arrivals),
                    background.seed};
    check_load(traffic, topology, ports);
    return traffic;
}

Routing with_vc_class_offset(Routing routing, const VcClasses& classes)
{
    if (!routing.is_oblivious())
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

std::optional<Routing> routing_beside(const std::optional<BackgroundTraffic>& background,
                                      const Topology& topology, const HardwareConfig& hardware,
                                      const VcClasses& classes)
{
    if (!background)
        return std::nullopt;
    return with_vc_class_offset(
        make_routing(topology, background->routing, background->seed, hardware.path_cost_on(topology)),
        classes);
}

BackgroundSources::BackgroundSources(MessageNetwork& network, const Routing& routing, PortModel ports,
                                     const BackgroundTraffic& background)
    : traffic_(traffic_of(background, network.topology(), ports)), check_(false),
      sources_(network, routing, traffic_, check_, background_client)
{
}

void run_beside(BackgroundSources& background, MessageNetwork& network, const HardwareConfig& hardware,
                const CollectiveProgress& progress)
{
    const double timeouts =
        static_cast<double>(most_idle_cycles) + 10 * static_cast<double>(hardware.start_up_cycles());
    std::uint64_t arrived = 0;
    double idle_cycles = 0;
    while (!progress.is_over() && idle_cycles < timeouts) {
        network.run_to(network.now() + 1000);
        if (network.deadlock())
            break; // it is still there, and explained, when all else has come to its end
        const std::uint64_t now = progress.messages();
        idle_cycles = now == arrived ? idle_cycles + 1000 : 0;
        arrived = now;
    }
    background.stop();
    network.drain();
    if (const std::string error = background.error(); !error.empty() && network.in_flight() == 0)
        throw std::logic_error("background traffic: " + error);
}

} // namespace nocturne
