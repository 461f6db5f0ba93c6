#include "models/routing/destination_tables.hpp"
#include "tests/catch.hpp"

namespace nocturne::destination_tables_test {

TEST_CASE("a table is made once, and the oldest goes when the budget is spent", "[routing][tables]")
{
    std::vector<RouterId> made;
    DestinationTables tables(
        4,
        [&](RouterId destination) {
            made.push_back(destination);
            return DestinationTables::Table(10, destination);
        },
        2 * 10 * sizeof(std::uint32_t));
    for (const RouterId destination : {0u, 1u, 0u, 1u, 2u, 1u, 0u, 2u, 1u})
        CHECK(tables.of(destination) == DestinationTables::Table(10, destination));
    CHECK(made == std::vector<RouterId>{0, 1, 2, 0, 1});
}

TEST_CASE("one table is kept however small the budget is", "[routing][tables]")
{
    DestinationTables tables(
        2, [](RouterId destination) { return DestinationTables::Table(3, destination); }, 0);
    CHECK(tables.of(1) == DestinationTables::Table(3, 1));
    CHECK(tables.of(0) == DestinationTables::Table(3, 0));
}

TEST_CASE("picks are even over the pairs, hop by hop", "[routing][tables]")
{
    const std::size_t choices = GENERATE(2u, 3u, 4u);
    std::vector<int> count(choices * choices);
    for (ProcessorId source = 0; source < 60; ++source)
        for (ProcessorId destination = 0; destination < 60; ++destination) {
            Spread spread(source, destination);
            const std::size_t first = spread.pick(choices);
            ++count[first * choices + spread.pick(choices)];
        }
    const double expected = 3600.0 / double(count.size());
    for (const int pairs : count)
        CHECK(double(pairs) == Approx(expected).epsilon(0.25)); // 3.6 standard deviations at 16 cells
}

} // namespace nocturne::destination_tables_test
