// The networks of the tables.
#pragma once

#include "models/topology/link_network.hpp"

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace nocturne::collectives_of_today {

/// The NVLink graph of a DGX-1 from a CSV file with the columns a, b, units: links both ways, each of so many
/// units of 1 byte a cycle, latency 1 cycle. Throws std::runtime_error, one line with file and line.
LinkNetwork read_dgx1(const std::filesystem::path& path);

/// `mesh 5x5`, `torus 3x4x5`: links both ways between neighbours, of so many bytes a cycle in each dimension.
/// Throws std::invalid_argument for another text, or another number of bandwidths.
LinkNetwork make_grid(std::string_view text, const std::vector<std::uint64_t>& bytes_per_cycle,
                      std::uint64_t latency_cycles);

} // namespace nocturne::collectives_of_today
