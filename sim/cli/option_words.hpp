// What is said of an option that a command does not have: which one is probably meant.
#pragma once

#include "sim/cli/option_table.hpp"

#include <string>

namespace nocturne::cli {

/// `unrecognised option '--lod': did you mean '--load'?`, as it is said of a name on the command line
/// (`--lod`, `--lod=1`), and in a file (`lod`). `value`: the word behind it, which may be its value.
std::string unrecognised_option(const std::string& name, const OptionTable& options,
                                const std::string& value = {});

} // namespace nocturne::cli
