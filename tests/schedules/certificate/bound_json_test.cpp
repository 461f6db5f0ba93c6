#include "models/topology/make_topology.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "schedules/schedule/checked_json.hpp"
#include "tests/catch.hpp"
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
    Topology topology("three");
    for (const char* name : {"a", "b", "c"})
        topology.add_processor(topology.add_router(name));
    topology.add_link(0, 1);
    topology.add_link(1, 2);
    topology.add_link(1, 2);
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

TEST_CASE("JSON that is no bound is refused with its place", "[bounds][json]")
{
    struct Case {
        std::string json;
        std::string error;
    };
    const auto flow = [](const std::string& certificate) {
        return R"({"steps": 1, "kind": "flow", "reason": "", "certificate": )" + certificate + "}";
    };
    const auto set = [](const std::string& certificate) {
        return R"({"steps": 1, "kind": "vertex-set", "reason": "", "certificate": )" + certificate + "}";
    };
    const std::vector<Case> cases{
        {"[]", "/: expected an object"},
        {R"({"steps": 1, "kind": "port"})", "/: member 'reason' is missing"},
        {R"({"steps": 1, "kind": "port", "reason": "", "why": 1})",
         "/: unknown member 'why': known are steps, kind, reason, slack, certificate, origin"},
        {R"({"steps": 0, "kind": "port", "reason": ""})",
         "/steps: expected a whole number from 1 to 4294967295"},
        {R"({"steps": -1, "kind": "port", "reason": ""})",
         "/steps: expected a whole number from 1 to 4294967295"},
        {R"({"steps": 1.5, "kind": "port", "reason": ""})",
         "/steps: expected a whole number from 1 to 4294967295"},
        {R"({"steps": 4294967296, "kind": "port", "reason": ""})",
         "/steps: expected a whole number from 1 to 4294967295"},
        {R"({"steps": 1, "kind": "luck", "reason": ""})",
         "/kind: no kind of bound 'luck'; there are port, growth, dominator, distance, vertex-set, flow, "
         "infeasibility, receptions"},
        {R"({"steps": 1, "kind": 7, "reason": ""})", "/kind: expected a string"},
        {R"({"steps": 1, "kind": "port", "reason": [], "certificate": {}})", "/reason: expected a string"},
        {R"({"steps": 1, "kind": "port", "reason": "", "certificate": {}})",
         "/certificate: a port bound has none"},
        {R"({"steps": 1, "kind": "flow", "reason": ""})", "/: member 'certificate' is missing"},
        {R"({"steps": 1, "kind": "exhausted", "reason": "", "certificate": {}})",
         "/certificate: member 'proof' is missing"},
        {flow(R"({"injections": []})"), "/certificate: member 'channels' is missing"},
        {flow(R"({"channels": 1})"), "/certificate/channels: expected an array"},
        {flow(R"({"channels": [["00", "01"], 1]})"),
         "/certificate/channels/0/0: mesh:4x4 has no channel \"00\""},
        {flow(R"({"channels": [[48, 1]]})"), "/certificate/channels/0/0: mesh:4x4 has no channel 48"},
        {flow(R"({"channels": [["00", "02", 1]]})"),
         "/certificate/channels/0: 0 channels lead from 00 to 02"},
        {flow(R"({"channels": [["00", "44", 1]]})"),
         "/certificate/channels/0/1: mesh:4x4 has no router \"44\""},
        {flow(R"({"channels": [["00", "01", -1]]})"),
         "/certificate/channels/0/2: -1 is not a length, a whole number from 0"},
        {flow(R"({"channels": [["00", "01", 9223372036854775808]]})"),
         "/certificate/channels/0/2: 9223372036854775808 is not a length, a whole number from 0"},
        {flow(R"({"channels": [["00"]]})"),
         "/certificate/channels/0: expected [from, to, length] or [channel index, length]"},
        {flow(R"({"channels": [], "injections": [["00", 1, 2]]})"),
         "/certificate/injections/0: expected [processor, length]"},
        {flow(R"({"channels": [], "injections": [["00", 1], ["00", 1]]})"),
         "/certificate/injections/1: processor 00 has a length already"},
        {flow(R"({"channels": [], "ejections": [["99", 1]]})"),
         "/certificate/ejections/0/0: mesh:4x4 has no processor \"99\""},
        {set(R"({"routers": ["00"]})"), "/certificate: member 'direction' is missing"},
        {set(R"({"routers": ["00", "01", "00"], "direction": "entering"})"),
         "/certificate/routers: router 00 appears twice"},
        {set(R"({"routers": [16], "direction": "entering"})"),
         "/certificate/routers/0: mesh:4x4 has no router 16"},
        {set(R"({"routers": [], "direction": "up"})"),
         "/certificate/direction: 'up' is neither entering nor leaving"},
    };
    const Topology mesh = make_topology("mesh:4x4");
    for (const auto& [json, error] : cases) {
        CAPTURE(json);
        CHECK_THROWS_WITH(parse_bound(nlohmann::json::parse(json), mesh, "a.json"), "a.json: " + error);
    }
}

} // namespace nocturne::bound_json_test
