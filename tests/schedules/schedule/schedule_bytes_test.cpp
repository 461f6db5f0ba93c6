#include "schedules/schedule/schedule_bytes.hpp"
#include "tests/catch.hpp"

#include <stdexcept>

namespace nocturne::schedule_bytes_test {

namespace {

const std::vector<Step> steps{{{0, 0, 1, Path{3, 4}}, {7, 2, 3, Path{}}}, {}, {{1, 1, 0, std::nullopt}}};

} // namespace

TEST_CASE("steps come back from bytes as they were", "[schedule][bytes]")
{
    CHECK(steps_from_bytes(to_bytes(steps)) == steps);
    CHECK(steps_from_bytes(to_bytes(std::span<const Step>())).empty());
}

TEST_CASE("whole schedules come back from bytes as they were, but for the collective", "[schedule][bytes]")
{
    Schedule schedule = empty_schedule("a", "ring:4", allreduce({.processors = 4, .parts = 2}),
                                       ScheduleSynchronization::dependencies);
    schedule.source = "by hand";
    append_transfer(schedule, {{0, 9}, 0, 1, Path{0}, Operation::add});
    append_transfer(schedule, {{9, 1}, 1, 2, Path{2, 4}}, {0});
    append_transfer(schedule, {1, 2, 3}, {0, 1});
    schedule.inputs = {{0, 1, 9}, {3, 0, 5}};
    schedule.outputs = {{2, 1, 8}};
    schedule.made_for = {4096, 12.5, true, 0.5};
    CHECK(schedule_from_bytes(to_bytes(schedule), schedule.collective) == schedule);
    schedule.after = {};
    schedule.synchronization = ScheduleSynchronization::steps;
    schedule.steps.push_back({});
    schedule.rounds = {3, 1};
    schedule.slack = 2;
    schedule.switching = Switching::store_and_forward;
    const std::vector<std::uint8_t> bytes = to_bytes(schedule);
    CHECK(schedule_from_bytes(bytes, schedule.collective) == schedule);
    for (std::size_t length = 0; length < bytes.size(); ++length)
        CHECK_THROWS_AS(schedule_from_bytes(std::span(bytes).first(length), schedule.collective),
                        std::runtime_error);
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
