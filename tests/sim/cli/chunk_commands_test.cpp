// Schedules of chunks from end to end: found, written, judged, damaged.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"
#include "tests/temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

namespace nocturne::chunk_commands_test {

using namespace nocturne::test;
using Catch::Contains;

TEST_CASE("a schedule of chunks is found, written and valid, for every objective", "[cli][chunks]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "a.json";
    const std::string objective = GENERATE("steps", "bandwidth", "time");
    const std::string collective = GENERATE("allreduce", "reduce-scatter", "AAB", "all-to-all");
    const Outcome found = run_words("schedule mesh:2x2 --collective " + collective + " --objective " +
                                    objective + " --chunks 2 --budget 20 --json -o " + file);
    INFO(found.err);
    REQUIRE(found.status == 0);
    const auto document = nlohmann::json::parse(found.out);
    CHECK(document["chunks"] == 2);
    CHECK(document["steps"].is_null() == (objective == "time"));
    const Outcome judged = run_words("validate " + file);
    CHECK(judged.status == 0);
    CHECK(says(judged.out, "valid", "yes"));
}

TEST_CASE("bounds of chunks are found, proven, written and certified", "[cli][chunks]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "b.json";
    const Outcome found = run_words("bound ring:5 --collective reduce-scatter --chunks 1 --objective steps "
                                    "--exhaust --in-steps 3 --json -o " +
                                    file);
    INFO(found.err);
    REQUIRE(found.status == 0);
    const auto document = nlohmann::json::parse(found.out);
    CHECK(document["bounds"][0]["steps"] == 2);
    CHECK(document["bounds"][1]["rounds"] == 2);
    CHECK(document["exhaust"]["rounds"] == 3);
    CHECK(document["exhaust"]["end"] == "schedule exists");
    CHECK_THAT(run_words("certify " + file).out,
               Contains("Bounds") && Contains("  reach") && Contains("the way from"));
    CHECK_THAT(run_words("validate " + file).err, Contains("it has bounds, and no schedule"));
    auto damaged = nlohmann::json::parse(content_of(file));
    damaged["lower_bounds"]["steps"]["steps"] = 3;
    damaged["lower_bounds"]["time"]["cycles"] =
        damaged["lower_bounds"]["time"]["cycles"].get<double>() * 1.001;
    folder.file("c.json", damaged.dump());
    const Outcome refuted = run_words("certify " + (folder / "c.json") + " --json");
    CHECK(refuted.status == 1);
    CHECK(nlohmann::json::parse(refuted.out)["refutations"].size() == 2);
}

TEST_CASE("a schedule of chunks has its bounds with it, and is certified", "[cli][chunks]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "a.json";
    REQUIRE(run_words("schedule ring:4 --collective allgather --objective bandwidth -o " + file).status == 0);
    const Outcome certified = run_words("certify " + file);
    CHECK(certified.status == 0);
    CHECK(says(certified.out, "transfers", "24"));
    CHECK(says(certified.out, "optimal in", "steps, rounds"));
    REQUIRE(run_words("validate " + file + " -o " + (folder / "copy.json")).status == 0);
    CHECK(says(run_words("certify " + (folder / "copy.json")).out, "optimal in", "steps, rounds"));
    auto damaged = nlohmann::json::parse(content_of(file));
    damaged["steps"][0].erase(0);
    folder.file("b.json", damaged.dump());
    CHECK(run_words("certify " + (folder / "b.json")).status == 1);
}

TEST_CASE("a damaged schedule of chunks is refused with rule, transfer and reason", "[cli][chunks]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "a.json";
    REQUIRE(
        run_words("schedule ring:4 --collective allreduce --chunks 4 --objective steps -o " + file).status ==
        0);
    auto document = nlohmann::json::parse(content_of(file));
    document["steps"][0].erase(0);
    folder.file("b.json", document.dump());
    const Outcome judged = run_words("validate " + (folder / "b.json"));
    CHECK(judged.status == 1);
    CHECK_THAT(judged.out, Contains("Violations") && Contains("missing-contribution"));
}

TEST_CASE("a schedule of chunks is replayed on the hardware, byte by byte", "[cli][chunks]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "a.json";
    const std::string objective = GENERATE("steps", "time");
    REQUIRE(run_words("schedule ring:4 --collective allreduce --chunks 4 --objective " + objective + " -o " +
                      file)
                .status == 0);
    for (const char* const element : {"int32", "float32"}) {
        const Outcome replayed = run_words("replay " + file + " --bytes 400,4KiB --json --element " +
                                           element + " --csv " + (folder / "r.csv"));
        INFO(replayed.err);
        REQUIRE(replayed.status == 0);
        const auto replays = nlohmann::json::parse(replayed.out)["replays"];
        REQUIRE(replays.size() == 2);
        for (const auto& replay : replays) {
            CHECK(replay["messages_delivered"] == 16);
            CHECK(replay["messages_owed"] == 16);
            CHECK(replay["time_ns"] >= replay["unblocked_ns"]);
            CHECK(replay["unblocked_ns"] > replay["model_time_ns"]);
        }
        CHECK_THAT(content_of(folder / "r.csv"), Contains(",400,"));
    }
}

TEST_CASE("an algorithm of msccl-tools is written, judged on its own links, and refused with the send",
          "[cli][chunks]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "a.json", algorithm = folder / "algorithm.json";
    REQUIRE(run_words("schedule ring:4 --collective reduce-scatter --objective steps -o " + file).status ==
            0);
    REQUIRE(run_words("export " + file + " --msccl-json " + algorithm).status == 0);
    CHECK(says(run_words("validate " + algorithm).out, "valid", "yes"));
    CHECK_THAT(run_words("validate " + algorithm + " -o " + (folder / "b.json")).err, Contains("--topology"));
    REQUIRE(run_words("validate " + algorithm + " --topology ring:4 -o " + (folder / "b.json")).status == 0);
    CHECK(says(run_words("validate " + (folder / "b.json")).out, "valid", "yes"));
    CHECK_THAT(run_words("validate " + algorithm + " --topology mesh:2x2").out, Contains("Violations"));
    auto document = nlohmann::json::parse(content_of(algorithm));
    auto& steps = document["steps"];
    steps.insert(steps.begin() + 1, nlohmann::json(steps[0]));
    folder.file("twice.json", document.dump());
    const Outcome twice = run_words("validate " + (folder / "twice.json"));
    CHECK(twice.status == 1);
    CHECK_THAT(twice.out, Contains("added-twice") && Contains("step 2, send "));
    CHECK_THAT(run_words("export " + file + " --msccl-json /nowhere/a").err, Contains("/nowhere/a"));
}

TEST_CASE("a plan of MSCCL++ has the collective and the processors of its schedule", "[cli][chunks]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "a.json", plan = folder / "plan.json";
    REQUIRE(run_words("schedule ring:4 --collective allreduce --objective time -o " + file).status == 0);
    REQUIRE(run_words("export " + file + " --mscclpp-json " + plan).status == 0);
    const auto document = nlohmann::json::parse(content_of(plan));
    CHECK(document["collective"] == "allreduce");
    CHECK(document["gpus"].size() == 4);
}

TEST_CASE("a schedule of whole messages is exported too, with relays", "[cli][chunks]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "steps.json", xml = folder / "a.xml";
    REQUIRE(run_words("schedule octagon:8 --collective AAS -o " + file).status == 0);
    REQUIRE(run_words("export " + file + " --msccl-xml " + xml + " --goal " + (folder / "a.goal")).status ==
            0);
    CHECK_THAT(run_words("validate " + xml + " --topology octagon:8").out,
               Contains("alltoall") && Contains("valid                yes"));
}

TEST_CASE("traces get a folder of their own", "[cli][chunks]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "a.json";
    REQUIRE(run_words("schedule ring:4 --collective allgather --objective time -o " + file).status == 0);
    REQUIRE(run_words("export " + file + " --chakra " + (folder / "traces") + " --bytes 1KiB").status == 0);
    for (const char* const name : {"trace.0.et", "trace.3.et"})
        CHECK(std::filesystem::file_size(std::filesystem::path(folder / "traces") / name) > 100);
    CHECK_FALSE(std::filesystem::exists(std::filesystem::path(folder / "traces") / "trace.4.et"));
}

TEST_CASE("blocks have sizes, and groups their own collective", "[cli][chunks]")
{
    const Outcome sizes =
        run_words("schedule ring:4 --collective allgather --weights 4,0,1,1 --objective time --json");
    INFO(sizes.err);
    CHECK(sizes.status == 0);
    const Outcome group = run_words(
        "schedule mesh:3x3 --collective allreduce --group 00,02,22 --objective time --budget 3 --json");
    INFO(group.err);
    CHECK(group.status == 0);
}

TEST_CASE("a program in MSCCL's XML is written, judged, and refused with the line", "[cli][chunks]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "a.json", xml = folder / "a.xml";
    REQUIRE(run_words("schedule ring:4 --collective allreduce --objective time -o " + file).status == 0);
    REQUIRE(run_words("export " + file + " --msccl-xml " + xml).status == 0);
    const auto parts = nlohmann::json::parse(content_of(file))["collective"].value("parts", 1);
    REQUIRE(run_words("export " + file + " --goal " + (folder / "a.goal") + " --bytes " +
                      std::to_string(100 * parts))
                .status == 0);
    CHECK_THAT(content_of(folder / "a.goal"),
               Catch::StartsWith("num_ranks 4\n") && Contains("send 100b to "));
    const Outcome judged = run_words("validate " + xml + " --topology ring:4");
    CHECK(judged.status == 0);
    CHECK(says(judged.out, "collective", "allreduce"));
    CHECK(says(judged.out, "valid", "yes"));
    std::string text = content_of(xml);
    text.replace(text.find("type=\"rrc\""), 10, "type=\"r\"");
    folder.file("b.xml", text);
    const Outcome wrong = run_words("validate " + (folder / "b.xml") + " --topology ring:4");
    CHECK(wrong.status == 1);
    CHECK_THAT(wrong.out, Contains("missing-contribution"));
    // On another network some sends have no link.
    const Outcome elsewhere = run_words("validate " + xml + " --topology mesh:1x4");
    CHECK(elsewhere.status == 1);
    CHECK_THAT(elsewhere.out, Contains("broken-path") && Contains("line "));
}

TEST_CASE("an engine that is named alone searches by an objective", "[cli][chunks]")
{
    const auto [engine, question] = GENERATE(
        table<std::string, std::string>({{"construct", "--collective alltoall --objective bandwidth"},
                                         {"exact", "--collective allgather --objective steps --chunks 2"},
                                         {"halves", "--collective allreduce --objective bandwidth"},
                                         {"time", "--collective allreduce --objective time"},
                                         {"time", "--collective broadcast --objective steps"},
                                         {"trees", "--collective allgather --objective time"},
                                         {"trees", "--collective allreduce --objective steps"},
                                         {"flow", "--collective scatter --objective bandwidth"}}));
    const Outcome outcome =
        run_words("schedule torus:3x3 " + question + " --engine " + engine + " --budget 5 --json");
    INFO(engine << ' ' << question << '\n' << outcome.err);
    REQUIRE(outcome.status == 0);
    CHECK(nlohmann::json::parse(outcome.out)["engine"] == engine);
}

TEST_CASE("steps in which processors send and receive a sum at once are replayed right", "[cli][chunks]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "a.json";
    const auto [network, collective] = GENERATE(table<std::string, std::string>(
        {{"star:4", "allreduce"}, {"btree:4", "allreduce"}, {"omega:4", "scan"}, {"clos:2,2,2", "scan"}}));
    INFO(collective << " on " << network);
    REQUIRE(run_words("schedule " + network + " --collective " + collective +
                      " --chunks 1 --objective steps --budget 5 -o " + file)
                .status == 0);
    const Outcome replayed = run_words("replay " + file + " --bytes 64 --json");
    CHECK(replayed.status == 0);
    const auto replay = nlohmann::json::parse(replayed.out)["replays"].front();
    CHECK(replay["memory_ok"] == true);
    if (collective == "allreduce") // what is found for a scan may need none
        CHECK(replay["staging_bytes"] > 0);
}

TEST_CASE("the front of an allgather on a ring is drawn and listed", "[cli][chunks]")
{
    const TemporaryFolder folder;
    const Outcome front = run_words("front ring:5 --collective allgather --most-chunks 2 --csv " +
                                    (folder / "f.csv") + " --svg " + (folder / "f.svg"));
    INFO(front.err);
    CHECK(front.status == 0);
    CHECK_THAT(front.out, Contains("ring:5, collective allgather") && Contains("2.0000"));
    CHECK_THAT(content_of(folder / "f.csv"), Contains(",2,2,1,2,"));
    CHECK_THAT(content_of(folder / "f.svg"), Contains("<svg"));
}

} // namespace nocturne::chunk_commands_test
