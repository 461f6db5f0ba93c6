#include "sim/traffic/latency_counts.hpp"

namespace nocturne {

std::uint64_t LatencyCounts::quantile(double share) const
{
    QuantileSearch search(share, total_);
    for (std::uint64_t cycles = 0; cycles < counts_.size(); ++cycles)
        if (search.is_it(counts_[cycles]))
            return cycles;
    for (const auto& [cycles, count] : far_counts_)
        if (search.is_it(count))
            return cycles;
    return 0;
}

} // namespace nocturne
