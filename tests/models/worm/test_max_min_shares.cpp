// Messages that share a link fairly.
#include "models/worm/max_min_shares.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace nocturne::max_min_shares_test {

namespace {

std::vector<double> cycles(std::vector<Flow> flows, double capacity = 1)
{
    share_max_min(flows, capacity);
    std::vector<double> result;
    for (const Flow& flow : flows)
        result.push_back(flow.cycles);
    return result;
}

} // namespace

TEST_CASE("messages share a link fairly, and what a slow one leaves is for the others", "[worm]")
{
    // Alone one takes as long as its flits, or as it is held back.
    CHECK(cycles({{16, 0}}) == std::vector<double>{16});
    CHECK(cycles({{16, 40}}) == std::vector<double>{40});
    CHECK(cycles({{16, 0}}, 0.5) == std::vector<double>{32});
    const std::vector<double> both = cycles({{10, 0}, {30, 0}});
    CHECK(both[0] == Approx(19)); // the last of the round of two
    CHECK(both[1] == Approx(40)); // it then has the link
    const std::vector<double> all = cycles({{10, 100}, {45, 0}, {45, 0}});
    CHECK(all[0] == Approx(100));
    CHECK(all[1] == Approx(99)); // 0.45 flits a cycle each
    CHECK(all[2] == Approx(100));
}

TEST_CASE("a link passes no more than its capacity, and is not idle while there are flits", "[worm]")
{
    for (unsigned count = 2; count <= 32; ++count) {
        std::vector<Flow> flows;
        for (unsigned i = 0; i < count; ++i)
            flows.push_back({1.0 + i * 7 % 13, 0});
        const double sum = std::accumulate(flows.begin(), flows.end(), 0.0,
                                           [](double all, const Flow& flow) { return all + flow.flits; });
        share_max_min(flows, 1);
        double last = 0;
        double rate = 0;
        for (const Flow& flow : flows) {
            last = std::max(last, flow.cycles);
            rate += flow.first_rate;
        }
        CHECK(last == Approx(sum));
        CHECK(rate == Approx(1));
    }
}

} // namespace nocturne::max_min_shares_test
