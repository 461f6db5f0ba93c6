#include "schedules/portfolio/checkpoint.hpp"

#include "models/text/json_text.hpp"
#include "models/topology/files.hpp"
#include "schedules/certificate/bound_json.hpp"
#include "schedules/certificate/check_bound.hpp"
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
  "required": ["format", "version", "problem", "digest", "round", "failures", "seed", "seconds",
               "engine", "lower_bound", "schedule", "given_up", "done", "cut_seconds",
               "longest_seconds", "is_open"],
  "additionalProperties": false,
  "properties": {
    "format": {"description": "nocturne-checkpoint", "enum": ["nocturne-checkpoint"]},
    "version": {"description": "2", "enum": [2]},
    "problem": {"description": "what is searched, a text", "type": "string"},
    "digest": {"description": "the problem in 16 hexadecimal digits", "type": "string"},
    "round": {"description": "rounds done", "type": "integer", "minimum": 0, "maximum": 1000000},
    "failures": {"description": "rounds without success",
                 "type": "integer", "minimum": 0, "maximum": 1000000},
    "seed": {"description": "the seed", "type": "integer", "minimum": 0},
    "seconds": {"description": "seconds spent", "type": "number", "minimum": 0},
    "engine": {"description": "the engine that found the schedule", "type": "string"},
    "lower_bound": {"description": "a lower bound", "type": "object"},
    "schedule": {"description": "a schedule or null", "type": ["object", "null"]},
    "given_up": {
      "description": "a list of [engine, steps]", "type": "array",
      "items": {
        "description": "[engine, steps]", "type": "array", "minItems": 2, "maxItems": 2,
        "items": [{"$ref": "#/definitions/engine"}, {"$ref": "#/definitions/number"}]
      }
    },
    "done": {
      "description": "a list of [engine, steps, effort]", "type": "array",
      "items": {
        "description": "[engine, steps, effort]", "type": "array", "minItems": 3, "maxItems": 3,
        "items": [{"$ref": "#/definitions/engine"}, {"$ref": "#/definitions/number"},
                  {"$ref": "#/definitions/effort"}]
      }
    },
    "cut_seconds": {"description": "seconds of the first round, or 0", "type": "number", "minimum": 0},
    "longest_seconds": {"description": "effort of a task in seconds",
                        "type": "number", "minimum": 0.001, "maximum": 60},
    "is_open": {"description": "true or false", "type": "boolean"}
  },
  "definitions": {
    "engine": {"description": "an engine", "type": "string"},
    "number": {"description": "a number of steps", "type": "integer", "minimum": 1, "maximum": 4294967295},
    "effort": {"description": "an effort", "type": "integer", "minimum": 0}
  }
})";

} // namespace

void save_checkpoint(const std::filesystem::path& path, const Problem& problem, const SearchState& state)
{
    nlohmann::ordered_json json{{"format", "nocturne-checkpoint"},
                                {"version", 2},
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
    json["given_up"] = nlohmann::ordered_json::array();
    for (const auto& [engine, steps] : state.given_up)
        json["given_up"].push_back({engine, steps});
    json["done"] = nlohmann::ordered_json::array();
    for (const auto& [engine, steps, tried] : state.done)
        json["done"].push_back({engine, steps, tried});
    json["cut_seconds"] = state.cut_seconds;
    json["longest_seconds"] = state.longest_seconds;
    json["is_open"] = state.is_open;
    write_file_atomically(path, json_text(json) + "\n");
}

SearchState load_checkpoint(const std::filesystem::path& path, const Problem& problem)
{
    const std::string origin = path.string();
    const auto fail = [&](const std::string& why) {
        throw std::runtime_error(fmt::format("{}: {}", origin, why));
    };
    const nlohmann::json json = read_checked_json(read_file(path), schema, origin);
    if (json["digest"] != digest(problem))
        fail(fmt::format("this checkpoint is for another problem: {}, not {}",
                         json["problem"].get<std::string>(), describe(problem)));
    SearchState state{.round = json["round"].get<unsigned>(),
                      .failures = json["failures"].get<unsigned>(),
                      .seed = json["seed"].get<std::uint64_t>(),
                      .bound = parse_bound(json["lower_bound"], problem.topology, origin),
                      .engine = json["engine"].get<std::string>(),
                      .seconds = json["seconds"].get<double>(),
                      .cut_seconds = json["cut_seconds"].get<double>(),
                      .longest_seconds = json["longest_seconds"].get<double>(),
                      .is_open = json["is_open"].get<bool>()};
    for (const nlohmann::json& each : json["given_up"])
        state.given_up.emplace(each[0].get<std::string>(), each[1].get<unsigned>());
    for (const nlohmann::json& each : json["done"])
        state.done.push_back(
            {each[0].get<std::string>(), each[1].get<unsigned>(), each[2].get<std::uint64_t>()});
    if (const auto reason = refute(problem, state.bound))
        fail(fmt::format("the lower bound of {} does not hold: {}", state.bound.steps, *reason));
    if (!json["schedule"].is_null()) {
        state.schedule = parse_schedule(json_text(json["schedule"]), problem.topology, origin);
        if (const auto objection = objection_to(*state.schedule, problem))
            fail(fmt::format("the schedule is not valid: {}", *objection));
    }
    return state;
}

} // namespace nocturne
