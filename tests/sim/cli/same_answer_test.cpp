// The same question to the command, asked in two ways.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace nocturne::same_answer_test {

using namespace nocturne::test;

namespace {

/// What `schedule` says; of the rest names and times differ.
nlohmann::json answer_to(const std::string& question)
{
    const Outcome outcome = run_words("schedule " + question + " --budget 20 --json");
    INFO(question << '\n' << outcome.err);
    REQUIRE(outcome.status == 0);
    nlohmann::json answer = nlohmann::json::parse(outcome.out), kept;
    for (const char* const key : {"collective", "chunks", "ports", "steps", "lower_bound", "optimal",
                                  "engine", "transfers", "bound_reason"})
        kept[key] = answer[key];
    return kept;
}

/// All that a result says of `collective`, wherever it stands; not what the user wrote.
void add_collectives(const nlohmann::json& json, std::set<std::string>& found)
{
    for (const auto& [name, value] : json.items()) {
        if (json.is_object() && name == "collective" && value.is_string())
            found.insert(value.get<std::string>());
        if (value.is_structured() && !(json.is_object() && name == "made_by"))
            add_collectives(value, found);
    }
}

/// Without what made it, and what the clock said.
nlohmann::json timeless(const nlohmann::json& json)
{
    if (!json.is_structured())
        return json;
    nlohmann::json rest = json.is_object() ? nlohmann::json::object() : nlohmann::json::array();
    for (const auto& [name, value] : json.items())
        if (json.is_array())
            rest.push_back(timeless(value));
        else if (name != "made_by" && name != "seed" && !name.ends_with("seconds"))
            rest[name] = timeless(value);
    return rest;
}

} // namespace

TEST_CASE("the number of workers changes nothing, another seed what is random", "[cli][same question]")
{
    const auto [words, is_random] = GENERATE(table<std::string, bool>({
        {"schedule kautz:3,2 --fault channel:10-02 --collective AAS -o out.json", true},
        {"schedule mesh:2x3 --collective allreduce --chunks 2 --objective bandwidth -o out.json", false},
        {"reschedule --table link ring:6 --collective AAB", false},
        {"evolve octagon:8 --collective AAS --engine umda --runs 2 --islands 3 --evaluations 9000", true},
        {"evolve octagon:8 --collective AAS --engine mboa --islands 3 --evaluations 3000 -o out.json", true},
        {"evolve hypercube:3 --collective AAB --engine hgsa --slaves 3 --evaluations 9000 -o out.json", true},
        {"design 18 --links 3 --exchanges 5000 -o out.json", true},
        {"design 16 --links 4 --engine gappin --generations 20", true},
        {"benes 16 --pins 16 --permutations random,tornado --samples 20", true},
        {"compare lib/octagon8_aas.json --bytes 64,512 --traffic random", true},
        {"traffic mesh:4x4 --load 0.05,0.9 --warm-up 200 --window 1000", true},
        {"traffic mesh:3x3 --load 0.2 --runs 3 --warm-up 200 --window 1000", true},
        {"traffic torus:4x4 --routing ugal --load 0.2 --warm-up 200 --window 1000", true},
        {"traffic mesh:3x3 --saturation --tolerance 0.1 --warm-up 200 --window 1000", true},
        {"traffic mesh:4x4 --closed-loop 1,8 --warm-up 200 --window 1000", true},
        {"topology torus:4x4 --measure", true},
        {"recover lib/octagon8_aas.json --fault link:0-1 --at-step 2", false},
    }));
    const TemporaryFolder folder;
    std::filesystem::create_directory_symlink(SCHEDULE_LIBRARY, folder / "lib");
    const auto answer = [&, call = words](const std::string& more) {
        const Outcome outcome = run_words(call + " --json --workers " + more, folder / "");
        INFO(call << more << '\n' << outcome.err);
        REQUIRE(outcome.status <= 1);
        return std::pair(timeless(nlohmann::json::parse(outcome.out)),
                         std::filesystem::exists(folder / "out.json")
                             ? timeless(nlohmann::json::parse(content_of(folder / "out.json")))
                             : nlohmann::json());
    };
    const auto alone = answer("1 --seed 5");
    CHECK(answer("2 --seed 5") == alone);
    CHECK(answer("4 --seed 5") == alone);
    if (is_random)
        CHECK(answer("2 --seed 6") != alone);
}

