// What tables say at first sight, written by hand.
#include "sim/report/summary.hpp"
#include "sim/report/table.hpp"
#include "sim/report/traffic_results.hpp"
#include "tests/catch.hpp"

#include <string>
#include <utility>
#include <vector>

namespace nocturne::table_summary_test {

using Catch::Contains;

TEST_CASE("a table says what was varied, where it is least and most, and its failures first",
          "[report][summary]")
{
    nlohmann::ordered_json table{{"columns", nlohmann::ordered_json::array()},
                                 {"rows", nlohmann::ordered_json::array()}};
    for (const char* const name : {"point", "message_bytes", "routing", "vcs", "status", "error", "time_ns"})
        table["columns"].push_back(
            {{"name", name}, {"unit", std::string(name).ends_with("_ns") ? "ns" : ""}});
    table["rows"] = {{0, 64, "xy", 2, 0, nullptr, 10.0},  {1, 64, "yx", 2, 0, nullptr, 20.0},
                     {2, 128, "xy", 2, 0, nullptr, 12.0}, {3, 128, "yx", 2, 1, "no path", nullptr},
                     {4, 256, "xy", 2, 0, nullptr, 14.0}, {5, 256, "yx", 2, 0, nullptr, 40.0}};
    const auto summary = summary_of_table(table);
    REQUIRE(summary);
    CHECK(summary->subject == "6 points by message bytes (3) and routing (2)");
    CHECK(summary->headline ==
          "1 of 6 points failed. Time (ns): from 10 with message bytes 64 (xy) to 40 with "
          "message bytes 256 (yx).");
    CHECK(summary->reasons == std::vector<std::string>{"message bytes 128 (yx): no path"});
    const auto& plot = std::get<LinePlot>(summary->picture);
    REQUIRE(plot.curves.size() == 2);
    CHECK(plot.curves[0].label == "xy");
    CHECK(plot.curves[1].points == std::vector<std::pair<double, double>>{{64, 20}, {256, 40}});
}

TEST_CASE("over two parameters saturation is a matrix, and one of them divides many curves",
          "[report][summary]")
{
    nlohmann::ordered_json table{{"columns", nlohmann::ordered_json::array()},
                                 {"rows", nlohmann::ordered_json::array()}};
    for (const char* const name :
         {"point", "load", "routing", "vcs", "status", "error", "saturated", "average_packet_latency_cycles"})
        table["columns"].push_back({{"name", name}, {"unit", ""}});
    const std::vector<std::string> routings{"xy", "odd_even", "west_first"};
    const auto steady_loads = [](std::size_t i, std::size_t j) { return (i + j) % 4; };
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t load = 1; load <= 3; ++load) {
                const bool is_steady = load <= steady_loads(i, j);
                table["rows"].push_back({table["rows"].size(), 0.1 * static_cast<double>(load), routings[i],
                                         j + 1, 0, nullptr, !is_steady,
                                         is_steady ? nlohmann::ordered_json(20.0) : nullptr});
            }
    const auto summary = summary_of_table(table);
    REQUIRE(summary);
    CHECK_FALSE(summary->is_bad);
    const auto& plots = std::get<SmallMultiples>(summary->picture).plots;
    REQUIRE(plots.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(plots[i].title == routings[i]);
        REQUIRE(plots[i].curves.size() == 3);
        CHECK(plots[i].curves[2].label == "vcs 3");
    }
    const auto& matrix = std::get<Table>(summary->table);
    REQUIRE(matrix.rows.size() == 3);
    REQUIRE(matrix.columns.size() == 4);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            INFO(routings[i] << ", column " << matrix.columns[j + 1].name);
            CHECK(matrix.rows[i].front() == Cell(routings[i]));
            const std::string expected[] = {"< 0.1", "0.100", "0.200", "> 0.3"};
            CHECK(cell_text(matrix.rows[i][j + 1]) == expected[steady_loads(i, j)]);
        }

    // A run that failed is no point of a curve.
    table["rows"][0][4] = 2;
    table["rows"][0][5] = "no path";
    const auto failed = summary_of_table(table);
    CHECK_THAT(failed->headline, Contains("1 of 27 points failed."));
    CHECK(failed->reasons == std::vector<std::string>{"load 0.1 (xy, vcs 1): no path"});
}

