// What all subcommands have in common: options from the command line and from a file, help, and where output
// goes.
#pragma once

#include "sim/cli/option_values.hpp"
#include "sim/report/result_description.hpp"

#include <boost/program_options.hpp>

#include <initializer_list>
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

/// An option that once had another name, which still works but is in no help.
struct Renamed {
    std::string_view old_name;
    std::string_view name;
};

/// Arguments that need no option before them: `schedule mesh:4x4 allreduce`.
struct BareWord {
    std::string_view option; ///< that such a word is the value of: `collective`
    bool (*is_one)(std::string_view word);
};

struct Usage {
    std::string_view command;               ///< `replay`
    std::string_view summary;               ///< what it is for, one line
    std::string_view positional;            ///< name of the option that takes the argument without a name
    std::string_view description;           ///< what the subcommand does, a few lines
    std::vector<std::string_view> examples; ///< calls that work, in this order, wherever they are made
    std::string_view alternative = {};      ///< name of an option that makes the argument superfluous
    std::vector<Renamed> renamed = {};
    std::vector<BareWord> bare_words = {}; ///< beside those of `positional`
};

/// A subcommand, in a file of its own.
struct Command {
    Usage usage;
    OptionTable (*options)(); ///< its own
    /// Returns the exit status. Throws for bad use and bad input.
    int (*run)(const OptionValues& given);
    /// What it prints with --json, and the tables that it writes into files.
    std::vector<const ResultDescription& (*)()> results;
};

/// All subcommands, in the order in which help lists them.
std::span<const Command> commands();
/// Throws std::invalid_argument with the one that was probably meant, or all of them and `others`, which
/// would have done as well, if there is none of that name.
const Command& find_command(std::string_view name, std::initializer_list<std::string_view> others = {});

/// The options that the command takes, with those that every one has: help, config, json, seed, workers.
OptionTable options_of(const Command& command);

/// What these arguments say. Nothing is read, not the file of --config either. Throws for options that do not
/// exist and values that their options cannot have.
OptionValues values_of(const Command& command, const std::vector<std::string>& arguments);

/// Runs the command with what these arguments say, the command line first, then the file of --config (INI,
/// `option = value` lines); or prints its help if --help is among them. Returns the exit status. Throws what
/// the command throws, boost::program_options::error, std::invalid_argument for an option that does not exist
/// (with the one that was probably meant), has an empty value or nothing to say here, and std::runtime_error
/// for a file that cannot be read or has a wrong line.
int run_command(const Command& command, const std::vector<std::string>& arguments);

} // namespace nocturne::cli
