// How many transactions a second each timing simulates.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne::fabric_timing {

struct SpeedRow {
    std::string interconnect; ///< `none`: the initiator is bound to the memory; `bus`: one that only calls on
    std::string transport;    ///< b_transport or nb_transport
    double seconds = 0;       ///< processor time
    std::uint64_t transactions = 0;
};

/// One core; `transactions` of about so many, fewer for the slower timings.
std::vector<SpeedRow> measure_speed(const std::string& topology, std::uint64_t transactions);

} // namespace nocturne::fabric_timing
