#include "models/routing/random.hpp"
#include "models/worm/tail_lags.hpp"
#include "tests/catch.hpp"

#include <algorithm>

namespace nocturne::tail_lags_test {

namespace {

std::vector<LinkTiming> random_timings(SplitMix64& random)
{
    std::vector<LinkTiming> timings(1 + random.below(4));
    for (LinkTiming& timing : timings)
        timing = {1 + random.below(12), 2 + random.below(9), 1 + random.below(15), 1 + random.below(3)};
    timings.push_back({2, 3, 1000, 1}); // ejection: never short of credits
    return timings;
}

/// The recurrence as its comment has it, with every departure kept.
std::vector<TailLag> by_the_book(const std::vector<LinkTiming>& timings, unsigned head_cycles,
                                 const std::vector<std::uint32_t>& path, std::uint32_t flits)
{
    std::vector<std::vector<std::uint64_t>> at(path.size(), std::vector<std::uint64_t>(flits));
    const auto credit = [&](std::size_t i, std::uint64_t flit) -> std::uint64_t {
        const LinkTiming& link = timings[path[i]];
        if (i + 1 == path.size() || flit < link.buffer_flits)
            return 0;
        return at[i + 1][flit - link.buffer_flits] + link.credit_cycles;
    };
    for (std::uint32_t flit = 0; flit < flits; ++flit)
        for (std::size_t i = 0; i < path.size(); ++i) {
            const LinkTiming& link = timings[path[i]];
            std::uint64_t& departure = at[i][flit];
            departure = i == 0 ? 0 : at[i - 1][flit] + timings[path[i - 1]].flit_cycles;
            if (flit == 0)
                departure += i == 0 ? 0 : head_cycles;
            else
                departure = std::max({departure, at[i][flit - 1] + link.cycles_per_flit, credit(i, flit)});
        }
    std::vector<TailLag> lags;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const std::uint64_t tail = at[i].back();
        const std::uint64_t release = std::max(tail + timings[path[i]].cycles_per_flit, credit(i, flits));
        lags.push_back({tail - at[i].front(), release - at[i].front()});
    }
    return lags;
}

} // namespace

TEST_CASE("lags of tails are those of the recurrence, flit by flit, for short and long messages",
          "[worm][tail_lags]")
{
    SplitMix64 random(GENERATE(range(1, 41)));
    const std::vector<LinkTiming> timings = random_timings(random);
    std::vector<std::uint32_t> path(1 + random.below(9));
    for (std::uint32_t& link : path)
        link = random.below(static_cast<std::uint32_t>(timings.size() - 1));
    path.push_back(static_cast<std::uint32_t>(timings.size() - 1));
    const unsigned head_cycles = random.below(5);
    for (const std::uint32_t flits : {1u, 2u, 3u, 8u, 17u, 64u, 500u, 5000u + random.below(500)}) {
        INFO(flits << " flits");
        REQUIRE(compute_tail_lags(timings, head_cycles, path, flits) ==
                by_the_book(timings, head_cycles, path, flits));
    }
}

TEST_CASE("a message of two thousand million flits costs no more than a short one", "[worm][tail_lags]")
{
    const std::vector<LinkTiming> timings{{10, 10, 4, 1}, {2, 3, 8, 1}};
    const std::vector<std::uint32_t> path{0, 0, 1};
    const std::uint32_t flits = 2'000'000'000;
    const TailLag lag = compute_tail_lags(timings, 2, path, flits).front();
    // Four flits in twenty cycles.
    CHECK(static_cast<double>(lag.tail) == Approx(5.0 * flits).epsilon(1e-6));
}

} // namespace nocturne::tail_lags_test
