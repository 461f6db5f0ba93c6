#include "models/topology/faults.hpp"
#include "testbenches/large_scatters/measure.hpp"
#include "testbenches/large_scatters/networks.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <utility>

namespace nocturne::large_scatters_test {

using namespace nocturne::large_scatters;
using Catch::Matchers::Contains;

TEST_CASE("a dragonfly links its groups completely, and every group to every other one once", "[scatters]")
{
    const auto [h, processors] =
        GENERATE(table<unsigned, std::size_t>({{1, 6}, {2, 72}, {3, 342}, {4, 1056}}));
    const Topology topology = make_dragonfly(h);
    const unsigned routers = 2 * h, groups = 2 * h * h + 1;
    CHECK(topology.processor_count() == processors);
    REQUIRE(topology.router_count() == routers * groups);
    CHECK(topology.default_ports() == PortModel(one_port));
    std::map<std::pair<unsigned, unsigned>, unsigned> between;
    for (const Channel& channel : topology.channels())
        ++between[{channel.source / routers, channel.target / routers}];
    for (unsigned a = 0; a < groups; ++a)
        for (unsigned b = 0; b < groups; ++b)
            CHECK(between[{a, b}] == (a == b ? routers * (routers - 1) : 1));
    for (RouterId router = 0; router < topology.router_count(); ++router) {
        CHECK(topology.channels_from(router).size() == routers - 1 + h);
        CHECK(topology.processors_injecting_into(router).size() == h);
    }
}

TEST_CASE("a random regular network is simple, connected, regular, and the same for the same seed",
          "[scatters]")
{
    const auto [routers, degree] =
        GENERATE(table<unsigned, unsigned>({{4, 3}, {16, 3}, {64, 3}, {64, 4}, {9, 8}, {128, 7}}));
    const std::uint64_t seed = GENERATE(1u, 2u, 3u);
    const Topology topology = make_random_regular(routers, degree, seed);
    CHECK(topology.processor_count() == routers);
    CHECK_NOTHROW(require_connected(topology));
    std::set<std::pair<RouterId, RouterId>> channels;
    for (const Channel& channel : topology.channels()) {
        CHECK(channel.source != channel.target);
        CHECK(channels.emplace(channel.source, channel.target).second);
    }
    for (RouterId router = 0; router < routers; ++router)
        CHECK(topology.channels_from(router).size() == degree);
    const Topology again = make_network(topology.name());
    CHECK(std::equal(topology.channels().begin(), topology.channels().end(), again.channels().begin(),
                     again.channels().end(), [](const Channel& a, const Channel& b) {
                         return a.source == b.source && a.target == b.target;
                     }));
}

TEST_CASE("networks that cannot be are refused in a line that names them", "[scatters]")
{
    CHECK_THROWS_WITH(make_network("dragonfly:0"), "dragonfly:0: h is 1 to 16");
    CHECK_THROWS_WITH(make_network("dragonfly:2,4"), "dragonfly:2,4: expected 1 numbers");
    CHECK_THROWS_WITH(make_network("random_regular:7,3,1"), Contains("random_regular:7,3,1: the degree"));
    CHECK_THROWS_WITH(make_network("random_regular:8,3"), Contains("expected 3 numbers"));
    CHECK_THROWS_WITH(make_network("random_regular:8,x,1"), Contains("'x' is no number"));
    CHECK_THROWS_WITH(make_network("mash:4x4"), Contains("unknown network"));
}

TEST_CASE("a result is judged by its goal and by what came out before", "[scatters]")
{
    const test::TemporaryFolder folder;
    Result result;
    result.row = {"mesh:4x4", "", 3};
    result.network = "mesh:4x4";
    result.bound = 100;
    CHECK(result.verdict() == "no schedule");
    result.steps = 100;
    CHECK(result.verdict() == "at the bound");
    result.steps = 103;
    CHECK(result.verdict() == "within 3 %");
    result.steps = 104;
    CHECK(result.verdict() == "4.0 % over, the goal is 3 %");

    const auto expected = std::filesystem::path(folder / "expected.csv");
    std::ofstream(expected) << csv_of(result_table({result}));
    const SearchLimits limits;
    CHECK(failures({result}, limits, expected, 1).empty());
    result.steps = 105;
    CHECK(failures({result}, limits, expected, 1).empty());
    result.steps = 106;
    CHECK(failures({result}, limits, expected, 1) ==
          std::vector<std::string>{"mesh:4x4: 6.00 % over the bound, expected 4.00 % or up to 1 more"});
    result.steps.reset();
    CHECK(failures({result}, limits, expected, 1) ==
          std::vector<std::string>{"mesh:4x4: no schedule, expected one 4.00 % over the bound"});
    result.steps = 100;
    result.refutation = "the schedule is not valid";
    result.mebibytes = 5000;
    CHECK(failures({result}, limits, expected, 1) ==
          std::vector<std::string>{"mesh:4x4: the schedule is not valid",
                                   "mesh:4x4: a process took 5000 MiB, more than the 4096 MiB that it may"});
}

TEST_CASE("a search in a process of its own checks what it finds", "[scatters]")
{
    SearchLimits limits;
    limits.budget = std::chrono::seconds(20);
    const Result result = measure({"torus:4x4", "", 0}, limits);
    CHECK(result.processors == 16);
    CHECK(result.bound == 8);
    CHECK(result.steps == std::optional<std::uint64_t>(8));
    CHECK(result.refutation.empty());
    CHECK(result.mebibytes > 1);
    CHECK(result.verdict() == "at the bound");
}

} // namespace nocturne::large_scatters_test
