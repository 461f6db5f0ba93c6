// Traces: messages that an application sent.
#pragma once

#include "models/topology/topology.hpp"

#include <cstdint>
#include <memory>
#include <span>
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
    std::uint64_t earliest = 0;            ///< with dependencies: it is not sent before this cycle
    std::vector<ProcessorId> others = {};  ///< of a multicast, which arrives when it has come to all
    std::uint32_t of_class = 0;            ///< below most_trace_classes

    friend bool operator==(const TraceMessage&, const TraceMessage&) = default;
};

inline constexpr std::uint32_t most_trace_classes = 8;
inline constexpr std::uint64_t most_trace_messages = 0xffff'ffff; ///< so that 32 bits tell them apart

/// Messages one after the other, in their order, numbered from 0.
class TraceReader {
public:
    virtual ~TraceReader() = default;
    /// The next one into `message`; false behind the last. Throws std::runtime_error, one line with the place
    /// in the file, for what is no trace.
    virtual bool next(TraceMessage& message) = 0;
};

/// Those of a list, which must outlive it.
class TraceList final : public TraceReader {
public:
    explicit TraceList(std::span<const TraceMessage> messages) : messages_(messages) {}
    bool next(TraceMessage& message) override;

private:
    std::span<const TraceMessage> messages_;
    std::size_t next_ = 0;
};

/// Opens a trace of one of these forms, which is seen by its first bytes, compressed with bzip2 or not.
///
/// A CSV file with the header `cycle,source,destination,bytes,after`, one message a line, numbered from 0:
/// processors by name (`10`) or number (`#10`; the two differ on a mesh), plain numbers all in one way
/// (PlainNumbers), the destinations of a multicast separated by spaces, `after` a list of numbers separated
/// by spaces, or empty. A name with a comma stands in double quotes (csv_fields()). Lines that begin with #
/// are comments. A sixth column, `class`, is a number from 0 to 7.
///
/// A trace of netrace, version 1.0 (Hestness, Grot, Keckler, Netrace: dependency-driven trace-based
/// network-on-chip simulation, NoCArc 2010): node *n* is processor *n*. A packet is sent in its cycle, or
/// when the last one that it depends on has arrived if that is later; its bytes are those of its type, 8 or
/// 72.
///
/// A workload of tt-npe in JSON, on a grid of rows (y) and columns (x): each transfer is so many packets in
/// the cycle `phase_cycle_offset`, a multicast for all destinations of its rectangle. On planes with
/// interfaces of their own (composition.hpp) it takes the network that `noc_type` names.
///
/// The readers take memory for one message, of netrace for the dependencies that are open, and of JSON for
/// the file. The topology must outlive the reader. Throws std::runtime_error, one line with the place, here
/// or when the message comes, for a file that cannot be read, another header, a wrong number of fields, an
/// unknown processor or more nodes than processors, numbers that are names here and indices there, a
/// message of 0 bytes, one that waits for itself or a later one, a packet without a size, a place outside
/// the grid, and a file that ends in the middle of a packet.
std::unique_ptr<TraceReader> open_trace(const Topology& topology, const std::string& path);

/// All messages of a trace.
std::vector<TraceMessage> read_trace(const Topology& topology, const std::string& path);

/// What is to be known of a trace before it is replayed.
struct TraceSummary {
    std::uint64_t messages = 0;
    bool is_sorted = true; ///< no cycle of a message without dependencies is before one of an earlier message
    bool has_dependencies = false;
    std::uint32_t classes = 1;         ///< one more than the last of a message
    std::uint64_t multicast_bytes = 0; ///< of the largest message to several destinations; 0: there is none
};

/// Reads a trace once from the beginning to its end.
TraceSummary summary_of(TraceReader& trace);

} // namespace nocturne
