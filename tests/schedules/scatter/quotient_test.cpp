#include "schedules/scatter/scatter_engines.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/problem/problem_rows.hpp"

#include <vector>

namespace nocturne::quotient_test {

TEST_CASE("a schedule from a quotient is valid, near the bound, and the same for the same seed",
          "[scatter][quotient]")
{
    struct Case {
        const char* spec;
        unsigned bound;
        unsigned more;
    };
    const auto [spec, bound, more] = GENERATE(values<Case>(
        {{"mesh:4x4", 16, 2}, {"mesh:6x6", 54, 3}, {"torus:5x6", 23, 5}, {"fat_octagon:8", 15, 5}}));
    CAPTURE(spec);
    const Problem problem = test::problem_in_words(spec, "alltoall");
    SearchControl control;
    control.effort = 100 * problem.collective.messages().size();
    const SearchResult first = search_quotient_scatter(problem, 1000, control);
    REQUIRE(first.outcome == Outcome::found);
    CHECK(objection_to(*first.schedule, problem) == std::nullopt);
    CHECK(first.schedule->steps.size() >= bound);
    CHECK(first.schedule->steps.size() <= bound + more);
    CHECK(search_quotient_scatter(problem, 1000, control).schedule == first.schedule);
    CHECK(search_quotient_scatter(problem, bound - 1, control).outcome == Outcome::gave_up);
}

} // namespace nocturne::quotient_test
