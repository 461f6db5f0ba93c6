// Where results can be written: asked before a long run, not found out behind it.
#pragma once

#include <boost/program_options/variables_map.hpp>

#include <filesystem>
#include <string>

namespace nocturne::cli {

/// A device, a pipe or the like: nothing that could be replaced.
bool is_special(const std::filesystem::path& path);

/// Throws std::runtime_error if a file cannot be created or replaced at `path`.
void require_file_place(const std::filesystem::path& path);

/// Throws std::runtime_error if files cannot be written into the folder `path`, which need not exist yet.
void require_folder_place(const std::filesystem::path& path);

/// Throws std::invalid_argument if two options that name something to be written name the same place.
void require_distinct_places(const boost::program_options::variables_map& map);

/// Creates the folder, and those above it that do not exist. Throws std::runtime_error if it cannot.
void create_folder(const std::filesystem::path& path);

/// A line on standard error, before something large begins.
void print_notice(const std::string& text);

} // namespace nocturne::cli
