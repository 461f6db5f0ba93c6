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

/// Reads `SOURCE DESTINATION PIR [POR [T_ON [T_OFF T_PERIOD]]]`, a pair a line, % before comments; node *n*
/// is processor *n*. In each cycle a processor sends a packet with probability PIR, or POR if it has sent one
/// in the cycle before, and only from T_ON to T_OFF of each T_PERIOD cycles. The pattern has the mean rates
/// of that: a pair that is on for a part of the time sends all of the time at that part of its rate, which is
/// remarked, and has the sum of its lines. T_ON without T_OFF is a beginning, and not used. Throws
/// std::runtime_error, one line with file and line, for a file that cannot be read, fewer than three numbers,
/// a T_OFF without T_PERIOD, times out of order, a node that there is not, a pair that is there twice without
/// times, a rate outside 0 .. 1, and a table without traffic.
NoximTable read_noxim_table(const Topology& topology, const std::string& path);

} // namespace nocturne
