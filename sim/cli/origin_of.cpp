#include "sim/cli/origin_of.hpp"

#include "models/text/shell_word.hpp"
#include "models/topology/input_log.hpp"
#include "sim/cli/command.hpp"

namespace nocturne::cli {

std::string command_line(std::string_view command, const std::vector<std::string>& arguments)
{
    std::string line = "nocturne ";
    line += command;
    for (const std::string& argument : arguments)
        line += ' ' + shell_word(argument);
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
