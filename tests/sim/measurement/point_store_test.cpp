#include "sim/measurement/point_store.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <fstream>

namespace nocturne::point_store_test {

namespace {

TrafficPoint sample()
{
    TrafficPoint point;
    point.load = 0.1;
    point.accepted_flit_rate = 0.1 + 1e-17;
    point.accepted_flit_rate_error = 1.0 / 3;
    point.latency.average_packet_latency_cycles = 44.1;
    point.latency.p99_packet_latency_cycles = 99;
    point.packets = 12;
    return point;
}

} // namespace

TEST_CASE("points are found again, also by another store of the same file", "[measurement]")
{
    const test::TemporaryFolder folder;
    TrafficPoint deadlocked = sample();
    deadlocked.saturated = true;
    deadlocked.saturation_reason = "deadlock";
    deadlocked.stall = Stall{12.5, "deadlock", {{"00->01", 0, "0>1", "01->00"}}};
    {
        PointStore store(folder / "points.json");
        CHECK_FALSE(store.find("a"));
        store.add("a", sample());
        store.add("b", deadlocked);
        CHECK(store.find("a") == sample());
    }
    const PointStore store(folder / "points.json");
    CHECK(store.find("a") == sample());
    CHECK(store.find("b") == deadlocked);
    CHECK_FALSE(store.find("c"));
}

TEST_CASE("a store without a file keeps points in memory", "[measurement]")
{
    PointStore store("");
    store.add("a", sample());
    CHECK(store.find("a") == sample());
}

TEST_CASE("a file that is no store is refused, and left as it is", "[measurement]")
{
    const test::TemporaryFolder folder;
    const std::filesystem::path path = folder / "points.json";
    for (const char* text : {"", "{}", "[1, 2]", R"({"format": "nocturne-schedule", "points": {}})",
                             R"({"format": "nocturne-traffic-points", "points": {"a": {"load": "x"}}})"}) {
        std::ofstream(path) << text;
        CHECK_THROWS_WITH(PointStore(path), Catch::Contains("points.json: no file of measured points"));
    }
    CHECK_THROWS_AS(PointStore("/nowhere/points.json").add("a", sample()), std::runtime_error);
}

} // namespace nocturne::point_store_test
