// The Verilog that is written anew for each wormhole network.
#pragma once

#include "models/network/configuration.hpp"
#include "sim/rtl/wormhole_plan.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace nocturne {

std::string wormhole_network_text(const Topology& topology, const HardwareConfig& hardware,
                                  const Routing& routing, const WormholePlan& plan);
/// `packets`: by source, how many the bench sends from there.
std::string wormhole_bench_text(const HardwareConfig& hardware, const WormholePlan& plan,
                                std::span<const std::size_t> packets);
std::string wormhole_readme(const Topology& topology, const HardwareConfig& hardware, const Routing& routing,
                            const WormholePlan& plan, std::size_t packets);

} // namespace nocturne
