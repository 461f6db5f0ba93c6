#include "sim/cli/verdict_files.hpp"

#include "models/topology/files.hpp"
#include "schedules/schedule/validator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>

namespace nocturne::cli {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// With its place in a file of another tool, if it has one.
std::string line_of(const ViolationRow& row)
{
    return row.place.empty() ? row.violation.text : fmt::format("{}: {}", row.place, row.violation.text);
}

/// `step 2, transfer 5`, from 1; empty for a violation of the whole schedule.
std::string location_of(const Violation& violation)
{
    std::string text = violation.step ? fmt::format("step {}", *violation.step + 1) : "";
    if (violation.transfer)
        text += fmt::format("{}transfer {}", text.empty() ? "" : ", ", *violation.transfer + 1);
    return text;
}

OrderedJson sarif_result(const std::string& file, const ViolationRow& row)
{
    OrderedJson place{{"physicalLocation", {{"artifactLocation", {{"uri", file}}}}}};
    const std::string logical = row.place.empty() ? location_of(row.violation) : row.place;
    if (!logical.empty())
        place["logicalLocations"] = OrderedJson::array({{{"name", logical}}});
    return {{"ruleId", to_string(row.violation.rule)},
            {"level", "error"},
            {"message", {{"text", row.violation.text}}},
            {"locations", OrderedJson::array({std::move(place)})}};
}

} // namespace

std::string junit_text(const std::string& file, const std::vector<ViolationRow>& violations)
{
    pugi::xml_document document;
    pugi::xml_node suite = document.append_child("testsuites").append_child("testsuite");
    suite.append_attribute("name") = "nocturne validate";
    suite.append_attribute("tests") = rule_table.size();
    pugi::xml_attribute failures = suite.append_attribute("failures");
    std::size_t broken = 0;
    for (const RuleEntry& rule : rule_table) {
        pugi::xml_node test = suite.append_child("testcase");
        test.append_attribute("classname") = file.c_str();
        test.append_attribute("name") = std::string(rule.name).c_str();
        std::string text;
        for (const ViolationRow& row : violations)
            if (row.violation.rule == rule.rule)
                text += line_of(row) + '\n';
        if (text.empty())
            continue;
        ++broken;
        pugi::xml_node failure = test.append_child("failure");
        failure.append_attribute("message") = std::string(rule.demands).c_str();
        failure.append_child(pugi::node_pcdata).set_value(text.c_str());
    }
    failures = broken;
    std::ostringstream out;
    document.save(out, "  ", pugi::format_default, pugi::encoding_utf8);
    return out.str();
}

OrderedJson sarif_log(const std::string& file, const std::vector<ViolationRow>& violations)
{
    OrderedJson rules = OrderedJson::array(), results = OrderedJson::array();
    for (const RuleEntry& rule : rule_table)
        if (std::ranges::any_of(violations,
                                [&](const ViolationRow& row) { return row.violation.rule == rule.rule; }))
            rules.push_back({{"id", rule.name}, {"shortDescription", {{"text", rule.demands}}}});
    for (const ViolationRow& row : violations)
        results.push_back(sarif_result(file, row));
    OrderedJson driver{{"name", "nocturne"}, {"version", NOCTURNE_VERSION}, {"rules", std::move(rules)}};
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs", OrderedJson::array(
                         {{{"tool", {{"driver", std::move(driver)}}}, {"results", std::move(results)}}})}};
}

void write_verdict_files(const std::vector<ViolationRow>& violations, const OptionValues& given)
{
    const std::string judged = given.text("schedule");
    if (given.has("junit"))
        write_file_atomically(given.text("junit"), junit_text(judged, violations));
    if (given.has("sarif"))
        write_file_atomically(given.text("sarif"), sarif_log(judged, violations).dump(2) + '\n');
}

} // namespace nocturne::cli
