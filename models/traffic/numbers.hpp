// Numbers in files.
#pragma once

#include <string>
#include <vector>

namespace nocturne {

/// The numbers of a file, separated by white space or commas; what follows a # on a line is a comment. Throws
/// std::runtime_error, one line with file and line, for a file that cannot be read or something that is no
/// number.
std::vector<double> read_numbers(const std::string& path);

} // namespace nocturne
