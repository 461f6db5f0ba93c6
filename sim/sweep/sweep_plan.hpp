// What a sweep runs: a command of ours with fixed options, and every combination of the values of others.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// What an option has at a point: its occurrences on the command line. None: it is left out.
using OptionOccurrences = std::vector<std::string>;

struct SweptOption {
    std::string option;                     ///< long name, `load`
    std::vector<OptionOccurrences> choices; ///< for a fixed option one
    bool is_switch = false;                 ///< takes no value: `true` is the option, `false` none
};

/// Every combination of the choices of its options, the last option changing fastest.
struct SweepBlock {
    std::vector<SweptOption> options;
};

struct SweepPlan {
    std::string command;              ///< `traffic`
    std::vector<SweptOption> fixed;   ///< options of all points
    std::vector<SweepBlock> blocks;   ///< the points of one block behind those of another; at least one
    std::vector<std::string> columns; ///< patterns of the names that tables have columns for; empty: see
                                      ///< sweep_table.hpp
};

inline constexpr std::uint64_t most_sweep_points = 10'000'000;

/// The plan in a sweep file: JSON if it begins with `{`, otherwise INI (docs/sweep.md). Throws
/// std::runtime_error, one line that names the file, for one that cannot be read or says nothing to run.
SweepPlan load_sweep_plan(const std::filesystem::path& file);
/// The same of a text; `origin` is the name of the file.
SweepPlan parse_sweep_plan(std::string_view text, std::string_view origin);

/// `a 'b c' {1:3}` is `a`, `b c`, `1`, `2`, `3`: words as a shell separates them, a range in braces (see
/// NumberRange; `{FIRST:LAST}` in steps of 1) standing for its numbers. Throws std::invalid_argument.
std::vector<std::string> sweep_words(std::string_view text);

/// An option that the plan's command has.
struct CommandOption {
    std::string name;         ///< long name
    bool takes_value = true;  ///< it is no switch
    bool names_place = false; ///< its value is a file or a folder that is written
};

/// The plan with its switches known. Throws std::invalid_argument for an option that the command does not
/// have (with the one that was probably meant), that a sweep sets itself (json, help), or that would have
/// several points write the same place, for a switch that is neither true nor false, and for a choice that
/// stands twice.
SweepPlan resolved(SweepPlan plan, std::span<const CommandOption> options);

std::uint64_t count_points(const SweepPlan& plan);

/// What has more than one choice, or a choice at all, in the blocks: their names in the order in which they
/// first appear.
std::vector<std::string> swept_options(const SweepPlan& plan);

/// One point of a resolved plan.
struct SweepPoint {
    std::vector<std::string> arguments;             ///< of `nocturne`, the command first
    std::vector<std::optional<std::string>> values; ///< by swept_options(); nothing where it is left out
};

/// Of index 0 to count_points() - 1. `{point}` in a value is the index. Unless the plan says otherwise each
/// point has one worker: the sweep has as many points at a time as there are cores.
SweepPoint point_of(const SweepPlan& plan, std::uint64_t index);

/// The plan as a sweep file in JSON: two plans with the same text have the same points.
nlohmann::ordered_json to_json(const SweepPlan& plan);

} // namespace nocturne
