// The networks of the tables.
#pragma once

#include "models/topology/link_network.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace nocturne::collectives_of_today {

/// The NVLink graph of a DGX-1 from rows with the columns a, b, units: links both ways, each of so many units
/// of 1 byte a cycle, latency 1 cycle. Throws std::exception for what is no such row.
LinkNetwork make_dgx1(const nlohmann::json& rows);

/// `mesh 5x5`, `torus 3x4x5`: links both ways between neighbours, of so many bytes a cycle in each dimension.
/// Throws std::invalid_argument for another text, or another number of bandwidths.
LinkNetwork make_grid(std::string_view text, const std::vector<std::uint64_t>& bytes_per_cycle,
                      std::uint64_t latency_cycles);

} // namespace nocturne::collectives_of_today
