#include "schedules/schedule/schedule_files.hpp"

#include "schedules/schedule/binary_schedule.hpp"
#include "schedules/schedule/schedule_json.hpp"

namespace nocturne {

bool is_binary_schedule(const std::filesystem::path& path)
{
    return path.extension() == ".nsched";
}

LoadedSchedule load_schedule(const std::filesystem::path& path)
{
    if (!is_binary_schedule(path))
        return parse_schedule_file(read_file(path), path);
    FilePieces file(path);
    return read_binary_schedule([&](std::span<char> piece) { return file.next(piece); }, path);
}

void save_schedule(const std::filesystem::path& path, const Schedule& schedule, const Topology& topology,
                   const nlohmann::ordered_json& claims)
{
    const auto write = is_binary_schedule(path) ? write_binary_schedule : write_json_text;
    write_file_atomically(path, [&](const ByteSink& sink) { write(schedule, topology, claims, sink); });
}

} // namespace nocturne
