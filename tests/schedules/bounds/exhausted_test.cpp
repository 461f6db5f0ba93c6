#include "models/topology/faults.hpp"
#include "models/topology/specification.hpp"
#include "schedules/bounds/check_bound.hpp"
#include "schedules/bounds/exhausted.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace nocturne::exhausted_test {

namespace {

/// A processor of a 4x4 mesh has told fifteen others after two steps at most if it and those it told have enough channels:
/// a corner has not, and no other has.
Problem broadcast_from_corner()
{
    return make_problem(make_topology("mesh:4x4"), one_to_all_broadcast(16, 0));
}

} // namespace

TEST_CASE("an exhausted search is a bound with a proof that others can check", "[bounds][exhausted]")
{
    const Problem problem = broadcast_from_corner();
    const auto bound = exhausted_bound(problem, 2, {}, Proof::drat);
    REQUIRE(bound);
    CHECK(bound->steps == 3);
    CHECK(bound->kind == BoundKind::exhausted);
    CHECK_THAT(bound->reason, Catch::StartsWith("all schedules with 2 steps over all paths were searched: "));
    CHECK(refute(problem, *bound) == std::nullopt);
    CHECK(exhausted_bound(problem, 2, {}, Proof::drat) == bound); // bit for bit

    Bound higher = *bound;
    higher.steps = 4;
    CHECK(refute(problem, higher) != std::nullopt); // that many steps are enough
    Problem other = broadcast_from_corner();
    other.ports = one_port;
    higher.steps = 5;
    CHECK(refute(other, higher) != std::nullopt);
}

TEST_CASE("a bound without a proof is searched again", "[bounds][exhausted]")
{
    const Problem problem = broadcast_from_corner();
    auto bound = exhausted_bound(problem, 2, {});
    REQUIRE(bound);
    CHECK(std::get<Exhaustion>(bound->certificate).proof.empty());
    CHECK(refute_exhaustion(problem, *bound) == std::nullopt);
    CHECK(refute_exhaustion(problem, *bound, 10) ==
          "no proof is given, and searching again did not end within 10 conflicts");
    bound->steps = 4;
    CHECK(refute_exhaustion(problem, *bound) == "there is a schedule with 3 steps");
    bound->certificate = std::monostate{};
    CHECK(refute_exhaustion(problem, *bound) != std::nullopt);
}

TEST_CASE("what has a schedule has no such bound", "[bounds][exhausted]")
{
    CHECK(exhausted_bound(broadcast_from_corner(), 3, {}) == std::nullopt);
}

TEST_CASE("conflict limit, deadline and stop flag end a search without a bound", "[bounds][exhausted]")
{
    const Problem problem = make_problem(make_topology("mesh:4x4"), all_to_all_broadcast(16));
    std::atomic<bool> stop = true;
    CHECK(exhausted_bound(problem, 7, {.conflicts = 100}) == std::nullopt);
    CHECK(exhausted_bound(problem, 7, {.stop = &stop}) == std::nullopt);
    CHECK(exhausted_bound(problem, 7, {.deadline = std::chrono::steady_clock::now()}) == std::nullopt);
    const Solution solution = solve(encode(problem, 8).formula, {.conflicts = 100});
    CHECK(solution.verdict == Verdict::unknown);
    CHECK(solution.conflicts <= 100);
}

TEST_CASE("minimal paths round a broken arc of a Kautz graph take nine steps", "[bounds][exhausted]")
{
    const Problem whole = make_problem(make_topology("kautz:3,2"), all_to_all_scatter(12));
    for (const ChannelId broken : {0u, 7u, 35u}) {
        Problem problem = whole;
        problem.topology = with_faults(whole.topology, Faults{{broken}, {}}, "a channel");
        problem.slack = 0;
        const auto bound = exhausted_bound(problem, 8, {}, Proof::drat);
        REQUIRE(bound);
        CHECK_THAT(bound->reason, Catch::StartsWith("all schedules with 8 steps over minimal paths were "));
        CHECK(refute(problem, *bound) == std::nullopt);
    }
}

} // namespace nocturne::exhausted_test
