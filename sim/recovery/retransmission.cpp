#include "sim/recovery/retransmission.hpp"

#include "models/routing/make_routing.hpp"

#include <algorithm>

namespace nocturne {

Workload send_again(const Topology& topology, const Collective& collective, PortModel ports,
                    const Faults& faults, const MessageOwners& owners, const HardwareConfig& hardware)
{
    const RemainingNetwork rest = remaining_network(topology, faults);
    const Routing routing = make_routing(rest.topology, "auto", 1, hardware.path_cost_on(rest.topology));
    NearestHolders nearest_holder(rest, owners);
    std::vector<std::vector<OwedDelivery>> sends(collective.processors);
    std::vector<std::uint32_t> expected(collective.processors);
    for (const OwedDelivery& each : owed_deliveries(collective, topology, faults, owners).owed) {
        sends[nearest_holder(each)].push_back(each);
        ++expected[each.receiver];
    }
    Workload workload{"sent again",        routing.name,
                      routing.vc_classes,  Synchronization::self_timed,
                      StartUp::every_step, std::vector<std::vector<EngineStep>>(collective.processors)};
    const auto at_once = [&](ProcessorId id) -> std::size_t { return send_ports(topology, id, ports); };
    for (ProcessorId id = 0; id < collective.processors; ++id) {
        workload.engines[id].resize(
            std::max<std::size_t>(1, (sends[id].size() + at_once(id) - 1) / at_once(id)));
        workload.engines[id].back().expected = expected[id];
    }
    for (ProcessorId id = 0; id < collective.processors; ++id)
        for (std::size_t i = 0; i < sends[id].size(); ++i) {
            const OwedDelivery& each = sends[id][i];
            Route route = routing.route(rest.new_processor[id], rest.new_processor[each.receiver]);
            for (Hop& hop : route)
                hop.channel = rest.old_channel[hop.channel];
            workload.engines[id][i / at_once(id)].sends.push_back(
                {each.message, each.receiver, std::move(route),
                 static_cast<std::uint32_t>(workload.engines[each.receiver].size() - 1)});
        }
    return workload;
}

} // namespace nocturne
