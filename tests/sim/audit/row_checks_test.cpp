#include "sim/audit/row_checks.hpp"
#include "tests/catch.hpp"

#include <string>
#include <vector>

namespace nocturne::row_checks_test {

using Catch::Contains;

namespace {

/// 1 GB in a ms: 1000 GB/s.
LogRow row_with(std::optional<double> algorithm_bandwidth, std::optional<double> bus_bandwidth)
{
    return {.size = 1'000'000'000,
            .time_us = 1000,
            .algorithm_bandwidth = algorithm_bandwidth,
            .bus_bandwidth = bus_bandwidth};
}

std::string contradiction_of(CollectiveKind kind, std::optional<double> algorithm_bandwidth,
                             std::optional<double> bus_bandwidth)
{
    return contradiction(row_with(algorithm_bandwidth, bus_bandwidth), kind, 8);
}

} // namespace

TEST_CASE("bandwidths are those of size and time, or it is said what they are", "[audit]")
{
    using enum CollectiveKind;
    CHECK(contradiction_of(allreduce, 1000, 1750).empty());
    CHECK(contradiction_of(allgather, 1000, 875).empty());
    CHECK(contradiction_of(broadcast, 1000, 1000).empty());
    CHECK(contradiction_of(allreduce, {}, {}).empty());
    CHECK(contradiction_of(allreduce, 1000, {}).empty());
    CHECK(contradiction_of(allreduce, 1004, 1757).empty()); // times have four digits
    CHECK_THAT(contradiction_of(allgather, 875, 875), Contains("holds (n-1)/n already"));
    CHECK_THAT(contradiction_of(allreduce, 931.32, 1630), Contains("GiB/s"));
    CHECK_THAT(contradiction_of(allreduce, 8000, 14000), Contains("is in Gb/s"));
    CHECK_THAT(contradiction_of(allreduce, 2000, 3500), Contains("both directions"));
    CHECK_THAT(contradiction_of(allreduce, 1750, 1750), Contains("is the bus bandwidth"));
    CHECK_THAT(contradiction_of(allgather, 125, 109), Contains("counts one block"));
    CHECK_THAT(contradiction_of(allreduce, 300, 525), Contains("neither") && Contains("1000 GB/s"));
    CHECK_THAT(contradiction_of(allreduce, 1000, 1000),
               Contains("busbw 1000 is not that of 8 ranks, which is 1750"));
    // Little bandwidths have two decimals.
    CHECK(contradiction({.size = 64, .time_us = 33.75, .algorithm_bandwidth = 0.0, .bus_bandwidth = 0.0},
                        allgather, 16)
              .empty());
}

TEST_CASE("a slow size, start-up and wrong results are said of their rows", "[audit]")
{
    MeasuredRun run;
    const auto add = [&](std::uint64_t size, double time, bool is_wrong = false) {
        run.rows.push_back({.size = size, .time_us = time, .place = "out", .is_wrong = is_wrong});
    };
    add(1024, 10);
    add(2048, 10.5);
    add(4096, 13);
    add(8192, 60);
    add(16384, 40);
    add(32768, 80, true);
    const std::vector<std::string> notes = notes_on_rows(run, CollectiveKind::allreduce, 8);
    CHECK(notes[0].empty());
    CHECK_THAT(notes[1], Contains("start-up"));
    CHECK(notes[2].empty());
    CHECK_THAT(notes[3], Contains("slow between quicker sizes"));
    CHECK(notes[4].empty());
    CHECK_THAT(notes[5], Contains("wrong results"));
}

TEST_CASE("places that differ by a tenth are said", "[audit]")
{
    MeasuredRun run;
    const auto set = [&](double out, double in) {
        run.rows.clear();
        for (const std::uint64_t size : {1024U, 2048U, 4096U}) {
            run.rows.push_back({.size = size, .time_us = out, .place = "out"});
            run.rows.push_back({.size = size, .time_us = in, .place = "in"});
        }
    };
    set(116, 100);
    CHECK(note_on_places(run) == "in place 16 % quicker than out of place (median)");
    set(100, 125);
    CHECK(note_on_places(run) == "out of place 25 % quicker than in place (median)");
    set(100, 105);
    CHECK(note_on_places(run).empty());
    run.rows.clear();
    CHECK(note_on_places(run).empty());
}

} // namespace nocturne::row_checks_test
