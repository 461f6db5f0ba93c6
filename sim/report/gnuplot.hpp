// The plotting program, run as a child process.
#pragma once

#include <string>
#include <string_view>

namespace nocturne {

/// What `program` prints when it reads `script` on its standard input; no shell is involved. Throws
/// std::runtime_error with one line if the program is not installed, cannot be started, or finds fault with
/// the script.
std::string run_gnuplot(std::string_view script, const std::string& program = "gnuplot");

} // namespace nocturne
