// Results of commands: as JSON with --json, or as each command prints them.
#pragma once

#include "sim/cli/option_values.hpp"
#include "sim/report/fields.hpp"

#include <nlohmann/json.hpp>

#include <string_view>
#include <vector>

namespace nocturne::cli {

/// An object with the kind of the result as "result", its fields, and its origin as "made_by".
nlohmann::ordered_json with_origin(const ResultDescription& kind, const nlohmann::ordered_json& fields,
                                   const OptionValues& given);
template <HasFields Result>
nlohmann::ordered_json document_of(const Result& result, const OptionValues& given)
{
    return with_origin(description_of<Result>(), result, given);
}

void print_json(const nlohmann::ordered_json& document);
/// With --json, the document; otherwise what `print` prints.
template <HasFields Result, class Print>
void print_result(const Result& result, const OptionValues& given, Print print)
{
    if (given.is_on("json"))
        print_json(document_of(result, given));
    else
        print();
}

/// Of one result, a line for each of its figures that there are: name, value, unit; lists in one line,
/// separated by commas. Objects and rows are left out.
void print_figures(const ResultDescription& kind, const nlohmann::ordered_json& fields);
template <HasFields Result>
void print_figures(const Result& result)
{
    print_figures(description_of<Result>(), result);
}
/// A table as people read it, behind an empty line.
void print_below(const Table& table);

/// Those of all commands, in the order of their documentation. A table that does not say what it is is taken
/// for the first that it can be.
std::vector<const ResultDescription*> all_results();
/// That of the name; null if there is none.
const ResultDescription* find_result(std::string_view name);

} // namespace nocturne::cli
