// The command in a process of its own, and what must hold whatever it was given.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace nocturne::test {

/// What a user may do wrong: a command line, and files in the folder in which it is typed.
struct CommandInput {
    std::vector<std::string> arguments;
    std::map<std::string, std::string> files; ///< content by name
};

struct CommandRun {
    int status = 0; ///< exit status, or 128 + the signal that ended it
    bool is_over_time = false;
    std::string out = {};
    std::string err = {};
    std::vector<std::string> left_behind = {}; ///< files that were not there before, or have changed
};

/// Runs `nocturne` on the input in `folder`, which is emptied first, in a fork of this process with so much
/// time. Call it from a process with one thread.
CommandRun run_command(const CommandInput& input, const std::filesystem::path& folder,
                       std::chrono::seconds limit);

/// What is wrong with the run, or nothing: an end by a signal or a sanitizer, no end, another status than 0,
/// 1, 2, and with status 2 anything but one line on standard error that begins with the program's name, or a
/// file left behind where the disk was not full.
std::string complaint(const CommandRun& run);

/// As a line of shell, and the files with their content behind it, for a report.
std::string to_text(const CommandInput& input);

} // namespace nocturne::test
