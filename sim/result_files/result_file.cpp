#include "sim/result_files/result_file.hpp"

#include "models/topology/files.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "schedules/schedule/empty_schedule.hpp"
#include "schedules/schedule/schedule_files.hpp"
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

/// A bound file is a schedule file but for its format and its missing steps: the text of that. Nothing for
/// any other text.
std::optional<std::string> bound_as_schedule(const std::string& text)
{
    if (text.find(bound_format) == std::string::npos)
        return std::nullopt; // without a document of all its steps
    OrderedJson json = OrderedJson::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains("format") || json["format"] != bound_format ||
        json.contains("steps"))
        return std::nullopt;
    json["format"] = "nocturne-schedule";
    json["steps"] = OrderedJson::array();
    return json.dump();
}

struct LoadedResult {
    LoadedSchedule loaded;
    bool has_schedule;
};

LoadedResult load_either(const std::filesystem::path& path)
{
    if (is_binary_schedule(path))
        return {load_schedule(path), true};
    const std::string text = read_file(path);
    const std::optional<std::string> bound = bound_as_schedule(text);
    return {parse_schedule_file(bound ? *bound : text, path), !bound};
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
    OrderedJson json = to_json(empty_schedule(problem, ""), problem.topology);
    json["format"] = bound_format;
    json.erase("source"); // no engine has made anything
    json.erase("steps");
    json.update(claims);
    write_file_atomically(path, json.dump(2) + "\n");
}

ResultFile load_result(const std::filesystem::path& path)
{
    auto [loaded, has_schedule] = load_either(path);
    ResultFile result{{std::move(loaded.topology), loaded.schedule.collective, loaded.schedule.ports,
                       loaded.schedule.switching, loaded.schedule.slack},
                      std::nullopt,
                      std::nullopt};
    if (loaded.claims.contains("lower_bound"))
        result.bound = parse_bound(loaded.claims["lower_bound"], result.problem.topology, path.string());
    else if (!has_schedule)
        throw std::runtime_error(fmt::format("{}: a bound file without 'lower_bound'", path.string()));
    if (has_schedule)
        result.schedule = std::move(loaded.schedule);
    return result;
}

} // namespace nocturne
