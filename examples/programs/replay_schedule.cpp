// A schedule from a file: judged, and replayed with messages of several sizes.
//
//   replay_schedule FILE
#include "schedules/schedule/complete_paths.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/replay/compare.hpp"

#include <fmt/format.h>

#include <exception>

int main(int count, char** arguments)
try {
    if (count != 2) {
        fmt::print(stderr, "usage: replay_schedule FILE\n");
        return 2;
    }
    const nocturne::LoadedSchedule loaded = nocturne::load_schedule(arguments[1]);
    const nocturne::Schedule schedule = nocturne::complete_paths(loaded.schedule, loaded.topology);
    if (!nocturne::validate(schedule, loaded.topology).empty()) {
        fmt::print("{}: not valid\n", arguments[1]);
        return 1;
    }
    nocturne::ReplaySeries series;
    series.message_bytes = {64, 1024, 65536};
    for (const nocturne::ReplayResult& replay : nocturne::replay_sizes(schedule, loaded.topology, series))
        fmt::print("{} bytes: {} ns\n", replay.run.message_bytes, replay.run.time_ns);
    return 0;
} catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
}
