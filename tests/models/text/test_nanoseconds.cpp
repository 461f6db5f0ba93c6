#include "models/text/nanoseconds.hpp"
#include "tests/catch.hpp"

namespace nocturne::nanoseconds_test {

TEST_CASE("a time is a number and its unit", "[text]")
{
    const auto [text, ns] = GENERATE(table<std::string, double>(
        {{"10us", 10000}, {"0.000025ms", 25}, {"3ns", 3}, {"500ps", 0.5}, {"1s", 1e9}, {"0us", 0}}));
    CHECK(nanoseconds_of(text).value() == Approx(ns));
    CHECK_FALSE(
        nanoseconds_of(GENERATE("", "10", "us", "-1us", "2s", "10 us", "10usec", "1e400s", "infs", "nanns")));
}

} // namespace nocturne::nanoseconds_test
