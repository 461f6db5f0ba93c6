#include "models/topology/make_topology.hpp"
#include "schedules/bounds/printed_bounds.hpp"
#include "tests/catch.hpp"

#include <stdexcept>

namespace nocturne::formulas_test {

using namespace nocturne::formulas;

TEST_CASE("broadcast and scatter formulas give the printed bounds of hypercubes", "[bounds][formulas]")
{
    // d, OAB, OAS and AAB
    const auto [d, oab, by_ports] = GENERATE(
        table<unsigned, unsigned, unsigned>({{3, 2, 3}, {4, 2, 4}, {5, 2, 7}, {6, 3, 11}, {7, 3, 19}}));
    const std::uint64_t processors = std::uint64_t{1} << d;
    CHECK(oab_steps(processors, d) == oab);
    CHECK(port_steps(processors, d) == by_ports);
}

TEST_CASE("powers are exact", "[bounds][formulas]")
{
    CHECK(oab_steps(8, 1) == 3);
    CHECK(oab_steps(9, 1) == 4);
    CHECK(oab_steps(125, 4) == 3);
    CHECK(oab_steps(126, 4) == 4);
    CHECK(oab_steps(std::uint64_t{1} << 63, 1) == 63);
}

TEST_CASE("formulas of nothing are refused", "[bounds][formulas]")
{
    CHECK_THROWS_WITH(oab_steps(1, 1), "1 processors: a bound needs at least 2");
    CHECK_THROWS_WITH(port_steps(4, 0), "0 ports: a bound needs at least 1");
    CHECK_THROWS_AS(port_steps(0, 1), std::invalid_argument);
}

TEST_CASE("the formulas of a problem are those of its collective", "[bounds][formulas]")
{
    const auto printed = [](const char* network, const Collective& collective) {
        std::vector<std::uint64_t> steps;
        for (const formulas::PrintedBound& bound :
             formulas::printed_bounds(make_problem(make_topology(network), collective)))
            steps.push_back(bound.steps);
        return steps;
    };
    using Steps = std::vector<std::uint64_t>;
    CHECK(printed("omega:16", allgather({16})) == Steps{15});
    CHECK(printed("omega:16", broadcast({16}, 0)) == Steps{4});
    CHECK(printed("kautz:3,2", scatter({12}, 0)) == Steps{4});
    CHECK(printed("kautz:3,2", alltoall({12})) == Steps{4, 7});
    CHECK(printed("octagon:8", alltoall({8})) == Steps{3, 4});
    CHECK(printed("octagon:8", multicast({8}, 0, {1, 2})).empty());
}

} // namespace nocturne::formulas_test
