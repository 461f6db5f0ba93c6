#include "models/text/terminal_text.hpp"

#include <algorithm>

namespace nocturne {

std::string without_terminal_codes(std::string_view text)
{
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::size_t bracket = text[at] == '\x1b' ? at + 1 : at;
        if (bracket < text.size() && text[bracket] == '[') {
            const std::size_t end = text.find_first_not_of("0123456789;", bracket + 1);
            const bool is_code = bracket > at ? end != text.npos && (text[end] == 'm' || text[end] == 'K')
                                              : end != text.npos && text[end] == 'm' && end > bracket + 1;
            if (is_code) {
                at = end;
                continue;
            }
        }
        plain += text[at];
    }
    return plain;
}

std::vector<std::string_view> words_of_line(std::string_view line)
{
    constexpr std::string_view spaces = " \t\r\v\f";
    std::vector<std::string_view> words;
    while (true) {
        line.remove_prefix(std::min(line.find_first_not_of(spaces), line.size()));
        if (line.empty())
            return words;
        words.push_back(line.substr(0, line.find_first_of(spaces)));
        line.remove_prefix(words.back().size());
    }
}

} // namespace nocturne
