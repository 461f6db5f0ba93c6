#include "models/topology/faults.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/portfolio/engines.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/problem/random_problems.hpp"

#include <string>

namespace nocturne::local_test {

using nocturne::test::random_problem;
using nocturne::test::Traffic;

namespace {

SearchResult search_local(const Problem& problem, unsigned steps, const SearchControl& control)
{
    return search(find_engine("local"), problem, steps, control); // judged by the validator
}

} // namespace

TEST_CASE("random scatters: what is found is valid and no longer than asked, bounds are not beaten",
          "[portfolio][local]")
{
    unsigned met = 0;
    const unsigned seeds = 1000;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const Problem problem = random_problem(seed, 2 + static_cast<unsigned>(seed % 7), Traffic::scatter);
        CAPTURE(seed, describe(problem));
        const unsigned bound = lower_bound(problem).steps;
        const SearchResult at_bound = search_local(problem, bound, {.effort = 3000});
        met += at_bound.outcome == Outcome::found ? 1 : 0;
        // Each message by itself, hop by hop.
        const std::size_t plenty = problem.collective.messages().size() * problem.topology.router_count();
        REQUIRE(search_local(problem, static_cast<unsigned>(plenty), {.effort = 3000}).outcome ==
                Outcome::found);
        if (bound > 1) {
            const SearchResult impossible = search_local(problem, bound - 1, {.effort = 500});
            REQUIRE(impossible.outcome == Outcome::gave_up);
            REQUIRE(impossible.tried <= 500);
            REQUIRE(impossible.unscheduled > 0);
        }
    }
    CHECK(met > seeds * 9 / 10);
}

TEST_CASE("with any channel broken a scatter takes a step or two more than its bound at most",
          "[portfolio][local]")
{
    const auto spec = GENERATE(as<std::string>{}, "kautz:3,2", "mesh:3x3", "octagon:8", "fat_octagon:8");
    const auto switching = GENERATE(Switching::wormhole, Switching::store_and_forward);
    const Topology whole = make_topology(spec);
    for (ChannelId broken = 0; broken < whole.channel_count(); ++broken) {
        CAPTURE(spec, describe_channel(whole, broken));
        Topology topology = with_faults(whole, Faults{{broken}, {}}, "a channel");
        const auto processors = static_cast<std::uint32_t>(topology.processor_count());
        Problem problem = make_problem(std::move(topology), alltoall({processors}));
        problem.switching = switching;
        CHECK(search_local(problem, lower_bound(problem).steps + 2, {.effort = 50'000}).outcome ==
              Outcome::found);
    }
}

} // namespace nocturne::local_test
