// A problem as people write it: on the command line, in a testbench's list of cells.
#pragma once

#include "schedules/problem/problem.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// Lists name processors, separated by commas; `0-7` is a range of indices unless a processor has that name
/// (or of two names: as their indices). An empty text
/// or list is one that is not given.
struct ProblemText {
    std::string topology;            ///< specification or file
    std::vector<std::string> faults; ///< `link:00-01`, `channel:00-01`, `node:5`
    std::string collective;          ///< `AAS`, `allgather`
    std::string source;    ///< of one-to-all forms, the root of all-to-one forms; not given: the first member
    std::string senders;   ///< of MNB and MNS
    std::string receivers; ///< of MNB, MNS and multicast
    std::string image;     ///< of a permutation
    std::string group;     ///< of all others: who takes part; not given: all
    std::string weights;   ///< whole numbers: Participants::weights
    std::uint32_t parts = 1; ///< of each block
    std::string ports;       ///< `1`, `k`, `all`; not given: as usual for the topology
    std::optional<unsigned> slack;
    std::string switching; ///< not given: wormhole
};

/// The processors of such a list, in its order. Throws std::invalid_argument, one line that begins with
/// `role` (`sender`), for one that does not exist.
std::vector<std::uint32_t> processors_of(const Topology& topology, std::string_view role,
                                         const std::string& list);

/// Who takes part in the collective of that kind, and in what sizes and parts. Throws std::invalid_argument,
/// one line, for a processor that does not exist and a weight that is no number.
Participants participants_of(const ProblemText& text, CollectiveKind kind, const Topology& topology);

/// Throws std::invalid_argument or std::runtime_error, one line, for a network, fault, processor or
/// collective that does not exist, and for a problem that cannot be posed.
Problem make_problem(const ProblemText& text);

} // namespace nocturne
