// A program that measures what no command does: it gets the settings of its testbench from the driver, and
// hands back tables, which the driver prints, compares, writes and draws.
#pragma once

#include "models/text/number.hpp"
#include "sim/report/table.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nocturne::testbench {

struct Measured {
    std::vector<std::pair<std::string, Table>> tables; ///< by the names that testbench.toml has for them
    std::vector<std::string> failed = {};              ///< a line for all that is not as it should be
    std::vector<std::pair<std::string, std::string>> files = {}; ///< names and texts, for the output folder
};

/// Of the names those that have the text of --only in them (`settings["only"]`). Throws std::invalid_argument
/// if there are none: a testbench that examines nothing has shown nothing.
std::vector<std::string> chosen(const nlohmann::json& settings, const std::string& names);

/// The text in a column of a row of a CSV file, which the settings have as an object. Throws std::exception
/// if there is none.
std::string text_in(const nlohmann::json& row, const char* column);
/// The number in a column; nothing if it is empty. Throws std::invalid_argument, naming the column, for
/// another text.
template <class Number>
std::optional<Number> number_if_any(const nlohmann::json& row, const char* column)
{
    const std::string text = text_in(row, column);
    if (text.empty())
        return std::nullopt;
    const auto number = number_of<Number>(text);
    if (!number)
        throw std::invalid_argument(std::string(column) + " '" + text + "' is no number");
    return number;
}
/// The same where it must not be empty.
template <class Number>
Number number_in(const nlohmann::json& row, const char* column)
{
    const auto number = number_if_any<Number>(row, column);
    if (!number)
        throw std::invalid_argument(std::string(column) + " is missing");
    return *number;
}

/// The exit status of the program's main(): the settings are its argument, as JSON (testbench.toml, with
/// `only`, `workers` and `folder`, that of the testbench). What was measured goes to standard output as JSON,
/// tables as CSV. 2 with one line on standard error if something throws, and what the shell expects after a
/// signal.
int run(int argc, char* argv[], std::string_view name,
        const std::function<Measured(const nlohmann::json& settings)>& measure);

} // namespace nocturne::testbench
