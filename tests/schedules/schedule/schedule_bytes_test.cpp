#include "schedules/schedule/schedule_bytes.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>

namespace nocturne::schedule_bytes_test {

namespace {

const std::vector<Step> steps{{{0, 0, 1, Path{3, 4}}, {7, 2, 3, Path{}}}, {}, {{1, 1, 0, std::nullopt}}};

} // namespace

TEST_CASE("steps come back from bytes as they were", "[schedule][bytes]")
{
    CHECK(steps_from_bytes(to_bytes(steps)) == steps);
    CHECK(steps_from_bytes(to_bytes({})).empty());
}

TEST_CASE("bytes that are cut off or go on are refused, not read beyond", "[schedule][bytes]")
{
    std::vector<std::uint8_t> bytes = to_bytes(steps);
    const std::size_t length = GENERATE_COPY(range(std::size_t{0}, bytes.size()));
    CHECK_THROWS_AS(steps_from_bytes(std::span(bytes).first(length)), std::runtime_error);
    bytes.push_back(0);
    CHECK_THROWS_AS(steps_from_bytes(bytes), std::runtime_error);
    const std::vector<std::uint8_t> endless(8, 0xff);
    CHECK_THROWS_AS(steps_from_bytes(endless), std::runtime_error);
}

} // namespace nocturne::schedule_bytes_test
