#include "models/text/ini_lines.hpp"

#include "models/text/unknown_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";

std::string_view trimmed(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.substr(0, text.find_last_not_of(blanks) + 1); // npos + 1 is 0
}

std::string_view without_comment(std::string_view line)
{
    for (std::size_t at = line.find('#'); at != line.npos; at = line.find('#', at + 1)) {
        const bool is_behind_blank = at > 0 && blanks.find(line[at - 1]) != blanks.npos;
        const bool is_number = at + 1 < line.size() && line[at + 1] >= '0' && line[at + 1] <= '9';
        if (at == 0 || (is_behind_blank && !is_number))
            return line.substr(0, at);
    }
    return line;
}

} // namespace

std::vector<IniLine> ini_lines(std::string_view text)
{
    std::vector<IniLine> lines;
    std::string section;
    std::set<std::string> sections;
    while (!text.empty()) {
        const std::string_view whole = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(whole.size() + 1, text.size()));
        const std::string_view line = trimmed(without_comment(trimmed(whole)));
        if (line.empty())
            continue;
        const std::size_t equals = line.find('=');
        if (line.front() == '[' && line.back() == ']') {
            section = trimmed(line.substr(1, line.size() - 2));
            if (!sections.insert(section).second)
                throw std::invalid_argument(fmt::format("[{}] appears twice", shortened(section)));
        } else if (equals == line.npos || trimmed(line.substr(0, equals)).empty()) {
            throw std::invalid_argument(
                fmt::format("invalid line '{}': expected NAME = VALUE", shortened(line)));
        } else {
            lines.push_back({section, std::string(trimmed(line.substr(0, equals))),
                             std::string(trimmed(line.substr(equals + 1)))});
        }
    }
    return lines;
}

} // namespace nocturne
