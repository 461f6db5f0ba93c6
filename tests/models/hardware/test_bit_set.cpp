#include "models/hardware/bit_set.hpp"
#include "models/routing/random.hpp"
#include "tests/catch.hpp"

#include <set>
#include <utility>

namespace nocturne::bit_set_test {

namespace {

using Numbers = std::set<std::uint32_t>;

std::uint32_t naive_next(const Numbers& numbers, std::uint32_t from)
{
    const auto found = numbers.lower_bound(from);
    return found == numbers.end() ? BitRows::none : *found;
}

std::uint32_t naive_round_robin(const Numbers& numbers, std::uint32_t last, std::uint32_t size)
{
    for (std::uint32_t i = 1; i <= size; ++i)
        if (numbers.count((last + i) % size) == 1)
            return (last + i) % size;
    return BitRows::none;
}

} // namespace

TEST_CASE("rows of bits behave as sets of numbers", "[hardware][bit_set]")
{
    const std::uint32_t size = GENERATE(1u, 2u, 31u, 63u, 64u, 65u, 127u, 128u, 129u, 200u, 1000u);
    constexpr std::uint32_t rows = 3;
    BitRows bits(rows, size);
    std::vector<Numbers> sets(rows);
    SplitMix64 random(size);
    for (int i = 0; i < 600; ++i) {
        const std::uint32_t row = random.below(rows);
        const std::uint32_t number = random.below(size);
        const std::uint32_t action = random.below(40);
        if (action == 0) {
            bits.clear(row);
            sets[row].clear();
        } else if (action < 20) {
            bits.insert(row, number);
            sets[row].insert(number);
        } else {
            bits.erase(row, number);
            sets[row].erase(number);
        }
        for (std::uint32_t r = 0; r < rows; ++r) { // the other rows must not notice
            const std::uint32_t probe = random.below(size);
            REQUIRE(bits.contains(r, probe) == (sets[r].count(probe) == 1));
            REQUIRE(bits.empty(r) == sets[r].empty());
            REQUIRE(bits.next(r, probe) == naive_next(sets[r], probe));
            REQUIRE(bits.next(r, size) == BitRows::none);
            REQUIRE(bits.round_robin(r, probe) == naive_round_robin(sets[r], probe, size));
        }
        if (i % 20 == 0) // a round begins behind its last element and ends with it, and may erase
            bits.for_each_after(row, number, [&, last = number](std::uint32_t each) mutable {
                REQUIRE(each == naive_round_robin(sets[row], std::exchange(last, each), size));
                bits.erase(row, each);
                sets[row].erase(each);
            });
        REQUIRE((i % 20 != 0 || sets[row].empty()));
    }
}

TEST_CASE("one set of bits behaves as a set of numbers", "[hardware][bit_set]")
{
    const std::uint32_t size = GENERATE(1u, 2u, 63u, 64u, 65u, 128u, 129u, 1000u);
    BitSet bits(size);
    Numbers set;
    SplitMix64 random(size);
    for (int i = 0; i < 600; ++i) {
        const std::uint32_t number = random.below(size);
        const std::uint32_t action = random.below(40);
        if (action == 0) { // the visitor may erase what it visits
            Numbers visited;
            bits.for_each([&](std::uint32_t each) {
                REQUIRE((visited.empty() || *visited.rbegin() < each));
                visited.insert(each);
                bits.erase(each);
            });
            REQUIRE(visited == std::exchange(set, {}));
        } else if (action < 20) {
            bits.insert(number);
            set.insert(number);
        } else {
            bits.erase(number);
            set.erase(number);
        }
        const std::uint32_t probe = random.below(size);
        REQUIRE(bits.contains(probe) == (set.count(probe) == 1));
        REQUIRE(bits.empty() == set.empty());
        REQUIRE(bits.next(probe) == naive_next(set, probe));
        REQUIRE(bits.next(size) == BitSet::none);
        if (size <= 64 && !set.empty())
            REQUIRE(next_bit_in_turn(bits.word(), probe) == naive_round_robin(set, probe, size));
    }
}

} // namespace nocturne::bit_set_test
