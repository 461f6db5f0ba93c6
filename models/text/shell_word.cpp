#include "models/text/shell_word.hpp"

#include <algorithm>
#include <cctype>

namespace nocturne {

namespace {

bool needs_no_quotes(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-_=+.,:/@%").find(c) != std::string_view::npos;
}

} // namespace

std::string shell_word(std::string_view word)
{
    if (!word.empty() && std::ranges::all_of(word, needs_no_quotes))
        return std::string(word);
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + '\'';
}

} // namespace nocturne
