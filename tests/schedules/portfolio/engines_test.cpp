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

} // namespace nocturne::engines_test
