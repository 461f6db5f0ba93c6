// What a file says of the topology that it is for: a specification, a file, or all of it.
#pragma once

#include "models/topology/topology.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace nocturne {

/// The specification, if that makes this very topology; otherwise the topology as an object
/// (json_format.hpp).
nlohmann::ordered_json topology_reference(const std::string& specification, const Topology& topology);

/// The topology of the member "topology" of `file`: a specification, a topology file (its path relative to
/// that of `file`), or an object. Throws std::runtime_error in one line that begins with the file.
Topology referenced_topology(const nlohmann::json& reference, const std::filesystem::path& file);

/// `this schedule is for ring:8, not for mesh:2x2`: of `what` was made for one topology and is wanted for
/// another. Nothing if files would say the same of both (json_format.hpp).
std::optional<std::string> objection_to_network(std::string_view what, const Topology& made_for,
                                                const Topology& wanted);

} // namespace nocturne
