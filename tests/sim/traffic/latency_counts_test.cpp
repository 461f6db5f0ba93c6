#include "models/routing/random.hpp"
#include "sim/traffic/latency_counts.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace nocturne::latency_counts_test {

TEST_CASE("quantiles are those of the sorted latencies, near and far", "[traffic]")
{
    CHECK(LatencyCounts().quantile(0.5) == 0);
    SplitMix64 random(7);
    for (int round = 0; round < 50; ++round) {
        LatencyCounts counts;
        std::vector<std::uint64_t> sorted;
        const std::uint32_t many = 1 + random.below(300);
        for (std::uint32_t i = 0; i < many; ++i) {
            // Some beyond the dense part.
            sorted.push_back(random.below(3) == 0 ? random.below(~0u) : random.below(50));
            counts.add(sorted.back());
        }
        std::sort(sorted.begin(), sorted.end());
        CHECK(counts.total() == sorted.size());
        for (const double share : {0.01, 0.5, 0.95, 0.99, 1.0}) {
            const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
            CHECK(counts.quantile(share) == sorted[std::max<std::size_t>(rank, 1) - 1]);
        }
    }
}

} // namespace nocturne::latency_counts_test
