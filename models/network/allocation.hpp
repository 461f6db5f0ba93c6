// Who gets a virtual channel, and who the switch: what can be chosen.
#pragma once

#include "models/topology/arbiter.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// How an allocator matches inputs with outputs (Dally & Towles, Principles and Practices, ch. 19).
enum class AllocatorKind : std::uint8_t {
    /// Outputs grant, inputs accept; an arbiter's turn passes on only after a grant that is accepted in the
    /// first iteration (McKeown, The iSLIP Scheduling Algorithm for Input-Queued Switches, 1999).
    islip,
    /// Each input commits itself to one of its requests until that one wins; outputs arbitrate among them.
    input_first,
    /// Outputs grant, inputs accept; an arbiter's turn passes on after every grant.
    output_first,
    /// Requests are granted diagonal by diagonal of the matrix of inputs and outputs, from a diagonal on that
    /// moves by one each time (Tamir & Chi, Symmetric Crossbar Arbiters for VLSI Communication Switches,
    /// 1993).
    wavefront,
    /// Of virtual channels only: each set of equivalent ones serves all its requests in one cycle, in turn.
    rotating
};

/// Which of several outputs with a free virtual channel a router gives a packet that it may send by any of
/// them. Of equal ones the next in turn after the last that was chosen.
enum class Selection : std::uint8_t {
    in_turn, ///< whatever the credits
    credits, ///< with the most credits, of all virtual channels that the packet may take there
    random,  ///< drawn with equal probability
    /// With the most credits that the next router has for the outputs which it may then give the packet, a
    /// virtual channel that is taken having none, as they stand at the beginning of the cycle; of equal ones
    /// by `credits`. (Neighbours-on-path: G. Ascia, V. Catania, M. Palesi and D. Patti, Implementation and
    /// analysis of a new selection strategy for adaptive routing in networks-on-chip, IEEE Trans. Computers
    /// 57(6), 2008.)
    neighbours,
    /// Only the first that the routing names, unless the router is congested: then by `credits`. It is
    /// congested while of the buffer of some virtual channel behind its outputs more than
    /// `dyad_threshold` is taken. (J. Hu and R. Marculescu, DyAD: smart routing for networks-on-chip, DAC
    /// 2004.)
    dyad
};

/// The part of a buffer that is taken before a router counts as congested.
inline constexpr double dyad_threshold = 0.6;

/// The allocators of a router.
struct Allocation {
    AllocatorKind switch_allocator = AllocatorKind::islip;
    AllocatorKind vc_allocator = AllocatorKind::islip;
    ArbiterKind arbiter = ArbiterKind::round_robin; ///< of both
    unsigned iterations = 1;                        ///< of iSLIP in the switch, in one cycle; 1..32
    /// Ports of the crossbar for each input, which its virtual channels share out among themselves; 1..32, at
    /// most as many as there are virtual channels.
    unsigned input_speedup = 1;

    bool operator==(const Allocation&) const = default;
};

std::string to_string(AllocatorKind kind);
std::string to_string(Selection selection);
std::vector<std::string> switch_allocator_names();
std::vector<std::string> vc_allocator_names();
std::vector<std::string> selection_names();

/// Throw std::invalid_argument with the names that there are.
AllocatorKind parse_switch_allocator(std::string_view name);
AllocatorKind parse_vc_allocator(std::string_view name);
Selection parse_selection(std::string_view name);

} // namespace nocturne
