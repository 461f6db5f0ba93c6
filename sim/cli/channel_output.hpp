// The use of channels in a run of traffic: printed, drawn, and as what energy is spent on.
#pragma once

#include "models/energy/activity.hpp"
#include "sim/cli/option_values.hpp"
#include "sim/report/traffic_results.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nocturne::cli {

/// Is something given that takes the use of channels? It is of one run only.
bool wants_channels(const OptionValues& given);

/// Throws std::invalid_argument if --occupancy is given for a network in which it is not counted: with
/// several clocks, or parts that fail during the run.
void check_occupancy(const OptionValues& given, const Topology& topology);

/// The picture that --heat names, if any: of the channels between routers, the first `count`, as what
/// processors inject is known. From one cycle to another.
void draw_heat(const OptionValues& given, std::vector<ChannelLoad> channels, std::size_t count,
               const std::string& title, std::uint64_t begin_cycle, std::uint64_t end_cycle);

/// Of all links of a network.
Activity activity_of(std::span<const ChannelLoad> channels, std::uint64_t cycles);

} // namespace nocturne::cli
