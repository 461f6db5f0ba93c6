// Who gets a virtual channel, and who the switch: what can be chosen.
#pragma once

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

/// Which of several requests an arbiter prefers.
enum class ArbiterKind : std::uint8_t {
    round_robin, ///< the next in turn after the last that was served
    matrix,      ///< the one that was served least recently
    age,         ///< of the packet that entered its source queue first; then round-robin
    priority     ///< of the packet with the highest priority; then round-robin
};

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
std::string to_string(ArbiterKind kind);
std::vector<std::string> switch_allocator_names();
std::vector<std::string> vc_allocator_names();
std::vector<std::string> arbiter_names();

/// Throw std::invalid_argument with the names that there are.
AllocatorKind parse_switch_allocator(std::string_view name);
AllocatorKind parse_vc_allocator(std::string_view name);
ArbiterKind parse_arbiter(std::string_view name);

} // namespace nocturne