TEST_CASE("runs with other seeds are one curve, and one load is none", "[report][summary]")
{
    nlohmann::ordered_json table{{"columns", nlohmann::ordered_json::array()},
                                 {"rows", nlohmann::ordered_json::array()}};
    for (const char* const name : {"point", "load", "seed", "status", "error", "saturated"})
        table["columns"].push_back({{"name", name}, {"unit", ""}});
    table["columns"].push_back({{"name", "average_packet_latency_cycles"}, {"unit", "cycles"}});
    table["rows"] = {{0, 0.1, 1, 0, nullptr, false, 20.0},
                     {1, 0.1, 2, 0, nullptr, false, 30.0},
                     {2, 0.2, 1, 0, nullptr, false, 50.0},
                     {3, 0.2, 2, 0, nullptr, true, nullptr}};
    const auto curves = summary_of_table(table);
    REQUIRE(curves);
    CHECK(curves->headline ==
          "The network saturates between 0.1 and 0.2 flits per processor and cycle. At load "
          "0.1 a packet takes 25 cycles. Each point is a mean over 2 seeds.");
    const auto& plot = std::get<LinePlot>(curves->picture);
    REQUIRE(plot.curves.size() == 1);
    CHECK(plot.curves[0].points.front() == std::pair(0.1, 25.0));

    table["rows"] = {{2, 0.2, 1, 0, nullptr, false, 50.0}, {3, 0.2, 2, 0, nullptr, true, nullptr}};
    CHECK(summary_of_table(table)->headline == "1 of 2 points saturate the network.");
}

namespace {

/// A sweep's table: the options, then a point's status and results.
nlohmann::ordered_json sweep_of(const std::vector<std::string>& options,
                                const std::vector<std::string>& results)
{
    nlohmann::ordered_json table{{"columns", nlohmann::ordered_json::array()},
                                 {"rows", nlohmann::ordered_json::array()}};
    std::vector<std::string> names{"point"};
    names.insert(names.end(), options.begin(), options.end());
    names.insert(names.end(), {"status", "error"});
    names.insert(names.end(), results.begin(), results.end());
    for (const std::string& name : names)
        table["columns"].push_back({{"name", name}, {"unit", name.ends_with("_cycles") ? "cycles" : ""}});
    return table;
}

} // namespace

TEST_CASE("an option that a point does not have is told apart from those that it may have",
          "[report][summary]")
{
    auto table = sweep_of({"buffer_flits", "load"}, {"saturated", "average_packet_latency_cycles"});
    table["rows"] = {{0, nullptr, 0.1, 0, nullptr, false, 20.0},
                     {1, nullptr, 0.2, 0, nullptr, false, 25.0},
                     {2, 2, 0.1, 0, nullptr, false, 40.0},
                     {3, 2, 0.2, 0, nullptr, true, nullptr}};
    const auto curves = summary_of_table(table);
    REQUIRE(curves);
    CHECK(curves->subject == "4 points by buffer flits (2) and load (2)");
    const auto& plot = std::get<LinePlot>(curves->picture);
    REQUIRE(plot.curves.size() == 2);
    CHECK(plot.curves[0].label == "buffer flits not given");
    CHECK(plot.curves[0].points == std::vector<std::pair<double, double>>{{0.1, 20}, {0.2, 25}});
    CHECK(plot.curves[1].label == "buffer flits 2");

    auto values = sweep_of({"fault", "vcs"}, {"time_ns"});
    values["rows"] = {{0, nullptr, 1, 0, nullptr, 10.0}, {1, "link:0-1", 1, 0, nullptr, 20.0}};
    CHECK(summary_of_table(values)->headline == "Time ns: from 10 with fault not given to 20 with link:0-1.");
}

