// What randomized routing on Benes networks costs, as values.
#pragma once

#include "sim/report/fields.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne {

/// One network, routed in one way, over many permutations.
struct BenesPoint {
    std::string network;
    std::uint32_t switch_size = 0;
    std::uint32_t digits = 0;
    std::uint32_t truncated = 0;
    std::uint32_t columns = 0;
    std::uint32_t link_bits = 0;
    std::string randomization;
    std::string permutations;
    std::string search_start;  ///< empty but for `worst` permutations
    double searched_delay = 0; ///< likewise 0
    std::uint64_t samples = 0;
    // 0 for `wormhole`, which has no circuits, and so no network cycles.
    double mean_delay = 0;
    double delay_error = 0;
    std::uint32_t most_delay = 0;
    double share_within_limit = 0;
    double share_low = 0;
    double share_high = 0;
    double messages_within_limit = 0;
    std::uint64_t network_cycle_clocks = 0;
    std::uint64_t rounds = 0; ///< see CircuitUse
    double mean_clocks = 0;
    double clocks_error = 0;
    std::uint64_t most_clocks = 0;

    friend bool operator==(const BenesPoint&, const BenesPoint&) = default;
};
Fields<BenesPoint> fields_of(const BenesPoint*);

struct BenesResults {
    std::vector<BenesPoint> points;
};
Fields<BenesResults> fields_of(const BenesResults*);

} // namespace nocturne
