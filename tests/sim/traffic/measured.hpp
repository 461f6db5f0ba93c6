// Measurements of traffic for tests, in worker processes: SystemC elaborates once in a process.
#pragma once

#include "sim/traffic/measure.hpp"
#include "tests/sim/in_workers.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nocturne::test {

/// What is measured, and by which plan.
struct TrafficSetting {
    std::string topology = "mesh:4x4";
    std::string pattern = "uniform";
    double load = 0.1;
    std::string routing = "auto";
    std::string packet_flits = "8";
    std::string arrivals = "bernoulli";
    std::uint64_t seed = 1;
    MeasurementPlan plan = {2000, 10000, 20, 10000};
    double cycle_ns = 2;
    NetworkModel model = NetworkModel::flit;
    unsigned vcs = 0; ///< 0: as many as routing and detours need
    std::vector<std::string> faults = {};
    DownTime down = {};
    std::optional<std::uint64_t> reroute_after = {};
};

/// In this process.
TrafficPoint measure_here(const TrafficSetting& setting);

std::vector<TrafficPoint> measure_each(const std::vector<TrafficSetting>& settings);

/// A line of a packet log; what is lost was ejected in cycle 0.
struct LoggedPacket {
    std::string of_class;
    std::uint64_t packet = 0;
    std::string source, destination;
    std::uint64_t flits = 0, created = 0, injected = 0, ejected = 0, hops = 0, latency = 0;
    double latency_ns = 0;
};

/// Of a log in CSV.
std::vector<LoggedPacket> packets_in(const std::string& log);

struct LoggedPoint {
    TrafficPoint point;
    std::vector<LoggedPacket> packets;
};

LoggedPoint logged(const TrafficSetting& setting);

} // namespace nocturne::test
