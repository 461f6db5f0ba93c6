// Tables of routes and next hops in files.
#pragma once

#include "models/routing/routing.hpp"

#include <cstdint>
#include <string>

namespace nocturne {

/// The routing that a file says: CSV, JSON if the name ends in `.json`, or a table of Noxim's, see
/// read_noxim_table(), which leaves a choice to the routers. Processors and routers are given by
/// name or number.
///
/// Routes, one for each pair of processors:
///
///     source,destination,path,classes        {"routes": [{"source": "00", "destination": "11",
///     00,11,00->01->11,0 1                                "path": ["00", "01", "11"], "classes": [0, 1]}]}
///
/// Next hops, one for each router and processor that a message to it meets:
///
///     router,destination,next,class          {"next_hops": [{"router": "00", "destination": "11",
///     00,11,01,0                                             "next": "01", "class": 0}]}
///
/// The class of virtual channels may be left out, with its column: all are 0. A single number in `classes` is
/// that of all hops. In CSV a name with a comma stands in double quotes, empty lines and those that begin
/// with # say nothing.
///
/// `seed` is that of random selection. Its name is `file:` and the path. Throws std::runtime_error, one line
/// with file and line (in JSON the place), for what cannot be read, and what routes_of_table(),
/// routes_of_next_hops() and read_noxim_table() throw.
Routing read_routes(const Topology& topology, const std::string& path, std::uint64_t seed = 1);

} // namespace nocturne
