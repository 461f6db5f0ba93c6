#include "benes_reference.hpp"
#include "models/benes/worst_permutation.hpp"
#include "models/topology/generators.hpp"
#include "models/traffic/permutation.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace nocturne::worst_permutation_test {

using Catch::Contains;

namespace {

/// Mean delay with the tags numbered from `first` on of a search.
double delay_with_tags(const BenesWiring& wiring, const std::vector<std::uint32_t>& destination,
                       const WorstSearch& search, std::uint32_t first)
{
    SplitMix64 seeds(search.seed);
    for (std::uint32_t i = 0; i < first; ++i)
        seeds();
    PermutationRouter router(wiring);
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < search.tags; ++i)
        sum += router.route(destination, {search.randomization, search.arbitration, seeds()}).delay();
    return static_cast<double>(sum) / search.tags;
}

} // namespace

TEST_CASE("structured permutations are permutations, each once, and those with a name are among them",
          "[benes][worst]")
{
    const test::BenesSize size = GENERATE(from_range(test::benes_sizes()));
    CAPTURE(size.q, size.n, size.truncated);
    const BenesWiring wiring(size.q, size.n, size.truncated);
    const auto all = structured_permutations(wiring);
    CHECK(all.front().name == "identity");
    for (const StructuredPermutation& each : all) {
        CHECK_NOTHROW(check_permutation(each.destination, wiring.lines()));
        CHECK(std::count_if(all.begin(), all.end(), [&](const StructuredPermutation& other) {
                  return other.destination == each.destination || other.name == each.name;
              }) == 1);
    }
    const auto has = [&](const std::string& name) {
        const auto wanted = make_permutation(make_benes(size.q, size.n, size.truncated), name);
        return std::any_of(all.begin(), all.end(),
                           [&](const StructuredPermutation& each) { return each.destination == wanted; });
    };
    CHECK(has("tornado"));
    CHECK(has("neighbour"));
    if (std::has_single_bit(wiring.lines())) {
        CHECK(has("reversal"));
        CHECK(has("shuffle"));
        CHECK(has("complement"));
        if (std::countr_zero(wiring.lines()) % 2 == 0)
            CHECK(has("transpose"));
    }
}

TEST_CASE("no tags bring the identity through in less than the unavoidable delay", "[benes][worst]")
{
    const test::BenesSize size = GENERATE(from_range(test::benes_sizes()));
    CAPTURE(size.q, size.n, size.truncated);
    const BenesWiring wiring(size.q, size.n, size.truncated);
    PermutationRouter router(wiring);
    std::vector<std::uint32_t> identity(wiring.lines());
    std::iota(identity.begin(), identity.end(), 0U);
    for (const auto randomization : {Randomization::single, Randomization::multiple})
        for (std::uint64_t seed = 1; seed <= 10; ++seed)
            CHECK(router.route(identity, {randomization, Arbitration::random, seed}).delay() >=
                  unavoidable_delay(wiring));
    // Without free digits it is what the identity takes.
    if (wiring.free_columns() == 0)
        CHECK(router.route(identity, {}).delay() == unavoidable_delay(wiring));
}

TEST_CASE("the unavoidable delay grows with each missing column until it is the root of the size",
          "[benes][worst]")
{
    const std::vector<std::uint32_t> expected{1, 3, 9, 27, 27, 27};
    for (unsigned truncated = 0; truncated < 6; ++truncated)
        CHECK(unavoidable_delay(BenesWiring(3, 6, truncated)) == expected[truncated]);
}

TEST_CASE("a search returns a permutation that no start is worse than, and returns it again",
          "[benes][worst]")
{
    const test::BenesSize size = GENERATE(from_range(test::benes_sizes()));
    const BenesWiring wiring(size.q, size.n, size.truncated);
    WorstSearch search;
    search.tags = 3;
    search.evaluations = 120;
    for (search.seed = 1; search.seed <= 4; ++search.seed) {
        search.randomization = search.seed % 2 == 0 ? Randomization::single : Randomization::multiple;
        search.arbitration = search.seed % 3 == 0 ? Arbitration::lowest_port : Arbitration::random;
        CAPTURE(size.q, size.n, size.truncated, search.seed);
        const WorstPermutation found = find_worst_permutation(wiring, search);
        CHECK_NOTHROW(check_permutation(found.destination, wiring.lines()));
        CHECK(found.searched_delay == delay_with_tags(wiring, found.destination, search, 0));
        CHECK(found.judged_delay == delay_with_tags(wiring, found.destination, search, search.tags));

        const auto structured = structured_permutations(wiring);
        double hardest = 0; // with the tags of the search
        for (const StructuredPermutation& each : structured) {
            const double delay = delay_with_tags(wiring, each.destination, search, 0);
            hardest = std::max(hardest, delay);
            if (each.name == found.start) {
                CHECK(found.searched_delay >= delay);
                CHECK((!found.is_start || found.destination == each.destination));
            }
        }
        // Of those that tie for the hardest, one at least was judged.
        CHECK(std::any_of(structured.begin(), structured.end(), [&](const StructuredPermutation& each) {
            return delay_with_tags(wiring, each.destination, search, 0) == hardest &&
                   found.judged_delay >= delay_with_tags(wiring, each.destination, search, search.tags);
        }));

        const WorstPermutation again = find_worst_permutation(wiring, search);
        CHECK(again.destination == found.destination);
        CHECK(again.start == found.start);
    }
}

TEST_CASE("exchanges make a permutation worse where no structure does", "[benes][worst]")
{
    // All columns are there: no permutation is hard by its structure.
    const BenesWiring wiring(2, 4);
    WorstSearch search;
    search.tags = 4;
    search.evaluations = 2000;
    const WorstPermutation found = find_worst_permutation(wiring, search);
    CHECK_FALSE(found.is_start);
    double hardest = 0;
    for (const StructuredPermutation& each : structured_permutations(wiring))
        hardest = std::max(hardest, delay_with_tags(wiring, each.destination, search, 0));
    CHECK(found.searched_delay > hardest);
}

TEST_CASE("a search of one evaluation is the identity", "[benes][worst]")
{
    const BenesWiring wiring(3, 3, 1);
    const WorstPermutation found = find_worst_permutation(wiring, {.evaluations = 1});
    CHECK(found.start == "identity");
    CHECK(found.is_start);
    CHECK(std::is_sorted(found.destination.begin(), found.destination.end()));
}

TEST_CASE("a search wants tags, a budget and climbs", "[benes][worst]")
{
    const BenesWiring wiring(2, 3);
    CHECK_THROWS_WITH(find_worst_permutation(wiring, {.tags = 0}), Contains("0 tags"));
    CHECK_THROWS_WITH(find_worst_permutation(wiring, {.evaluations = 0}), Contains("0 evaluations"));
    CHECK_THROWS_WITH(find_worst_permutation(wiring, {.climbs = 0}), Contains("0 climbs"));
}

} // namespace nocturne::worst_permutation_test
