#include "tests/models/fabric/small_platform.hpp"

#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"

namespace nocturne::test {

std::string report_of(const std::function<void()>& act)
{
    try {
        act();
    } catch (const sc_core::sc_report& report) {
        CHECK(report.get_severity() == sc_core::SC_ERROR);
        CHECK(report.get_msg_type() == std::string("nocturne/fabric"));
        return report.get_msg();
    }
    return "";
}

SmallPlatform::SmallPlatform(const FabricConfig& config) : topology(make_topology("mesh:2x2"))
{
    const AddressMap map({{"ram", 0x1000, 0x1fff}, {"rom", 0x8000, 0x80ff, TargetAddresses::absolute}});
    fabric = std::make_unique<Fabric>(
        "fabric", topology, map, FabricPorts{{{"cpu", cpu_at}, {"dma", 1}}, {{"ram", ram_at}, {"rom", 2}}},
        config);
    cpu.socket.bind(fabric->target_socket<32>("cpu"));
    dma.socket.bind(fabric->target_socket<32>("dma"));
    fabric->initiator_socket<32>("ram").bind(ram.socket);
    fabric->initiator_socket<32>("rom").bind(rom.socket);
}

} // namespace nocturne::test
