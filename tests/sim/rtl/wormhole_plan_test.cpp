#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/rtl/verilog_text.hpp"
#include "sim/rtl/wormhole_design.hpp"
#include "sim/rtl/wormhole_plan.hpp"
#include "tests/catch.hpp"

namespace nocturne::wormhole_plan_test {

TEST_CASE("every route leads through the outputs of its hops to its destination", "[rtl]")
{
    const std::string spec = GENERATE("ring:5", "mesh:3x2", "omega:8", "torus:4x4", "octagon:8");
    const Topology topology = make_topology(spec);
    const Routing routing = make_routing(topology, "auto");
    HardwareConfig hardware;
    hardware.vcs = routing.vc_classes + 1;
    const WormholePlan plan = plan_wormhole(topology, hardware, routing);
    for (ProcessorId source = 0; source < topology.processor_count(); ++source)
        for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination) {
            const Route route = routing.route(source, destination);
            const std::vector<std::uint32_t>& hops = plan.routes[source][destination];
            REQUIRE(hops.size() == route.size() + 1);
            REQUIRE(hops.size() * plan.hop_bits() <= plan.route_bits);
            std::uint32_t link = plan.network.numbers.first_injection_link(source);
            for (std::size_t hop = 0; hop < hops.size(); ++hop) {
                const RouterId at = plan.network.links[link].to.owner;
                link = plan.network.out_of[at].at(hops[hop] & ((1u << plan.port_bits) - 1));
                const std::uint32_t vc_class = hops[hop] >> plan.port_bits;
                REQUIRE(vc_class < plan.class_vcs.size());
                const auto allowed = plan.class_vcs[vc_class];
                const std::uint32_t group =
                    hop < route.size()
                        ? plan.network.links[link].from.port * routing.vc_classes + route[hop].vc_class
                        : plan.network.ejection_group[destination];
                const OutputGroup range = plan.network.routers[at].groups[group];
                for (std::uint32_t vc = 0; vc < hardware.vcs; ++vc) {
                    const std::uint32_t index = plan.network.links[link].from.port * hardware.vcs + vc;
                    CHECK(allowed[vc] == (index >= range.first && index < range.first + range.count));
                }
            }
            CHECK(link == plan.network.numbers.first_ejection_link(destination));
        }
}

TEST_CASE("a README says which number each link has in a trace", "[rtl]")
{
    const auto described = [](const std::string& name) {
        const Topology topology = make_topology(name);
        return describe_links(plan_wormhole(topology, {}, make_routing(topology, "auto")).network);
    };
    CHECK(described("mesh:2x2") ==
          "0 to 7 are the channels in the order of the network (`nocturne topology NETWORK -o FILE.json`),\n"
          "8 to 11 the injection links of the processors in their order, 12 to 15 the ejection links");
    CHECK_THAT(described("mesh:1x1"), Catch::StartsWith("none are the channels"));
    CHECK_THAT(described("mesh:1x1"),
               Catch::Contains("\n0 the injection links") && Catch::Contains(", 1 the"));
}

TEST_CASE("a bench's packets are checked", "[rtl]")
{
    const Topology topology = make_topology("mesh:2x2");
    const Routing routing = make_routing(topology, "dor");
    const auto design = [&](const std::vector<BenchPacket>& packets) {
        return wormhole_design(topology, {}, routing, packets);
    };
    CHECK_THROWS_WITH(design({}), "bench: 0 packets; it sends 1 to 1048576");
    CHECK_THROWS_WITH(design({{0, 4, 0, 1}}), "bench: packet 0: a processor that does not exist");
    CHECK_THROWS_WITH(design({{0, 0, 4, 1}}), "bench: packet 0: a processor that does not exist");
    CHECK_THROWS_WITH(design({{0, 0, 1, 1}, {0, 0, 1, 0}}),
                      "bench: packet 1: fewer than 1 or more than 4096 flits");
    CHECK_THROWS_WITH(design({{0, 0, 1, 4097}}), "bench: packet 0: fewer than 1 or more than 4096 flits");
    CHECK_THROWS_WITH(design({{5, 0, 1, 1}, {4, 0, 1, 1}}), Catch::Contains("packet 1: a cycle before"));
    CHECK_NOTHROW(design({{5, 0, 1, 4096}, {5, 0, 1, 1}}));
}

} // namespace nocturne::wormhole_plan_test
