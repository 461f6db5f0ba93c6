#include "sim/recovery/retransmission.hpp"

#include "models/routing/make_routing.hpp"

namespace nocturne {

Workload send_again(const Topology& topology, const Collective& collective, PortModel ports,
                    const Faults& faults, const MessageOwners& owners, const HardwareConfig& hardware)
{
    const RemainingNetwork rest = remaining_network(topology, faults);
    const Routing routing = make_routing(rest.topology, "auto", 1, hardware.path_cost_on(rest.topology));
    NearestHolders nearest_holder(rest, owners);
    std::vector<std::vector<SendingRound>> rounds(collective.processors, std::vector<SendingRound>(1));
    for (const OwedDelivery& each : owed_deliveries(collective, topology, faults, owners).owed) {
        rounds[nearest_holder(each)].front().sends.push_back({each.message, each.receiver});
        ++rounds[each.receiver].front().receives;
    }
    Workload workload{"sent again",        routing.name,
                      routing.vc_classes,  Synchronization::self_timed,
                      StartUp::every_step, std::vector<std::vector<EngineStep>>(collective.processors)};
    add_rounds(workload, rounds, topology, ports, [&](ProcessorId source, ProcessorId destination) {
        Route route = routing.route(rest.new_processor[source], rest.new_processor[destination]);
        for (Hop& hop : route)
            hop.channel = rest.old_channel[hop.channel];
        return route;
    });
    return workload;
}

} // namespace nocturne
