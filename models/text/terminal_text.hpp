// Text as it was copied from a terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// Without codes for colours and underlines (`ESC [ 4 m`), also those that lost their escape character on the
/// way (`[4m`).
std::string without_terminal_codes(std::string_view text);

/// What stands between spaces, tabs and carriage returns.
std::vector<std::string_view> words_of_line(std::string_view line);

} // namespace nocturne
