// What other simulators and schedulers call the things that have another name here.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace nocturne {

struct NeighbourWord {
    std::string_view tool; ///< `BookSim2`; empty: what somebody might guess
    std::string_view word; ///< as it is written there: `injection_rate`, `-pir`
    /// An option (`--load`), a command (`front`) or a value of one (`complement`); empty if nothing here is
    /// that.
    std::string_view here;
    std::string_view difference; ///< of what the two mean, or what takes its place; empty: none
};

/// All of them, by tool. Of BookSim2, Noxim, Garnet of gem5, msccl-tools and TACOS; their sources are named
/// in the documentation (docs/bibliography.md).
std::span<const NeighbourWord> neighbour_words();

/// The first whose word is `text` (capitals, leading hyphens, and hyphens for underscores aside), and whose
/// name here, up to a plus (`dor_random+crossing`), is one of `known`, or begins one of them before a colon
/// (`hotspot:P`). Null if there is none.
const NeighbourWord* find_neighbour_word(std::string_view text, std::span<const std::string> known);

} // namespace nocturne
