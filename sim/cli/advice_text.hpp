// Lines to type, with what the words of a command line mean in their places.
#pragma once

#include "sim/cli/meaning.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne::cli {

/// How much of what is meant the advice of a FirstWords says.
std::size_t used_parts(std::string_view advice, const Meaning& meaning);

/// With what the arguments mean in their places, and what has none is named: `; left out: 'alpha'`.
std::string filled(std::string_view advice, const std::vector<std::string>& arguments, Meaning meaning);

/// Of a file of another simulator, or of something that is measured: what to do with it, and with the rest of
/// what is meant; empty for other files.
std::string advice_on_foreign_file(const Meaning& meaning, const std::vector<std::string>& arguments);

/// What to do with a file that was named without a command.
std::string advice_on_file(const std::string& path);

} // namespace nocturne::cli
