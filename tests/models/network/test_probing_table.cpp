#include "models/network/probing_table.hpp"
#include "tests/catch.hpp"

#include <map>
#include <random>

namespace nocturne::probing_table_test {

namespace {
using Table = ProbingTable<std::uint64_t, ~std::uint64_t{0}, int>;
}

TEST_CASE("a probing table is a map, whatever is inserted and erased", "[network][table][property]")
{
    const std::uint64_t keys = GENERATE(3, 40, 1000);
    std::mt19937_64 random(keys);
    Table table;
    std::map<std::uint64_t, int> map;
    for (int step = 0; step < 20'000; ++step) {
        // Pairs of small numbers, as they are counted by: they differ in few bits.
        const std::uint64_t key = random() % keys << 32 | random() % keys % 4;
        if (random() % 2 == 0) {
            table[key] += step;
            map[key] += step;
        } else {
            table.erase(key);
            map.erase(key);
        }
        REQUIRE(table.size() == map.size());
        const int* const found = table.find(key);
        REQUIRE((found != nullptr) == map.contains(key));
        if (found != nullptr)
            REQUIRE(*found == map.at(key));
    }
    for (const auto& [key, value] : map) {
        REQUIRE(table.find(key) != nullptr);
        CHECK(*table.find(key) == value);
    }
}

TEST_CASE("an empty probing table has nothing", "[network][table]")
{
    Table table;
    CHECK(table.size() == 0);
    CHECK(table.find(0) == nullptr);
    table.erase(0);
    table[7] = 1;
    table.erase(8);
    CHECK(table.size() == 1);
    CHECK(table.find(8) == nullptr);
}

} // namespace nocturne::probing_table_test
