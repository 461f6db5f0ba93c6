// What randomized routing on Benes networks costs, as values and as a table.
#pragma once

#include "sim/report/table.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <span>
#include <string>

namespace nocturne {

/// One network, routed in one way, over many permutations.
struct BenesPoint {
    std::string network; ///< `benes:4,5,3`
    std::uint32_t switch_size = 0;
    std::uint32_t digits = 0;
    std::uint32_t truncated = 0;
    std::uint32_t columns = 0;
    std::uint32_t link_bits = 0;
    /// `single`, `multiple`; or a reference: `looping` (no conflicts), `wormhole` (no circuits, so that there
    /// are no network cycles: what is counted in them is 0)
    std::string randomization;
    std::string permutations;  ///< `random`, `reversal`, `worst`
    std::string search_start;  ///< for `worst`: where the climb to it began; otherwise empty
    double searched_delay = 0; ///< for `worst`: mean with the tags of the search, network cycles; otherwise 0
    std::uint64_t samples = 0; ///< permutations routed
    double mean_delay = 0;     ///< network cycles
    /// Half the width of the 95 % confidence interval of the mean (Student's t), network cycles.
    double delay_error = 0;
    std::uint32_t most_delay = 0;
    /// Of permutations with a delay of at most BenesOptions::delay_limit, 0..1, and its 95 % confidence
    /// interval (Clopper and Pearson).
    double share_within_limit = 0;
    double share_low = 0;
    double share_high = 0;
    double messages_within_limit = 0; ///< share of messages that are through after so many attempts, 0..1
    std::uint64_t network_cycle_clocks = 0; ///< clock cycles of a network cycle: set-up and transfer
    std::uint64_t rounds = 0; ///< how often the permutation is routed to move whole messages, see CircuitUse
    double mean_clocks = 0;   ///< latency of a permutation, clock cycles
    double clocks_error = 0;  ///< half the width of its 95 % confidence interval
    std::uint64_t most_clocks = 0;

    friend bool operator==(const BenesPoint&, const BenesPoint&) = default;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BenesPoint, network, switch_size, digits, truncated, columns, link_bits,
                                   randomization, permutations, search_start, searched_delay, samples,
                                   mean_delay, delay_error, most_delay, share_within_limit, share_low,
                                   share_high, messages_within_limit, network_cycle_clocks, rounds,
                                   mean_clocks, clocks_error, most_clocks)

/// One row a point; columns that only `worst` permutations fill are there if there are such.
Table benes_table(std::span<const BenesPoint> points);

} // namespace nocturne
