// Traces: messages that an application sent.
#pragma once

#include "models/topology/topology.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne {

/// One message of a trace.
struct TraceMessage {
    /// Without dependencies the cycle in which it is sent; otherwise cycles from the arrival of the last
    /// message that it waits for.
    std::uint64_t cycle = 0;
    ProcessorId source = 0;
    ProcessorId destination = 0;
    std::uint64_t bytes = 0;               ///< 1 or more
    std::vector<std::uint32_t> after = {}; ///< messages before this one in the trace

    friend bool operator==(const TraceMessage&, const TraceMessage&) = default;
};

/// Reads a CSV file with the header `cycle,source,destination,bytes,after`, one message a line, numbered from
/// 0: processors by name (`10`) or number (`#10`; the two differ on a mesh), plain numbers all in one way
/// (PlainNumbers), `after` a list of numbers
/// separated by spaces, or empty. Lines that begin with # are comments. Throws std::runtime_error, one line
/// with file and line, for a file that cannot be read, another header, a wrong number of fields, an unknown
/// processor, numbers that are names here and indices there, a message of 0 bytes, one that waits for itself
/// or a later one, and for time that runs backwards between messages that wait for nothing.
std::vector<TraceMessage> read_trace(const Topology& topology, const std::string& path);

} // namespace nocturne
