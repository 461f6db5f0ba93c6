// How far the message-level model is from the flit-level model.
#pragma once

#include "sim/report/table.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne::worm_model {

/// One kind of traffic on one network.
struct TrafficCell {
    std::string topology;
    std::string pattern;
    std::string packet_flits;
    unsigned vcs = 0; ///< 0: as many as the routing needs
};

std::vector<TrafficCell> all_cells();

/// Both models at one load, with the same packets.
struct Accuracy {
    TrafficCell cell;
    double load = 0;
    double of_saturation = 0; ///< the load, over what the flit level accepts at most
    double flit_cycles = 0;   ///< average packet latency, of three seeds
    double worm_cycles = 0;

    double error_percent() const { return 100 * (worm_cycles / flit_cycles - 1); }
};

/// The cells at 10, 30, 50, 70 and 90 % of saturation, as the flit level has it at a load of 1; in worker
/// processes.
std::vector<Accuracy> measure_accuracy(const std::vector<TrafficCell>& cells, std::uint64_t window_cycles);

Table accuracy_table(const std::vector<Accuracy>& rows);

} // namespace nocturne::worm_model
