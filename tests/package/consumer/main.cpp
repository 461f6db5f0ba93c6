// The example of the README, as somebody else's project.
#include "schedules/schedule/complete_paths.hpp"
#include "schedules/schedule/schedule_json.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/experiment/compare.hpp"

#include <fmt/format.h>

int main(int /*argc*/, char* argv[])
{
    nocturne::LoadedSchedule loaded = nocturne::load_schedule(argv[1]); // omega8_aab.json
    nocturne::Schedule schedule = nocturne::complete_paths(loaded.schedule, loaded.topology);
    if (!nocturne::validate(schedule, loaded.topology).empty())
        return 1;

    nocturne::ReplaySeries series;
    series.message_bytes = {64, 1024, 65536};
    for (const nocturne::ReplayResult& replay : nocturne::replay_sizes(schedule, loaded.topology, series))
        fmt::print("{} bytes: {} ns\n", replay.run.message_bytes, replay.run.time_ns);
}
