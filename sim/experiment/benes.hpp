// Experiments with randomized routing on Benes networks: one network, or all that fit a machine size (Youssef and El-Sayed,
// Optimization of Randomized Routing on Benes Networks).
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

/// All q-ary networks with q^n = `processors`, each with every number of columns removed (0 .. n-1), whose switches have `pins` pins
/// for input: links of pins / q bits, q at most `pins` and a divisor of it. By q, then by columns removed. Throws
/// std::invalid_argument if there is none.
std::vector<BenesDesign> benes_designs(std::uint32_t processors, std::uint32_t pins);

/// How permutations are routed, and what that costs.
///
/// The paper says: a clock cycle sets a switch, and lets a signal travel over a whole circuit. Read here as: all sources begin a
/// network cycle together; a request needs `setup_clocks` in each column; then the message crosses in words of the link's width, a
/// clock each; then `release_clocks`. A source that is blocked waits for the next network cycle, as all do.
struct BenesOptions {
    std::vector<Randomization> randomizations{Randomization::single, Randomization::multiple};
    Arbitration arbitration = Arbitration::random;
    std::vector<std::string> permutations{
        "random"};                    ///< names of make_permutation(); each sample of `random` is another one
    std::uint32_t samples = 300;      ///< of each kind; 2 or more
    std::uint64_t message_bits = 256; ///< 1 or more
    std::uint32_t setup_clocks = 1;   ///< for each column
    std::uint32_t release_clocks = 0; ///< for each network cycle
    std::uint32_t delay_limit = 6;    ///< network cycles, see BenesPoint::share_within_limit
    std::uint64_t seed = 1;
    unsigned workers = 0; ///< processes; 0 = one for each core; never changes the result
    std::function<void(std::size_t done, std::size_t total)> on_progress = {};
};

/// For each design, kind of permutation and randomization, in this order, what came out. All designs of one size are given the same
/// permutations. Throws std::invalid_argument for options or designs out of range, and for permutations that the number of
/// processors does not have.
std::vector<BenesPoint> evaluate_benes(std::span<const BenesDesign> designs, const BenesOptions& options);

} // namespace nocturne
