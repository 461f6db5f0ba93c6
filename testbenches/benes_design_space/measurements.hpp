// What is simulated: delays in network cycles, which every reading of the costs turns into clock cycles, and
// references.
#pragma once

#include "sim/benes/benes.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne::benes_design_space {

struct DesignSpaceOptions {
    std::vector<std::uint32_t> processors; ///< machine sizes
    std::uint32_t pins = 256;              ///< of a switch, for input
    std::uint32_t samples = 300;           ///< random permutations on each design
    std::uint32_t adversary_samples =
        40; ///< tags for each permutation with a name, and each one that was found
    std::uint32_t search_evaluations = 80;
    std::vector<std::uint64_t> message_bits; ///< lengths for the map
    std::uint32_t clos_largest = 64;         ///< largest q of the networks B(q,2)
    std::uint32_t clos_samples = 3000;       ///< permutations of each kind on each of them
    std::uint32_t reference_processors = 0;  ///< machine size with references; 0: none
    std::uint32_t reference_samples = 10;    ///< permutations on the flit level
    std::vector<std::uint64_t> reference_bits;
    std::uint64_t seed = 1;
    unsigned workers = 0;
    std::string expected; ///< folder with the tables that must come out; empty: nothing to compare with
    std::string output;   ///< folder; empty: only the terminal
};

/// One machine size: every design, random arbitration unless said otherwise.
struct Machine {
    std::uint32_t processors = 0;
    std::vector<BenesPoint> random;      ///< random permutations, single and multiple
    double random_seconds = 0;           ///< wall-clock time that these took
    std::vector<BenesPoint> named;       ///< permutations with a name, multiple
    std::vector<BenesPoint> worst;       ///< found by search, single and multiple
    std::vector<BenesPoint> lowest_port; ///< random permutations, multiple, arbitration by port
};
Machine measure(std::uint32_t processors, const DesignSpaceOptions& options);

/// Every B(q,2), q from 2, with random permutations; where q is a power of two with the worst ones that were
/// found, too. Single and multiple.
std::vector<BenesPoint> measure_clos(const DesignSpaceOptions& options);

/// Random permutations with messages of so many bits, multiple, and all references: every design of
/// reference_processors.
std::vector<BenesPoint> measure_references(std::uint64_t message_bits, const DesignSpaceOptions& options);

/// Wall-clock time to route one permutation over B(2,12) with multiple randomization, the mean over many,
/// seconds.
double seconds_for_a_permutation();

} // namespace nocturne::benes_design_space
