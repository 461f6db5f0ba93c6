#include "models/topology/files.hpp"
#include "models/topology/json_format.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "schedules/schedule/schedule_json.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/fuzz/damage.hpp"
#include "tests/models/topology/direct_network.hpp"
#include "tests/schedules/schedule/example_schedules.hpp"
#include "tests/schedules/schedule/schedule_texts.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace nocturne::schedule_json_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

const Topology ring = make_topology("ring:4");

/// The small schedule on ring:4, a part of it replaced by another.
std::string text_with(const std::string& part, const std::string& other)
{
    return with(small_schedule, part, other);
}

} // namespace

TEST_CASE("schedules come back from JSON as they were: broken paths, relays and parallel channels too",
          "[schedule][json]")
{
    std::vector<Example> examples = valid_examples();
    for (unsigned seed = 0; seed < 500; ++seed)
        examples.push_back(random_schedule(seed));
    for (const Collective& collective :
         {broadcast({4}, 2), allgather({4}), scatter({4}, 3), alltoall({4}), gather({4}, 1),
          multicast({4}, 1, {3, 2}), permutation({1, 0, 2, 3}), many_to_many_broadcast({4}, {1, 2}, {2, 3}),
          many_to_many_scatter({4}, {0, 3}, {3, 1})})
        examples.push_back({{"", "", "ring:4", collective, PortModel{2}, Switching::wormhole, {}}, ring});
    for (const auto& [schedule, topology] : examples) {
        INFO(schedule.topology << ", " << to_string(schedule.collective.kind));
        CHECK(parse_schedule(to_json_text(schedule, topology), topology, "text") == schedule);
        CHECK(parse_schedule(to_json(schedule, topology).dump(1), topology, "text") == schedule);
    }
}

TEST_CASE("a transfer says no more than it has to", "[schedule][json]")
{
    const Topology mesh = make_topology("mesh:2x2");
    const Path path{mesh.channels_from(0)[0]};
    const Schedule schedule{
        "n",
        "",
        "mesh:2x2",
        broadcast({4}, 0),
        one_port,
        Switching::wormhole,
        {{{0, 0, mesh.channel(path[0]).target, path}, {0, 0, 3, {}}}, {{0, 2, 3, Path{}}}}};
    const auto json = to_json(schedule, mesh);
    const std::string& next = mesh.router_name(mesh.channel(path[0]).target);
    CHECK(json["steps"][0][0].dump() ==
          fmt::format(R"({{"from":"00","to":"{0}","path":["00","{0}"]}})", next));
    CHECK(json["steps"][0][1].dump() == R"({"from":"00","to":"11"})");
    CHECK(json["steps"][1][0].dump() == R"({"from":"10","to":"11","message":{"origin":"00"},"channels":[]})");
}

TEST_CASE("people may write a vertex by name or index, and the ports as a number", "[schedule][json]")
{
    const Topology mesh = make_topology("mesh:4x4");
    const Schedule schedule =
        parse_schedule(R"({"format": "nocturne-schedule", "version": 1, "topology": "mesh:4x4",
        "collective": {"kind": "oas", "source": 4}, "ports": 2, "steps": [[
        {"from": "10", "to": 1, "path": ["#4", "00", 1]},
        {"from": 4, "to": "#10", "message": {"origin": 4, "to": "22"}}]]})",
                       mesh, "text");
    CHECK(schedule.collective == scatter({16}, 4));
    CHECK(schedule.ports == PortModel{2});
    CHECK(schedule.switching == Switching::wormhole);
    REQUIRE(schedule.steps[0][0].path);
    CHECK(connects(mesh, 4, 1, *schedule.steps[0][0].path));
    CHECK(schedule.steps[0][1] == Transfer{*find_message(schedule.collective, 4, 10), 4, 10, std::nullopt});
}

TEST_CASE("a schedule file names its topology by specification, by file or whole", "[schedule][json]")
{
    const TemporaryFolder folder;
    Random random(5);
    const Topology network = random_network(random, 5, 4);
    Schedule schedule{
        "files", "a test", network.name(), permutation({1, 0, 3, 2}), one_port, Switching::wormhole, {{}}};

    save_schedule(folder / "whole.json", schedule, network);
    LoadedSchedule loaded = load_schedule(folder / "whole.json");
    CHECK(loaded.schedule == schedule);
    CHECK(to_json(loaded.topology) == to_json(network));

    write_file_atomically(folder / "network.json", to_json(network));
    auto json = nlohmann::json::parse(read_file(folder / "whole.json"));
    json["topology"] = "network.json";
    write_file_atomically(folder / "file.json", json.dump());
    loaded = load_schedule(folder / "file.json");
    CHECK(loaded.schedule == schedule);
    CHECK(to_json(loaded.topology) == to_json(network));

    schedule.topology = "ring:4";
    save_schedule(folder / "specification.json", schedule, ring);
    CHECK_THAT(read_file(folder / "specification.json"), Contains(R"("topology": "ring:4")"));
    loaded = load_schedule(folder / "specification.json");
    CHECK(loaded.schedule == schedule);
    CHECK(to_json(loaded.topology) == to_json(ring));
}

TEST_CASE("what cannot be named cannot be written, and leaves no file", "[schedule][json]")
{
    const TemporaryFolder folder;
    const std::string file = folder / GENERATE("s.json", "s.nsched");
    Schedule schedule{"", "", "ring:4", allgather({4}), one_port, Switching::wormhole, {{{9, 0, 1, {}}}}};
    CHECK_THROWS_AS(save_schedule(file, schedule, ring), std::invalid_argument);
    schedule.steps[0][0] = {0, 0, 4, {}};
    CHECK_THROWS_AS(save_schedule(file, schedule, ring), std::invalid_argument);
    schedule.steps.clear();
    schedule.collective = allgather({5});
    CHECK_THROWS_AS(save_schedule(file, schedule, ring), std::invalid_argument);
    CHECK(!std::filesystem::exists(file));
}

