// What is said of any schedule of chunks, beside what is said of all schedules.
#pragma once

#include "schedules/schedule/schedule.hpp"
#include "sim/report/fields.hpp"

#include <cstdint>
#include <optional>

namespace nocturne::cli {

/// Steps of a schedule; none under dependencies.
std::optional<std::uint64_t> steps_of(const Schedule& schedule);

struct ChunkFigures {
    const Schedule* schedule = nullptr; ///< null: there is none, or it is of messages
    MadeFor setting = {};               ///< in which it takes that time
    std::optional<double> time_cycles = std::nullopt;
};
Fields<ChunkFigures> fields_of(const ChunkFigures*);

} // namespace nocturne::cli
