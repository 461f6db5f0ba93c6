// Amounts in bins that grow, against a number for each cycle.
#include "models/routing/random.hpp"
#include "sim/traffic/use_over_time.hpp"
#include "tests/catch.hpp"

#include <numeric>
#include <vector>

namespace nocturne::use_over_time_test {

TEST_CASE("amounts are kept, whatever time they come from and how long it becomes", "[traffic][use]")
{
    const std::uint64_t begin = GENERATE(0, 1, 7);
    const std::uint64_t longest = GENERATE(3, 40, 700);
    SplitMix64 random(begin * 1000 + longest);
    UseOverTime use(2, 16, begin);
    std::vector<double> by_cycle(begin + 2000 + longest);
    for (int i = 0; i < 300; ++i) {
        const std::uint64_t from = begin + random.below(2000);
        const std::uint64_t to = from + 1 + random.below(static_cast<std::uint32_t>(longest));
        const double amount = 1 + random.below(9);
        use.add(1, from, to, amount);
        for (std::uint64_t cycle = from; cycle < to; ++cycle)
            by_cycle[cycle] += amount / static_cast<double>(to - from);
    }
    const std::uint64_t end = by_cycle.size();
    const auto sum = [&](std::uint64_t from, std::uint64_t to) {
        return std::accumulate(by_cycle.begin() + static_cast<std::ptrdiff_t>(from),
                               by_cycle.begin() + static_cast<std::ptrdiff_t>(to), 0.0);
    };
    const auto between = [&](std::size_t row, std::uint64_t from, std::uint64_t to) {
        return use.between(row, static_cast<double>(from), static_cast<double>(to), end);
    };
    CHECK(use.rows() == 2);
    CHECK((use.bin_cycles() & (use.bin_cycles() - 1)) == 0);
    CHECK(use.bin_cycles() <= (end - begin) / 8 * 2);
    CHECK(between(1, begin, end) == Approx(sum(begin, end)));
    CHECK(between(0, begin, end) == 0);
    // Bin by bin exact, and cut anywhere it is still all.
    for (std::uint64_t from = begin; from < end; from = use.end_of_bin(from))
        CHECK(between(1, from, std::min(use.end_of_bin(from), end)) ==
              Approx(sum(from, std::min(use.end_of_bin(from), end))));
    double parts = 0;
    const double part = static_cast<double>(end - begin) / 7;
    for (int i = 0; i < 7; ++i)
        parts += use.between(1, static_cast<double>(begin) + i * part,
                             static_cast<double>(begin) + (i + 1) * part, end);
    CHECK(parts == Approx(sum(begin, end)));
}

TEST_CASE("a short time has a bin for each cycle", "[traffic][use]")
{
    UseOverTime use(1, 8, 1);
    use.add(0, 2, 4, 3);
    use.add(0, 8, 9, 1);
    CHECK(use.bin_cycles() == 1);
    CHECK(use.between(0, 1, 2, 9) == 0);
    CHECK(use.between(0, 2, 3, 9) == 1.5);
    CHECK(use.between(0, 2.5, 3.5, 9) == 1.5);
    CHECK(use.between(0, 8, 9, 9) == 1);
}

} // namespace nocturne::use_over_time_test
