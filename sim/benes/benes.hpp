// Experiments with randomized routing on Benes networks: one network, or all that fit a machine size (Youssef
// and El-Sayed, Optimization of Randomized Routing on Benes Networks).
#pragma once

#include "models/benes/control_tag.hpp"
#include "sim/report/benes_results.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace nocturne {

/// A network and the width of its links.
struct BenesDesign {
    std::uint32_t q = 2;
    std::uint32_t n = 1;
    std::uint32_t truncated = 0;
    std::uint32_t link_bits = 1;

    friend bool operator==(const BenesDesign&, const BenesDesign&) = default;
};

/// All q-ary networks with q^n = `processors`, each with every number of columns removed (0 .. n-1), whose
/// switches have `pins` pins for input: links of pins / q bits, q at most `pins` and a divisor of it. By q,
/// then by columns removed. Throws std::invalid_argument if there is none.
std::vector<BenesDesign> benes_designs(std::uint32_t processors, std::uint32_t pins);

/// What goes over a circuit once it stands: a whole message, or one word of it, after which the whole
/// permutation is routed again for the next one (as long as for the first: the means are those of independent
/// rounds).
enum class CircuitUse { message, word };

/// What randomized routing is held against.
enum class BenesReference {
    /// The looping algorithm sets all switches: one network cycle, where no columns are missing. The setting
    /// itself, which is not distributed, takes no clock cycle here.
    looping,
    wormhole ///< wormhole messages with random tags on the flit-level network, see wormhole_latencies()
};

/// How permutations are routed, and what that costs.
///
/// The paper says: a clock cycle sets a switch, and lets a signal travel over a whole circuit. Read here as:
/// all sources begin a network cycle together; a request needs `setup_clocks` in each column; then what
/// `circuit` says crosses in words of the link's width, a clock each; then `release_clocks`. A source that is
/// blocked waits for the next network cycle, as all do.
struct BenesOptions {
    std::vector<Randomization> randomizations{Randomization::single, Randomization::multiple};
    Arbitration arbitration = Arbitration::random;
    /// Names of make_permutation(); each sample of `random` is another one. Or `worst`: what
    /// find_worst_permutation() finds for each design and randomization (for references: against multiple
    /// randomization), measured with tags that the search has not seen.
    std::vector<std::string> permutations{"random"};
    std::vector<BenesReference> references = {}; ///< rows behind those of the randomizations
    std::uint32_t search_evaluations = 400;      ///< WorstSearch::evaluations
    std::uint32_t samples = 300;                 ///< of each kind; 2 or more
    std::uint32_t reference_samples = 20;        ///< the same for references; 2 or more
    std::uint64_t message_bits = 256;            ///< 1 or more
    CircuitUse circuit = CircuitUse::message;    ///< of circuits, not of wormhole messages
    std::uint32_t setup_clocks = 1;              ///< for each column
    std::uint32_t release_clocks = 0;            ///< for each network cycle
    std::uint32_t delay_limit = 6;               ///< network cycles, see BenesPoint::share_within_limit
    std::uint64_t seed = 1;
    unsigned workers = 0; ///< processes; 0 = one for each core; never changes the result
    std::function<void(std::size_t done, std::size_t total)> on_progress = {};
};

/// The time of a permutation on a design is its delay in network cycles x network_cycle_clocks x rounds.
struct CircuitCost {
    std::uint64_t network_cycle_clocks = 0;
    std::uint64_t rounds = 1;
};
CircuitCost circuit_cost(const BenesDesign& design, const BenesOptions& options);

/// For each design, kind of permutation and randomization or reference, in this order, what came out
/// (`looping` only for designs with all columns). All designs of one size are given the same permutations,
/// except `worst` ones. Throws std::invalid_argument for options or designs out of range, and for
/// permutations that the number of processors does not have.
std::vector<BenesPoint> evaluate_benes(std::span<const BenesDesign> designs, const BenesOptions& options);

} // namespace nocturne
