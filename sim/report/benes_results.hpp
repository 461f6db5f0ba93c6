// What randomized routing on Benes networks costs, as values and as a table.
#pragma once

#include "sim/report/table.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nocturne {

/// One network, routed in one way, over many permutations.
struct BenesPoint {
    std::string network; ///< `benes:4,5,3`
    std::uint32_t switch_size = 0;
    std::uint32_t digits = 0;
    std::uint32_t truncated = 0;
    std::uint32_t columns = 0;
    std::uint32_t link_bits = 0;
    std::string randomization; ///< `single`, `multiple`
    std::string permutations;  ///< `random`, `reversal`
    std::uint64_t samples = 0; ///< permutations routed
    double mean_delay = 0;     ///< network cycles
    /// Half the width of the 95 % confidence interval of the mean (Student's t), network cycles.
    double delay_error = 0;
    std::uint32_t most_delay = 0;
    double share_within_limit =
        0; ///< of permutations with a delay of at most BenesOptions::delay_limit, 0..1
    std::uint64_t network_cycle_clocks = 0; ///< clock cycles of a network cycle: set-up and transfer
    double mean_clocks = 0;                 ///< latency of a permutation, clock cycles
    std::uint64_t most_clocks = 0;

    friend bool operator==(const BenesPoint&, const BenesPoint&) = default;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BenesPoint, network, switch_size, digits, truncated, columns, link_bits,
                                   randomization, permutations, samples, mean_delay, delay_error, most_delay,
                                   share_within_limit, network_cycle_clocks, mean_clocks, most_clocks)

/// One row a point.
Table benes_table(std::span<const BenesPoint> points);

} // namespace nocturne
