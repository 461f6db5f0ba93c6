// What the ranks of an application do: they compute, send and receive, some of it after something else.
#pragma once

#include "models/topology/topology.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// The operations of all ranks; rank r is processor r.
struct RankPrograms {
    enum class Kind : std::uint8_t { compute, send, receive };
    struct Operation {
        Kind kind = Kind::compute;
        std::uint32_t rank = 0;
        std::uint32_t cpu = 0;  ///< of the rank, that computes: one thing at a time
        std::uint32_t peer = 0; ///< the rank that a message goes to or comes from
        std::uint64_t tag = 0;  ///< of the message
        std::uint64_t bytes = 0;
        double ns = 0;                               ///< that it computes
        std::vector<std::uint32_t> after = {};       ///< operations of the rank that must be over
        std::vector<std::uint32_t> after_start = {}; ///< that must have begun
        std::uint32_t line = 0;                      ///< of the file
    };

    std::uint32_t ranks = 0;
    std::vector<Operation> operations = {}; ///< in their order, those of a rank together
};

/// The most operations: what timers can number.
inline constexpr std::uint32_t most_operations = (1U << 27) - 1;

/// Throws std::runtime_error, one line with `path` and the line of the file, if messages are sent that
/// nobody receives or the other way round (by ranks and tag), or operations wait for each other for ever. A
/// receive takes the message that has been sent first of those with its source and tag.
void check_programs(const RankPrograms& programs, const std::string& path);

/// Is it the beginning of a text in GOAL?
bool is_goal(std::string_view text);

/// Programs in GOAL, the text form that LogGOPSim's txt2bin reads (Hoefler, Schneider and Lumsdaine,
/// LogGOPSim, HPDC 2010): `num_ranks`, and for each rank `calc` (ns), `send`, `recv`, `requires` and
/// `irequires`; nothing if the file, compressed with bzip2 or not, does not begin so. Numbers of NICs are
/// not used, which is remarked. A rank that is not in the file does nothing. Throws std::runtime_error, one
/// line with file and line, for what is no GOAL, more ranks than processors, receives from any source or
/// with any tag, and as check_programs().
std::optional<RankPrograms> read_goal(const Topology& topology, const std::string& path);

/// Is it the name of a trace of rank 0, NAME.0.et?
bool is_chakra(std::string_view path);

/// Execution traces of Chakra in protobuf: `path` is that of rank 0, NAME.0.et, beside which are those of
/// the other ranks, NAME.1.et and so on; nothing for a path that does not end so. Of a message source,
/// destination, tag and size are used; all other nodes take their duration, one after the other on the CPU
/// (`is_cpu_op`), and one after the other beside it; what is not used is remarked. Throws
/// std::runtime_error, one line with file and node, for what is no such trace, a collective, more ranks
/// than processors, and as check_programs().
std::optional<RankPrograms> read_chakra(const Topology& topology, const std::string& path);

} // namespace nocturne
