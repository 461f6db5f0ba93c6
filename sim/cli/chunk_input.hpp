// How subcommands take a schedule of chunks: from a file of ours, or of another tool.
#pragma once

#include "schedules/schedule/schedule_files.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/cli/option_values.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace nocturne::cli {

/// What refuse_given() says of options that mean nothing for chunks.
inline constexpr const char* only_for_messages = "only for a schedule of whole messages, not of chunks";

/// The file of chunks, for the network that it names. Throws std::runtime_error or std::invalid_argument, one
/// line, if it cannot be read, and for --topology or --link-bytes that say another network
/// (require_topology()).
LoadedSchedule chunk_file_of(const OptionValues& given, const std::string& file);
/// The same, and an error if it has no schedule.
LoadedSchedule chunk_schedule_of(const OptionValues& given, const std::string& file);

/// What a file leaves open of the setting that a schedule was made for, and which options are taken for it.
class OpenSetting {
public:
    void add(std::string what, std::string taken)
    {
        what_.push_back(std::move(what));
        taken_.push_back(std::move(taken));
    }
    /// In one line, if there is any.
    void remark(const std::string& file) const;

private:
    std::vector<std::string> what_, taken_;
};

/// The value of --bytes: what is given, or else the size for which the schedule in the file was made, or else
/// the option's default, which is remarked.
std::string bytes_text(const OptionValues& given, const std::string& file,
                       std::optional<std::uint64_t> made_for);

/// The setting that a schedule is judged in: what is given of --bytes, --start-cycles, --latency-holds-link
/// and --cycle-ns, or else what the schedule in the file was made for, or else of size and start-up the
/// options' defaults, which is remarked.
MadeFor setting_of(const OptionValues& given, const std::string& file, const MadeFor& made_for);

/// A schedule out of a file of this format or another.
struct JudgedChunks {
    Schedule schedule;
    LinkNetwork network;
    std::vector<Violation> violations;
    std::vector<std::string> places;                 ///< in a foreign file, of each transfer
    std::optional<Topology> topology = std::nullopt; ///< none: that of an algorithm of msccl-tools
    LinkDefaults defaults = {};
    nlohmann::ordered_json claims = nlohmann::ordered_json::object(); ///< of a file of ours, for a copy of it
    MadeFor setting = {};                                             ///< in which it takes those cycles
    std::optional<double> cycles = std::nullopt;                      ///< that a valid one takes
    bool order_is_open = false;                                       ///< as in ForeignSchedule
    std::uint32_t chosen_paths = 0;
};

/// Throws as chunk_schedule_of(), and std::invalid_argument for a file of another tool that names no network
/// without --topology.
JudgedChunks judged_chunks(const OptionValues& given, const std::string& file);
/// 1 MiB, with a remark, where the file does not say it.
void assume_size(MadeFor& made_for, const std::string& file);
/// Of a file of ours, with the network that it names.
JudgedChunks judged_chunks(LoadedSchedule loaded);

/// Throws std::runtime_error that names the file, with the first of the violations if there are any.
void require_valid(const std::vector<Violation>& violations, const std::string& file);

/// Throws std::runtime_error that names the file unless the schedule in it is valid; finds the order in which
/// links carry the transfers if the file leaves it open.
void make_ready(JudgedChunks& judged, const std::string& file);

} // namespace nocturne::cli
