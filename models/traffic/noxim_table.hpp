// Traffic tables of Noxim.
#pragma once

#include "models/topology/topology.hpp"
#include "models/traffic/pattern.hpp"

#include <string>

namespace nocturne {

/// Which node sends to which, by the packets that it creates in a cycle.
struct NoximTable {
    TrafficPattern pattern;
    double packets_per_cycle = 0; ///< mean over the processors
};

/// Reads `SOURCE DESTINATION [PIR [POR [T_ON [T_OFF [T_PERIOD]]]]]`, a pair a line, % before comments; node
/// *n* is processor *n*. POR and times are not used, which is remarked. Throws std::runtime_error, one line
/// with file and line, for a file that cannot be read, fewer than three numbers, a node that there is not,
/// a pair that is there twice, a rate outside 0 .. 1, and a table without traffic.
NoximTable read_noxim_table(const Topology& topology, const std::string& path);

} // namespace nocturne