TEST_CASE("the embedded schema is the published one, and accepts the library", "[schedule][json]")
{
    CHECK(schedule_schema() == read_file(SCHEDULE_SCHEMA));
    for (const auto& entry : std::filesystem::directory_iterator(SCHEDULE_LIBRARY))
        if (entry.path().extension() == ".json")
            CHECK_NOTHROW(load_schedule(entry.path()));
}

TEST_CASE("hops and messages that do not exist are read, and judged by their rules", "[schedule][json]")
{
    const auto judged = [](const std::string& part, const std::string& other) {
        std::vector<Rule> rules;
        const Schedule schedule = parse_schedule(text_with(part, other), ring, "f");
        for (const Violation& violation : validate(schedule, ring))
            if (violation.step == 0u)
                rules.push_back(violation.rule);
        return rules;
    };
    CHECK(judged("{", "{").empty());
    CHECK(judged("[\"0\", \"1\"]", "[\"0\", \"2\"]") == std::vector{Rule::unknown_channel});
    CHECK(judged("[\"0\", \"1\"]", "[\"0\", \"2\", \"0\", \"1\"]") ==
          std::vector{Rule::unknown_channel, Rule::unknown_channel});
    CHECK(judged("\"from\": \"0\", \"to\": \"1\"", "\"from\": \"2\", \"to\": \"1\"") ==
          std::vector{Rule::unknown_message});
    CHECK(judged("\"to\": \"1\"", "\"to\": \"0\"") == std::vector{Rule::self_transfer});
    CHECK(judged("\"to\": \"1\"", "\"to\": \"1\", \"message\": {\"origin\": 2}") ==
          std::vector{Rule::unknown_message});
}

TEST_CASE("steps that are written in unusual ways are the same steps", "[schedule][json]")
{
    const Schedule usual = parse_schedule(text_with("{", "{"), ring, "f");
    const auto is_usual = [&](const std::string& part, const std::string& other) {
        return parse_schedule(text_with(part, other), ring, "f") == usual;
    };
    CHECK(is_usual("\"from\": \"0\", \"to\": \"1\"", "\"to\":\"1\",\n\"from\":\"0\""));
    CHECK(is_usual("\"0\", \"1\"", "\"\\u0030\", \"1\""));
    CHECK(is_usual("\"path\"", "\"\\u0070ath\""));
    CHECK(is_usual("]]}", "]], \"name\": \"\"}"));
    CHECK(is_usual("[\"0\", \"1\"]", "[0, \"#1\"]"));
    CHECK(parse_schedule(text_with("[[{", "[[], [{"), ring, "f").steps.size() == usual.steps.size() + 1);
    // A text inside another member is no member.
    CHECK(parse_schedule(text_with("\"ports\"", R"("name": "\"steps\": [", "ports")"), ring, "f").steps ==
          usual.steps);
    CHECK(parse_schedule(text_with("\"ports\"", R"("made_by": {"steps": [1]}, "ports")"), ring, "f") ==
          usual);
}

TEST_CASE("parallel channels are named by index", "[schedule][json]")
{
    const Topology topology = test::direct_network("parallel", {"a", "b"}, test::both_ways({{0, 1}, {0, 1}}));
    const Schedule schedule{"",
                            "",
                            "parallel",
                            permutation({1, 0}),
                            one_port,
                            Switching::wormhole,
                            {{{0, 0, 1, Path{2}}, {1, 1, 0, Path{1}}}}};
    CHECK(parse_schedule(to_json_text(schedule, topology), topology, "text") == schedule);
    std::string text = to_json_text(schedule, topology);
    text.replace(text.find("\"channels\":[2]"), 14, "\"path\":[\"a\",\"b\"]");
    CHECK_THROWS_WITH(parse_schedule(text, topology, "f"),
                      "f: /steps/0/0/path/1: 2 channels lead from a to b; list 'channels' instead");
}

TEST_CASE("files whose topology cannot be had are refused in one line", "[schedule][json]")
{
    const TemporaryFolder folder;
    CHECK_THROWS_AS(load_schedule(folder / "missing.json"), std::runtime_error);
    const auto topology = GENERATE(as<std::string>{}, "mesh:0x4", "nowhere.json", "ring:99999999", "", ".",
                                   std::string(5000, 'x'));
    write_file_atomically(folder / "s.json", text_with("ring:4", topology));
    CHECK_THROWS_AS(load_schedule(folder / "s.json"), std::runtime_error);
}

TEST_CASE("whatever a file contains, it is a schedule or one clear line", "[schedule][json][fuzz]")
{
    const Topology topology = make_topology("octagon:8");
    const std::string valid = to_json_text(printed("octagon8_aas.json").schedule, topology);
    const auto survives = [&](const std::string& text) {
        try {
            parse_schedule(text, topology, "f");
        } catch (const std::runtime_error& error) {
            const std::string_view line = error.what();
            return line.starts_with("f:") && line.find('\n') == std::string_view::npos;
        }
        return true;
    };
    for (std::size_t size = 0; size < valid.size(); size += 6)
        REQUIRE(survives(valid.substr(0, size)));
    for (unsigned seed = 0; seed < tries(4000, 8); ++seed) {
        SplitMix64 random(seed);
        INFO("seed " << seed);
        REQUIRE(survives(seed % 2 == 0 ? damage_bytes(valid, random) : damage_json(valid, random)));
    }
}

} // namespace nocturne::schedule_json_test
