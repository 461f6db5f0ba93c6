// Two processors and two memories on a network: a mesh of four routers, one for each of them.
#include "models/fabric/fabric.hpp"
#include "models/topology/make_topology.hpp"
#include "parts.hpp"

int sc_main(int, char**)
{
    Processor cpu0("cpu0", 0x10000000);
    Processor cpu1("cpu1", 0x20000000);
    Memory ram0("ram0");
    Memory ram1("ram1");
    const nocturne::Topology mesh = nocturne::make_topology("mesh:2x2");
    const nocturne::AddressMap map({{"ram0", 0x10000000, 0x1fffffff}, {"ram1", 0x20000000, 0x2fffffff}});
    nocturne::Fabric bus("bus", mesh, map, {{{"cpu0", 0}, {"cpu1", 1}}, {{"ram0", 2}, {"ram1", 3}}}, {});

    cpu0.socket.bind(bus.target_socket<32>("cpu0"));
    cpu1.socket.bind(bus.target_socket<32>("cpu1"));
    bus.initiator_socket<32>("ram0").bind(ram0.socket);
    bus.initiator_socket<32>("ram1").bind(ram1.socket);

    sc_core::sc_start();
    return 0;
}
