// The lists of fields of all results: one vocabulary, and the page that `nocturne man results` makes of them.
#include "tests/catch.hpp"
#include "tests/sim/cli/nocturne_process.hpp"

#include <map>
#include <regex>
#include <set>

namespace nocturne::results_test {

using namespace nocturne::test;
using nlohmann::json;

namespace {

/// All kinds of results, those inside others included.
json all_results()
{
    json results = nocturne_json({"man", "results", "--json"})["results"];
    REQUIRE(results.size() > 40);
    return results;
}

/// Names that say what another name of the vocabulary says; as regular expressions.
const std::vector<std::pair<std::string, std::string>> other_names{
    {"is_optimal|is_least|is_proven|is_exact|at_the_bound|optimum", "optimal"},
    {"(schedule|bounds?)_(valid|holds?)|is_valid|holds", "valid, proven"},
    {"lower_bounds|bound_list", "bounds"},
    {".*(size|length)_bytes|bytes_.*", "bytes, message_bytes"},
    {"cycles|.*_latency_clock_cycles", "time_cycles"},
    {".*distance.*|.*diameter.*", "…_hops"},
    {"origin|provenance", "made_by"},
    {"most_.*|worst_.*|longest_.*steps", "maximum_…"},
    {"mean_.*hops", "average_…_hops"},
    {"time_s|duration.*|elapsed.*", "seconds"},
    {"virtual_channels|num_vcs", "vcs"}};

/// How the name of a field ends whose unit is this.
const std::vector<std::pair<std::string, std::string>> endings{
    {"_ns", "ns"}, {"_cycles", "cycles"}, {"_bytes", "bytes"}, {"_hops", "hops"},    {"seconds", "s"},
    {"_pj", "pJ"}, {"_mw", "mW"},         {"_percent", "%"},   {"_gb_per_s", "GB/s"}};

} // namespace

TEST_CASE("every field has a name, a unit that the name agrees with, and a sentence", "[cli][results]")
{
    for (const json& result : all_results()) {
        CHECK(std::regex_match(result["meaning"].get<std::string>(), std::regex("[^a-z].*\\.")));
        INFO(result["name"] << ": rows of a table are of one kind");
        CHECK(std::ranges::count(result["fields"], json(true),
                                 [](const json& field) { return field["is_table"]; }) <= 1);
        std::set<std::string> names;
        for (const json& field : result["fields"]) {
            const std::string name = field["name"], unit = field["unit"];
            INFO(result["name"] << ": " << name);
            CHECK(std::regex_match(name, std::regex("[a-z][a-z0-9]*(_[a-z0-9]+)*")));
            CHECK(names.insert(name).second);
            const std::string meaning = field["meaning"];
            CHECK(std::regex_match(meaning, std::regex("[^a-z ].*[.]")));
            // Understood without the name before it: "Transfers of the schedule.", not "Of the schedule."
            const std::regex riddle(
                "(Of|That|Those|Its?|What|Which|Who|Does|Do|Did|Is|Has|Was|Can|In which) .*");
            CHECK_FALSE(std::regex_match(meaning, riddle));
            for (const auto& [ending, of] : endings) {
                if (name.ends_with(ending))
                    CHECK(unit == of);
                if (unit == of && of != "bytes") // `bytes` alone is a name
                    CHECK(name.ends_with(ending));
            }
        }
    }
}

TEST_CASE("one thing has one name", "[cli][results]")
{
    for (const json& result : all_results())
        for (const json& field : result["fields"])
            for (const auto& [others, name] : other_names) {
                INFO(result["name"] << ": " << field["name"] << " should be " << name);
                CHECK_FALSE(std::regex_match(field["name"].get<std::string>(), std::regex(others)));
            }
}

TEST_CASE("one name has one unit", "[cli][results]")
{
    std::map<std::string, std::string> units;
    for (const json& result : all_results())
        for (const json& field : result["fields"]) {
            const auto [known, is_new] = units.emplace(field["name"], field["unit"]);
            INFO(result["name"] << ": " << field["name"]);
            CHECK(known->second == field["unit"].get<std::string>());
        }
}

TEST_CASE("where a run says its cycles it says its time, too", "[cli][results]")
{
    // A search knows no hardware, and so no length of a cycle.
    const std::set<std::string> without_hardware{"bound row", "figures of chunks", "schedule", "validate"};
    for (const json& result : all_results()) {
        std::set<std::string> names;
        for (const json& field : result["fields"])
            names.insert(field["name"]);
        INFO(result["name"]);
        if (names.contains("time_cycles") && !without_hardware.contains(result["name"]))
            CHECK(names.contains("time_ns"));
    }
}

TEST_CASE("the page of results has a row for every field of every result", "[cli][results][documentation]")
{
    const std::string page = text_of({"man", "results"});
    for (const json& result : all_results()) {
        const std::string name = result["name"];
        const std::size_t begin = page.find("\n## " + name + "\n");
        REQUIRE(begin != std::string::npos);
        const std::string section = page.substr(begin, page.find("\n## ", begin + 1) - begin);
        for (const json& field : result["fields"])
            CHECK_THAT(section, Catch::Contains("\n| `" + field["name"].get<std::string>() + "` | " +
                                                field["unit"].get<std::string>() + " | " +
                                                field["meaning"].get<std::string>()));
    }
}

} // namespace nocturne::results_test
