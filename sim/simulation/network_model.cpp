#include "sim/simulation/network_model.hpp"

#include "models/hardware/kernel.hpp"
#include "models/hardware/network.hpp"
#include "models/hardware/network_memory.hpp"
#include "models/text/unknown_name.hpp"
#include "models/worm/worm_network.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

std::string to_string(NetworkModel model)
{
    return model == NetworkModel::flit ? "flit" : "worm";
}

NetworkModel parse_model(std::string_view text)
{
    return value_named("model", text, {NetworkModel::flit, NetworkModel::worm});
}

std::unique_ptr<MessageNetwork> make_network(NetworkModel model, const Topology& topology,
                                             const HardwareConfig& hardware, PortModel ports,
                                             const Routing& routing)
{
    if (model == NetworkModel::flit) {
        prepare_kernel();
        return std::make_unique<Network>("network", topology, hardware, ports, routing);
    }
    if (!routing.is_oblivious())
        throw std::invalid_argument(
            fmt::format("model worm: routing {} is adaptive; use the model flit", routing.name));
    return std::make_unique<WormNetwork>(topology, hardware, ports, routing.vc_classes);
}

std::uint64_t network_bytes(NetworkModel model, const Topology& topology, const HardwareConfig& hardware,
                            PortModel ports, const Routing& routing)
{
    if (model == NetworkModel::flit)
        return network_bytes(topology, hardware, ports, routing);
    constexpr std::uint64_t channel_bytes = 80;
    std::uint64_t links = topology.channel_count();
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        links += send_ports(topology, id, ports) + receive_ports(topology, id, ports);
    return links * hardware.vcs * channel_bytes;
}

} // namespace nocturne
