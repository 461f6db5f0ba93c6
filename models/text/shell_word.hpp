// Words of a command line as a shell takes them.
#pragma once

#include <string>
#include <string_view>

namespace nocturne {

/// The word in single quotes where a shell would read it otherwise, or as it is.
std::string shell_word(std::string_view word);

} // namespace nocturne
