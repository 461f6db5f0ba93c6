#include "benes_reference.hpp"
#include "models/traffic/permutation.hpp"
#include "tests/catch.hpp"

#include <numeric>

namespace nocturne::randomized_routing_test {

using Catch::Contains;

TEST_CASE("permutations are routed attempt for attempt as the plain way does", "[benes]")
{
    const test::BenesSize size = GENERATE(from_range(test::benes_sizes()));
    const BenesWiring wiring(size.q, size.n, size.truncated);
    PermutationRouter router(wiring);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const RandomizedRouting how{seed % 2 == 0 ? Randomization::single : Randomization::multiple,
                                    seed % 3 == 0 ? Arbitration::lowest_port : Arbitration::random, seed};
        CAPTURE(size.q, size.n, size.truncated, seed);
        const auto permutation = random_permutation(wiring.lines(), seed);
        CHECK(router.route(permutation, how) == test::route_plainly(wiring, permutation, how));
    }
}

TEST_CASE("a router gives the same answer whatever it has routed before", "[benes]")
{
    const BenesWiring wiring(2, 5);
    const auto permutation = random_permutation(wiring.lines(), 3);
    PermutationRouter used(wiring);
    used.route(random_permutation(wiring.lines(), 4), {.seed = 9});
    CHECK(used.route(permutation, {.seed = 5}) == PermutationRouter(wiring).route(permutation, {.seed = 5}));
}

TEST_CASE("a single switch has no conflicts", "[benes]")
{
    const BenesWiring wiring(8, 1);
    CHECK(PermutationRouter(wiring).route(random_permutation(8, 1), {}).delay() == 1);
}

TEST_CASE("without free columns the paths are fixed: bit reversal passes, the identity blocks", "[benes]")
{
    const BenesWiring wiring(2, 6, 5);
    PermutationRouter router(wiring);
    std::vector<std::uint32_t> identity(wiring.lines());
    std::iota(identity.begin(), identity.end(), 0U);
    std::vector<std::uint32_t> reversal(wiring.lines(), 0);
    for (const std::uint32_t line : identity)
        for (unsigned bit = 0; bit < 6; ++bit)
            reversal[line] |= (line >> bit & 1U) << (5 - bit);
    CHECK(router.route(reversal, {}).delay() == 1);
    // sqrt(N) messages want each of the lines in the middle that are wanted at all.
    CHECK(router.route(identity, {}).delay() == 8);
}

TEST_CASE("every message of a rival wins its share", "[benes]")
{
    // Two messages that always meet: with random arbitration each is first about half the time.
    const BenesWiring wiring(2, 2, 1);
    std::uint32_t first = 0;
    std::uint32_t meetings = 0;
    PermutationRouter router(wiring);
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        const PermutationRun& run = router.route(std::vector<std::uint32_t>{0, 1, 2, 3}, {.seed = seed});
        if (run.delay() == 1)
            continue;
        ++meetings;
        first += run.attempts[0] < run.attempts[1] ? 1 : 0;
    }
    REQUIRE(meetings == 2000);
    CHECK(first > 900);
    CHECK(first < 1100);
}

TEST_CASE("what is no permutation is refused, and so are bad tags", "[benes]")
{
    const BenesWiring wiring(2, 2);
    PermutationRouter router(wiring);
    CHECK_THROWS_WITH(router.route(std::vector<std::uint32_t>{0, 1, 1, 3}, {}),
                      Contains("1 and 2 both send to 1"));
    CHECK_THROWS_WITH(router.route(std::vector<std::uint32_t>{0, 1}, {}), Contains("2 numbers for 4"));
    CHECK_THROWS_WITH(router.blocked(std::vector<std::uint16_t>(11)), Contains("11 digits for 4 tags of 3"));
    CHECK_THROWS_WITH(router.blocked(std::vector<std::uint16_t>(12, 2)), Contains("digit 2"));
}

} // namespace nocturne::randomized_routing_test
