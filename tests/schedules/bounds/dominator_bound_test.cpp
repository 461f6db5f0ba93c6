#include "models/topology/make_topology.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/certificate/check_bound.hpp"
#include "schedules/certificate/check_dominator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/bounds/shortest_schedule.hpp"
#include "tests/schedules/problem/problem_rows.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <string>

namespace nocturne::dominator_bound_test {

TEST_CASE("where nothing has a single way in for many only growth counts", "[bounds][dominator]")
{
    const std::string network =
        GENERATE("mesh:4x4", "hypercube:5", "torus:4x4", "octagon:8", "omega:16", "clos:3,3,4", "star:9");
    const Problem problem = test::problem_in_words(network, "broadcast");
    const auto dominator = dominator_bound(problem); // none where a processor sends from where nothing comes
    CHECK((dominator ? dominator->steps : 0) <= growth_bound(problem)->steps);
}

TEST_CASE("there is no bound of this kind but for one message with receivers", "[bounds][dominator]")
{
    CHECK_FALSE(dominator_bound(make_problem(make_topology("fbtree:7"), allgather({7}))));
    CHECK_FALSE(dominator_bound(make_problem(make_topology("fbtree:7"), scatter({7}, 0))));
}

TEST_CASE("the checker computes the same from the definition", "[bounds][dominator][check]")
{
    const std::string network = GENERATE("fbtree:31", "btree:16", "fattree:16", "omega:8", "mesh:3x5",
                                         "kautz:2,3", "coated_mesh:3x3", "fat_octagon:8", "star:6");
    for (const ProcessorId source : {0U, 1U, 3U, 5U}) {
        INFO(network << " from " << source);
        const Problem problem = test::problem_in_words(network, "broadcast source=" + std::to_string(source));
        const auto bound = dominator_bound(problem);
        CHECK((bound ? bound->steps : 0) == steps_by_dominators(problem));
        if (!bound)
            continue;
        CHECK_FALSE(refute(problem, *bound));
        Bound better = *bound;
        ++better.steps;
        CHECK(refute(problem, better));
    }
}

TEST_CASE("routers out of reach change nothing, though channels lead from them", "[bounds][dominator]")
{
    const unsigned out_of_reach = GENERATE(0U, 1U, 5U, 40U);
    Topology topology("reached");
    for (unsigned i = 0; i < out_of_reach; ++i)
        topology.add_router("away" + std::to_string(i));
    const RouterId first = topology.add_router("a");
    for (const char* const name : {"b", "c", "d"})
        topology.add_router(name);
    for (RouterId router = first; router < first + 4; ++router)
        topology.add_processor(router);
    for (RouterId router = first; router < first + 3; ++router)
        topology.add_link(router, router + 1);
    for (unsigned i = 0; i < out_of_reach; ++i)
        topology.add_channel({i, first + i % 4});
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    const Problem problem = make_problem(std::move(topology), broadcast({processors}, 0));
    const auto bound = dominator_bound(problem);
    REQUIRE(bound);
    CHECK(bound->steps == 2); // a line of four: to the third, then to the others
    CHECK(bound->steps == steps_by_dominators(problem));
    CHECK_FALSE(refute(problem, *bound));
}

TEST_CASE("no broadcast is faster than the dominators say", "[bounds][dominator]")
{
    unsigned solved = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Problem problem = test::random_problem(seed, 5, test::Traffic::broadcast);
        const Message first = problem.collective.messages().front();
        const std::vector<ProcessorId> receivers(first.receivers.begin(), first.receivers.end());
        if (receivers.size() < 2)
            continue;
        problem.collective = multicast({problem.collective.processors}, first.origin, receivers);
        const auto bound = dominator_bound(problem);
        CHECK((bound ? bound->steps : 0) == steps_by_dominators(problem));
        const auto steps = test::shortest_schedule(problem, 20'000);
        if (!bound || !steps)
            continue;
        INFO("seed " << seed << ", " << describe(problem));
        CHECK(bound->steps <= *steps);
        ++solved;
    }
    CHECK(solved > 100);
}

} // namespace nocturne::dominator_bound_test
