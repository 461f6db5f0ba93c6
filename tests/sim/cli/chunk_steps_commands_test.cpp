// Schedules of chunks where steps are wanted, and the sizes that they are for.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace nocturne::chunk_steps_commands_test {

using namespace nocturne::test;
using Catch::Contains;

TEST_CASE("what only steps have is asked of chunks as steps, and that is said", "[cli][chunks]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "a.json";
    REQUIRE(run_words("schedule ring:4 --collective allgather --chunks 2 --objective bandwidth -o " + file)
                .status == 0);
    const std::string text = "2 steps of 3 rounds, 24 transfers, in 3 steps of one message a channel, 24 "
                             "transfers; a message is 1/2 of --bytes";
    const bool has_images = GENERATE(false, true);
    const std::string command =
        "replay " + file + " --bytes 1000 " +
        (has_images ? "--hex " + (folder / "images") : std::string("--mode self-timed"));
    // It is said what that costs, too.
    CHECK_THAT(run_words(command).out, Catch::StartsWith("converted    " + text + "; "));
    const auto document = nlohmann::json::parse(run_words(command + " --json").out);
    CHECK_THAT(document["converted"].get<std::string>(), Catch::StartsWith(text + "; "));
    CHECK(document["replays"][0]["message_bytes"] == 500);
    CHECK(document["replays"][0]["memory_ok"] == true);
    const auto as_it_stands = nlohmann::json::parse(run_words("replay " + file + " --bytes 1000 --json").out);
    CHECK(as_it_stands["converted"] == nullptr);
    for (const nlohmann::json* const run : {&document, &as_it_stands})
        CHECK_THAT(document["converted"].get<std::string>(),
                   Contains(fmt::format("{:.1f} ns", (*run)["replays"][0]["time_ns"].get<double>())));
}

TEST_CASE("a program of another tool is replayed and compared, and recovered and re-scheduled in steps",
          "[cli][chunks]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "a.json", xml = folder / "a.xml";
    REQUIRE(run_words("schedule ring:4 --collective allgather --objective time -o " + file).status == 0);
    REQUIRE(run_words("export " + file + " --msccl-xml " + xml).status == 0);
    const std::string command = GENERATE("compare ", "recover --fault link:0-1 --at-step 1 ",
                                         "reschedule --fault link:0-1 --budget 5 ", "replay ");
    const std::string bytes = command == "compare " ? " --bytes 64,128" : "";
    const Outcome outcome = run_words(command + xml + " --topology ring:4 --json" + bytes);
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    const auto result = nlohmann::json::parse(outcome.out);
    CHECK(result.value("converted", nlohmann::json()).is_string() ==
          (command[0] == 'r' && command != "replay "));
    CHECK_THAT(run_words(command + xml).err, Contains("names no network: --topology does"));
    CHECK_THAT(run_words(command + xml + " --topology mesh:1x4").err, Contains("is not valid: broken-path"));
}

