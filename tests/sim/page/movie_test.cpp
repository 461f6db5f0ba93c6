#include "models/topology/make_topology.hpp"
#include "sim/page/movie.hpp"
#include "sim/page/network_json.hpp"
#include "sim/page/packed.hpp"
#include "sim/page/recording.hpp"
#include "tests/catch.hpp"
#include "tests/sim/page/unpacked.hpp"

#include <array>

namespace nocturne::movie_test {

using test::unpacked;
using Numbers = std::vector<std::uint32_t>;

TEST_CASE("packed numbers come back, in the fewest bytes that hold them", "[page][packed]")
{
    const auto [most, type] = GENERATE(table<std::uint32_t, const char*>(
        {{0, "u8"}, {255, "u8"}, {256, "u16"}, {65535, "u16"}, {65536, "u32"}, {~0U, "u32"}}));
    const Numbers numbers{0, most / 2, most, 1U % (most + (most == ~0U ? 0 : 1))};
    const nlohmann::ordered_json json = packed(numbers);
    CHECK(json["type"] == type);
    CHECK(unpacked(json) == numbers);
    CHECK(unpacked(packed(Numbers())).empty());
}

TEST_CASE("a movie of a schedule has its transfers, and their paths as ports of routers", "[page][movie]")
{
    const LoadedSchedule loaded = load_schedule(SCHEDULE_LIBRARY "/octagon8_aas.json");
    const nlohmann::ordered_json json = movie_json(movie_of(loaded, {}), 0, largest_page_movies);
    CHECK(json["unit"] == "step");
    CHECK(json["steps"] == loaded.schedule.steps.size());
    CHECK(json["transfers_left_out"] == 0);
    const Numbers sources = unpacked(json["transfers"]["source"]),
                  steps = unpacked(json["transfers"]["step"]);
    const Numbers hops = unpacked(json["paths"]["hops"]), ports = unpacked(json["paths"]["ports"]);
    const Topology& topology = loaded.topology;
    std::size_t transfer = 0, hop = 0;
    for (std::size_t step = 0; step < loaded.schedule.steps.size(); ++step)
        for (const Transfer& each : loaded.schedule.steps[step]) {
            CHECK(sources[transfer] == page_node(topology, each.source));
            CHECK(steps[transfer] == step);
            RouterId router = topology.processor(each.source).injection;
            Path path;
            for (std::uint32_t i = 0; i < hops[transfer]; ++i) {
                path.push_back(topology.channels_from(router)[ports[hop++]]);
                router = topology.channel(path.back()).target;
            }
            CHECK(path == *each.path);
            ++transfer;
        }
    CHECK(transfer == sources.size());
}

TEST_CASE("start-ups that hold no links are no part of a movie", "[page][movie]")
{
    // Around a ring: what comes in one transfer goes on with the next.
    LoadedSchedule loaded{empty_schedule("around", "ring:4",
                                         make_collective(CollectiveKind::allgather, 4, Participants{}),
                                         ScheduleSynchronization::dependencies),
                          make_topology("ring:4")};
    const auto link_between = [&](RouterId from, RouterId to) {
        const auto links = loaded.topology.channels_from(from);
        return *std::ranges::find_if(links,
                                     [&](ChannelId id) { return loaded.topology.channel(id).target == to; });
    };
    for (std::uint32_t hop = 0; hop < 3; ++hop)
        for (ProcessorId id = 0; id < 4; ++id) {
            const ProcessorId next = (id + 1) % 4;
            const std::vector<std::uint32_t> after =
                hop == 0 ? std::vector<std::uint32_t>() : std::vector{(hop - 1) * 4 + (id + 3) % 4};
            append_transfer(loaded.schedule,
                            Transfer((id + 4 - hop) % 4, id, next, Path{link_between(id, next)}), after);
        }
    constexpr double start = 100, bytes = 8;
    const auto begins_of = [&](bool holds) {
        const Movie movie = movie_of(loaded, {bytes, start, holds});
        CHECK(movie.length == movie.ends.back());
        return std::pair(movie.begins.front(), movie.begins.back());
    };
    const auto [first, last] = begins_of(false);
    CHECK(first == start);
    const auto [first_held, last_held] = begins_of(true);
    CHECK(first_held == 0);
    CHECK(last - last_held == start);
}

TEST_CASE("what would be too large is left out from the end, and counted", "[page][movie]")
{
    const LoadedSchedule loaded = load_schedule(SCHEDULE_LIBRARY "/octagon8_aas.json");
    const Movie movie = movie_of(loaded, {});
    const nlohmann::ordered_json whole = movie_json(movie, 0, largest_page_movies);
    const nlohmann::ordered_json part = movie_json(movie, 0, 300);
    const auto kept = part["transfers"]["count"].get<std::size_t>();
    CHECK(kept > 0);
    CHECK(kept < movie.sources.size());
    CHECK(part["transfers_left_out"] == movie.sources.size() - kept);
    const Numbers all = unpacked(whole["transfers"]["source"]), some = unpacked(part["transfers"]["source"]);
    CHECK(std::equal(some.begin(), some.end(), all.begin()));
    CHECK(movie_json(movie, 0, 0)["transfers"]["count"] == 0);
}

TEST_CASE("a recorded run comes back hold by hold", "[page][recording]")
{
    const Topology topology = make_topology("ring:4");
    HardwareConfig hardware;
    hardware.cycle_ns = 2;
    RunResult run;
    run.time_ns = 100;
    // Links behind the 8 channels: injection of processors 0 to 3, then their ejection.
    run.occupancy = {{"P0->0", "0>1", 1, 4, 20, 8},   {"0->1", "0>1", 1, 8, 24, 0},
                     {"1->P1", "0>1", 1, 12, 28, 13}, {"P0->0", "0>1", 1, 40, 50, 8},
                     {"0->1", "0>1", 1, 44, 54, 0},   {"1->P1", "0>1", 1, 48, 58, 13},
                     {"P2->2", "2>3", 2, 40, 60, 10}};
    const std::array runs{RecordedRun{"a run", run}};
    const nlohmann::json json = recording_json(topology, hardware, PortModel{1}, runs);
    const Recording recording = read_recording(json, "file");
    REQUIRE(recording.movies.size() == 1);
    const Movie& movie = recording.movies.front();
    CHECK(movie.name == "a run");
    CHECK(movie.length == 50);
    CHECK(movie.sources == Numbers{page_node(topology, 0), page_node(topology, 0), page_node(topology, 2)});
    CHECK(movie.destinations[1] == page_node(topology, 1));
    CHECK(movie.hops == Numbers{3, 3, 1});
    CHECK(movie.in_step == Numbers{0, 0, 1});
    CHECK(movie.links == Numbers{8, 0, 13, 8, 0, 13, 10});
    CHECK(movie.hold_begins == Numbers{2, 4, 6, 20, 22, 24, 20});
    CHECK(movie.ends == std::vector<float>{14, 29, 30});

    nlohmann::json broken = json;
    broken["runs"][0]["holds"]["link"][0] = 99;
    CHECK_THROWS_WITH(read_recording(broken, "file"),
                      Catch::StartsWith("file: its recording cannot be read"));
}

TEST_CASE("the network of a page has the places of its drawing", "[page][network]")
{
    const Topology topology =
        make_topology(GENERATE("mesh:3x4", "omega:8", "fattree:16", "hypercube:3", "kautz:2,2"));
    const nlohmann::ordered_json json = network_json(topology);
    CHECK(json["routers"].size() == topology.router_count());
    CHECK(json["places"]["routers"]["count"] == 2 * topology.router_count());
    CHECK(json["places"]["sinks"]["count"] == 2 * topology.processor_count());
    CHECK(json["places"]["curves"]["count"] == 8 * topology.channel_count());
    const Numbers from = unpacked(json["from"]);
    for (ChannelId id = 0; id < topology.channel_count(); ++id)
        CHECK(from[id] == topology.channel(id).source);
}

} // namespace nocturne::movie_test
