// How many transactions a second each timing simulates.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne::fabric_timing {

struct SpeedRow {
    std::string topology;
    std::string interconnect; ///< a bus that only calls on, or the timing of a fabric
    std::string transport;    ///< b_transport or nb_transport
    double seconds = 0;       ///< processor time
    std::uint64_t transactions = 0;
};

/// One core; `transactions` of about so many, fewer for the slower timings.
std::vector<SpeedRow> measure_speed(const std::string& topology, std::uint64_t transactions);
/// What a transaction of b_transport costs as the network grows, with the timings that do not wait.
std::vector<SpeedRow> measure_growth(const std::vector<std::string>& topologies, std::uint64_t transactions);

} // namespace nocturne::fabric_timing
