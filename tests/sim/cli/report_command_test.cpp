// `nocturne report`: a page out of files of every kind.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace nocturne::report_command_test {

using namespace nocturne::test;
using Catch::Contains;
using nlohmann::json;

namespace {

const std::string octagon = library("octagon8_aas.json");

std::string text_in(const std::filesystem::path& file)
{
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

/// The data of a page.
json data_of(const std::filesystem::path& page)
{
    const std::string text = text_in(page), begin = R"(id="data">)";
    const std::size_t at = text.find(begin) + begin.size();
    return json::parse(text.substr(at, text.find("</script>", at) - at));
}

/// What a page on the file says first, behind what it is about.
std::string finding_of(const std::string& file, const std::string& page)
{
    const json headlines = nocturne_json({"report", file, "-o", page, "--json"})["headlines"];
    REQUIRE(headlines.size() == 1);
    const auto headline = headlines[0].get<std::string>();
    return headline.substr(headline.find(": "));
}

} // namespace

TEST_CASE("results of one name are told apart by the options in which they differ", "[cli][report]")
{
    const TemporaryFolder folder;
    std::vector<std::string> command{"report"};
    for (const char* const depth : {"2", "8"}) {
        const std::string file = folder / (std::string(depth) + ".json");
        std::ofstream(file) << text_of({"traffic", "mesh:3x3", "--load", "0.1", "--window", "200",
                                        "--warm-up", "50", "--buffer-flits", depth, "--json"});
        command.push_back(file);
    }
    command.insert(command.end(), {"-o", folder / "page.html", "--json"});
    const json headlines = nocturne_json(command)["headlines"];
    REQUIRE(headlines.size() == 2);
    CHECK_THAT(headlines[0].get<std::string>(), Contains(" (buffer-flits 2): "));
    CHECK_THAT(headlines[1].get<std::string>(), Contains(" (buffer-flits 8): "));
}

TEST_CASE("a page of a schedule in time says for which links and start-ups", "[cli][report]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "a.json";
    text_of({"schedule", "ring:4", "allgather", "--bytes", "64KiB", "--start-cycles", "500", "-o", file});
    CHECK_THAT(finding_of(file, folder / "page.html"), Contains(" Links of 2 GB/s; start-ups of 1 µs."));
}

TEST_CASE("report shows a schedule, its run and its result on one page", "[cli][report]")
{
    const TemporaryFolder folder;
    const std::string run = folder / "run.json", page = folder / "page.html";
    text_of({"replay", octagon, "--bytes", "64,1024", "--record", run});
    const json made = nocturne_json({"report", octagon, run, "-o", page, "--json"});
    CHECK(made["results"] == 2);
    CHECK(made["movies"] == 2);
    const json data = data_of(page);
    CHECK(data["results"][0]["kind"] == "certify");
    CHECK(data["results"][0]["fields"]["valid"] == true);
    CHECK(data["results"][1]["fields"]["replays"].size() == 2);
    CHECK(data["results"][1]["made_by"]["options"]["seed"] == 1);
    CHECK(data["descriptions"]["replay of a size"]["fields"].size() > 10);
    CHECK(data["networks"].size() == 1);
    CHECK(data["movies"][1]["transfers"]["count"] == 56);
}

TEST_CASE("report needs no folder for temporary files", "[cli][report]")
{
    const TemporaryFolder folder;
    const std::string page = folder / "page.html";
    const char* const usual = std::getenv("TMPDIR");
    const std::string before = usual == nullptr ? "" : usual;
    setenv("TMPDIR", (folder / "missing").c_str(), 1);
    const Outcome outcome = run_nocturne({"report", octagon, "-o", page});
    usual == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", before.c_str(), 1);
    CHECK(outcome.err.empty());
    CHECK(outcome.status == 0);
    CHECK(data_of(page)["results"].size() == 1);
}

TEST_CASE("a page says the same of a result's JSON and of its table", "[cli][report]")
{
    const TemporaryFolder folder;
    const std::string result = folder / "result.json", csv = folder / "table.csv",
                      page = folder / "page.html";
    const auto curves = GENERATE_COPY(
        values<Arguments>({{"traffic", "mesh:4x4"},
                           {"traffic", "mesh:4x4", "--topology", "torus:4x4"},
                           {"traffic", "mesh:4x4", "--routing", "xy", "--routing", "odd_even"}}));
    CAPTURE(curves);
    Arguments call = curves;
    call.insert(call.end(), {"--load", "0.1,0.3,0.9", "--window", "500", "--csv", csv, "--json"});
    std::ofstream(result) << text_of(call);
    CHECK(finding_of(csv, page) == finding_of(result, page));
}

TEST_CASE("a page says the same of a comparison's JSON and of its table", "[cli][report]")
{
    const TemporaryFolder folder;
    const std::string page = folder / "page.html", output = folder / "results";
    text_of({"compare", octagon, "--bytes", "64,4096", "-o", output});
    CHECK(finding_of(output + "/comparison.csv", page) == finding_of(output + "/comparison.json", page));
}

TEST_CASE("recordings are the results that --json prints, and what is in them adds up", "[cli][report]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "recorded.json";
    const auto [name, arguments, runs] = GENERATE_COPY(table<const char*, Arguments, std::size_t>(
        {{"replay", {octagon, "--bytes", "256"}, 1},
         {"compare", {octagon, "--bytes", "64,256,512"}, 2},
         {"compare", {octagon, "--bytes", "64,256,512", "--model", "worm"}, 2},
         {"recover", {octagon, "--fault", "link:0-1", "--at-step", "2"}, 2}}));
    Arguments call{name};
    call.insert(call.end(), arguments.begin(), arguments.end());
    call.insert(call.end(), {"--record", file, "--json"});
    json printed = nocturne_json(call);
    json recorded = json::parse(text_in(file));
    CHECK(recorded["recording"]["runs"].size() == runs);
    const json& first = recorded["recording"]["runs"][0];
    CHECK(first["messages"]["source"].size() == 56); // all to all among 8
    CHECK(first["holds"]["link"].size() == first["holds"]["end_cycle"].size());
    recorded.erase("recording");
    for (json* const document : {&printed, &recorded}) // on the clock
        document->erase("search_seconds");
    CHECK(recorded == printed);
}

TEST_CASE("report shows schedules of other tools, also of those whose network is in their file",
          "[cli][report]")
{
    const TemporaryFolder folder;
    const std::string ours = folder / "ours.json", page = folder / "page.html";
    text_of({"schedule", "ring:4", "--collective", "allgather", "--objective", "bandwidth", "-o", ours});
    const auto [option, names_network] = GENERATE(
        table<const char*, bool>({{"--msccl-xml", false}, {"--msccl-json", true}, {"--msccl-json", false}}));
    const std::string theirs = folder / "theirs";
    text_of({"export", ours, option, theirs});
    Arguments call{"report", theirs, "-o", page};
    if (!names_network)
        call.insert(call.end(), {"--topology", "ring:4"});
    text_of(call);
    const json shown = data_of(page);
    CHECK(shown["results"][0]["kind"] == "validate");
    const json& fields = shown["results"][0]["fields"];
    CHECK(fields["valid"] == true);
    CHECK(shown["networks"][0]["routers"].size() == 4);
    // Programs of thread blocks stage what they send in places of their own.
    const int local = fields["local"].is_null() ? 0 : fields["local"].get<int>();
    CHECK(shown["movies"][0]["transfers"]["count"] == fields["transfers"].get<int>() + local);
    CHECK((local > 0) == (std::string(option) == "--msccl-xml"));
    CHECK(fields["transfers"] == 24);
}

TEST_CASE("report shows a sweep's database as it shows its table in CSV", "[cli][report]")
{
    const TemporaryFolder folder;
    const std::string plan = folder / "plan.ini", database = folder / "plan.db", csv = folder / "plan.csv",
                      page = folder / "page.html";
    std::ofstream(plan) << "command = bound\n[sweep]\ntopology = ring:4 mesh:3x3\ncollective = AAS AAB\n";
    text_of({"sweep", plan, "-o", database, "--csv", csv});
    text_of({"report", database, csv, "-o", page});
    json results = data_of(page)["results"];
    REQUIRE(results[0]["table"]["rows"].size() == 4);
    CHECK(results[0]["table"] == results[1]["table"]);
    CHECK(results[0]["made_by"] == results[1]["made_by"]);

    std::filesystem::remove(database);
    std::ofstream(database) << "SQLite format 3";
    const Outcome outcome = run_nocturne({"report", database, "-o", page});
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains("plan.db"));
}

TEST_CASE("the page of an audit begins with its verdict, and draws what was measured below the bound",
          "[cli][report]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "audit.json", page = folder / "page.html";
    std::ofstream(file) << text_of({"audit", PROJECT_FOLDER "/examples/audit/all_reduce_two_boxes.csv",
                                    "--topology", "complete:2", "--link-rate", "63GB/s", "--budget", "0",
                                    "--json"});
    CHECK_THAT(finding_of(file, page), Contains("41.3 of 63 GB/s: 66 % of what the links carry"));
    const json picture = data_of(page)["results"][0]["summary"]["picture"];
    REQUIRE(picture["curves"].size() == 2);
    CHECK(picture["curves"][0]["label"] == "measured, out of place");
    CHECK(picture["curves"][1]["is_model"] == true);
    for (std::size_t i = 0; i < 4; ++i)
        CHECK(picture["curves"][0]["points"][i][1] < picture["curves"][1]["points"][i][1]);
}

} // namespace nocturne::report_command_test
