#include "models/topology/make_topology.hpp"
#include "schedules/scatter/quotient.hpp"
#include "schedules/scatter/quotient_scatter.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <vector>

namespace nocturne::quotient_test {

namespace {

Problem all_to_all(const std::string& spec)
{
    Topology topology = make_topology(spec);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    return make_problem(std::move(topology), alltoall({processors}));
}

} // namespace

TEST_CASE("no quotient by what keeps a channel or a message", "[scatter][quotient]")
{
    const Problem problem = all_to_all("mesh:3x3");
    const SymmetryGroup all = find_symmetries(problem.topology, Reversal::excluded);
    const auto everything = elements(problem.topology, all.generators, 8);
    REQUIRE(everything->size() == 8);
    for (const Symmetry& element : *everything) {
        if (is_identity(element))
            continue;
        const std::vector<Symmetry> pair{identity(problem.topology), element};
        const bool is_half_turn = element.processors[0] == 8 && element.processors[2] == 6;
        const bool is_involution = is_identity(compose(element, element));
        if (is_involution) // a reflection keeps the channels of its axis, or the messages between its points
            CHECK(make_quotient(problem, pair).has_value() == is_half_turn);
    }
}

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
    const Problem problem = all_to_all(spec);
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
