// Every single fault of a network, with a schedule and without one, at three times each: is it located as
// what it is?
#pragma once

#include "sim/report/table.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace nocturne::fault_location {

struct LocationSweep {
    std::vector<std::string> networks;
    std::string only; ///< of the networks; empty: all
    std::uint64_t bytes = 64;
    std::string expected; ///< file; empty: nothing to compare with
    std::string output;   ///< folder; empty: only the terminal
};

/// What became of all faults of a network under one kind of traffic.
struct Tally {
    std::string network;
    std::string traffic;
    std::size_t faults = 0;    ///< channels, links and routers whose loss leaves the others connected
    std::size_t runs = 0;      ///< three a fault
    std::size_t unnoticed = 0; ///< no message met it
    std::size_t located = 0;   ///< as what it is, and nothing else
    std::size_t probes = 0;    ///< in all runs that located something
    std::size_t most_probes = 0;
    std::vector<std::string>
        wrong; ///< one line for each that is not, or whose memories are not right in the end
};

/// All-to-all scatter on each network, first with a schedule, then without.
std::vector<Tally> sweep(const LocationSweep& configuration);

Table tally_table(const std::vector<Tally>& tallies);

} // namespace nocturne::fault_location
