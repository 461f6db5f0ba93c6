#include "models/topology/make_topology.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/search/engine.hpp"
#include "tests/catch.hpp"

namespace nocturne::engine_test {

TEST_CASE("an invalid schedule of an engine is an error, never a result", "[search][engine]")
{
    const Problem problem = make_problem(make_topology("mesh:2x2"), alltoall({4}));
    const Engine liar{"liar", "says that nothing is all there is to do", [](const Problem&) { return true; },
                      [](const Problem& p, unsigned, const SearchControl&) {
                          return SearchResult{.outcome = Outcome::found,
                                              .schedule = empty_schedule(p, "liar")};
                      }};
    CHECK_THROWS_AS(search(liar, problem, 3, {}), std::logic_error);
    CHECK_THROWS_AS(search(liar, problem, 0, {}), std::invalid_argument);
}

} // namespace nocturne::engine_test
