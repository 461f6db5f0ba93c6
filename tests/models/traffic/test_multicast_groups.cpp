#include "models/topology/make_topology.hpp"
#include "models/traffic/multicast_groups.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace nocturne::multicast_groups_test {

TEST_CASE("random groups are so many others, and any of them", "[traffic][multicast]")
{
    const std::uint32_t destinations = GENERATE(1u, 3u, 7u);
    std::vector<std::vector<int>> counts(8, std::vector<int>(8));
    constexpr int draws = 2000;
    for (std::uint64_t seed = 0; seed < draws; ++seed) {
        const std::vector<MulticastGroup> groups = random_groups(8, destinations, seed);
        REQUIRE(groups.size() == 8);
        for (ProcessorId id = 0; id < 8; ++id) {
            REQUIRE(groups[id].source == id);
            REQUIRE(groups[id].destinations.size() == destinations);
            for (const ProcessorId to : groups[id].destinations)
                ++counts[id][to];
        }
    }
    const double expected = draws * destinations / 7.0;
    for (ProcessorId id = 0; id < 8; ++id)
        for (ProcessorId to = 0; to < 8; ++to)
            CHECK(counts[id][to] == (id == to ? Approx(0) : Approx(expected).epsilon(0.25)));
    CHECK(random_groups(8, destinations, 5) == random_groups(8, destinations, 5));
}

TEST_CASE("groups are read from a file", "[traffic][multicast]")
{
    const test::TemporaryFolder folder;
    const Topology mesh = make_topology("mesh:3x3");
    const auto read = [&](const std::string& text) { return read_groups(mesh, folder.file("g.csv", text)); };
    CHECK(read("# groups\nsource,destinations\n00,01 22\n#4,#0\n00,00\n") ==
          std::vector<MulticastGroup>{{0, {1, 8}}, {4, {0}}, {0, {0}}});
    const Topology wide = make_topology("mesh:2x12"); // 1,10
    CHECK(read_groups(wide, folder.file("w.csv", "source,destinations\n\"1,10\",\"0,3 #1\"\n")) ==
          std::vector<MulticastGroup>{{22, {3, 1}}});
    const auto refused = [&](const std::string& text, const std::string& what) {
        CHECK_THROWS_WITH(read(text), Catch::Contains("g.csv") && Catch::Contains(what));
    };
    const std::string header = "source,destinations\n";
    refused("", "no groups");
    refused(header, "no groups");
    refused("00,01\n", "g.csv:1: expected the header");
    refused(header + "00\n", ":2: 1 fields; expected source,destinations");
    refused(header + "00,\n", ":2: a group without destinations");
    refused(header + "0,0,01\n", ":2: 3 fields; expected source,destinations; a name with a comma stands in");
    refused(header + "00,44\n", ":2: mesh:3x3 has no processor '44'");
    refused(header + "00,01 02 01\n", ":2: destination 01 twice");
}

} // namespace nocturne::multicast_groups_test
