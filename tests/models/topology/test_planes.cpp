// Planes: networks on the same tiles, which share their processors.
#include "models/topology/input_log.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/check_invariants.hpp"
#include "tests/models/topology/composed.hpp"

#include <algorithm>

namespace nocturne::planes_test {

namespace {

Topology composed(const std::string& parts, const std::string& planes, const std::string& more = "")
{
    return test::composed(
        test::composition_of(fmt::format(R"("parts": [{}], "planes": {{{}}}{})", parts, planes, more)));
}

const std::string there_and_back = R"({"name": "a", "network": "oneway_torus:2x3"},
                                      {"name": "b", "network": "oneway_torus:2x3", "reversed": true})";

/// The names of the routers behind the channels of one.
std::vector<std::string> behind(const Topology& topology, const std::string& router)
{
    std::vector<std::string> names;
    for (const ChannelId id : topology.channels_from(topology.find_router(router).value()))
        names.push_back(topology.router_name(topology.channel(id).target));
    std::ranges::sort(names);
    return names;
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("each plane has interfaces of its own, which share the tiles", "[topology][planes]")
{
    const InputLog log;
    const Topology chip = composed(there_and_back, R"("tiles": "tile", "latency_cycles": 3)");
    CHECK(log.remarks() == Names{"chip: defaults for what it does not say: interfaces of the planes "
                                 "(separate: a processor for each "
                                 "plane at a tile)"});
    test::check_invariants(chip);
    CHECK(chip.name() == "chip");
    CHECK(chip.router_count() == 3 * 6);
    CHECK(chip.channel_count() == 2 * 12 + 2 * 6);
    REQUIRE(chip.processor_count() == 2 * 6);
    CHECK(chip.default_ports() == parse_port_model("1"));
    CHECK(chip.grid() == Grid{{3, 2, 3}, true});
    for (ProcessorId id = 0; id < 12; ++id) {
        CHECK(chip.processor(id).injection == id);
        CHECK(chip.processor(id).ejection == 12 + id % 6);
        CHECK(chip.processor(id).name == chip.router_name(id));
    }
    CHECK(chip.router_name(13) == "tile_in/01");
    CHECK(behind(chip, "a/02") == Names{"a/00", "a/12", "tile_in/02"});
    CHECK(behind(chip, "b/02") == Names{"b/01", "b/12", "tile_in/02"});
    CHECK(behind(chip, "tile_in/02").empty());
    CHECK(chip.channel(24) == Channel{0, 12, 3});
}

TEST_CASE("planes may share an interface, from which messages enter all of them", "[topology][planes]")
{
    const Topology chip = composed(there_and_back, R"("tiles": "t", "interfaces": "shared")",
                                   R"(, "with": ["link t_out/*->b/*: width=2"])");
    test::check_invariants(chip);
    CHECK(chip.name() == "chip");
    CHECK(chip.router_count() == 4 * 6);
    CHECK(chip.channel_count() == 2 * 12 + 4 * 6);
    REQUIRE(chip.processor_count() == 6);
    CHECK(chip.processor(4) == Processor{18 + 4, 12 + 4, "t/11"});
    CHECK(chip.default_ports() == all_port);
    CHECK(send_ports(chip, 0, all_port) == 2);
    CHECK(receive_ports(chip, 0, all_port) == 2);
    CHECK(behind(chip, "t_out/11") == Names{"a/11", "b/11"});
    CHECK(std::ranges::count(chip.channels(), 2u, &Channel::width_bytes) == 6);
}

TEST_CASE("planes may be any networks with as many routers", "[topology][planes]")
{
    const Topology chip =
        composed(R"({"name": "a", "network": "ring:4"}, {"name": "b", "network": "mesh:2x2"},
                                      {"name": "c", "network": "mesh:2x2", "processors": false})",
                 R"("tiles": "t")", R"(, "ports": "all")");
    test::check_invariants(chip);
    CHECK_FALSE(chip.grid());
    CHECK(chip.processor_count() == 8);
    CHECK(chip.channels_to(12).size() == 3);
    CHECK(chip.default_ports() == all_port);
}

} // namespace nocturne::planes_test
