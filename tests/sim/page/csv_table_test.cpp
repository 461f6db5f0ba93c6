#include "sim/page/csv_table.hpp"
#include "sim/report/origin.hpp"
#include "sim/report/results.hpp"
#include "sim/report/summary.hpp"
#include "sim/report/traffic_results.hpp"
#include "tests/catch.hpp"
#include "tests/sim/report/sample_results.hpp"

#include <array>

namespace nocturne::csv_table_test {

using Catch::Contains;

TEST_CASE("CSV is read as it is quoted", "[page][csv]")
{
    const auto rows = csv_rows("a,b\r\n\"x,\"\"y\"\"\nz\",\n\n1,2\n", "file");
    REQUIRE(rows.size() == 3);
    CHECK(rows[0] == std::vector<std::string>{"a", "b"});
    CHECK(rows[1] == std::vector<std::string>{"x,\"y\"\nz", ""});
    CHECK(rows[2] == std::vector<std::string>{"1", "2"});
    CHECK(csv_rows("a,b\n1,2", "file").size() == 2); // without an end of line
    CHECK_THROWS_WITH(csv_rows("a,b\n1\n", "file"), Contains("file: row 2 has 1 fields, the first has 2"));
    CHECK_THROWS_WITH(csv_rows("a\n\"x\n", "file"), Contains("file: row 2: a double quote without its end"));
}

TEST_CASE("what a command writes as CSV comes back with units, meanings and origin", "[page][csv]")
{
    const Table table = with_origin(
        table_of("Use", std::vector{ChannelUse{"00->01", 12, 3, 0.5}, ChannelUse{"01->00", 0, 0, 0}}),
        {"0.1.0", "nocturne replay 'a b.json'", {}});
    const std::array kinds{&description_of<ChannelUse>()};
    const nlohmann::ordered_json json = csv_json(csv_of(table), "file", kinds);
    REQUIRE(json["columns"].size() == 4);
    CHECK(json["columns"][1]["name"] == "flits");
    CHECK(json["columns"][3]["meaning"] == description_of<ChannelUse>().fields[3].meaning);
    CHECK(json["rows"] == nlohmann::ordered_json::parse(R"([["00->01", 12, 3, 0.5], ["01->00", 0, 0, 0]])"));
    CHECK(json["made_by"]["command"] == "nocturne replay 'a b.json'");
    CHECK(json["made_by"]["version"] == "0.1.0");
}

TEST_CASE("a result comes back from its table, as far as it is in it", "[page][csv]")
{
    Comparison comparison = sample_comparison();
    comparison.baselines[1].stall = Stall{12, "no flit moved", {}};
    const std::array kinds{&description_of<Comparison>()};
    const std::string csv =
        csv_of(with_origin(table_of("Runs", std::vector{comparison}), {"0.1.0", "c", {}}));
    const nlohmann::ordered_json table = csv_json(csv, "file", kinds);
    const auto result = result_of_table(table, *kinds[0]);
    REQUIRE(result);
    const Comparison read = comparison_of(*result);
    CHECK(headline_of(read) == headline_of(comparison));
    CHECK(read.baselines.size() == comparison.baselines.size());
    CHECK(read.baselines[1].stall == comparison.baselines[1].stall);
    CHECK(read.fit == comparison.fit);
    CHECK_FALSE(result_of_table(table, description_of<TrafficCurve>()));

    // Rows of classes are no points.
    TrafficCurve curve_of_classes;
    curve_of_classes.routing = "xy";
    for (const double load : {0.1, 0.2}) {
        TrafficPoint& point = curve_of_classes.points.emplace_back();
        point.load = load;
        point.classes.resize(2);
        point.classes[0].name = "a";
        point.classes[1].name = "b";
    }
    const std::array of_curves{&description_of<TrafficCurve>()};
    const std::string text = csv_of(table_of("", std::vector{curve_of_classes}));
    const auto curve = result_of_table(csv_json(text, "file", of_curves), *of_curves[0]);
    REQUIRE(curve);
    CHECK((*curve)["routing"] == "xy");
    REQUIRE((*curve)["points"].size() == 2);
    CHECK((*curve)["points"][1]["load"] == 0.2);
}

TEST_CASE("comments may stand before a table", "[page][csv]")
{
    const auto table =
        csv_json("# Which core sends how much, \"made up\"\n# in MB/s\na,b\n# x,1\n", "file", {});
    CHECK(table["columns"].size() == 2);
    CHECK(table["rows"] == nlohmann::ordered_json::parse(R"([["# x", 1]])"));
    CHECK_THROWS_WITH(csv_json("# nothing else", "file", {}), Contains("file: no table"));
}

TEST_CASE("names that look like numbers stay names", "[page][csv]")
{
    const nlohmann::ordered_json json = csv_json("node,value\n00,1e3\n1x,inf\n,0.5\n", "file", {});
    CHECK(json["rows"] == nlohmann::ordered_json::parse(R"([["00", 1000.0], ["1x", "inf"], [null, 0.5]])"));
    CHECK_THROWS_WITH(csv_json("", "file", {}), Contains("file: no table"));
}

} // namespace nocturne::csv_table_test
