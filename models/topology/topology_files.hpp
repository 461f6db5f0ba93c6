// Topologies from files, whatever their format.
#pragma once

#include "models/topology/topology.hpp"

#include <filesystem>
#include <string_view>

namespace nocturne {

/// Reads `.json` (json_format.hpp, or a composition, composition.hpp), `.dot` or `.gv` (dot_format.hpp),
/// `.graphml` (graphml_format.hpp), `.anynet` (anynet_format.hpp), `.yml` or `.yaml` (floogen_format.hpp); a
/// file of another name, such as BookSim's `anynet_file`, in the format that its content shows. Throws
/// std::runtime_error, one line that names the file, the place in it and the reason; also if it is not UTF-8.
Topology load_topology(const std::filesystem::path& path);

/// Is it a file that load_topology() reads, by its name, or if that says nothing by how it begins? JSON is
/// known by its members, not here.
bool is_topology_text(const std::filesystem::path& path, std::string_view begin);

/// Between the name of a network and those of the parts that it lacks.
inline constexpr std::string_view without_word = " without ";

/// with_faults() of a text, `link:00-01, node:11`, as names have it.
Topology without_parts(const Topology& topology, std::string_view parts);

/// A file if `text` ends like one of the above, or names a file and no kind of network; otherwise a
/// specification (see make_topology). Failed parts may follow, as names in results have them (with_faults()):
/// `mesh:4x4 without link:00-01, node:11`.
Topology topology_from(std::string_view spec_or_file);

} // namespace nocturne
