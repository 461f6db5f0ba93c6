// `nocturne report`: a page out of files of every kind.
#include "tests/sim/cli/nocturne_process.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

namespace nocturne::report_command_test {

using namespace nocturne::test;
using Catch::Matchers::Contains;
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

} // namespace

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

TEST_CASE("report refuses what it cannot show in one line", "[cli][report]")
{
    const TemporaryFolder folder;
    const std::string file = folder / "file.json", page = folder / "page.html";
    const auto refused = [&](const std::string& text) {
        std::ofstream(file) << text;
        const Outcome outcome = run_nocturne({"report", file, "-o", page});
        CHECK(outcome.status == 2);
        CHECK(!std::filesystem::exists(page));
        return outcome.err;
    };
    CHECK_THAT(refused("{\"a\": 1}"), Contains("this is no result"));
    CHECK_THAT(refused("{\"result\": \"nonsense\"}"), Contains("this is no result"));
    CHECK_THAT(refused("{\"result\": "), Contains("this is no JSON"));
    CHECK_THAT(refused(R"({"result": "replay", "replays": [], "recording": {"network": 1}})"),
               Contains("its recording cannot be read"));
    CHECK_THAT(refused("text"), Contains("a report is of results"));
    CHECK(run_nocturne({"report"}).status == 2);
}

} // namespace nocturne::report_command_test
