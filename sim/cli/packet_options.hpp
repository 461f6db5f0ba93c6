// What traffic writes of single packets.
#pragma once

#include "sim/cli/option_values.hpp"
#include "sim/report/traffic_results.hpp"
#include "sim/traffic/measure.hpp"

#include <array>
#include <functional>
#include <string_view>
#include <vector>

namespace nocturne::cli {

OptionTable packet_options();
/// Their names.
inline constexpr std::array<std::string_view, 4> packet_option_names{"packet-log", "packet-sample", "flows",
                                                                     "histogram"};

/// Is one of them given that needs the packets of one run?
bool wants_packets(const OptionValues& given);

/// Calls `run` with the records that are asked for. The log is there when that returns, and as it was if it
/// throws.
void with_packet_records(const OptionValues& given, const std::function<void(const PacketRecords&)>& run);

/// Writes the tables that are asked for.
void write_packet_tables(const OptionValues& given, const std::vector<FlowLatency>& flows,
                         const std::vector<LatencyCount>& histogram);

} // namespace nocturne::cli
