// Where results can be written: asked before a long run, not found out behind it.
#pragma once

#include "sim/cli/option_values.hpp"
#include "sim/report/table.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace nocturne::cli {

/// A device, a pipe or the like: nothing that could be replaced.
bool is_special(const std::filesystem::path& path);

/// Throws std::runtime_error if a file cannot be created or replaced at `path`.
void require_file_place(const std::filesystem::path& path);

/// Throws std::runtime_error if files cannot be written into the folder `path`, which need not exist yet.
void require_folder_place(const std::filesystem::path& path);

/// Asks so for what the options write: throws std::runtime_error for a place where it cannot be written, and
/// std::invalid_argument if two options name the same one.
void require_places(const OptionValues& given);

/// Writes the table as CSV, with its origin, to the file that the option names, if any.
void write_table(const OptionValues& given, const char* option, const Table& table);

/// A line on standard error, before something large begins.
void print_notice(const std::string& text);

} // namespace nocturne::cli
