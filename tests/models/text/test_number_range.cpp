// Ranges: against adding in whole numbers, and what is written in the old order.
#include "models/text/number_range.hpp"
#include "tests/catch.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace nocturne::number_range_test {

using Catch::Contains;

namespace {

std::vector<double> values(const std::string& text, std::string_view step = "1")
{
    const NumberRange range(text, plain_decimal, step, 100);
    std::vector<double> all;
    for (std::size_t i = 0; i < range.size(); ++i)
        all.push_back(range[i]);
    return all;
}

/// 305 with two decimals is 3.05.
std::string decimal(std::int64_t value, unsigned decimals)
{
    std::string text = fmt::format("{:0{}}", value, decimals + 1);
    return decimals == 0 ? text : text.insert(text.size() - decimals, ".");
}

} // namespace

TEST_CASE("a range has the values that adding or multiplying whole numbers gives", "[text][range]")
{
    std::mt19937_64 random(1); // the same numbers everywhere
    const auto below = [&](std::uint64_t limit) { return static_cast<std::int64_t>(random() % limit); };
    for (int i = 0; i < 2000; ++i) {
        const unsigned decimals = static_cast<unsigned>(below(5));
        const auto first = below(1000);
        const auto step = 1 + below(50);
        const auto count = 1 + below(60);
        const auto rest = below(static_cast<std::uint64_t>(step));
        const bool is_descending = below(2) == 0;
        const std::int64_t last = first + count * step + rest;
        std::vector<double> expected;
        for (std::int64_t k = 0; k <= count; ++k)
            expected.push_back(
                std::stod(decimal(is_descending ? last - k * step : first + k * step, decimals)));
        const std::string text =
            fmt::format("{}:{}:{}", decimal(is_descending ? last : first, decimals),
                        decimal(is_descending ? first : last, decimals), decimal(step, decimals));
        INFO(text);
        CHECK(values(text) == expected);
    }
    for (std::int64_t factor = 2; factor < 10; ++factor)
        for (std::int64_t first = 1; first < 100; first += 7) {
            std::vector<double> expected;
            for (std::int64_t value = first; value <= 70'000; value *= factor)
                expected.push_back(static_cast<double>(value));
            CHECK(values(fmt::format("{}:70000:x{}", first, factor)) == expected);
            CHECK(values(fmt::format("{}:{}:x{}", first, static_cast<std::int64_t>(expected.back()),
                                     factor)) == expected);
        }
}

TEST_CASE("a step may be left out where one is given, and a single value is one", "[text][range]")
{
    CHECK(values("2:4") == std::vector<double>{2, 3, 4});
    CHECK(values("2:9", "x2") == std::vector<double>{2, 4, 8});
    CHECK(values("3:3") == std::vector<double>{3});
    CHECK_THROWS_WITH(values("0.1:0.3", ""), Contains("a range is FIRST:LAST:STEP"));
}

TEST_CASE("what is no range is refused, with the order that was meant", "[text][range]")
{
    const auto [text, says] = GENERATE(table<std::string, std::string>({
        {"0.02:0.02:0.4", "'0.02:0.02:0.4': the step goes beyond LAST"},
        {"0.02:0.02:0.4", "such as 0.02:0.4:0.02"},
        {"0.1:0.3:0.5", "such as 0.1:0.5:0.3"},
        {"1:2:0", "a range is"},
        {"1:2:-1", "a range is"},
        {"1:2:x1", "a range is"},
        {"0:2:x2", "begins above 0"},
        {"4:2:x2", "goes upwards"},
        {"1:2:3:4", "a range is"},
        {"1:", "a range is"},
        {":", "a range is"},
        {"1:1e9", "a range is"},
        {"a:b", "a range is"},
        {"1:nan", "a range is"},
        {"1:101", "more than 100 values"},
    }));
    INFO(text);
    CHECK_THROWS_WITH(values(text), Contains(says));
}

} // namespace nocturne::number_range_test
