// What all subcommands have in common: options from the command line and from a file, help, and where output
// goes.
#pragma once

#include "sim/cli/option_values.hpp"

#include <boost/program_options.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne::cli {

/// Exit statuses of `nocturne`.
inline constexpr int all_is_well = 0;
inline constexpr int check_failed = 1; ///< an invalid schedule, a deadlock, a wrong memory
inline constexpr int bad_use = 2;      ///< bad options or bad input
inline constexpr int worker_died = 3;  ///< a worker process was killed, or memory did not suffice

/// What an exit status means, in words.
struct StatusMeaning {
    int status;
    std::string_view meaning;
};
std::span<const StatusMeaning> statuses();

/// Of this program: `0.1.0`.
std::string_view version();

struct Command {
    std::string_view name;
    std::string_view summary; ///< one line
    int (*run)(const std::vector<std::string>& arguments);
};

/// All subcommands, in the order in which help lists them.
std::span<const Command> commands();
/// Throws std::invalid_argument with the one that was probably meant, or all of them, if there is none of
/// that name.
const Command& find_command(const std::string& name);

/// The options that every subcommand has: help, config, json, seed, workers.
OptionTable common_options();

/// An option that once had another name, which still works but is in no help.
struct Renamed {
    std::string_view old_name;
    std::string_view name;
};

struct Usage {
    std::string_view command;               ///< `replay`
    std::string_view positional;            ///< name of the option that takes the argument without a name
    std::string_view description;           ///< what the subcommand does, a few lines
    std::vector<std::string_view> examples; ///< calls that work, in this order, wherever they are made
    std::string_view alternative = {};      ///< name of a switch that makes the argument superfluous
    std::vector<Renamed> renamed = {};
};

/// The options of one call: the command line first, then the file of --config (INI, `option = value` lines).
/// If --help is among them the help text is printed and nothing else has a value. Throws
/// boost::program_options::error, std::invalid_argument for an option that does not exist (with the one that
/// was probably meant) or has an empty value, and std::runtime_error for a file that cannot be read or has a
/// wrong line.
OptionValues parse(const Usage& usage, const std::vector<std::string>& arguments, const OptionTable& options);

} // namespace nocturne::cli
