#include "sim/result_files/result_file.hpp"

#include "models/topology/files.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "schedules/schedule/schedule_files.hpp"
#include "schedules/schedule/schedule_json.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson claims_of(const Problem& problem, const Bound& bound)
{
    return {{"lower_bound", to_json(bound, problem.topology)}};
}

} // namespace

void save_result(const std::filesystem::path& path, const Problem& problem, const Bound& bound,
                 const std::optional<Schedule>& schedule, const OrderedJson& made_by)
{
    OrderedJson claims = claims_of(problem, bound);
    if (!made_by.is_null())
        claims["made_by"] = made_by;
    if (schedule) {
        save_schedule(path, *schedule, problem.topology, claims);
        return;
    }
    if (is_binary_schedule(path))
        throw std::invalid_argument(
            fmt::format("{}: a bound without a schedule is JSON, and .nsched is not", path.string()));
    write_file_atomically(path, bound_text(empty_schedule(problem, ""), problem.topology, claims));
}

ResultFile load_result(const std::filesystem::path& path)
{
    LoadedSchedule loaded = load_schedule_or_bound(path);
    if (is_between_memories(loaded.schedule))
        throw std::runtime_error(
            fmt::format("{}: this is of chunks; a schedule or bound of messages is wanted", path.string()));
    ResultFile result{{std::move(loaded.topology), loaded.schedule.collective, loaded.schedule.ports,
                       loaded.schedule.switching, loaded.schedule.slack},
                      std::nullopt,
                      std::nullopt};
    if (loaded.claims.contains("lower_bound"))
        result.bound = parse_bound(loaded.claims["lower_bound"], result.problem.topology, path.string());
    else if (loaded.is_bound)
        throw std::runtime_error(fmt::format("{}: a bound file without 'lower_bound'", path.string()));
    if (!loaded.is_bound)
        result.schedule = std::move(loaded.schedule);
    return result;
}

} // namespace nocturne
