#include "benes_reference.hpp"
#include "models/benes/looping.hpp"
#include "models/traffic/permutation.hpp"
#include "tests/catch.hpp"

#include <set>

namespace nocturne::looping_test {

using Catch::Contains;

namespace {

/// Does every message reach its destination, and no two share a line?
void require_conflict_free(const BenesWiring& wiring, std::span<const std::uint32_t> destination)
{
    const std::vector<std::uint16_t> tags = looping(wiring, destination);
    REQUIRE(tags.size() == std::size_t{wiring.lines()} * wiring.columns());
    std::vector<std::set<std::uint32_t>> used(wiring.columns());
    for (std::uint32_t source = 0; source < wiring.lines(); ++source) {
        const auto lines =
            test::lines_of(wiring, source,
                           std::span(tags).subspan(std::size_t{source} * wiring.columns(), wiring.columns()));
        REQUIRE(lines.back() == destination[source]);
        for (unsigned column = 0; column < wiring.columns(); ++column)
            REQUIRE(used[column].insert(lines[column]).second);
    }
    CHECK(PermutationRouter(wiring).blocked(tags).empty());
}

} // namespace

TEST_CASE("the looping algorithm brings every permutation of 6 or fewer lines through", "[benes][looping]")
{
    const auto [q, n] = GENERATE(std::pair{2U, 1U}, std::pair{2U, 2U}, std::pair{3U, 1U}, std::pair{5U, 1U});
    const BenesWiring wiring(q, n);
    std::vector<std::uint32_t> permutation(wiring.lines());
    for (std::uint32_t i = 0; i < wiring.lines(); ++i)
        permutation[i] = i;
    do
        require_conflict_free(wiring, permutation);
    while (std::next_permutation(permutation.begin(), permutation.end()));
}

TEST_CASE("the looping algorithm brings random permutations through", "[benes][looping]")
{
    const auto [q, n] = GENERATE(std::pair{2U, 3U}, std::pair{2U, 6U}, std::pair{3U, 3U}, std::pair{4U, 3U},
                                 std::pair{7U, 2U}, std::pair{16U, 2U});
    const BenesWiring wiring(q, n);
    for (std::uint64_t seed = 0; seed < 20; ++seed)
        require_conflict_free(wiring, random_permutation(wiring.lines(), seed));
}

TEST_CASE("the looping algorithm wants a permutation and a whole network", "[benes][looping]")
{
    const BenesWiring wiring(2, 2);
    CHECK_THROWS_WITH(looping(BenesWiring(2, 2, 1), std::vector<std::uint32_t>{0, 1, 2, 3}),
                      Contains("1 columns are missing"));
    CHECK_THROWS_WITH(looping(wiring, std::vector<std::uint32_t>{0, 1, 2}),
                      Contains("3 numbers for 4 processors"));
    CHECK_THROWS_WITH(looping(wiring, std::vector<std::uint32_t>{0, 1, 2, 4}), Contains("3 sends to 4"));
    CHECK_THROWS_WITH(looping(wiring, std::vector<std::uint32_t>{0, 1, 2, 1}),
                      Contains("1 and 3 both send to 1"));
}

} // namespace nocturne::looping_test
