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
    nlohmann::json options = nlohmann::json::object(); // by name
    for (const OptionRow& row : given.options().rows())
        if (nlohmann::json value = given.json(row); !value.is_null())
            options[row.long_name()] = std::move(value);
    return {std::string(version()), given.call(), options, InputLog::remarks_so_far()};
}

} // namespace nocturne::cli
