#include "schedules/optimize/checkpoint.hpp"

#include "models/topology/files.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "schedules/certificate/check_bound.hpp"
#include "schedules/problem/digest.hpp"
#include "schedules/schedule/checked_json.hpp"
#include "schedules/schedule/schedule_json.hpp"
#include "schedules/schedule/validator.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {
namespace {

constexpr std::string_view schema = R"({
  "$schema": "http://json-schema.org/draft-04/schema#",
  "description": "a checkpoint of a search",
  "type": "object",
  "required": ["format", "version", "problem", "digest", "round", "failures", "seed", "seconds", "engine", "lower_bound", "schedule"],
  "additionalProperties": false,
  "properties": {
    "format": {"description": "nocturne-checkpoint", "enum": ["nocturne-checkpoint"]},
    "version": {"description": "1", "enum": [1]},
    "problem": {"description": "what is searched, a text", "type": "string"},
    "digest": {"description": "the problem in 16 hexadecimal digits", "type": "string"},
    "round": {"description": "rounds done, 1 or more", "type": "integer", "minimum": 1, "maximum": 1000000},
    "failures": {"description": "rounds without success", "type": "integer", "minimum": 0, "maximum": 1000000},
    "seed": {"description": "the seed", "type": "integer", "minimum": 0},
    "seconds": {"description": "seconds spent", "type": "number", "minimum": 0},
    "engine": {"description": "the engine that found the schedule", "type": "string"},
    "lower_bound": {"description": "a lower bound", "type": "object"},
    "schedule": {"description": "a schedule or null", "type": ["object", "null"]}
  }
})";

} // namespace

void save_checkpoint(const std::filesystem::path& path, const Problem& problem, const SearchState& state)
{
    nlohmann::ordered_json json{{"format", "nocturne-checkpoint"},
                                {"version", 1},
                                {"problem", describe(problem)},
                                {"digest", digest(problem)},
                                {"round", state.round},
                                {"failures", state.failures},
                                {"seed", state.seed},
                                {"seconds", state.seconds},
                                {"engine", state.engine},
                                {"lower_bound", to_json(state.bound, problem.topology)},
                                {"schedule", nullptr}};
    if (state.schedule)
        json["schedule"] = to_json(*state.schedule, problem.topology);
    write_file_atomically(path, json.dump() + "\n");
}

SearchState load_checkpoint(const std::filesystem::path& path, const Problem& problem)
{
    const std::string origin = path.string();
    const auto fail = [&](const std::string& why) {
        throw std::runtime_error(fmt::format("{}: {}", origin, why));
    };
    const nlohmann::json json = read_checked_json(read_file(path), schema, origin);
    if (json["digest"] != digest(problem))
        fail(fmt::format("this checkpoint is for {}, which is not the same problem as {}",
                         json["problem"].get<std::string>(), describe(problem)));
    SearchState state{.round = json["round"].get<unsigned>(),
                      .failures = json["failures"].get<unsigned>(),
                      .seed = json["seed"].get<std::uint64_t>(),
                      .bound = parse_bound(json["lower_bound"], problem.topology, origin),
                      .engine = json["engine"].get<std::string>(),
                      .seconds = json["seconds"].get<double>()};
    // Its own search has spent no effort on whether the file was changed since.
    const bool is_searched = state.bound.kind == BoundKind::exhausted;
    if (const auto reason = is_searched ? std::nullopt : refute(problem, state.bound))
        fail(fmt::format("the lower bound of {} does not hold: {}", state.bound.steps, *reason));
    if (!json["schedule"].is_null()) {
        state.schedule = parse_schedule(json["schedule"].dump(), problem.topology, origin);
        if (const auto objection = objection_to(*state.schedule, problem))
            fail(fmt::format("the schedule is not valid: {}", *objection));
    }
    return state;
}

} // namespace nocturne
