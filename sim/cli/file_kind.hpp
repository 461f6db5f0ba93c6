// What a file is, by its content: decided in one place for every command.
#pragma once

#include "schedules/formats/formats.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace nocturne::cli {

enum class FileKind : std::uint8_t {
    schedule, ///< in steps: JSON, also without a member "format", or binary
    bound,
    chunks,  ///< a schedule in chunks, or bounds of one
    foreign, ///< a schedule in chunks, in the format of another tool
    topology,
    checkpoint,
    evolution_checkpoint,
    traffic_points,
    energy_table,
    slot_table,
    packet_log, ///< binary
    programs,   ///< of ranks, in GOAL or Chakra's traces
    trace,      ///< of messages, in CSV
    result,     ///< what a command printed with --json
    sqlite,     ///< results of a sweep
    xml,        ///< of another kind
    json,       ///< of another kind, or broken
    empty,
    other,
};

/// Reads no more of the file than it takes to say so. Throws std::runtime_error if it cannot be read.
FileKind kind_of_file(const std::filesystem::path& path);

/// Throws std::runtime_error, one line that names the file, what it is, and what is wanted in words (`a
/// schedule in steps`), unless it is of one of these kinds. JSON that is broken is left to its reader, which
/// says where.
void require_kind(const std::filesystem::path& path, std::span<const FileKind> kinds,
                  std::string_view wanted);

bool is_file_name(std::string_view text); ///< of a regular file that exists

/// The first 64 KiB, by which files of other tools are known. Throws as kind_of_file().
std::string beginning_of(const std::filesystem::path& path);

/// That of FileKind::foreign. Null for files of other kinds.
const ScheduleFormat* format_of_file(const std::filesystem::path& path);

} // namespace nocturne::cli