TEST_CASE("a collective has one name in the results of all commands", "[cli][same question]")
{
    const TemporaryFolder folder;
    const std::string steps = folder / "steps.json", chunks = folder / "chunks.json";
    const std::string problem = "ring:4 --collective AAB ";
    REQUIRE(run_words("schedule " + problem + "-o " + steps).status == 0);
    REQUIRE(run_words("schedule " + problem + "--objective steps -o " + chunks).status == 0);
    std::vector<std::string> commands{"bound " + problem,
                                      "schedule " + problem,
                                      "schedule " + problem + "--objective steps",
                                      "front " + problem + "--most-chunks 1",
                                      "evolve " + problem + "--engine umda --evaluations 500",
                                      "reschedule --table link " + problem};
    for (const std::string& file : {steps, chunks})
        for (const std::string command :
             {"validate", "certify", "replay", "compare --bytes 64,128 --traffic shifted",
              "recover --fault link:0-1 --at-ns 90", "reschedule --fault link:0-1"})
            commands.push_back(command + " " + file);
    for (const std::string& command : commands) {
        INFO(command);
        const Outcome outcome = run_words(command + " --json");
        REQUIRE(outcome.status <= 1);
        std::set<std::string> found;
        add_collectives(nlohmann::json::parse(outcome.out), found);
        CHECK(found == std::set<std::string>{"allgather"});
    }
}

TEST_CASE("one chunk is a whole message", "[cli][same question]")
{
    const auto [network, steps] =
        GENERATE(table<std::string, int>({{"torus:4x4", 8}, {"torus:8x8", 64}, {"omega:8", 7}}));
    const std::string question = network + " --collective alltoall";
    const nlohmann::json whole = answer_to(question);
    CHECK(whole["steps"] == steps);
    CHECK(whole["lower_bound"] == steps);
    CHECK(answer_to(question + " --chunks 1") == whole);
    CHECK(answer_to(question + " --group '#0-#" +
                    (network == "torus:8x8" ? "63"
                     : network == "omega:8" ? "7"
                                            : "15") +
                    "'") == whole);
}

TEST_CASE("a collective has the answer of its other names", "[cli][same question]")
{
    const auto [today, paper] =
        GENERATE(table<std::string, std::string>({{"reduce", "AOR"},
                                                  {"gather", "AOG"},
                                                  {"all-gather", "AAB"},
                                                  {"broadcast", "OAB"},
                                                  {"scatter", "one-to-all scatter"}}));
    CHECK(answer_to("mesh:3x3 --collective " + today + " --chunks 2") ==
          answer_to("mesh:3x3 --collective '" + paper + "' --chunks 2"));
}

TEST_CASE("a network is the same by its specification and in a file", "[cli][same question]")
{
    const TemporaryFolder folder;
    const std::string network = GENERATE("torus:3x4", "fat_octagon:8", "omega:8");
    const std::string format = GENERATE("json", "graphml", "dot");
    const std::string file = folder / ("net." + format);
    REQUIRE(run_words("topology " + network + " -o " + file).status == 0);
    const std::string question = " --collective " + GENERATE(std::string("alltoall"), "allgather");
    CHECK(answer_to(network + question) == answer_to(file + question));
}

TEST_CASE("bound says what schedule says", "[cli][same question]")
{
    const std::string question =
        GENERATE("ring:6 --collective alltoall", "mesh:3x3 --collective allgather --chunks 2",
                 "torus:3x3 --collective reduce-scatter", "hypercube:3 --collective allreduce --ports 1",
                 "kautz:2,2 --collective AAS --slack 0 --fault channel:01-12");
    const nlohmann::json found = answer_to(question);
    const nlohmann::json bound =
        nlohmann::json::parse(run_words("bound " + std::string(question) + " --json").out);
    CHECK(bound["lower_bound"] == found["lower_bound"]);
    CHECK(bound["bound_reason"] == found["bound_reason"]);
}

TEST_CASE("options in a file are options", "[cli][same question]")
{
    const TemporaryFolder folder;
    const std::string file =
        folder.file("question.ini",
                    "collective = permutation\nimage = 01,02,00,11,12,10\nfault = link:00-01\nchunks = 2\n");
    CHECK(answer_to("mesh:2x3 --config " + file) ==
          answer_to(
              "mesh:2x3 --collective permutation --image 01,02,00,11,12,10 --fault link:00-01 --chunks 2"));
}

} // namespace nocturne::same_answer_test
