// The bus of Accellera's TLM-2.0 examples with a fabric in its place.
#pragma once

#include "models/fabric/fabric.hpp"

#include <systemc>

#include <cstdlib>
#include <string>

namespace nocturne::test {

inline std::string bus_initiator(std::size_t index)
{
    return "initiator " + std::to_string(index);
}

inline std::string bus_target(std::size_t index)
{
    return "target " + std::to_string(index);
}

/// One router, with a processor for each port.
inline Topology bus_topology(std::size_t ports)
{
    Topology topology("bus");
    const RouterId router = topology.add_router("bus");
    for (std::size_t i = 0; i < ports; ++i)
        topology.add_processor(router, router, std::to_string(i));
    return topology;
}

inline FabricPorts bus_ports(std::size_t initiators, std::size_t targets)
{
    FabricPorts ports;
    for (std::size_t i = 0; i < initiators; ++i)
        ports.initiators.push_back({bus_initiator(i), static_cast<ProcessorId>(i)});
    for (std::size_t t = 0; t < targets; ++t)
        ports.targets.push_back({bus_target(t), static_cast<ProcessorId>(initiators + t)});
    return ports;
}

/// The upper four bits of 32 choose the target, which sees the others.
inline AddressMap bus_map(std::size_t targets)
{
    std::vector<AddressRange> ranges;
    for (std::uint64_t t = 0; t < targets; ++t)
        ranges.push_back({bus_target(t), t << 28, (t << 28) + 0xfffffff});
    return AddressMap(ranges);
}

/// A latency from outside, since the examples are compiled once.
inline FabricConfig bus_config()
{
    FabricConfig config;
    config.timing = FabricTiming::fixed;
    config.phases = FabricPhases::end_to_end;
    config.grants_dmi = true;
    const char* const latency = std::getenv("BUS_LATENCY_NS");
    config.fixed_latency_ns = latency == nullptr ? 0 : std::stod(latency);
    return config;
}

/// A module with the sockets that the examples bind.
template <int Initiators, int Targets>
class FabricBus : public sc_core::sc_module {
private:
    Topology topology_ = bus_topology(Initiators + Targets);
    Fabric fabric_{"fabric", topology_, bus_map(Targets), bus_ports(Initiators, Targets), bus_config()};

public:
    struct TargetSockets {
        Fabric& fabric;
        auto& operator[](std::size_t index) { return fabric.target_socket<32>(bus_initiator(index)); }
    };
    struct InitiatorSockets {
        Fabric& fabric;
        auto& operator[](std::size_t index) { return fabric.initiator_socket<32>(bus_target(index)); }
    };
    TargetSockets target_socket{fabric_};
    InitiatorSockets initiator_socket{fabric_};

    explicit FabricBus(const sc_core::sc_module_name& name) : sc_module(name) {}
};

} // namespace nocturne::test
