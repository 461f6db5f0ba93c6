// What is said of a subcommand and its options: help, manual pages, completion. All from the table of its
// options.
#pragma once

#include "sim/cli/command.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace nocturne::cli {

/// `--help`: usage, description, options, examples.
void print_help(const Usage& usage, const OptionTable& options);

/// `nocturne man results`: every field of every result, in Markdown.
std::string results_documentation();

/// All that is said of the commands and their options for programs, `nocturne man commands --json`:
/// `{"commands": [{"name", "summary", "description", "argument", "alternative", "examples", "options":
/// [{"name", "short", "kind", "parameter", "default", "is_repeated", "is_written", "needs", "help"}]}]}`. The
/// kind is `switch`, `text`, `count` or `real`; the default a text, empty without one, as the short name is;
/// the argument the option that needs no name.
nlohmann::ordered_json commands_json();

/// `nocturne man [COMMAND]` prints a manual page in the language of man(7), of nocturne itself without a
/// COMMAND, results_documentation() for `results`, and the words of other tools beside ours for
/// `coming-from`.
int run_man(const std::vector<std::string>& arguments);

/// `nocturne completion bash` prints a script for Bash, with the names of all subcommands, options and kinds
/// of networks.
int run_completion(const std::vector<std::string>& arguments);

} // namespace nocturne::cli
