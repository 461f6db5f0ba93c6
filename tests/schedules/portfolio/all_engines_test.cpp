// What every engine owes, on networks that nobody designed.
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/portfolio/engines.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <map>
#include <string>

namespace nocturne::all_engines_test {

TEST_CASE("no engine returns an invalid schedule, or one below the bound, on random problems",
          "[portfolio][engines]")
{
    // search() throws for a schedule that the validator refuses.
    std::map<std::string_view, unsigned> found;
    // Nine tenths of the time would be theirs.
    const auto is_slow = [](const Engine& engine) { return engine.name == "exact" || engine.name == "mboa"; };
    for (std::uint64_t seed = 0; seed < 180; ++seed)
        for (const auto traffic : {test::Traffic::scatter, test::Traffic::broadcast}) {
            const Problem problem = test::random_problem(seed, 7, traffic);
            const unsigned bound = lower_bound(problem).steps;
            const unsigned steps = bound + static_cast<unsigned>(seed % 3);
            INFO("seed " << seed << ", " << describe(problem));
            for (const Engine& engine : engines()) {
                if (!can_try(engine, problem) || (is_slow(engine) && seed % 4 != 0))
                    continue;
                INFO(engine.name);
                SearchControl control;
                control.seed = seed;
                control.effort = 300;
                const SearchResult result = search(engine, problem, steps, control);
                CHECK((result.outcome == Outcome::found) == result.schedule.has_value());
                if (result.outcome == Outcome::impossible)
                    CHECK(search(engines().front(), problem, steps, control).outcome != Outcome::found);
                if (!result.schedule)
                    continue;
                CHECK(result.schedule->steps.size() >= bound);
                CHECK(result.schedule->steps.size() <= steps);
                ++found[engine.name];
            }
        }
    for (const Engine& engine : engines()) {
        INFO(engine.name);
        CHECK((engine.adds || engine.by_objective != nullptr ||
               found[engine.name] >= (is_slow(engine) ? 5 : 18)));
    }
}

} // namespace nocturne::all_engines_test
