// How fast the message-level model simulates.
#pragma once

#include <cstdint>
#include <string>

namespace nocturne::worm_model {

struct SpeedOptions {
    std::string topology = "torus:32x32";
    std::string routing = "auto";
    std::string pattern = "uniform";
    double load = 0.2;
    unsigned packet_flits = 64;
    std::uint64_t cycles = 20000; ///< in which packets are made
    std::uint64_t seed = 1;
};

/// Runs traffic and prints message-hops a second of processor time, and the memory that it took.
void measure_speed(const SpeedOptions& options);

} // namespace nocturne::worm_model
