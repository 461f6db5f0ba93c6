#include "models/topology/make_topology.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "schedules/schedule/checked_json.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"
#include "tests/schedules/problem/random_problems.hpp"

namespace nocturne::bound_json_test {

using nocturne::test::random_problem;
using nocturne::test::Traffic;

TEST_CASE("a bound comes back from JSON as it was, and its text satisfies the schema", "[bounds][json]")
{
    const auto traffic = GENERATE(Traffic::scatter, Traffic::broadcast);
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Problem problem = random_problem(seed, 7, traffic);
        for (const Bound& bound : lower_bounds(problem)) {
            const std::string text = to_json(bound, problem.topology).dump();
            CAPTURE(seed, text);
            CHECK(parse_bound(read_checked_json(text, bound_schema(), "test"), problem.topology, "test") ==
                  bound);
        }
    }
    const Topology mesh = make_topology("mesh:4x4");
    const Bound infeasible{8, "all of them", InfeasibilityProof{"1 2 0\n0\n"}};
    std::string text = to_json(infeasible, mesh).dump();
    CHECK(parse_bound(read_checked_json(text, bound_schema(), "test"), mesh, "test") == infeasible);
    text.replace(text.find("infeasibility"), 13, "exhausted"); // its name in older files
    CHECK(parse_bound(read_checked_json(text, bound_schema(), "test"), mesh, "test") == infeasible);
}

TEST_CASE("certificates in JSON are short and name what they mean", "[bounds][json]")
{
    const Topology topology =
        test::direct_network("three", {"a", "b", "c"}, test::both_ways({{0, 1}, {1, 2}, {1, 2}}));
    const Bound bound{2, "why", ChannelLengths{{1, 0, 0, 0, 3, 0}, {0, 0, 2}, {0, 0, 0}}};
    CHECK(to_json(bound, topology).dump() ==
          R"({"steps":2,"kind":"flow","reason":"why","certificate":{"channels":[["a","b",1],[4,3]],)"
          R"("injections":[["c",2]],"ejections":[]}})");
    CHECK(to_json({1, "why", PortCount{}}, topology).dump() == R"({"steps":1,"kind":"port","reason":"why"})");
    CHECK(to_json({1, "why", VertexSet{{1, 2}, Direction::leaving}}, topology).dump() ==
          R"({"steps":1,"kind":"vertex-set","reason":"why",)"
          R"("certificate":{"routers":["b","c"],"direction":"leaving"}})");
    CHECK_THROWS_WITH(to_json(bound, make_topology("mesh:4x4")),
                      "lengths for another network cannot be written for mesh:4x4");
    CHECK_THROWS_WITH(to_json({1, "why", VertexSet{{3}, Direction::leaving}}, topology),
                      "three has no router 3");
}

TEST_CASE("plain numbers in the texts of a bound have one reading", "[bounds][json]")
{
    const Topology mesh = make_topology("mesh:8x8");
    const auto read = [&](const std::string& routers) {
        return parse_bound(
            nlohmann::json::parse(R"({"steps":1,"kind":"vertex-set","reason":"","certificate":)"
                                  R"({"routers":)" +
                                  routers + R"(,"direction":"leaving"}})"),
            mesh, "text");
    };
    const auto routers = [&](const std::string& text) {
        return std::get<VertexSet>(read(text).certificate).routers;
    };
    CHECK_THROWS_WITH(read(R"(["63", "18"])"), Catch::Contains("/certificate/routers/1: ") &&
                                                   Catch::Contains("has '63', but nothing named '18'"));
    CHECK(routers(R"(["63", "#18"])") == std::vector<RouterId>{18, 51});
    CHECK(routers(R"(["63", 18])") == std::vector<RouterId>{18, 51});
    CHECK(routers(R"(["18", "19"])") == std::vector<RouterId>{18, 19});
}

} // namespace nocturne::bound_json_test
