#include "sim/report/table.hpp"
#include "tests/catch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace nocturne::table_test {

namespace {

Table sample()
{
    Table table{
        "Replay", {{"schedule", "", Align::left}, {"hop overhead", "ns"}, {"steps", ""}, {"load", "%"}}, {}};
    table.add_row({"omega8 µ", Real{238.25, 1}, std::uint64_t{7}, Cell()});
    table.add_row({"a, \"b\"", Real{1.0 / 3, 3}, std::uint64_t{18446744073709551615U}, Real{12.5, 0}});
    return table;
}

std::string text_of(const Table& table)
{
    std::ostringstream out;
    print_text(out, table);
    return out.str();
}

/// A reader of RFC 4180, as strict as the standard.
std::vector<std::vector<std::string>> parse_csv(const std::string& text)
{
    std::vector<std::vector<std::string>> records(1, {""});
    bool is_quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string& field = records.back().back();
        if (is_quoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"')
            field += text[i++];
        else if (text[i] == '"')
            is_quoted = !is_quoted;
        else if (!is_quoted && text[i] == ',')
            records.back().emplace_back();
        else if (!is_quoted && text[i] == '\n')
            records.push_back({""});
        else
            field += text[i];
    }
    records.pop_back();
    return records;
}

} // namespace

TEST_CASE("the terminal table is aligned, with headers wrapped to their columns", "[report][table]")
{
    CHECK(text_of(sample()) == "Replay\n"
                               "               hop\n"
                               "          overhead                        load\n"
                               "schedule      (ns)                 steps   (%)\n"
                               "--------  --------  --------------------  ----\n"
                               "omega8 µ     238.2                     7     -\n"
                               "a, \"b\"       0.333  18446744073709551615    12\n");
}

TEST_CASE("a table of more than 100 characters is in parts that name their rows, unless it may be wide",
          "[report][table]")
{
    Table table{"A title " + std::string(50, 'x') + " of more than " + std::string(50, 'y'), {}, {}};
    table.columns.push_back({"name", "", Align::left});
    std::vector<Cell> row{"µ"};
    for (unsigned i = 0; i < 12; ++i) {
        table.columns.push_back({"figure", fmt::format("unit {}", i)});
        row.push_back(Real{1e9 + i});
    }
    table.add_row(row);
    std::istringstream lines(text_of(table));
    std::size_t names = 0;
    std::size_t figures = 0;
    for (std::string line; std::getline(lines, line);) {
        CHECK(line.size() <= 101); // µ is two bytes
        names += line.starts_with("µ") ? 1 : 0;
        for (std::size_t at = 0; (at = line.find("10000000", at)) != std::string::npos; ++at)
            ++figures;
    }
    CHECK(names == 2);
    CHECK(figures == 12);
    std::ostringstream wide;
    print_text(wide << wide_tables, table);
    CHECK_THAT(wide.str(), Catch::Contains(table.title + '\n'));
    std::ostringstream other;
    print_text(other, table);
    CHECK(other.str() == text_of(table)); // another stream has not been told
    CHECK(std::ranges::count(wide.str(), '\n') < std::ranges::count(other.str(), '\n'));
}

TEST_CASE("control characters of a name do not reach the terminal", "[report][table]")
{
    Table table{"title\x1b[2J", {{"name", "", Align::left}}, {}};
    table.add_row({std::string("a\tb\x7f\x1b]0;x\a\n")});
    std::ostringstream out;
    print_text(out, table);
    for (const char c : out.str())
        CHECK((c == '\n' || (c >= ' ' && c != 0x7f)));
    CHECK(out.str().find("a b  ]0;x") != std::string::npos);
}

TEST_CASE("CSV has keys with units, quotes what needs it, and keeps every digit", "[report][table]")
{
    CHECK(csv_of(sample()) == "schedule,hop_overhead_ns,steps,load_percent\n"
                              "omega8 µ,238.25,7,\n"
                              "\"a, \"\"b\"\"\",0.3333333333333333,18446744073709551615,12.5\n");
}

TEST_CASE("any text comes back from CSV as it was", "[report][table]")
{
    const std::string text =
        GENERATE("", "plain", " spaces ", "comma, and \"quote\"", "\"", "two\nlines", "\r\n", ",,");
    Table table{"", {{"a", ""}, {"b", ""}}, {}};
    table.add_row({text, "x"});
    table.add_row({"y", text});
    const auto records = parse_csv(csv_of(table));
    REQUIRE(records.size() == 3);
    CHECK(records[1] == std::vector<std::string>{text, "x"});
    CHECK(records[2] == std::vector<std::string>{"y", text});
}

TEST_CASE("JSON has one object a row", "[report][table]")
{
    const nlohmann::json rows = table_json(sample());
    REQUIRE(rows.size() == 2);
    CHECK(rows[0] == nlohmann::json{{"schedule", "omega8 µ"},
                                    {"hop_overhead_ns", 238.25},
                                    {"steps", 7},
                                    {"load_percent", nullptr}});
    CHECK(rows[1]["steps"] == 18446744073709551615U);
    CHECK(table_json({"", {{"a", ""}}, {}}) == nlohmann::json::array());
}

TEST_CASE("a number that is not finite is an empty field of CSV", "[report][table]")
{
    Table table{"", {{"a", ""}, {"b", ""}}, {}};
    table.add_row(
        {Real{std::numeric_limits<double>::infinity()}, Real{std::numeric_limits<double>::quiet_NaN()}});
    CHECK(csv_of(table) == "a,b\n,\n");
}

TEST_CASE("column keys are names for programs", "[report][table]")
{
    CHECK(column_key({"t1", "ns/byte"}) == "t1_ns_per_byte");
    CHECK(column_key({"Utilisation", "%"}) == "utilisation_percent");
    CHECK(column_key({"time over schedule", ""}) == "time_over_schedule");
    CHECK(column_key({"all at once, minimal", "ns"}) == "all_at_once_minimal_ns");
}

TEST_CASE("a row of another length is refused", "[report][table]")
{
    Table table = sample();
    CHECK_THROWS_AS(table.add_row({"one"}), std::invalid_argument);
    CHECK(table.rows.size() == 2);
}

TEST_CASE("text that is the same in every row moves into the title", "[report][table]")
{
    Table table{"Replay", {{"topology", ""}, {"traffic", ""}, {"steps", ""}}, {}};
    CHECK(fold_constant_columns(table).columns.size() == 3);
    table.add_row({"omega:8", "shifted", std::uint64_t{7}});
    table.add_row({"omega:8", "random", std::uint64_t{7}});
    const Table folded = fold_constant_columns(table);
    CHECK(folded.title == "Replay (topology omega:8)");
    CHECK(table_json(folded) ==
          nlohmann::json{{{"traffic", "shifted"}, {"steps", 7}}, {{"traffic", "random"}, {"steps", 7}}});
}

TEST_CASE("a small number is not shown as none", "[report][table]")
{
    Table table{"", {{"load", ""}}, {}};
    for (const double load : {0.0, 1e-15, 0.00004, 0.00005, 0.1})
        table.add_row({Real{load, 4}});
    std::ostringstream text;
    print_text(text, table);
    CHECK_THAT(text.str(), Catch::EndsWith("\n0.0000\n 1e-15\n 4e-05\n0.0001\n0.1000\n"));
}

} // namespace nocturne::table_test