TEST_CASE("a schedule remembers the size that it was made for, and every command means the same by it",
          "[cli][chunks]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "a.json", goal = folder / "a.goal";
    const std::string objective = GENERATE("steps", "time");
    const auto found =
        nlohmann::json::parse(run_words("schedule mesh:2x3 --collective allgather --chunks 2 --objective " +
                                        objective + " --bytes 4KiB --json -o " + file)
                                  .out);
    CHECK(nlohmann::json::parse(content_of(file))["bytes"] == 4096);
    for (const std::string given : {"", " --bytes 4KiB"}) {
        const Outcome judged = run_words("validate " + file + " --json" + given);
        CHECK(without_remarks(judged.err).empty());
        CHECK(nlohmann::json::parse(judged.out)["time_cycles"] == found["time_cycles"]);
        CHECK(nlohmann::json::parse(judged.out)["bytes"] == 4096);
        CHECK(nlohmann::json::parse(
                  run_words("replay " + file + " --json" + given).out)["replays"][0]["bytes"] == 4096);
        CHECK(nlohmann::json::parse(
                  run_words("replay " + file + " --model worm --json" + given).out)["replays"][0]["bytes"] ==
              4096);
        CHECK(nlohmann::json::parse(run_words("replay " + file + " --mode barrier --json" + given)
                                        .out)["replays"][0]["message_bytes"] == 2048);
        REQUIRE(run_words("export " + file + " --goal " + goal + given).status == 0);
        CHECK_THAT(content_of(goal), Contains("send 2048b to "));
    }
    // A copy remembers it, too; what says none has the size that commands have had, and that is said.
    REQUIRE(run_words("validate " + file + " -o " + (folder / "copy.json")).status == 0);
    CHECK(nlohmann::json::parse(content_of(folder / "copy.json"))["bytes"] == 4096);
    auto document = nlohmann::json::parse(content_of(file));
    document.erase("bytes");
    folder.file("old.json", document.dump());
    const Outcome judged = run_words("validate " + (folder / "old.json") + " --json");
    CHECK(nlohmann::json::parse(judged.out)["bytes"] == 1048576);
    CHECK_THAT(judged.err, Contains("old.json: it does not say for which size it was made: --bytes 1MiB"));
    CHECK_THAT(run_words("replay " + (folder / "old.json")).err, Contains("--bytes 1024"));
}

TEST_CASE("an export says what it has written, to people and to programs", "[cli][chunks]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "a.json", goal = folder / "a.goal", xml = folder / "a.xml";
    REQUIRE(run_words("schedule ring:4 --collective allgather --objective bandwidth -o " + file).status == 0);
    const std::string command = "export " + file + " --goal " + goal + " --msccl-xml " + xml;
    const auto json = nlohmann::json::parse(run_words(command + " --json").out);
    std::size_t transfers = 0;
    const auto schedule = nlohmann::json::parse(content_of(file));
    for (const auto& step : schedule["steps"])
        transfers += step.size();
    CHECK(json["transfers"] == transfers);
    CHECK(json["written"] == nlohmann::json::parse(R"([{"format": "msccl-xml", "path": ")" + xml +
                                                   R"("}, {"format": "goal", "path": ")" + goal + R"("}])"));
    CHECK(json["made_by"]["program"] == "nocturne");
    const std::string of_all = " of " + std::to_string(transfers) + " transfers\n";
    CHECK(run_words(command).out == xml + ": MSCCL XML" + of_all + goal + ": GOAL text" + of_all);
    CHECK_THAT(run_words("export " + file + " --goal /dev/stdout").out, !Contains("/dev/stdout"));
}

TEST_CASE("the judge says how long a valid schedule takes", "[cli][chunks]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "a.json";
    const std::string cost = " --bytes 4KiB --start-cycles 10";
    const Outcome found = run_words(
        "schedule mesh:2x3 --collective broadcast --chunks 8 --objective time --json -o " + file + cost);
    const auto cycles = nlohmann::json::parse(found.out)["time_cycles"].get<double>();
    CHECK(nlohmann::json::parse(run_words("validate " + file + " --json" + cost).out)["time_cycles"] ==
          cycles);
    CHECK(says(run_words("validate " + file + cost).out, "bytes", "4096"));
    const auto longer =
        nlohmann::json::parse(run_words("validate " + file + " --json --latency-holds-link" + cost).out);
    CHECK(longer["time_cycles"].get<double>() > cycles);
    std::string text = content_of(file);
    const std::size_t first = text.find("\n      {\"from\"");
    text.erase(first, text.find('\n', first + 1) - first);
    folder.file("wrong.json", text);
    const auto wrong =
        nlohmann::json::parse(run_words("validate " + (folder / "wrong.json") + " --json").out);
    CHECK(wrong["valid"] == false);
    CHECK(wrong["time_cycles"] == nullptr);
}

} // namespace nocturne::chunk_steps_commands_test
