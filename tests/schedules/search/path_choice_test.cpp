#include "models/routing/paths.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/search/path_choice.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

namespace nocturne::path_choice_test {

TEST_CASE("few paths are all taken, of many as many as are wanted, none twice", "[search][paths]")
{
    const Topology mesh = make_topology("mesh:6x6");
    const unsigned slack = GENERATE(0u, 2u);
    const ProcessorId destination = GENERATE(7u, 14u, 35u);
    const std::size_t most = GENERATE(1u, 5u, 40u);
    std::set<Path> all;
    PathEnumerator enumerator(mesh, 0, destination, slack);
    while (const auto path = enumerator.next())
        all.insert(*path);
    const auto chosen = choose_paths(mesh, 0, destination, {slack, most, 7});
    CHECK(std::set<Path>(chosen.begin(), chosen.end()).size() == chosen.size());
    CHECK(chosen.size() == std::min(all.size(), most));
    for (const Path& path : chosen)
        CHECK(all.contains(path));
    CHECK(chosen == choose_paths(mesh, 0, destination, {slack, most, 7}));
}

TEST_CASE("every minimal path is chosen about equally often", "[search][paths]")
{
    const Topology mesh = make_topology("mesh:3x3");
    std::map<Path, int> times;
    for (std::uint64_t seed = 1; seed <= 600; ++seed)
        ++times[choose_paths(mesh, 0, 8, {0, 1, seed}).front()];
    CHECK(times.size() == 6);
    for (const auto& [path, count] : times)
        CHECK(std::abs(count - 100) < 50);
}

TEST_CASE("parallel channels make paths of their own", "[search][paths]")
{
    const Topology topology = test::direct_network("double", 2, {{0, 1}, {0, 1}, {0, 1}});
    CHECK(choose_paths(topology, 0, 1, {0, 2, 1}).size() == 2);
    CHECK(choose_paths(topology, 0, 1, {0, 9, 1}).size() == 3);
    CHECK(choose_paths(topology, 1, 0, {0, 9, 1}).empty());
}

} // namespace nocturne::path_choice_test
