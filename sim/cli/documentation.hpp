// What is said of a subcommand and its options: help, manual pages, completion. All from the table of its
// options.
#pragma once

#include "sim/cli/command.hpp"

namespace nocturne::cli {

/// Arguments for programs, not listed in the help: a subcommand that is given one of them alone prints its
/// manual page, or its options one a line, or of these the switches, which take no value.
inline constexpr std::string_view manual_argument = "--manual-page";
inline constexpr std::string_view list_argument = "--list-options";
inline constexpr std::string_view switches_argument = "--list-switches";

/// Answers a call whose only argument is one of those above, or --help among the options; false for any
/// other.
bool print_documentation(const Usage& usage, const std::vector<std::string>& arguments,
                         const OptionTable& options);

/// `--help`: usage, description, options, examples.
void print_help(const Usage& usage, const OptionTable& options);

/// `nocturne man [COMMAND]` prints a manual page in the language of man(7), of nocturne itself without a
/// COMMAND.
int run_man(const std::vector<std::string>& arguments);

/// `nocturne completion bash` prints a script for Bash, with the names of all subcommands, options and kinds
/// of networks.
int run_completion(const std::vector<std::string>& arguments);

} // namespace nocturne::cli
