#include "sim/sweep/sweep_plan.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <set>
#include <stdexcept>

namespace nocturne::sweep_plan_test {

using namespace nocturne::test;
using Catch::Contains;
using Words = std::vector<std::string>;

namespace {

const std::vector<CommandOption> traffic_options{
    {"topology"}, {"routing"},           {"load"},        {"seed"},        {"window"},         {"fault"},
    {"workers"},  {"saturation", false}, {"json", false}, {"help", false}, {"csv", true, true}};

SweepPlan plan_of(std::string_view text)
{
    return resolved(parse_sweep_plan(text, "a.ini"), traffic_options);
}

std::string refusal(std::string_view text)
{
    try {
        plan_of(text);
    } catch (const std::exception& error) {
        return error.what();
    }
    return "taken";
}

/// All points, a line each, as they would be typed.
Words lines_of(const SweepPlan& plan)
{
    Words lines;
    for (std::uint64_t index = 0; index < count_points(plan); ++index) {
        std::string& line = lines.emplace_back();
        for (const std::string& word : point_of(plan, index).arguments)
            line += (line.empty() ? "" : " ") + word;
    }
    return lines;
}

} // namespace

TEST_CASE("a sweep has every combination of its values, the last option changing fastest", "[sweep][plan]")
{
    const SweepPlan plan = plan_of("command = traffic\n[options]\nwindow = 500\n"
                                   "[sweep]\ntopology = mesh:4x4 ring:4\nload = {0.1:0.3:0.1} # three\n");
    CHECK(swept_options(plan) == Words{"topology", "load"});
    CHECK(lines_of(plan) == Words{"traffic --topology mesh:4x4 --load 0.1 --window 500 --workers 1 --json",
                                  "traffic --topology mesh:4x4 --load 0.2 --window 500 --workers 1 --json",
                                  "traffic --topology mesh:4x4 --load 0.3 --window 500 --workers 1 --json",
                                  "traffic --topology ring:4 --load 0.1 --window 500 --workers 1 --json",
                                  "traffic --topology ring:4 --load 0.2 --window 500 --workers 1 --json",
                                  "traffic --topology ring:4 --load 0.3 --window 500 --workers 1 --json"});
}

TEST_CASE("each block is a product of its own, behind the one before", "[sweep][plan]")
{
    const SweepPlan plan =
        plan_of("command = traffic\n[sweep mesh]\ntopology = mesh:4x4\nrouting = dor adaptive\n"
                "[sweep others]\ntopology = ring:4\ntopology = ring:5\nseed = 7\n");
    CHECK(swept_options(plan) == Words{"topology", "routing", "seed"});
    REQUIRE(count_points(plan) == 4);
    const SweepPoint last = point_of(plan, 3);
    CHECK(last.values.at(0) == "ring:5");
    CHECK_FALSE(last.values.at(1));
    CHECK(last.values.at(2) == "7");
    CHECK(lines_of(plan).at(1) == "traffic --topology mesh:4x4 --routing adaptive --workers 1 --json");
}

TEST_CASE("JSON says the same as INI, and more", "[sweep][plan]")
{
    const SweepPlan ini =
        plan_of("command = traffic\ncolumns = *load*\n[options]\nwindow = 500\nfault = link:0-1\n"
                "fault = node:3\n[sweep]\nload = 0.1 0.2\nsaturation = false true\nseed = {1:2}\n");
    const SweepPlan json = plan_of(R"({"command": "traffic", "columns": ["*load*"],
        "options": {"window": 500, "fault": ["link:0-1", "node:3"]},
        "sweep": {"load": [0.1, "0.2"], "saturation": [false, true], "seed": "{1:2}"}})");
    CHECK(lines_of(ini) == lines_of(json));
    CHECK(to_json(ini) == to_json(json));
    CHECK(lines_of(ini).at(2) ==
          "traffic --load 0.1 --saturation --seed 1 --window 500 --fault link:0-1 --fault "
          "node:3 --workers 1 --json");

    const SweepPlan faults = plan_of(
        R"({"command": "traffic",
            "sweep": [{"fault": [null, "link:0-1", ["link:0-1", "node:3"]]}, {"seed": 4}]})");
    CHECK(lines_of(faults) == Words{"traffic --workers 1 --json",
                                    "traffic --fault link:0-1 --workers 1 --json",
                                    "traffic --fault link:0-1 --fault node:3 --workers 1 --json",
                                    "traffic --seed 4 --workers 1 --json"});
    CHECK(point_of(faults, 2).values.at(0) == "link:0-1 node:3");
}

TEST_CASE("processors by number are no comments", "[sweep][plan]")
{
    const SweepPlan plan =
        plan_of("command = traffic # of\n[options]\nfault = node:#5\n[sweep]\ntopology = #3 #4 # two\n");
    CHECK(lines_of(plan) == Words{"traffic --topology #3 --fault node:#5 --workers 1 --json",
                                  "traffic --topology #4 --fault node:#5 --workers 1 --json"});
}

