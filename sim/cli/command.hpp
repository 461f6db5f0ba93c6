// What all subcommands have in common: options from the command line and from a file, help, and where output
// goes.
#pragma once

#include <boost/program_options.hpp>

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
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

/// A whole number from 0: Boost's own conversion takes -1 for a very large one.
struct Count {
    std::uint64_t value = 0;
};
std::istream& operator>>(std::istream& in, Count& count);
std::ostream& operator<<(std::ostream& out, const Count& count);

/// The options that every subcommand has: help, config, json, seed, workers.
boost::program_options::options_description common_options();

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
/// If --help is among them the help text is printed and the map has only that. Throws
/// boost::program_options::error, std::invalid_argument for an option that does not exist (with the one that
/// was probably meant) or has an empty value, and std::runtime_error for a file that cannot be read or has a
/// wrong line.
boost::program_options::variables_map parse(const Usage& usage, const std::vector<std::string>& arguments,
                                            const boost::program_options::options_description& options);

/// Value of a Count option, checked against its range. Throws std::invalid_argument naming the option.
std::uint64_t count_in_range(const boost::program_options::variables_map& map, const char* option,
                             std::uint64_t least, std::uint64_t most);

/// Value of an option in seconds, more than 0. Throws std::invalid_argument naming the option.
std::chrono::milliseconds seconds_in_range(const boost::program_options::variables_map& map,
                                           const char* option);

/// Value of --workers, from 0 (one for each core) to 1024.
unsigned workers_of(const boost::program_options::variables_map& map);

} // namespace nocturne::cli
