#include "sim/traffic/latency_counts.hpp"

#include <cmath>

namespace nocturne {

std::uint64_t LatencyCounts::quantile(double share) const
{
    const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(total_)));
    std::uint64_t seen = 0;
    for (std::uint64_t cycles = 0; cycles < counts_.size(); ++cycles) {
        seen += counts_[cycles];
        if (seen > 0 && seen >= wanted)
            return cycles;
    }
    for (const auto& [cycles, count] : far_counts_) {
        seen += count;
        if (seen >= wanted)
            return cycles;
    }
    return 0;
}

} // namespace nocturne
