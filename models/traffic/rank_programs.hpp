// What the ranks of an application do: they compute, send and receive, some of it after something else.
#pragma once

#include "models/topology/topology.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// What can be judged of programs that do not say what their messages contain.
enum class ProgramRule : std::uint8_t {
    unknown_rank,       ///< ranks are processors of the network, and messages go between ranks
    unknown_dependency, ///< an operation is after operations of its rank that exist
    unmatched_message,  ///< every send has a receive of its ranks and tag, and every receive a send
    mismatched_message, ///< of the same size, and in an order that does not depend on the network
    circular_wait,      ///< every operation ends, whichever begins first
};

/// Where a program breaks a rule.
struct ProgramDefect {
    ProgramRule rule;
    std::uint32_t rank = 0;
    std::uint32_t line = 0; ///< as in RankPrograms::Operation; 0: the whole file
    std::string text = {};
    std::uint64_t count = 1; ///< messages that it is said of
};

/// What answers requests: a memory behind the second interface of each processor.
struct RequestServers {
    std::uint32_t service_cycles = 1; ///< from a request's last flit to its answer's entry into the queue
    /// Requests that one works on at a time, those included whose answers wait to be sent, 1 or more: it
    /// takes no other one out of its ejection buffers before.
    std::uint32_t requests = 4;
    std::uint32_t reply_vcs = 0; ///< virtual channels of each link that answers have; 0: half of them
};

/// The operations of all ranks; rank r is processor r, or with servers an interface: those of the n
/// processors that ask are followed by those of the n that answer (with_server_interfaces()).
struct RankPrograms {
    enum class Kind : std::uint8_t { compute, send, receive };
    enum class Form : std::uint8_t { goal, chakra, npe_events };
    struct Operation {
        Kind kind = Kind::compute;
        std::uint32_t rank = 0;
        std::uint32_t cpu = 0;  ///< of the rank, that computes: one thing at a time
        std::uint32_t peer = 0; ///< the rank that a message goes to or comes from
        std::uint64_t tag = 0;  ///< of the message
        std::uint64_t bytes = 0;
        /// Of a multicast's first send: how many it has, this one and every second operation behind it, to
        /// each of which a receive belongs; 0 of the others.
        std::uint32_t copies = 1;
        bool keeps_reservation = false;           ///< see MessageNetwork::Sending
        std::uint32_t data_flits_of_a_header = 0; ///< a header flit for each so many; 0: headers ride beside
        double ns = 0;                            ///< that it computes
        std::uint64_t cycles = 0;                 ///< of the network's clock, in addition
        std::vector<std::uint32_t> after = {};    ///< operations that must be over
        std::vector<std::uint32_t> after_start = {}; ///< that must have begun
        std::uint32_t line = 0;                      ///< of the file, or number of the node or event, from 1
    };

    std::uint32_t ranks = 0;
    std::vector<Operation> operations = {}; ///< those of a rank in their order
    /// Messages and dependencies that name what does not exist. Such a message is a computation of no time.
    std::vector<ProgramDefect> defects = {};
    std::string path = {};  ///< of the file, or without `.RANK.et` that of the files of the ranks
    Form form = Form::goal; ///< of Chakra there is a file for each rank
    std::optional<RequestServers> servers = {}; ///< nothing: ranks are processors
    std::uint32_t ranks_line = 0;               ///< that says how many ranks there are
    std::optional<std::uint64_t> captured_cycles =
        {}; ///< from the first event to the last where it was captured
};

/// The most operations: what timers can number.
inline constexpr std::uint32_t most_operations = (1U << 27) - 1;

/// `line`, `node` or `event`.
std::string_view line_word(const RankPrograms& programs);
/// `ring.goal:7`, `traces/trace.3.et: node 4`
std::string place_of(const RankPrograms& programs, std::uint32_t rank, std::uint32_t line);

/// Programs of one of these forms; nothing for a file of another. Throws std::runtime_error, one line with
/// the place, for what is no such program, receives from any source or with any tag, and collectives.
///
/// GOAL, compressed with bzip2 or not, the text form that LogGOPSim's txt2bin reads (Hoefler, Schneider and
/// Lumsdaine, LogGOPSim, HPDC 2010): `num_ranks`, and for each rank `calc` (ns), `send`, `recv`, `requires`
/// and `irequires`. Numbers of NICs are not used, which is remarked. A rank that is not in the file does
/// nothing.
///
/// Execution traces of Chakra in protobuf, a file for each rank: `path` is that of rank 0, NAME.0.et, beside
/// which are NAME.1.et and so on, or NAME, or a folder with one such set. Of a message source, destination,
/// tag and size are used; all other nodes take their duration, one after the other on the CPU (`is_cpu_op`),
/// and one after the other beside it; what is not used is remarked.
std::optional<RankPrograms> read_programs(const std::string& path);

/// Throws std::runtime_error, one line with the place, for programs that cannot be run on the network:
/// judge_programs() finds a defect that is no mismatched_message.
void check_programs(const RankPrograms& programs, const Topology& topology);

} // namespace nocturne
