#include "models/hardware/bit_set.hpp"
#include "models/routing/random.hpp"
#include "tests/catch.hpp"

#include <set>

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
        if (action == 0) {
            bits.clear();
            set.clear();
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

TEST_CASE("elements are visited in ascending order, and the visitor may erase them", "[hardware][bit_set]")
{
    const std::uint32_t size = GENERATE(1u, 64u, 65u, 300u);
    BitSet bits(size);
    std::vector<std::uint32_t> expected;
    SplitMix64 random(size);
    for (std::uint32_t i = 0; i < size; ++i)
        if (random.below(3) == 0 || i + 1 == size) {
            bits.insert(i);
            expected.push_back(i);
        }
    std::vector<std::uint32_t> visited;
    bits.for_each([&](std::uint32_t i) {
        visited.push_back(i);
        bits.erase(i);
    });
    CHECK(visited == expected);
    CHECK(bits.empty());
    CHECK(bits.next(0) == BitSet::none);
}

TEST_CASE("a round begins behind its last element and ends with it", "[hardware][bit_set]")
{
    BitRows bits(2, 130);
    for (const std::uint32_t i : {0u, 5u, 63u, 64u, 129u})
        bits.insert(1, i);
    const auto round = [&](std::uint32_t last) {
        std::vector<std::uint32_t> visited;
        BitRows left = bits;
        left.for_each_after(1, last, [&](std::uint32_t i) {
            visited.push_back(i);
            left.erase(1, i);
        });
        CHECK(left.empty(1));
        return visited;
    };
    CHECK(round(129) == std::vector<std::uint32_t>{0, 5, 63, 64, 129});
    CHECK(round(63) == std::vector<std::uint32_t>{64, 129, 0, 5, 63});
    CHECK(round(4) == std::vector<std::uint32_t>{5, 63, 64, 129, 0});
    CHECK(round(0) == std::vector<std::uint32_t>{5, 63, 64, 129, 0});
}

TEST_CASE("round robin grants each contender in turn", "[hardware][bit_set]")
{
    BitRows bits(1, 130);
    const std::vector<std::uint32_t> contenders{0, 5, 63, 64, 129};
    for (const std::uint32_t i : contenders)
        bits.insert(0, i);
    std::uint32_t last = 129;
    for (int turn = 0; turn < 3; ++turn)
        for (const std::uint32_t expected : contenders) {
            last = bits.round_robin(0, last);
            REQUIRE(last == expected);
        }
}

} // namespace nocturne::bit_set_test