TEST_CASE("classes of traffic are rows of one run, drawn over the load of all", "[report][summary]")
{
    auto table =
        sweep_of({"arbiter"}, {"load", "saturated", "average_packet_latency_cycles", "traffic_class"});
    table["rows"] = {{0, "priority", 0, nullptr, 0.22, false, 27.0, nullptr},
                     {0, "priority", 0, nullptr, 0.02, nullptr, 21.0, "control"},
                     {0, "priority", 0, nullptr, 0.20, nullptr, 32.0, "data"},
                     {1, "age", 2, "not so", nullptr, nullptr, nullptr, nullptr}};
    const auto summary = summary_of_table(table);
    REQUIRE(summary);
    CHECK(summary->headline ==
          "1 of 2 points failed. No load up to 0.22 saturates the network. At load 0.22 a "
          "packet takes 21 to 32 cycles.");
    const auto& plot = std::get<LinePlot>(summary->picture);
    REQUIRE(plot.curves.size() == 3);
    for (const Curve& curve : plot.curves)
        CHECK(curve.points.front().first == 0.22);
    CHECK(plot.curves[0].label == "priority (all traffic)");
    CHECK(plot.curves[2].label == "priority (data)");
}

TEST_CASE("a point with several sizes is drawn over these, and closed loops by what is answered",
          "[report][summary]")
{
    auto table = sweep_of({"closed_loop", "vcs"}, {"outstanding", "answered_rate", "time_ns"});
    table["rows"] = {{0, "1,4", 2, 0, nullptr, 1, 0.02, 12000.0},
                     {0, "1,4", 2, 0, nullptr, 4, 0.05, 12100.0},
                     {1, "1,4", 4, 0, nullptr, 1, 0.02, 12200.0},
                     {1, "1,4", 4, 0, nullptr, 4, 0.07, 12300.0}};
    const auto summary = summary_of_table(table);
    REQUIRE(summary);
    CHECK(summary->subject == "2 points by vcs (2) and outstanding (2)");
    CHECK(summary->headline ==
          "Answered rate: from 0.02 with vcs 2 (outstanding 1) to 0.07 with vcs 4 (outstanding 4).");
    CHECK(std::get<LinePlot>(summary->picture).curves.size() == 2);
}

TEST_CASE("packets that faults lose are said beside the latency of the others", "[report][summary]")
{
    auto table = sweep_of({"fault"}, {"load", "measured_packets", "faults_measured_lost_packets", "saturated",
                                      "average_packet_latency_cycles"});
    table["rows"] = {{0, "link:0-1", 0, nullptr, 0.1, 1000.0, 0.0, false, 24.0},
                     {1, "node:3", 0, nullptr, 0.1, 1000.0, 260.0, false, 22.0}};
    CHECK_THAT(summary_of_table(table)->headline,
               Contains(" Faults lose 26 % of the packets (260 of 1000, with node:3)."));

    TrafficCurve curve;
    TrafficPoint& point = curve.points.emplace_back();
    point.load = 0.1;
    point.latency.average_packet_latency_cycles = 22;
    point.measured_packets = 1000;
    point.faults.emplace().measured_lost_packets = 260;
    CHECK_THAT(summary_of("traffic", {{"curves", std::vector{curve}}})->headline,
               Contains("Faults lose 26 % of the packets (260 of 1000, at load 0.1)."));
}

TEST_CASE("a table of names says which has the least and the most, a single row what it holds",
          "[report][summary]")
{
    auto table = nlohmann::ordered_json::parse(
        R"({"columns": [{"name": "fault", "unit": ""}, {"name": "steps", "unit": ""}],
            "rows": [["none", 2], ["link:0-1", 4]]})");
    const auto names = summary_of_table(table);
    REQUIRE(names);
    CHECK(names->headline == "Steps: from 2 with none to 4 with link:0-1.");
    table["rows"].erase(std::size_t{1});
    CHECK(summary_of_table(table)->headline == "Fault none, steps 2.");
}

} // namespace nocturne::table_summary_test
