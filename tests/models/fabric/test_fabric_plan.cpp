#include "models/fabric/fabric_plan.hpp"
#include "models/topology/make_topology.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace nocturne::fabric_plan_test {

TEST_CASE("bad ports are refused in a line that names them", "[fabric]")
{
    const Topology topology = make_topology("mesh:2x2");
    const AddressMap map({{"ram", 0, 15, {}, 0, {"cpu"}}});
    const auto [ports, reason] = GENERATE(table<FabricPorts, std::string>({
        {FabricPorts{{{"", 0}}, {{"ram", 1}}}, "fabric: initiator '': a port has a name"},
        {FabricPorts{{{"cpu", 0}, {"cpu", 1}}, {{"ram", 1}}}, "fabric: initiator 'cpu': two have this name"},
        {FabricPorts{{{"cpu", 4}}, {{"ram", 1}}}, "fabric: initiator 'cpu': mesh:2x2 has no processor 4"},
        {FabricPorts{{{"cpu", 0, 48}}, {{"ram", 1}}},
         "fabric: initiator 'cpu': a bus of 48 bits; 32, 64, 128, 256 or 512 are possible"},
        {FabricPorts{{{"cpu", 0}}, {{"rom", 1}}},
         "address map: unknown target 'ram': did you mean 'rom'? Known are rom"},
        {FabricPorts{{{"gpu", 0}}, {{"ram", 1}}},
         "address map: unknown initiator 'cpu': did you mean 'gpu'? Known are gpu"},
        {FabricPorts{{{"cpu", 0}}, {{"ram", 1}, {"rom", 1}}},
         "fabric: target 'rom': the address map has no range for it"},
    }));
    CHECK_THROWS_WITH(check_ports(topology, map, ports), reason);
}

TEST_CASE("requests and responses have virtual channels of their own, or are refused where they can deadlock",
          "[fabric]")
{
    const Topology topology = make_topology("mesh:3x3");
    FabricPorts ports;
    for (ProcessorId id = 0; id < 9; ++id) {
        ports.initiators.push_back({fmt::format("i{}", id), id});
        ports.targets.push_back({fmt::format("t{}", id), id});
    }
    FabricConfig config;
    CHECK(plan_fabric(topology, ports, config).vc_classes == 2);
    config.response_channels = ResponseChannels::shared;
    CHECK_THROWS_WITH(plan_fabric(topology, ports, config),
                      Catch::Contains("fabric: mesh:3x3: requests and responses can deadlock: ") &&
                          Catch::Contains(" may wait for ") && Catch::Contains("circular wait"));
    // One way only: responses never meet requests.
    const FabricPorts apart{{{"i", 0}}, {{"t", 8}}};
    CHECK(plan_fabric(topology, apart, config).vc_classes == 1);
    config.response_channels = ResponseChannels::separate;
    config.hardware.vcs = 1;
    CHECK_THROWS_WITH(
        plan_fabric(topology, ports, config),
        "fabric: mesh:3x3: requests and responses need 2 virtual channels with routing dor, the "
        "hardware has 1");
}

TEST_CASE("routings that draw their routes are refused", "[fabric]")
{
    const Topology topology = make_topology("mesh:2x2");
    FabricConfig config;
    config.hardware.vcs = 8;
    config.routing = GENERATE("valiant", "adaptive");
    CHECK_THROWS_WITH(plan_fabric(topology, {{{"i", 0}}, {{"t", 3}}}, config),
                      "fabric: routing " + config.routing +
                          ": one that gives each pair a single route beforehand is needed");
}

} // namespace nocturne::fabric_plan_test
