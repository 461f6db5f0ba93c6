// What results of traffic say of classes, and what they cannot say.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"
#include "tests/temporary_folder.hpp"

#include <boost/algorithm/string/split.hpp>

#include <map>
#include <set>
#include <sstream>

namespace nocturne::traffic_figures_test {

using namespace nocturne::test;
using Catch::Contains;
using nlohmann::json;

namespace {

const Arguments quick{"--warm-up", "500", "--window", "3000", "--drain", "3000"};

} // namespace

TEST_CASE("classes have rows in tables, flows and histograms", "[cli][traffic][classes]")
{
    const TemporaryFolder folder;
    const json result = nocturne_json(with(
        {"traffic", "mesh:3x3", "--class", "a,load=0.1", "--class", "b,load=0.05,packet-flits=1", "--csv",
         folder / "t.csv", "--flows", folder / "f.csv", "--histogram", folder / "h.csv", "--json"},
        quick));
    const json point = result["curves"][0]["points"][0];
    const auto rows_of = [&](const std::string& file) {
        std::istringstream text(content_of(folder / file));
        std::vector<std::map<std::string, std::string>> rows;
        std::vector<std::string> names;
        for (std::string line; std::getline(text, line);) {
            std::vector<std::string> fields;
            boost::split(fields, line, [](char c) { return c == ','; });
            if (names.empty()) {
                names = fields;
                continue;
            }
            auto& row = rows.emplace_back();
            for (std::size_t i = 0; i < names.size(); ++i)
                row[names[i]] = fields[i];
        }
        return rows;
    };
    const auto packets_of = [&](const std::string& file, const std::string& of_class) {
        std::uint64_t packets = 0;
        for (const auto& row : rows_of(file))
            packets += row.at("traffic_class") == of_class ? std::stoul(row.at("packets")) : 0;
        return packets;
    };
    const auto table = rows_of("t.csv");
    REQUIRE(table.size() == 3);
    CHECK(table[0].at("traffic_class").empty());
    CHECK(table[0].at("packets") == std::to_string(point["packets"].get<int>()));
    for (std::size_t i = 0; i < 2; ++i) {
        const auto& row = table[i + 1];
        const json& of_class = point["classes"][i];
        CHECK(row.at("topology") == "mesh:3x3");
        CHECK(row.at("traffic_class") == of_class["traffic_class"].get<std::string>());
        CHECK(row.at("blocked_cycles").empty()); // of all classes
        for (const char* const figure : {"packets", "measured_packets", "maximum_packet_latency_cycles"})
            CHECK(row.at(figure) == std::to_string(of_class[figure].get<int>()));
        CHECK(std::stod(row.at("average_packet_latency_cycles")) ==
              Approx(of_class["average_packet_latency_cycles"].get<double>()));
        CHECK(packets_of("h.csv", row.at("traffic_class")) == of_class["measured_packets"]);
        CHECK(packets_of("f.csv", row.at("traffic_class")) == of_class["measured_packets"]);
    }
    const std::string text = text_of(with(
        {"traffic", "mesh:3x3", "--class", "a,load=0.1", "--class", "b,load=0.05,packet-flits=1"}, quick));
    CHECK_THAT(text, Contains("Classes"));
}

TEST_CASE("requests and replies are told apart in flows", "[cli][traffic]")
{
    const TemporaryFolder folder;
    const json result = nocturne_json({"traffic", "mesh:2x2", "--closed-loop", "1", "--warm-up", "100",
                                       "--window", "1000", "--flows", folder / "f.csv", "--json"});
    std::set<std::string> classes;
    for (const json& flow : result["closed_loop"][0]["flows"])
        classes.insert(flow["traffic_class"].get<std::string>());
    CHECK(classes == std::set<std::string>{"reply", "request"});
}

TEST_CASE("what a window cannot tell is said", "[cli][traffic]")
{
    const Outcome empty = run_nocturne(
        {"traffic", "mesh:3x3", "--load", "1e-9", "--warm-up", "10", "--window", "100", "--json"});
    CHECK_THAT(empty.err, Contains("mesh:3x3: load 1e-09: no packet was created in the 100 cycles"));
    CHECK(json::parse(empty.out)["curves"][0]["points"][0]["accepted_flit_rate_error"].is_null());
    const auto notes = [](const std::string& arrivals) {
        return run_nocturne({"traffic", "mesh:3x3", "--load", "0.1", "--warm-up", "10", "--window", "2000",
                             "--arrivals", arrivals})
            .err;
    };
    CHECK_THAT(notes("pareto"), Contains("arrivals pareto: they are self-similar"));
    CHECK_THAT(notes("bursty:1000"), Contains("arrivals bursty:1000: a window of 2000 cycles has few"));
    CHECK_THAT(notes("mmpp:1,100,3,500"), Contains("states of 500 cycles"));
    CHECK_THAT(notes("periodic"), Contains("arrivals periodic: where a processor begins"));
    CHECK(notes("bursty:10").empty());
    CHECK(notes("bernoulli").empty());
    const TemporaryFolder folder;
    const std::string trace = folder.file("trace.csv", "cycle,source,destination,bytes,after\n1,#0,#1,4,\n");
    const Arguments short_trace{"traffic", "mesh:3x3", "--trace", trace, "--channel-use"};
    CHECK(run_nocturne(short_trace).status == 0);
}

} // namespace nocturne::traffic_figures_test