TEST_CASE("what a plan is written as reads as the same plan", "[sweep][plan]")
{
    const char* const text = GENERATE("command = traffic\n[sweep]\nload = 0.1 0.2\nsaturation = yes no\n",
                                      "command = traffic\ncolumns = a b\n[options]\nsaturation = off\nwindow "
                                      "= 9\n[sweep a]\nseed = 1\n[sweep b]\n"
                                      "fault = - 'a b' c\n");
    const SweepPlan plan = plan_of(text);
    const SweepPlan again = plan_of(to_json(plan).dump());
    CHECK(lines_of(again) == lines_of(plan));
    CHECK(to_json(again) == to_json(plan));
}

TEST_CASE("every point is another one, and its index finds it", "[sweep][plan]")
{
    const unsigned a = GENERATE(1u, 2u, 5u);
    const unsigned b = GENERATE(1u, 3u);
    const unsigned c = GENERATE(1u, 4u);
    const auto range = [](unsigned count) { return "{1:" + std::to_string(count) + "}\n"; };
    const SweepPlan plan = plan_of("command = traffic\n[sweep one]\nwindow = " + range(a) +
                                   "seed = " + range(b) + "[sweep two]\nload = " + range(c));
    CHECK(count_points(plan) == a * b + c);
    const Words lines = lines_of(plan);
    CHECK(std::set<std::string>(lines.begin(), lines.end()).size() == lines.size());
    for (unsigned i = 0; i < a; ++i)
        for (unsigned k = 0; k < b; ++k)
            CHECK(lines.at(i * b + k) == "traffic --window " + std::to_string(i + 1) + " --seed " +
                                             std::to_string(k + 1) + " --workers 1 --json");
}

TEST_CASE("words are separated as in a shell, and ranges are numbers", "[sweep][plan]")
{
    const auto [text, words] = GENERATE(table<std::string, Words>({
        {"a  b\tc ", {"a", "b", "c"}},
        {"'a b' \"c'd\" e'f g'h", {"a b", "c'd", "ef gh"}},
        {"{1:4}", {"1", "2", "3", "4"}},
        {"{4:1:2} x", {"4", "2", "x"}},
        {"{0.1:0.3:0.1}", {"0.1", "0.2", "0.3"}},
        {"{0.05:0.2:0.05}", {"0.05", "0.1", "0.15", "0.2"}},
        {"mesh:{2:3}x{4:5}", {"mesh:2x4", "mesh:2x5", "mesh:3x4", "mesh:3x5"}},
        {"'{1:2}' {point}.json ../{point}", {"{1:2}", "{point}.json", "../{point}"}},
        {"{-1:1}", {"-1", "0", "1"}},
        {"../ring_{1:2}.json", {"../ring_1.json", "../ring_2.json"}},
        {"{point}/..{1:2}", {"{point}/..1", "{point}/..2"}},
        {"../a.json {..", {"../a.json", "{.."}},
    }));
    INFO(text);
    CHECK(sweep_words(text) == words);
    CHECK_THROWS_WITH(sweep_words("mesh:{1..3}"),
                      Contains("'{1..3}': ranges are written with colons: {1:3}"));
    for (const char* const wrong : {"{1:}", "{1:2:0}", "{a:b}", "{1:2:3:4}", "{1:1e9}", "'a"}) {
        INFO(wrong);
        CHECK_THROWS_AS(sweep_words(wrong), std::invalid_argument);
    }
    CHECK_THROWS_WITH(sweep_words("{1:99999999}"), Contains("more than 10000000 values"));
}

TEST_CASE("points that write files have names of their own for them", "[sweep][plan]")
{
    const SweepPlan plan =
        plan_of("command = traffic\n[options]\ncsv = run-{point}.csv\n[sweep]\nseed = 3 4\n");
    CHECK(lines_of(plan).at(1) == "traffic --seed 4 --csv run-1.csv --workers 1 --json");
    CHECK_THAT(refusal("command = traffic\n[options]\ncsv = run.csv\n[sweep]\nseed = 3 4\n"),
               Contains("csv run.csv: 2 points would write the same place"));
    CHECK(lines_of(plan_of("command = traffic\n[options]\ncsv = run.csv\n[sweep]\nseed = 3\n")).size() == 1);
}

TEST_CASE("a sweep that says how many workers a point has is obeyed", "[sweep][plan]")
{
    CHECK(lines_of(plan_of("command = traffic\n[options]\nworkers = 3\n[sweep]\nseed = 3\n")).at(0) ==
          "traffic --seed 3 --workers 3 --json");
}

} // namespace nocturne::sweep_plan_test
