// The formats of other tools for schedules of chunks: a line each in one table, by which files are
// recognized, read and written.
#pragma once

#include "schedules/formats/foreign_schedule.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// What a schedule does not say.
struct WriteOptions {
    std::uint64_t bytes_per_weight = 0; ///< of formats with sizes
    bool is_in_place = true;            ///< one buffer for input and output
};

struct ScheduleFormat {
    std::string_view name;      ///< `msccl-xml`
    std::string_view in_words;  ///< `MSCCL XML`
    std::string_view of_a_file; ///< `in MSCCL XML`: what a schedule in such a file is
    std::string_view summary;   ///< what it is written for; empty if it is not

    /// Does a text begin as such a file does? Null: it is not read.
    bool (*recognizes)(std::string_view head) = nullptr;
    /// `origin` (the file) begins every error message. Throws std::runtime_error for what is wrong in the
    /// text, std::invalid_argument if it names no network and there is none.
    ReadSchedule (*read)(std::string_view text, std::string_view origin,
                         const std::optional<LinkNetwork>& network) = nullptr;
    /// One text, or of formats that are a folder, one for each rank. Null: it is not written. Throws
    /// std::invalid_argument for a schedule that the format cannot express. Precondition: it is valid.
    std::vector<std::string> (*write)(const Schedule& schedule, const LinkNetwork& network,
                                      const WriteOptions& options) = nullptr;
    /// Of a rank's file, with {} for the rank; empty: the format is one file.
    std::string_view name_in_folder = {};
    bool has_sizes = false; ///< WriteOptions::bytes_per_weight
};

std::span<const ScheduleFormat> schedule_formats();

/// The format of the file that begins so; null if it is none of these.
const ScheduleFormat* recognized_format(std::string_view head);

} // namespace nocturne
