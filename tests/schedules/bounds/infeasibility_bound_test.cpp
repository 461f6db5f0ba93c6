#include "models/topology/make_topology.hpp"
#include "schedules/bounds/infeasibility_bound.hpp"
#include "schedules/certificate/check_bound.hpp"
#include "tests/catch.hpp"

#include <stdexcept>

namespace nocturne::infeasibility_bound_test {

namespace {

/// A processor of a 4x4 mesh has told fifteen others after two steps at most if it and those it told have
/// enough channels: a corner has not, and no other has.
Problem broadcast_from_corner()
{
    return make_problem(make_topology("mesh:4x4"), broadcast({16}, 0));
}

} // namespace

TEST_CASE("an exhausted search is a bound with a proof that others can check", "[bounds][exhausted]")
{
    const Problem problem = broadcast_from_corner();
    const InfeasibilitySearch search = infeasibility_bound(problem, 2, {});
    CHECK(search.verdict == Verdict::unsatisfiable);
    REQUIRE(search.bound);
    CHECK(search.bound->steps == 3);
    CHECK(kind_of(*search.bound) == "infeasibility");
    CHECK_THAT(search.bound->reason,
               Catch::StartsWith("proven that no schedule over any paths has 2 steps: "));
    CHECK(refute(problem, *search.bound) == std::nullopt);
    CHECK(infeasibility_bound(problem, 2, {}).bound == search.bound); // bit for bit

    Bound higher = *search.bound;
    higher.steps = 4;
    CHECK(refute(problem, higher) != std::nullopt); // that many steps are enough
    Problem other = broadcast_from_corner();
    other.ports = one_port;
    higher.steps = 5;
    CHECK(refute(other, higher) != std::nullopt);
}

TEST_CASE("a bound without a proof is not certified, true or not", "[bounds][exhausted]")
{
    const Problem problem = broadcast_from_corner();
    std::optional<Bound> bound = infeasibility_bound(problem, 2, {}).bound;
    REQUIRE(bound);
    std::get<InfeasibilityProof>(bound->certificate).proof.clear();
    CHECK(refute(problem, *bound) == "no proof is given that 2 steps are too few");
    bound->certificate = PortCount{}; // claims that ports prove it
    CHECK(refute(problem, *bound) != std::nullopt);
}

TEST_CASE("what has a schedule has no such bound", "[bounds][exhausted]")
{
    const InfeasibilitySearch search = infeasibility_bound(broadcast_from_corner(), 3, {});
    CHECK(search.verdict == Verdict::satisfiable);
    CHECK_FALSE(search.bound);
}

TEST_CASE("conflict limit, deadline and stop flag end a search without a bound, and it says so",
          "[bounds][exhausted]")
{
    const Problem problem = make_problem(make_topology("mesh:4x4"), allgather({16}));
    std::atomic<bool> stop = true;
    const auto ends_early = [](const InfeasibilitySearch& search) {
        return search.verdict == Verdict::unknown && !search.bound;
    };
    CHECK(ends_early(infeasibility_bound(problem, 7, {.conflicts = 100})));
    CHECK(infeasibility_bound(problem, 7, {.conflicts = 100}).conflicts <= 100);
    CHECK(ends_early(infeasibility_bound(problem, 7, {.end = {.stop = &stop}})));
    CHECK(
        ends_early(infeasibility_bound(problem, 7, {.end = {.deadline = std::chrono::steady_clock::now()}})));
}

TEST_CASE("what is too large to be proven is not tried", "[bounds][exhausted]")
{
    const Problem problem = make_problem(make_topology("mesh:16x16"), alltoall({256}));
    CHECK_FALSE(infeasibility_bound(problem, 1000, {}).verdict);
    CHECK_FALSE(infeasibility_bound(problem, 1000, {}).bound);
    CHECK_THROWS_AS(infeasibility_bound(problem, 0, {}), std::invalid_argument);
}

} // namespace nocturne::infeasibility_bound_test
