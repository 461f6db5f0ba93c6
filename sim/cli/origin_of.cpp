#include "sim/cli/origin_of.hpp"

#include "models/topology/input_log.hpp"
#include "sim/cli/command.hpp"

#include <algorithm>
#include <cctype>

namespace nocturne::cli {

namespace {

bool needs_no_quotes(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-_=+.,:/@%").find(c) != std::string_view::npos;
}

std::string quoted(const std::string& word)
{
    if (!word.empty() && std::all_of(word.begin(), word.end(), needs_no_quotes))
        return word;
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + '\'';
}

/// Null for a switch that is off.
nlohmann::ordered_json json_of(const boost::any& value)
{
    if (const auto* text = boost::any_cast<std::string>(&value))
        return *text;
    if (const auto* texts = boost::any_cast<std::vector<std::string>>(&value))
        return *texts;
    if (const auto* count = boost::any_cast<Count>(&value))
        return count->value;
    if (const auto* real = boost::any_cast<double>(&value))
        return *real;
    const auto* is_on = boost::any_cast<bool>(&value);
    return is_on != nullptr && *is_on ? nlohmann::ordered_json(true) : nlohmann::ordered_json();
}

} // namespace

std::string command_line(std::string_view command, const std::vector<std::string>& arguments)
{
    std::string line = "nocturne ";
    line += command;
    for (const std::string& argument : arguments)
        line += ' ' + quoted(argument);
    return line;
}

Origin origin_of(const OptionValues& given)
{
    Origin origin{std::string(version()), given.text(command_line_key), nlohmann::ordered_json::object(),
                  InputLog::remarks_so_far()};
    for (const auto& [name, value] : given.all())
        if (name != command_line_key)
            if (nlohmann::ordered_json json = json_of(value.value()); !json.is_null())
                origin.options[name] = std::move(json);
    return origin;
}

} // namespace nocturne::cli
