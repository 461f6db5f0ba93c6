// `nocturne topology SPEC --measure` as its users have it.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

#include <fstream>

namespace nocturne::measure_command_test {

using namespace nocturne::test;
using Catch::Contains;
using nlohmann::json;

TEST_CASE("topology measures a network", "[cli][measures]")
{
    const json measures = nocturne_json({"topology", "torus:4x4", "--measure", "--json"})["measures"];
    CHECK(measures["latency"]["average_with_self_hops"] == 2.0);
    CHECK(measures["latency"]["maximum_hops"] == 4.0);
    CHECK(measures["bound"]["maximum_hops"] == 2.0);
    CHECK(measures["edge_connectivity"] == 4);
    CHECK(measures["vertex_connectivity"] == 4);
    CHECK(measures["bisection"] ==
          json{{"links", 8}, {"optimal", true}, {"parts", "40%"}, {"smallest_part", 7}});
    CHECK(nocturne_json({"topology", "torus:4x4", "--measure", "--bisection", "halves",
                         "--json"})["measures"]["bisection"] ==
          json{{"links", 8}, {"optimal", true}, {"parts", "halves"}, {"smallest_part", 8}});
    CHECK_THAT(text_of({"topology", "mesh:3", "--measure", "--bisection", "halves"}),
               Contains("measures bisection parts") && Contains("halves"));
    CHECK(measures["single_node_faults"]["trials"] == 16);
    CHECK(measures["random_faults"]["trials"] == 20);
    CHECK(measures["contention"]["average_hops"] >= measures["latency"]["average_hops"]);
    CHECK(measures["left_out"].empty());
    CHECK_THAT(text_of({"topology", "torus:4x4", "--measure"}), Contains("processors") &&
                                                                    Contains("measures bisection links") &&
                                                                    Contains("measures wires mean units"));
    CHECK(nocturne_json({"topology", "torus:4x4", "--json"})["measures"].is_null());
}

TEST_CASE("topology measures wires where the routers are said to stand", "[cli][measures]")
{
    const auto longest = [](const Arguments& more) {
        Arguments arguments{"topology", "hypercube:4", "--measure", "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return nocturne_json(arguments)["measures"]["wires"]["maximum_units"].get<double>();
    };
    CHECK(longest({"--arrangement", "backplane"}) == 8);
    CHECK(longest({"--arrangement", "centerplane"}) == 4);
    CHECK(longest({"--arrangement", "grid"}) == 2);
    CHECK(longest({}) == longest({"--arrangement", "own"}));
    const TemporaryFolder folder;
    std::ofstream(folder / "places.txt") << "# far apart\n0 0 0\n1 10 0\n2 20 5\n";
    const json wires = nocturne_json({"topology", "ring:3", "--measure", "--json", "--positions",
                                      folder / "places.txt"})["measures"]["wires"];
    CHECK(wires["maximum_units"] == 25.0);
    CHECK(wires["total_units"] == 50.0);
}

TEST_CASE("the lengths of channels are the wires' where a network has them", "[cli][measures]")
{
    const TemporaryFolder folder;
    std::ofstream(folder / "net.dot") << "digraph net { a -> b [length=3]; b -> a [length=3]; }\n";
    const json measures = nocturne_json({"topology", folder / "net.dot", "--measure", "--json"})["measures"];
    CHECK(measures["wires"]["maximum_units"] == 3.0);
}

TEST_CASE("a network without places has no wires, and one in parts infinite latencies", "[cli][measures]")
{
    const TemporaryFolder folder;
    std::ofstream(folder / "parts.dot") << "graph parts { a -- b; c -- d; }\n";
    const json facts = nocturne_json({"topology", folder / "parts.dot", "--measure", "--json"});
    CHECK(facts["measures"]["latency"]["average_hops"].is_null());
    CHECK(facts["measures"]["latency"]["unreachable_pairs"] == 8);
    CHECK(facts["maximum_hops"].is_null());
    CHECK(facts["measures"]["wires"].is_null());
    CHECK_THAT(text_of({"topology", folder / "parts.dot", "--measure"}),
               Contains("inf") && Contains("wires: neither positions nor lengths are known"));
}

} // namespace nocturne::measure_command_test
