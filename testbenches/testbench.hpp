// What the programs of all testbenches have in common.
#pragma once

#include <boost/program_options.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace nocturne::testbench {

/// Takes the options of a testbench from the command line, then from the INI file of --config: what is said
/// first holds. False after --help, which it answers. Throws boost::program_options::error, and
/// std::runtime_error for a file that cannot be read.
bool parse(int argc, char* argv[], std::string_view name,
           const boost::program_options::options_description& options);

/// The exit status of a testbench's main(): that of `run`; 2 with one line on standard error if it throws,
/// and what the shell expects after a signal.
int run(std::string_view name, const std::function<int()>& run);

/// Of a table of expected results, the header and the lines whose first field is `only`; all if that is
/// empty. Throws std::runtime_error for a file that cannot be read.
std::string expected_lines(const std::filesystem::path& file, std::string_view only);

/// Throws std::invalid_argument, naming `only` and the file, if --only has chosen none of the file's cells: a
/// testbench that examines nothing has shown nothing.
void require_chosen(std::size_t cells, std::string_view only, const std::filesystem::path& file);

/// `mesh:8x8` as `mesh_8x8`: a name for files.
std::string file_name(std::string text);

/// Prints what came out other than expected, a line each on standard error; returns the exit status, 0 if
/// there is nothing.
int status_of(std::string_view name, std::span<const std::string> failed);

} // namespace nocturne::testbench
