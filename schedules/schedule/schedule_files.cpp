#include "schedules/schedule/schedule_files.hpp"

#include "schedules/schedule/binary_schedule.hpp"
#include "schedules/schedule/schedule_json.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

bool is_binary_schedule(const std::filesystem::path& path)
{
    return path.extension() == ".nsched";
}

LoadedSchedule load_schedule_or_bound(const std::filesystem::path& path)
{
    if (!is_binary_schedule(path))
        return parse_schedule_file(read_file(path), path);
    FilePieces file(path);
    return read_binary_schedule([&](std::span<char> piece) { return file.next(piece); }, path);
}

LoadedSchedule load_schedule(const std::filesystem::path& path)
{
    LoadedSchedule loaded = load_schedule_or_bound(path);
    if (loaded.is_bound)
        throw std::runtime_error(fmt::format("{}: it has bounds, and no schedule", path.string()));
    return loaded;
}

void save_schedule(const std::filesystem::path& path, const Schedule& schedule, const Topology& topology,
                   const nlohmann::ordered_json& claims, const LinkDefaults& defaults)
{
    if (is_binary_schedule(path) && is_between_memories(schedule))
        throw std::invalid_argument(fmt::format(
            "{}: the binary form is for schedules of messages: a file that ends in .json takes this one",
            path.string()));
    write_file_atomically(path, [&](const ByteSink& sink) {
        if (is_binary_schedule(path))
            write_binary_schedule(schedule, topology, claims, sink);
        else
            write_json_text(schedule, topology, claims, defaults, sink);
    });
}

} // namespace nocturne
