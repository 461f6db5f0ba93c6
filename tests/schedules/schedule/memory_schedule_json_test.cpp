#include "models/topology/make_topology.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "schedules/schedule/schedule_json.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/schedule/ring_schedules.hpp"
#include "tests/schedules/schedule/schedule_texts.hpp"
#include "tests/temporary_folder.hpp"

#include <string>

namespace nocturne::memory_schedule_json_test {

namespace {

Schedule read_back(const Schedule& schedule, const Topology& topology)
{
    const std::string text = to_json_text(schedule, topology);
    const LoadedSchedule loaded = parse_schedule_file(text, "a.json");
    CHECK_FALSE(loaded.is_bound);
    // With members behind the steps it is read another way.
    CHECK(parse_schedule_file(nlohmann::json::parse(text).dump(), "a.json").schedule == loaded.schedule);
    return loaded.schedule;
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
        schedule.collective.chunks[3].release_cycles = 9007199254740992;
        std::vector<Demand> demands(schedule.collective.demands.begin(), schedule.collective.demands.end());
        demands[2].contributors = {0, 2};
        schedule.collective.demands = Demands(std::move(demands));
    }
    SECTION("with the setting for which it was made")
    {
        schedule.made_for = {1, 0, true, 0.25};
    }
    SECTION("with some of it")
    {
        schedule.made_for.start_cycles = 1e6 + 0.5;
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
    Schedule schedule = empty_schedule("", "mesh:2x3", {}, ScheduleSynchronization::steps);
    const CollectiveShape shape{.processors = 6, .parts = 3, .group = group};
    schedule.collective = make_collective(kind, shape, has_root(kind) ? std::optional{2U} : std::nullopt);
    CHECK(read_back(schedule, topology) == schedule);
    CHECK(to_json_text(schedule, topology).find("demands") == std::string::npos);

    schedule.collective = at_once(schedule.collective, scan(shape));
    CHECK(read_back(schedule, topology) == schedule);
}

TEST_CASE("blocks of unequal size are read back as they were written", "[chunks][json]")
{
    const Topology topology = make_topology("ring:3");
    Schedule schedule = empty_schedule("", "ring:3", {}, ScheduleSynchronization::steps);
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
    save_schedule(file, schedule, topology, nlohmann::ordered_json::object(),
                  {.bytes_per_cycle = 50, .local_latency_cycles = 2});
    const LoadedSchedule loaded = load_schedule(file);
    CHECK(loaded.topology == topology);
    CHECK(loaded.schedule == schedule);
    CHECK(loaded.defaults.local_latency_cycles == 2);
    CHECK(loaded.network() == link_network_of(topology, {.bytes_per_cycle = 50, .local_latency_cycles = 2}));
    CHECK(validate(loaded.schedule, loaded.network()).empty());
}

TEST_CASE("files of chunks of earlier versions are read", "[chunks][json]")
{
    const LoadedSchedule read = parse_schedule_file(test::old_steps, "old.json");
    CHECK(read.schedule.collective == broadcast({.processors = 3, .parts = 2}, 1));
    CHECK(read.schedule.rounds == std::vector<std::uint32_t>{1, 2});
    REQUIRE(read.schedule.steps.size() == 2);
    CHECK(read.schedule.steps[0].front().links().size() == 1);
    CHECK(read.schedule.steps[1].back() == Transfer{{7, 1}, 0, 0, Path{}, Operation::add});
    const std::string waiting = test::old_head + R"("synchronization": "dependencies", "transfers": [
        {"from": 1, "to": 2, "chunk": 0, "links": [2]}, {"from": 2, "to": 0, "chunk": 0, "after": [0]}]})";
    const Schedule second = parse_schedule_file(waiting, "old.json").schedule;
    CHECK_FALSE(is_in_steps(second));
    CHECK(second.after == Dependencies({{}, {0}}));
    const LoadedSchedule bound =
        parse_schedule_file(test::old_head + R"("lower_bounds": {"x": 1}})", "old.json");
    CHECK(bound.is_bound);
    CHECK(bound.claims["lower_bounds"]["x"] == 1);
}

} // namespace nocturne::memory_schedule_json_test
