// Two processors that share a memory over a network, timed in three ways: by formula, message by message, and
// flit by flit.
//
//   two_processors lt|at|flit
#include "bus_swap/parts.hpp"
#include "models/fabric/fabric.hpp"
#include "models/fabric/protocol_checker.hpp"
#include "models/topology/make_topology.hpp"

int sc_main(int count, char** arguments)
{
    nocturne::FabricConfig config;
    config.timing = nocturne::parse_fabric_timing(count > 1 ? arguments[1] : "flit");

    // A line of three routers with the memory in the middle. Each processor has a window of its own.
    const nocturne::Topology line = nocturne::make_topology("mesh:3x1");
    const nocturne::AddressMap map(
        {{.target = "ram", .first = 0x1000, .last = 0x8fff, .initiators = {"left"}},
         {.target = "ram",
          .first = 0x0,
          .last = 0xffff,
          .addresses = nocturne::TargetAddresses::absolute,
          .initiators = {"right"}}});
    nocturne::Fabric network("network", line, map, {{{"left", 0}, {"right", 2}}, {{"ram", 1}}}, config);

    Processor left("left", 0x1000);
    Processor right("right", 0x8000); // the other half of the memory
    Memory ram("ram");
    nocturne::ProtocolChecker<32> checks_left("checks_left");
    nocturne::ProtocolChecker<32> checks_right("checks_right");
    left.socket.bind(checks_left.target_socket);
    checks_left.initiator_socket.bind(network.target_socket<32>("left"));
    right.socket.bind(checks_right.target_socket);
    checks_right.initiator_socket.bind(network.target_socket<32>("right"));
    network.initiator_socket<32>("ram").bind(ram.socket);

    sc_core::sc_start();
    for (std::uint32_t i = 0; i < 2; ++i) {
        const nocturne::FabricFlowStats& stats = network.stats(i, 0);
        std::cout << (i == 0 ? "left" : "right") << ": " << stats.transactions << " transactions, "
                  << stats.latency / stats.transactions / sc_core::sc_time(1, sc_core::SC_NS)
                  << " ns on average\n";
    }
    return checks_left.rules().violations().empty() && checks_right.rules().violations().empty() ? 0 : 1;
}
