// Flows as people ask for them.
#pragma once

#include "models/network/configuration.hpp"
#include "models/topology/topology.hpp"
#include "schedules/slots/slot_table.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

struct FlowRequest {
    std::string source; ///< a processor by name or number
    std::string destination;
    double mbytes_per_s = 0;               ///< 10^6 bytes a second, above 0
    std::uint64_t message_bytes = 64;      ///< 1 or more
    std::optional<double> latency_ns = {}; ///< at most; above 0
    std::uint32_t burst_messages = 1;      ///< at once at most; 1 to most_burst_messages
    std::string place = {};                ///< where it stands, for errors
};

/// `source=00,destination=33,mbytes_per_s=100,message_bytes=64,latency_ns=500,burst_messages=2`: the last
/// three may be left out; what has no `=` belongs to the value before it, so that names may have commas, and
/// a value may stand in double quotes. Throws std::invalid_argument for anything else.
FlowRequest parse_flow(std::string_view text);

/// A CSV file, a flow a line, with these names as its header, of which the last three may be left out, and
/// a value too. Comments begin with # and no digit. Throws std::runtime_error, one line with file and line,
/// for what is wrong with it.
std::vector<FlowRequest> read_flows(const std::string& path);

/// What they ask of hardware. Throws std::invalid_argument, naming the flow, for a processor that does not
/// exist and a message that is too long.
std::vector<GuaranteedFlow> flows_of(const Topology& topology, const HardwareConfig& hardware,
                                     const std::vector<FlowRequest>& requests);

} // namespace nocturne
