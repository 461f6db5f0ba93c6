// Tables and logs of traffic, read as a reader has them.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"
#include "tests/temporary_folder.hpp"

#include <boost/algorithm/string/split.hpp>

#include <algorithm>
#include <map>
#include <sstream>

namespace nocturne::traffic_figures_test {

using namespace nocturne::test;
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
}

TEST_CASE("a table has lines of 100 characters, with --wide one line a row", "[cli][traffic]")
{
    const auto lines_of = [](const Arguments& more) {
        const Arguments points{"traffic", "mesh:4x4", "--load", "0.1,0.2", "--window", "500"};
        std::vector<std::string> lines;
        return boost::split(lines, text_of(with(points, more)), [](char c) { return c == '\n'; });
    };
    const auto is_row = [](const std::string& line) { return line.find("0.1000 ") < 20; };
    const auto is_wide = [](const std::string& line) { return line.size() > 100; };
    const std::vector<std::string> narrow = lines_of({}), wide = lines_of({"--wide"});
    CHECK(std::ranges::none_of(narrow, is_wide));
    CHECK(std::ranges::count_if(narrow, is_row) == 2);
    CHECK(std::ranges::count_if(wide, is_row) == 1);
    CHECK(std::ranges::any_of(wide, is_wide));
}

TEST_CASE("a packet log whose name ends in .bin is binary", "[cli][traffic]")
{
    const std::string model = GENERATE("flit", "worm");
    const TemporaryFolder folder;
    const json point = nocturne_json(
        with({"traffic", "mesh:3x3", "--packet-log", folder / "log.bin", "--model", model, "--json"},
             quick))["curves"][0]["points"][0];
    const std::string log = content_of(folder / "log.bin");
    const std::size_t begin = log.find('\n') + 1;
    const json header = json::parse(log.substr(0, begin));
    CHECK(header["processors"].size() == 9);
    CHECK(log.size() - begin ==
          header["record_bytes"].get<std::size_t>() * point["packets"].get<std::size_t>());
}

} // namespace nocturne::traffic_figures_test
