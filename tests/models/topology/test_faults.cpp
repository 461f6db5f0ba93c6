#include "models/topology/faults.hpp"
#include "models/topology/json_format.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"

#include <string>
#include <vector>

namespace nocturne::faults_test {

namespace {

Topology faulty(const char* spec, const std::vector<std::string>& faults)
{
    return with_faults(make_topology(spec), faults);
}

} // namespace

TEST_CASE("a faulty channel is gone, the one back stays", "[topology][faults]")
{
    const Topology rest = faulty("mesh:4x4", {"channel:00-01"});
    CHECK(rest.name() == "mesh:4x4 without channel:00-01");
    CHECK(rest.channel_count() == 47);
    CHECK(rest.processor_count() == 16);
    CHECK(rest.channels_from(*rest.find_router("00")).size() == 1);
    CHECK(rest.channels_from(*rest.find_router("01")).size() == 3);
    CHECK(rest.grid().has_value());
}

TEST_CASE("a faulty link takes both directions", "[topology][faults]")
{
    const Topology rest = faulty("mesh:4x4", {"link:00-01"});
    CHECK(rest.channel_count() == 46);
    CHECK(rest.channels_to(*rest.find_router("00")).size() == 1);
}

TEST_CASE("a faulty node takes its processor and all its channels, the others keep their names",
          "[topology][faults]")
{
    const Topology rest = faulty("mesh:4x4", {"node:11"});
    CHECK(rest.router_count() == 15);
    CHECK(rest.processor_count() == 15);
    CHECK(rest.channel_count() == 48 - 8);
    CHECK_FALSE(rest.find_processor("11")); // not the processor with the index 11 either
    CHECK_FALSE(rest.find_router("11"));
    CHECK(rest.find_router("#11"));
    CHECK_FALSE(rest.find_processor("7")); // nor one that has moved up to an index
    CHECK(rest.processor(*rest.find_processor("33")).name == "33");
    CHECK_FALSE(rest.grid().has_value());
}

TEST_CASE("what has failed is remembered through files and further faults", "[topology][faults]")
{
    const Topology rest = faulty("mesh:4x4", {"node:11", "link:00-01"});
    CHECK(rest.lost_routers().size() == 1);
    CHECK(rest.lost_processors().front() == "11");
    CHECK(topology_from_json(to_json(rest), "file") == rest);
    const std::string more[] = {"node:22"};
    const Topology less = with_faults(rest, more);
    CHECK(std::vector(less.lost_processors().begin(), less.lost_processors().end()) ==
          std::vector<std::string>{"11", "22"});
    CHECK(faulty("mesh:4x4", {"link:00-01"}).lost_processors().empty());
}

TEST_CASE("faults add up, and the same fault twice is one", "[topology][faults]")
{
    CHECK(faulty("torus:4x4", {"link:00-01", "node:22", "link:01-00"}).channel_count() == 64 - 2 - 8);
    CHECK(faulty("kautz:3,2", {"channel:01-10"}).channel_count() == 35);
    CHECK(faulty("mesh:4x4", {}) == make_topology("mesh:4x4"));
}

TEST_CASE("control tags end with the first channel that is missing", "[topology][faults]")
{
    CHECK(faulty("benes:2,3", {"channel:c1s0-c2s0"}).tag_digits().empty());
}

TEST_CASE("a large network is connected without a look at all its pairs", "[topology][faults][size]")
{
    CHECK_NOTHROW(require_connected(make_topology("torus:100x100")));
    CHECK_NOTHROW(require_connected(make_topology("omega:16384")));
    CHECK_NOTHROW(require_connected(faulty("mesh:4x4", {"node:11", "link:00-01"})));
}

TEST_CASE("a text that is no fault is refused", "[topology][faults]")
{
    const std::string bad =
        GENERATE(as<std::string>{}, "", "node", "node:", "router:00", "link:", "link:00", "00-01");
    CHECK_THROWS_AS(faulty("mesh:4x4", {bad}), std::invalid_argument);
}

} // namespace nocturne::faults_test
