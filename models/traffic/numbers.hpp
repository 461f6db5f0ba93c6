// Numbers in texts and in files.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// The number that the whole text is; nothing if it is none, or none of this type.
template <class Number>
std::optional<Number> number_of(std::string_view text)
{
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

/// The numbers of a file, separated by white space or commas; what follows a # on a line is a comment. Throws
/// std::runtime_error, one line with file and line, for a file that cannot be read or something that is no
/// number.
std::vector<double> read_numbers(const std::string& path);

} // namespace nocturne
