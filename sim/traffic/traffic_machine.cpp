#include "sim/traffic/traffic_machine.hpp"

namespace nocturne {

namespace {

std::unique_ptr<MessageNetwork> network_for(const TrafficSetup& setup, std::uint64_t end)
{
    auto network = make_network(setup.network.model, setup.topology, setup.network.hardware,
                                setup.network.ports, setup.routing);
    require_time_for(*network, end, setup.network.hardware.cycle_ns);
    return network;
}

} // namespace

TrafficMachine::TrafficMachine(const TrafficSetup& setup, const Window& window, std::uint64_t end)
    : network(network_for(setup, end)),
      // Worms stay in order in a buffer; flits make it so.
      record(*network, window, setup.topology.processor_count(),
             setup.network.model == NetworkModel::flit && keeps_order(setup.routing, setup.network)),
      sources(*network, setup.routing, setup.traffic, record)
{
}

} // namespace nocturne
