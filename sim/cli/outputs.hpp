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

/// The same for each of the options that has a value.
void require_file_places(const OptionValues& given, std::initializer_list<const char*> options);

/// Throws std::runtime_error if files cannot be written into the folder `path`, which need not exist yet.
void require_folder_place(const std::filesystem::path& path);

/// Names of the options, of any command, whose value is a file or folder that is written.
std::span<const std::string_view> place_options();

/// Throws std::invalid_argument if two options that name something to be written name the same place.
void require_distinct_places(const OptionValues& given);

/// Writes the table as CSV, with its origin, to the file that the option names, if any.
void write_table(const OptionValues& given, const char* option, const Table& table);

/// A line on standard error, before something large begins.
void print_notice(const std::string& text);

} // namespace nocturne::cli
