#include "models/topology/make_topology.hpp"
#include "schedules/chunks/chunk_validator.hpp"
#include "schedules/chunks/chunked_schedule_json.hpp"
#include "tests/schedules/chunks/ring_schedules.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>
#include <string>

namespace nocturne::chunked_schedule_json_test {

using Catch::Matchers::Contains;

namespace {

Schedule read_back(const Schedule& schedule, const Topology& topology)
{
    const std::string text = chunk_json_text(schedule, topology);
    CHECK(is_chunked_schedule(text));
    return parse_chunked_schedule(text, "a.json").schedule;
}

} // namespace

TEST_CASE("a schedule of chunks is read back as it was written", "[chunks][json]")
{
    const Topology topology = make_topology("ring:5");
    Schedule schedule = test::ring_allreduce(5);
    SECTION("in steps") {}
    SECTION("under dependencies")
    {
        schedule = test::ring_allreduce_without_barriers(5);
    }
    SECTION("with buffers, scratch and parts of sums")
    {
        schedule.inputs = {{0, 1, 9}, {3, 4, 12}};
        schedule.outputs = {{2, 0, 30}};
        schedule.steps[0][2].message = 9;
        schedule.steps[0][4].path = {1, 2, 3};
        schedule.collective.kind = CollectiveKind::custom;
        schedule.collective.chunks[1].weight = 3;
        std::vector<Demand> demands(schedule.collective.demands.begin(), schedule.collective.demands.end());
        demands[2].contributors = {0, 2};
        schedule.collective.demands = Demands(std::move(demands));
    }
    SECTION("wrong in every way, which is for the validator")
    {
        schedule.steps[0][0].source = 77;
        schedule.steps[0][1].path = {1000};
        schedule.rounds[1] = 0;
    }
    CHECK(read_back(schedule, topology) == schedule);
}

TEST_CASE("every collective is read back as it was written", "[chunks][json]")
{
    const Topology topology = make_topology("mesh:2x3");
    const auto kind =
        GENERATE(CollectiveKind::broadcast, CollectiveKind::scatter, CollectiveKind::gather,
                 CollectiveKind::reduce, CollectiveKind::allgather, CollectiveKind::reduce_scatter,
                 CollectiveKind::allreduce, CollectiveKind::alltoall, CollectiveKind::scan);
    const auto group = GENERATE(std::vector<std::uint32_t>{}, std::vector<std::uint32_t>{1, 2, 5});
    Schedule schedule;
    schedule.topology = "mesh:2x3";
    const CollectiveShape shape{.processors = 6, .parts = 3, .group = group};
    schedule.collective = make_collective(kind, shape, has_root(kind) ? std::optional{2U} : std::nullopt);
    CHECK(read_back(schedule, topology) == schedule);
    CHECK(chunk_json_text(schedule, topology).find("demands") == std::string::npos);

    schedule.collective = at_once(schedule.collective, scan(shape));
    CHECK(read_back(schedule, topology) == schedule);
}

TEST_CASE("blocks of unequal size are read back as they were written", "[chunks][json]")
{
    const Topology topology = make_topology("ring:3");
    Schedule schedule;
    schedule.topology = "ring:3";
    const std::vector<std::uint32_t> sizes =
        GENERATE(std::vector<std::uint32_t>{2, 1, 1}, std::vector<std::uint32_t>{3, 0, 1});
    schedule.collective = allgather({.processors = 3, .parts = 2}, sizes);
    CHECK(read_back(schedule, topology) == schedule);
    schedule.collective = reduce_scatter({.processors = 3, .parts = 2}, sizes);
    CHECK(read_back(schedule, topology) == schedule);
    const std::vector<std::uint32_t> pairs{0, 1, 2, 3, 0, 0, 1, 1, 0};
    schedule.collective = alltoall({.processors = 3, .parts = 2}, pairs);
    CHECK(read_back(schedule, topology) == schedule);
}

TEST_CASE("a file names its topology in three ways", "[chunks][json]")
{
    const test::TemporaryFolder folder;
    Topology topology = make_topology("ring:4");
    Schedule schedule = test::ring_allreduce(4);
    SECTION("a specification") {}
    SECTION("all of it")
    {
        topology.add_channel({.source = 0, .target = 2, .latency_cycles = 5, .width_bytes = 50});
        schedule.topology = topology.name();
    }
    const std::string file = folder / "a.json";
    save_chunked_schedule(file, schedule, topology, {.bytes_per_cycle = 50, .local_latency_cycles = 2});
    const LoadedChunkedSchedule loaded = load_chunked_schedule(file);
    CHECK(loaded.topology == topology);
    CHECK(loaded.schedule == schedule);
    CHECK(loaded.defaults.local_latency_cycles == 2);
    CHECK(loaded.network == link_network_of(topology, {.bytes_per_cycle = 50, .local_latency_cycles = 2}));
    CHECK(validate(loaded.schedule, loaded.network).empty());
}

TEST_CASE("a malformed file of chunks is one line with the place", "[chunks][json]")
{
    const std::string good = chunk_json_text(test::ring_allreduce(3), make_topology("ring:3"));
    const auto [from, to, reason] = GENERATE(table<std::string, std::string, std::string>(
        {{"nocturne-chunks", "nocturne-chunk",
          "/format: it is \"nocturne-chunk\", \"nocturne-chunks\" is wanted"},
         {"\"version\":1", "\"version\":2", "/version: this program reads version 1"},
         {"\"ring:3\"", "\"rong:3\"", "/topology"},
         {"\"ring:3\"", "3", "/topology: expected"},
         {"\"allreduce\"", "\"allredduce\"", "/collective/kind: unknown collective"},
         {"\"parts\":3", "\"parts\":0", "/collective/parts"},
         {"\"steps\"", "\"stairs\"", "/synchronization: expected"},
         {"\"chunk\": 0", "\"chonk\": 0", "/transfers/0"},
         {"\"chunk\": 0", "\"chunk\": 0, \"read\": 1", "/transfers/0: expected"},
         {"\"to\": 1", "\"to\": 7", "/transfers/0: from 0 to 7"},
         {"\"step\": 0", "\"step\": 4", "/transfers/0/step: step 5 does not exist"},
         {"\"step\": 0", "\"step\": 1", "/transfers/1/step: it is listed after transfers of later steps"},
         {"\"step\": 0", "\"step\": 0, \"after\": [1]", "/transfers/0/after: it waits for a transfer"},
         {"\"add\": true", "\"add\": 1", "/transfers/0/add"},
         {"\"transfers\": [", "\"transfers\": [,", "parse error"}}));
    std::string text = good;
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
    INFO(reason);
    try {
        parse_chunked_schedule(text, "bad.json");
        FAIL("it was taken");
    } catch (const std::runtime_error& error) {
        CHECK_THAT(error.what(), Catch::StartsWith("bad.json: ") && Contains(reason));
        CHECK(std::string(error.what()).find('\n') == std::string::npos);
    }
}

} // namespace nocturne::chunked_schedule_json_test
