#include "sim/result_files/result_file.hpp"

#include "models/topology/files.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "schedules/schedule/empty_schedule.hpp"
#include "schedules/schedule/schedule_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view bound_format = "nocturne-bound";

OrderedJson claims_of(const Problem& problem, const Bound& bound)
{
    return {{"lower_bound", to_json(bound, problem.topology)}};
}

/// A bound file is a schedule file but for its format and its missing steps.
std::string as_schedule_file(const std::string& text)
{
    OrderedJson json = OrderedJson::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains("format") || json["format"] != bound_format ||
        json.contains("steps"))
        return text;
    json["format"] = "nocturne-schedule";
    json["steps"] = OrderedJson::array();
    return json.dump();
}

} // namespace

void save_result(const std::filesystem::path& path, const Problem& problem, const Bound& bound,
                 const std::optional<Schedule>& schedule, const OrderedJson& made_by)
{
    OrderedJson claims = claims_of(problem, bound);
    if (!made_by.is_null())
        claims["made_by"] = made_by;
    if (schedule) {
        write_file_atomically(path, to_json_text(*schedule, problem.topology, claims));
        return;
    }
    OrderedJson json = to_json(empty_schedule(problem, ""), problem.topology);
    json["format"] = bound_format;
    json.erase("source"); // no engine has made anything
    json.erase("steps");
    json.update(claims);
    write_file_atomically(path, json.dump(2) + "\n");
}

ResultFile load_result(const std::filesystem::path& path)
{
    const std::string text = read_file(path);
    const std::string schedule_text = as_schedule_file(text);
    LoadedSchedule loaded = parse_schedule_file(schedule_text, path);
    const nlohmann::json json = nlohmann::json::parse(text); // known to be JSON by now
    ResultFile result{{std::move(loaded.topology), loaded.schedule.collective, loaded.schedule.ports,
                       loaded.schedule.switching, loaded.schedule.slack},
                      std::nullopt,
                      std::nullopt};
    if (json.contains("lower_bound"))
        result.bound = parse_bound(json["lower_bound"], result.problem.topology, path.string());
    else if (!json.contains("steps"))
        throw std::runtime_error(fmt::format("{}: a bound file without 'lower_bound'", path.string()));
    if (json.contains("steps"))
        result.schedule = std::move(loaded.schedule);
    return result;
}

} // namespace nocturne
