#include "schedules/workers/workers.hpp"
#include "sim/traffic/point_store.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>

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
    point.latency.quantiles.p99 = 99;
    point.packets = 12;
    return point;
}

} // namespace

TEST_CASE("points are found again, also by another store of the same file", "[traffic]")
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

TEST_CASE("a point of another shape is kept, and not found", "[traffic]")
{
    const test::TemporaryFolder folder;
    const std::string path =
        folder.file("points.json",
                    R"({"format": "nocturne-traffic-points", "points": {"old": {"load": 0.1, "other": 2}}})");
    PointStore store(path);
    CHECK_FALSE(store.find("old"));
    store.add("new", sample());
    std::ifstream file(path);
    const nlohmann::json json = nlohmann::json::parse(file);
    CHECK(json["points"]["old"]["other"] == 2);
    CHECK(json["points"].size() == 2);
}

TEST_CASE("stores that share a file keep each other's points", "[traffic]")
{
    const test::TemporaryFolder folder;
    PointStore one(folder / "points.json");
    PointStore other(folder / "points.json");
    one.add("a", sample());
    other.add("b", sample());
    one.add("c", sample());
    const PointStore all(folder / "points.json");
    for (const char* key : {"a", "b", "c"})
        CHECK(all.find(key));
    CHECK(one.find("b"));
}

TEST_CASE("processes that share a file at the same time lose no point", "[traffic]")
{
    const test::TemporaryFolder folder;
    const std::filesystem::path path = folder / "points.json";
    std::vector<Job> jobs;
    for (int process = 0; process < 4; ++process)
        jobs.emplace_back([&, process] {
            PointStore store(path);
            for (int i = 0; i < 10; ++i)
                store.add(fmt::format("{} of {}", i, process), sample());
            return nlohmann::json();
        });
    run_jobs(jobs, {.workers = 4});
    const PointStore all(path);
    for (int process = 0; process < 4; ++process)
        for (int i = 0; i < 10; ++i)
            CHECK(all.find(fmt::format("{} of {}", i, process)));
}

TEST_CASE("a store without a file keeps points in memory", "[traffic]")
{
    PointStore store("");
    store.add("a", sample());
    CHECK(store.find("a") == sample());
}

TEST_CASE("a file that is no store is refused, and left as it is", "[traffic]")
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
