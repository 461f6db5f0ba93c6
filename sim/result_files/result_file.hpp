// What a search found, as a file that somebody else can check: a schedule with the lower bound that it is
// claimed to meet, or a lower bound alone.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>

namespace nocturne {

/// A schedule file (schedule_files.hpp) with "lower_bound". With no schedule a file of the same form whose
/// format is `nocturne-bound`, without "steps". `made_by` says where it comes from (to_json(Origin)); null:
/// nothing does. Writes the whole file or nothing; throws std::runtime_error if it cannot, and
/// std::invalid_argument for a bound alone in a binary schedule file.
void save_result(const std::filesystem::path& path, const Problem& problem, const Bound& bound,
                 const std::optional<Schedule>& schedule, const nlohmann::ordered_json& made_by = nullptr);

struct ResultFile {
    Problem problem; ///< of schedule and bound
    std::optional<Schedule> schedule;
    std::optional<Bound> bound; ///< nothing if a schedule file claims none
};

/// Reads both forms, and schedule files without a bound. Nothing is checked but the form. Throws
/// std::runtime_error, one line that names the file, for one that cannot be read or has not that form.
ResultFile load_result(const std::filesystem::path& path);

} // namespace nocturne
