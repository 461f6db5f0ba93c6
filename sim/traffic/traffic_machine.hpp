// A network with sources of synthetic traffic, whatever the level at which it is simulated.
#pragma once

#include "sim/traffic/measure.hpp"
#include "sim/traffic/traffic_record.hpp"

#include <memory>

namespace nocturne {

/// What a machine is made of; all of it must outlive the machine.
struct TrafficSetup {
    const Topology& topology;
    const Routing& routing;
    const MeasuredNetwork& network;
    const Traffic& traffic;
};

/// What measure_traffic() runs, phase by phase.
struct TrafficMachine {
    /// `end`: the last cycle that it will be run to. Throws as measure_traffic().
    TrafficMachine(const TrafficSetup& setup, const Window& window, std::uint64_t end);

    const std::unique_ptr<MessageNetwork> network;
    TrafficRecord record;
    TrafficSources sources;
};

} // namespace nocturne
