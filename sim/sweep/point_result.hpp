// What came out of one point of a sweep.
#pragma once

#include "models/topology/input_log.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

struct PointResult {
    int status = 0;       ///< exit status of its command, as a shell has it
    std::string error;    ///< the last line that the command wrote to standard error, if it failed
    std::string document; ///< its JSON, one line, without what depends on the clock and without "made_by"; or
                          ///< empty
    std::string clock;    ///< what depends on the clock: a JSON object, by the names of the members
    FileDigests inputs = {};               ///< every file that the result depends on
    std::vector<std::string> remarks = {}; ///< on them
};

/// Exit status of a point whose process was killed or ran out of memory, as that of the command.
inline constexpr int point_died = 3;

/// A command as a function, exit status and all.
using CommandLine = std::function<int(const std::vector<std::string>& arguments)>;

/// Does the member of this name, of any command's JSON, say how long something took on the clock on the wall?
/// `seconds`, `time_s`, and what ends in `_seconds` or `_time_s`.
bool depends_on_clock(std::string_view member);

/// Runs the command with its standard streams caught, and takes its JSON apart. Only for a process that has
/// nothing else to do.
PointResult run_point(const CommandLine& run, const std::vector<std::string>& arguments);

/// What a command printed, as it is: status, standard output, standard error.
struct CaughtOutput {
    int status = 0;
    std::string out;
    std::string err;
};
CaughtOutput run_caught(const CommandLine& run, const std::vector<std::string>& arguments);

/// For the way between processes.
std::vector<std::uint8_t> bytes_of(const PointResult& result);
PointResult point_result_of(std::span<const std::uint8_t> bytes);

} // namespace nocturne
