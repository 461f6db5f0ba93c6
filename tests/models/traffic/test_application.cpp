#include "models/topology/make_topology.hpp"
#include "models/traffic/application.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace nocturne::application_test {

using Catch::Contains;

namespace {

const std::string header = "source,destination,mbytes_per_s\n";

/// On a mesh whose processors are numbered row by row.
double cost_on_mesh(const Application& application, const CoreMapping& mapping, unsigned columns)
{
    double cost = 0;
    for (const Application::Flow& flow : application.flows) {
        const auto a = static_cast<int>(mapping[flow.source]),
                   b = static_cast<int>(mapping[flow.destination]);
        const int width = static_cast<int>(columns);
        cost += flow.mbytes_per_s * (std::abs(a / width - b / width) + std::abs(a % width - b % width));
    }
    return cost;
}

/// Of all mappings.
double least_cost(const Application& application, const Topology& topology, unsigned columns)
{
    CoreMapping places(topology.processor_count());
    std::iota(places.begin(), places.end(), 0u);
    double least = 1e300;
    do {
        const CoreMapping mapping(places.begin(),
                                  places.begin() + static_cast<std::ptrdiff_t>(application.cores.size()));
        least = std::min(least, cost_on_mesh(application, mapping, columns));
    } while (std::next_permutation(places.begin(), places.end()));
    return least;
}

Application random_application(std::uint32_t cores, std::uint32_t flows, std::uint64_t seed)
{
    SplitMix64 random(seed);
    Application application;
    for (std::uint32_t core = 0; core < cores; ++core)
        application.cores.push_back("c" + std::to_string(core));
    while (application.flows.size() < flows) {
        const std::uint32_t source = random.below(cores), destination = random.below(cores);
        if (source != destination &&
            std::ranges::none_of(application.flows, [&](const Application::Flow& flow) {
                return flow.source == source && flow.destination == destination;
            }))
            application.flows.push_back({source, destination, 1.0 + random.below(500)});
    }
    return application;
}

} // namespace

TEST_CASE("an annealed mapping of a small application costs the least that there is",
          "[traffic][application]")
{
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        const unsigned columns = seed % 2 == 0 ? 3 : 4;
        const Topology mesh = make_topology(columns == 3 ? "mesh:2x3" : "mesh:2x4");
        const Application application =
            random_application(columns == 3 ? 6 : 5, 7 + static_cast<std::uint32_t>(seed), seed);
        const CoreMapping mapping = anneal_mapping(application, mesh, seed);
        CAPTURE(seed);
        CHECK(mapping_cost(application, mesh, mapping) ==
              Approx(cost_on_mesh(application, mapping, columns)));
        CHECK(mapping_cost(application, mesh, mapping) == Approx(least_cost(application, mesh, columns)));
        CHECK(anneal_mapping(application, mesh, seed) == mapping);
        CoreMapping sorted = mapping;
        std::ranges::sort(sorted);
        CHECK(std::ranges::adjacent_find(sorted) == sorted.end());
    }
}

TEST_CASE("a mapping is no worse than one that a person finds", "[traffic][application]")
{
    // A chain of 16 cores in a snake through the mesh: a hop each.
    Application chain;
    for (std::uint32_t core = 0; core < 16; ++core)
        chain.cores.push_back(std::to_string(core));
    for (std::uint32_t core = 0; core + 1 < 16; ++core)
        chain.flows.push_back({core, core + 1, 100});
    const Topology mesh = make_topology("mesh:4x4");
    CHECK(mapping_cost(chain, mesh, anneal_mapping(chain, mesh, 3)) == Approx(1500));
}

TEST_CASE("the pattern of an application has its rates at its load", "[traffic][application]")
{
    const test::TemporaryFolder folder;
    const std::string file = folder.file("app.csv", "# comment\n" + header + "cpu,mem,800\nmem,cpu,200\n");
    const std::string map = folder.file("map.csv", "core,processor\nmem,11\ncpu,#0\n");
    const Topology mesh = make_topology("mesh:2x2");
    const MappedApplication mapped = map_application(mesh, file + "," + map, 1);
    CHECK(mapped.mapping == CoreMapping{0, 3});
    CHECK(mapped.mapping_file == map);
    const std::string quoted = folder.file("quoted.csv", header + "\"cpu, big\",\"say \"\"mem\"\"\",800\n");
    CHECK(read_application(quoted).cores == std::vector<std::string>{"cpu, big", "say \"mem\""});
    // 4 bytes in 2 ns are 2000 MB/s for a link: 0.4 and 0.1 flits a cycle at two of four processors.
    const double load = load_of(mesh, mapped.application, 4, 2);
    CHECK(load == Approx((0.4 + 0.1) / 4));
    const TrafficPattern pattern = pattern_of(mesh, mapped);
    CHECK(load * pattern.share(0) == Approx(0.4));
    CHECK(load * pattern.share(3) == Approx(0.1));
    CHECK(pattern.share(1) == 0);
    CHECK(pattern.destinations(0)[3] == Approx(1));
    CHECK(
        make_pattern(mesh, "application:" + file, 1).share(anneal_mapping(mapped.application, mesh, 1)[0]) ==
        Approx(3.2));
}

TEST_CASE("the applications that come with the program fit on networks of 12 and 16",
          "[traffic][application]")
{
    const std::string name = GENERATE("vopd", "mpeg4", "mwd");
    const Application application =
        read_application(std::string(NOCTURNE_EXAMPLES) + "/traffic/" + name + ".csv");
    CHECK(application.cores.size() == 12);
    const Topology mesh = make_topology("mesh:3x4");
    const double cost = mapping_cost(application, mesh, anneal_mapping(application, mesh, 1));
    CHECK(cost >= application.mbytes_per_s()); // a hop at least
    CoreMapping in_order(12);
    std::iota(in_order.begin(), in_order.end(), 0u);
    CHECK(cost < mapping_cost(application, mesh, in_order));
}

TEST_CASE("an application with more cores than there are processors is refused", "[traffic][application]")
{
    CHECK_THROWS_WITH(anneal_mapping(random_application(5, 5, 1), make_topology("mesh:2x2"), 1),
                      Contains("5 cores"));
}

} // namespace nocturne::application_test
