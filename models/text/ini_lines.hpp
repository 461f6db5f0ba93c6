// Options in the lines of an INI file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

struct IniLine {
    std::string section; ///< whose `[name]` stands above; empty: none does
    std::string name;
    std::string value; ///< may be empty

    friend bool operator==(const IniLine&, const IniLine&) = default;
};

/// The lines `name = value` of a text, in order. A `#` begins a comment at the beginning of a line, and
/// behind white space where no digit follows it (`#3` is a processor). Throws std::invalid_argument for any
/// other line, and for a section that stands twice.
std::vector<IniLine> ini_lines(std::string_view text);

} // namespace nocturne
