// The table of results in a sweep's file, for who only reads it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace nocturne {

/// The rows of the table `results` (sweep_table.hpp) as texts, the names of its columns first; a null is
/// empty. Throws std::runtime_error, one line that names the file, for a file that is no database of a sweep,
/// or has no results yet.
std::vector<std::vector<std::string>> stored_results(const std::filesystem::path& file);

} // namespace nocturne
