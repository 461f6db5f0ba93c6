// What is said of a subcommand and its options: help, manual pages, completion. All from the table of its
// options.
#pragma once

#include "sim/cli/command.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace nocturne::cli {

/// In lines of at most 100 characters, all but the first indented.
std::string wrapped(const std::string& text);

enum class HelpLength {
    usual, ///< about 100 lines: of the last groups of many options only the names
    all,
};

/// `--help`: usage, description, options, examples.
std::string help_text(const Usage& usage, const OptionTable& options, HelpLength length);

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

/// `nocturne completion bash` and `zsh` print a script for the shell: the names of all subcommands, options,
/// their values where there are few, and kinds of networks.
int run_completion(const std::vector<std::string>& arguments);

} // namespace nocturne::cli
