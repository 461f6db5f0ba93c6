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
}

} // namespace nocturne::multicast_groups_test
