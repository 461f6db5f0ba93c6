#include "schedules/evolution/evolution_checkpoint.hpp"

#include "models/text/base64.hpp"
#include "models/text/fnv1a.hpp"
#include "models/text/json_text.hpp"
#include "models/topology/files.hpp"
#include "schedules/evolution/parameters.hpp"
#include "schedules/schedule/checked_json.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {
namespace {

constexpr std::string_view schema = R"({
  "$schema": "http://json-schema.org/draft-04/schema#",
  "description": "a checkpoint of an evolution",
  "type": "object",
  "required": ["format", "version", "problem", "digest", "engine", "parameters", "steps", "seed", "epoch",
               "random", "generations", "best", "islands", "checksum"],
  "additionalProperties": false,
  "properties": {
    "format": {"description": "nocturne-evolution", "enum": ["nocturne-evolution"]},
    "version": {"description": "1", "enum": [1]},
    "problem": {"description": "what is searched, a text", "type": "string"},
    "digest": {"description": "the problem in 16 hexadecimal digits", "type": "string"},
    "engine": {"description": "the engine, a text", "type": "string"},
    "parameters": {"description": "the engine's parameters, a text", "type": "string"},
    "steps": {"description": "steps, 1 or more", "type": "integer", "minimum": 1, "maximum": 4294967295},
    "seed": {"description": "the seed", "type": "integer", "minimum": 0},
    "epoch": {"description": "epochs done", "type": "integer", "minimum": 0},
    "random": {"description": "the state of the random numbers", "type": "integer", "minimum": 0},
    "generations": {"description": "generations so far", "type": "integer", "minimum": 0},
    "best": {"description": "conflicts of the best solution", "type": "integer", "minimum": 0},
    "islands": {"description": "one island or more", "type": "array", "minItems": 1, "items": {
      "description": "an island", "type": "object", "required": ["evaluations", "immigrant", "state"],
      "additionalProperties": false, "properties": {
        "evaluations": {"description": "evaluations so far", "type": "integer", "minimum": 0},
        "immigrant": {"description": "bytes in base64", "type": "string"},
        "state": {"description": "bytes in base64", "type": "string"}}}},
    "checksum": {"description": "16 hexadecimal digits", "type": "string"}
  }
})";

/// Of a checkpoint without one.
std::string checksum(const nlohmann::json& json)
{
    return fmt::format("{:016x}", fnv1a(json_text(json)));
}

void check_identity(const nlohmann::json& json, const EvolutionIdentity& identity, std::string_view origin)
{
    const auto refuse = [&](std::string_view what, const std::string& there, const std::string& asked) {
        throw std::runtime_error(
            fmt::format("{}: this checkpoint is of {} {}, not {}", origin, what, one_line(there), asked));
    };
    const auto compare = [&](const char* what, const char* member, auto asked) {
        if (json[member] != nlohmann::json(asked))
            refuse(what,
                   json[member].is_string() ? json[member].template get<std::string>()
                                            : json_text(json[member]),
                   fmt::format("{}", asked));
    };
    if (json["digest"] != digest(identity.problem))
        throw std::runtime_error(fmt::format("{}: this checkpoint is for another problem: {}, not {}", origin,
                                             one_line(json["problem"].get<std::string>()),
                                             describe(identity.problem)));
    compare("engine", "engine", identity.engine);
    compare("steps", "steps", identity.steps);
    compare("seed", "seed", identity.seed);
    if (json["islands"].size() != identity.islands)
        refuse("islands", std::to_string(json["islands"].size()), std::to_string(identity.islands));
    if (const auto parameters = json["parameters"].get<std::string>(); parameters != identity.parameters) {
        const auto [there, asked] = difference(parameters, identity.parameters);
        throw std::runtime_error(
            fmt::format("{}: this checkpoint is of {}, not {}", origin, one_line(there), asked));
    }
}

} // namespace

void save_evolution(const std::filesystem::path& path, const EvolutionIdentity& identity,
                    const EvolutionState& state)
{
    nlohmann::json islands = nlohmann::json::array();
    for (std::size_t island = 0; island < identity.islands; ++island)
        islands.push_back({{"evaluations", state.evaluations[island]},
                           {"immigrant", to_base64(state.immigrants[island])},
                           {"state", to_base64(state.islands[island])}});
    nlohmann::json json{{"format", "nocturne-evolution"},
                        {"version", 1},
                        {"problem", describe(identity.problem)},
                        {"digest", digest(identity.problem)},
                        {"engine", identity.engine},
                        {"parameters", identity.parameters},
                        {"steps", identity.steps},
                        {"seed", identity.seed},
                        {"epoch", state.epoch},
                        {"random", state.random},
                        {"generations", state.generations},
                        {"best", state.best},
                        {"islands", std::move(islands)}};
    json["checksum"] = checksum(json);
    write_file_atomically(path, json_text(json) + "\n");
}

EvolutionState load_evolution(const std::filesystem::path& path, const EvolutionIdentity& identity)
{
    const std::string origin = path.string();
    nlohmann::json json = read_checked_json(read_file(path), schema, origin);
    const std::string sum = json["checksum"].get<std::string>();
    json.erase("checksum");
    if (sum != checksum(json))
        throw std::runtime_error(
            fmt::format("{}: this checkpoint has been changed: its checksum does not fit", origin));
    check_identity(json, identity, origin);
    EvolutionState state{.epoch = json["epoch"].get<std::uint64_t>(),
                         .random = json["random"].get<std::uint64_t>(),
                         .generations = json["generations"].get<std::uint64_t>(),
                         .best = json["best"].get<std::uint64_t>()};
    for (const nlohmann::json& island : json["islands"]) {
        state.evaluations.push_back(island["evaluations"].get<std::uint64_t>());
        state.immigrants.push_back(from_base64(island["immigrant"].get_ref<const std::string&>()));
        state.islands.push_back(from_base64(island["state"].get_ref<const std::string&>()));
    }
    return state;
}

} // namespace nocturne
