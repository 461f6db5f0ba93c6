#include "models/fabric/fabric.hpp"
#include "models/fabric/fabric_plan.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/simulation.hpp"

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

TEST_CASE("a fabric has the virtual channels that its routing and responses need, unless they are given",
          "[fabric]")
{
    struct Case {
        const char* topology;
        ResponseChannels responses;
        unsigned vcs;
    };
    const Case each = GENERATE(
        Case{"mesh:3x3", ResponseChannels::separate, 2}, Case{"torus:4x4", ResponseChannels::separate, 4},
        Case{"ring:6", ResponseChannels::separate, 4}, Case{"mesh:3x3", ResponseChannels::shared, 1});
    const FabricTiming timing =
        GENERATE(FabricTiming::fixed, FabricTiming::lt, FabricTiming::at, FabricTiming::flit);
    CAPTURE(each.topology, to_string(timing));
    const test::Simulation simulation;
    const Topology topology = make_topology(each.topology);
    FabricConfig config;
    config.timing = timing;
    config.response_channels = each.responses;
    const FabricPorts ports{{{"i", 0}}, {{"t", 5}}};
    const Fabric fabric("fabric", topology, AddressMap({{"t", 0, 15}}), ports, config);
    CHECK(fabric.config().hardware.vcs == each.vcs);
    CHECK(fabric.plan().vc_classes == each.vcs);
    config.hardware.vcs = each.vcs + 1;
    CHECK(Fabric("more", topology, AddressMap({{"t", 0, 15}}), ports, config).config().hardware.vcs ==
          each.vcs + 1);
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
