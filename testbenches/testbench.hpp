// What the programs of all testbenches have in common.
#pragma once

#include "sim/result_files/problem_text.hpp"

#include <boost/program_options.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nocturne::testbench {

/// The exit status of a testbench's main(): that of `run`, once the options have been taken from the command
/// line, then from the INI file of --config (what is said first holds); 0 after --help, 2 with one line on
/// standard error if something throws, and what the shell expects after a signal.
int run(int argc, char* argv[], std::string_view name,
        const boost::program_options::options_description& options, const std::function<int()>& run);

/// Of a table of expected results, the header and the lines whose first field is `only`; all if that is
/// empty. Throws std::runtime_error for a file that cannot be read.
std::string expected_lines(const std::filesystem::path& file, std::string_view only);

/// Throws std::invalid_argument, naming `only` and the file, if --only has chosen none of the file's cells: a
/// testbench that examines nothing has shown nothing.
void require_chosen(std::size_t cells, std::string_view only, const std::filesystem::path& file);

/// `mesh:8x8` as `mesh_8x8`: a name for files.
std::string file_name(std::string text);

/// Is each line of `found` one of the file? That may have more: of cells that were not examined this time.
bool has_lines(const std::filesystem::path& file, const std::string& found);

/// Names of files, and what is in them.
using Files = std::vector<std::pair<std::string, std::string>>;

/// Writes them into the folder, which is created if need be, and prints their names.
void write_files(const std::string& folder, const Files& files);

/// `0`, `0-7 to 8-15`, `slack 2`; empty for all processors and any paths.
std::string participants_of(const ProblemText& text);
/// `1` or `all`
std::string ports_of(const Problem& problem);

/// Prints what came out other than expected, a line each on standard error; returns the exit status, 0 if
/// there is nothing.
int status_of(std::string_view name, std::span<const std::string> failed);

} // namespace nocturne::testbench
