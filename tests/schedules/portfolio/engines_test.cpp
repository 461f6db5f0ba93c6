#include "models/topology/make_topology.hpp"
#include "schedules/portfolio/engines.hpp"
#include "tests/catch.hpp"

#include <stdexcept>

namespace nocturne::engines_test {

TEST_CASE("an engine that does not exist is refused", "[portfolio][engine]")
{
    CHECK_THROWS_AS(find_engine("oracle"), std::invalid_argument);
    CHECK_THROWS_AS(find_engine("auto"), std::invalid_argument);
    CHECK_THROWS_AS(find_engine("trees"), std::invalid_argument); // searches by an objective
}

TEST_CASE("every row of the table answers one question", "[portfolio][engine]")
{
    bool by_objective = false;
    for (const Engine& engine : engines()) {
        INFO(engine.name);
        CHECK_FALSE((by_objective && engine.by_objective == nullptr)); // those for messages come first
        by_objective = engine.by_objective != nullptr;
        CHECK((engine.suits != nullptr) != by_objective);
        CHECK((engine.search != nullptr) != by_objective);
        if (!by_objective)
            CHECK(&find_engine(engine.name) == &engine);
    }
    CHECK(by_objective);
}

TEST_CASE("engines are asked for by name, or all that suit", "[portfolio][engine]")
{
    const Problem problem = make_problem(make_topology("ring:4"), alltoall({4}));
    const auto all = engines_for(problem, "auto");
    CHECK(all.size() > 3);
    for (const Engine* const engine : all)
        CHECK((can_try(*engine, problem) && !engine->only_by_name));
    CHECK(engines_for(problem, "umda") == std::vector<const Engine*>{&find_engine("umda")});
    CHECK_THROWS_WITH(engines_for(problem, "doubling"),
                      "engine doubling cannot do AAS on ring:4, all-port, wormhole");
}

TEST_CASE("the engine flow does not say impossible where a relay leads round the cut", "[portfolio][flow]")
{
    // One channel leads to the receivers; the relay is ejected before it and injects behind it.
    Topology topology("round the cut");
    for (int i = 0; i < 3; ++i)
        topology.add_router();
    topology.add_channel(0, 1);
    topology.add_channel(2, 1);
    topology.add_processor(0, 0, "sender");
    topology.add_processor(0, 2, "not reached");
    topology.add_processor(2, 0, "relay");
    for (const char* const name : {"a", "b", "c"})
        topology.add_processor(1, 1, name);
    const Problem problem{topology, many_to_many_scatter({6}, {0}, {3, 4, 5}), PortModel{2}};
    const auto outcome = [&](const char* engine, unsigned steps) {
        return search(find_engine(engine), problem, steps, {}).outcome;
    };
    CHECK(outcome("exact", 2) == Outcome::found);
    CHECK(outcome("flow", 2) == Outcome::gave_up);
    CHECK(outcome("flow", 3) == Outcome::found);
    CHECK(outcome("flow", 1) == Outcome::impossible);
}

} // namespace nocturne::engines_test
