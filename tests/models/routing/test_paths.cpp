#include "models/routing/paths.hpp"
#include "models/topology/make_topology.hpp"
#include "random_networks.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

namespace nocturne::paths_test {

namespace {

std::vector<Path> all_paths(const Topology& topology, ProcessorId source, ProcessorId destination,
                            unsigned slack = 0)
{
    std::vector<Path> result;
    PathEnumerator paths(topology, source, destination, slack);
    while (auto path = paths.next())
        result.push_back(std::move(*path));
    CHECK_FALSE(paths.next()); // an end is an end
    return result;
}

/// Every simple path by plain depth-first search.
void explore(const Topology& topology, RouterId at, RouterId end, std::set<RouterId>& visited, Path& path,
             std::vector<Path>& found)
{
    if (at == end) {
        found.push_back(path);
        return;
    }
    for (const ChannelId id : topology.channels_from(at)) {
        const RouterId next = topology.channel(id).target;
        if (!visited.insert(next).second)
            continue;
        path.push_back(id);
        explore(topology, next, end, visited, path, found);
        path.pop_back();
        visited.erase(next);
    }
}

/// What the enumeration promises. Channels leave a router in the order of their indices, so that the order of
/// ports is that of indices.
std::vector<Path> paths_by_brute_force(const Topology& topology, ProcessorId source, ProcessorId destination,
                                       unsigned slack)
{
    const RouterId start = topology.processor(source).injection;
    std::set<RouterId> visited{start};
    Path path;
    std::vector<Path> found;
    explore(topology, start, topology.processor(destination).ejection, visited, path, found);
    std::sort(found.begin(), found.end(),
              [](const Path& a, const Path& b) { return std::tuple(a.size(), a) < std::tuple(b.size(), b); });
    if (!found.empty()) {
        const std::size_t most = found.front().size() + slack;
        found.erase(std::find_if(found.begin(), found.end(), [&](const Path& p) { return p.size() > most; }),
                    found.end());
    }
    return found;
}

} // namespace

TEST_CASE("the enumeration is that of brute force, in order, on random networks", "[routing][paths]")
{
    const auto slack = GENERATE(0u, 1u, 2u, 3u);
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
        const auto routers = static_cast<unsigned>(4 + seed % 5);
        const Topology topology = seed % 2 == 0 ? test::random_connected(seed, routers, 4)
                                                : test::random_directed(seed, routers, 2 * routers);
        for (ProcessorId source = 0; source < routers; ++source)
            for (ProcessorId destination = 0; destination < routers; ++destination) {
                INFO(topology.name() << ": " << source << " -> " << destination);
                const std::vector<Path> expected = paths_by_brute_force(topology, source, destination, slack);
                REQUIRE(all_paths(topology, source, destination, slack) == expected);
                if (slack == 0)
                    REQUIRE(count_minimal_paths(topology, source, destination) == expected.size());
            }
    }
}

TEST_CASE("with all the slack there is, every simple path is found", "[routing][paths]")
{
    const Topology topology =
        make_topology(GENERATE("petersen", "mesh:3x3", "kautz:2,2", "ring:7", "btree:8"));
    const auto last = static_cast<ProcessorId>(topology.processor_count() - 1);
    CHECK(all_paths(topology, 0, last, 1000000) == paths_by_brute_force(topology, 0, last, 1000000));
}

TEST_CASE("the number of minimal paths of some networks is known", "[routing][paths]")
{
    const auto [spec, paths] = GENERATE(table<std::string, std::uint64_t>({{"omega:8", 1},
                                                                           {"clos:3,4,5", 4},
                                                                           {"benes:2,3", 4},
                                                                           {"hypercube:5", 120},
                                                                           {"mesh:5x6", 126},
                                                                           {"fattree:3,3", 9}}));
    const Topology topology = make_topology(spec);
    const auto last = static_cast<ProcessorId>(topology.processor_count() - 1);
    CHECK(count_minimal_paths(topology, 0, last) == paths);
    CHECK(all_paths(topology, 0, last).size() == paths);
}

TEST_CASE("the first of an astronomic number of paths come at once", "[routing][paths]")
{
    const auto slack = GENERATE(0u, 2u, 5u);
    const Topology mesh = make_topology("mesh:32x32");
    PathEnumerator paths(mesh, 0, 1023, slack);
    std::set<Path> seen;
    for (int i = 0; i < 10; ++i) {
        const auto path = paths.next();
        REQUIRE(path);
        CHECK(path->size() == 62);
        CHECK(connects(mesh, 0, 1023, *path));
        CHECK(seen.insert(*path).second);
    }
    CHECK(count_minimal_paths(mesh, 0, 1023) == 465428353255261088u);
}

TEST_CASE("a count beyond 64 bits is the largest number there is", "[routing][paths]")
{
    CHECK(count_minimal_paths(make_topology("mesh:36x36"), 0, 36 * 36 - 1) ==
          std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("there are no paths to what cannot be reached", "[routing][paths]")
{
    const Topology topology = test::direct_network("one way", 2, {{1, 0}, {1, 0}});
    CHECK(all_paths(topology, 0, 1, 5).empty());
    CHECK(count_minimal_paths(topology, 0, 1) == 0);
    CHECK(all_paths(topology, 1, 0, 5) == std::vector<Path>{{0}, {1}}); // parallel channels
    CHECK_THROWS_WITH(PathEnumerator(topology, 0, 2), "one way: processor 2 does not exist");
    CHECK_THROWS_WITH(count_minimal_paths(topology, 2, 0), "one way: processor 2 does not exist");
}

} // namespace nocturne::paths_test
