#include "sim/replay/fit.hpp"
#include "tests/catch.hpp"

#include <cmath>

namespace nocturne::fit_test {

using Catch::Contains;

namespace {

ReplayResult replay_of(std::uint64_t bytes, double time_ns, std::uint32_t steps = 1,
                       double hop_overhead_ns = 0)
{
    ReplayResult replay;
    replay.steps = steps;
    replay.hop_overhead_ns = hop_overhead_ns;
    replay.run.message_bytes = bytes;
    replay.run.time_ns = time_ns;
    return replay;
}

} // namespace

TEST_CASE("the fit of points on a line is that line", "[replay][fit]")
{
    // 4 steps of 900 + 0.25 m, and 12 ns of hops each.
    std::vector<ReplayResult> replays;
    for (const std::uint64_t bytes : {64u, 100u, 4096u})
        replays.push_back(replay_of(bytes, 4 * (900 + 0.25 * static_cast<double>(bytes) + 12), 4, 48));
    const TimingFit fit = fit_timing(replays, {});
    CHECK(fit.t0_ns == Approx(900).epsilon(1e-12));
    CHECK(fit.t1_ns_per_byte == Approx(0.25).epsilon(1e-12));
    CHECK(fit.hop_overhead_ns == Approx(12));
    CHECK(fit.residual_ns == Approx(0).margin(1e-9));
    CHECK(fit.model_t0_ns == 1000);
    CHECK(fit.model_t1_ns_per_byte == 0.5);
}

TEST_CASE("the fit of points beside a line is least squares, the residual their root mean square",
          "[replay][fit]")
{
    // Through (1, 1), (2, 3), (3, 2): slope 1/2, intercept 1, off by -1/2, 1, -1/2.
    const std::vector<ReplayResult> replays{replay_of(1, 1), replay_of(2, 3), replay_of(3, 2)};
    const TimingFit fit = fit_timing(replays, {});
    CHECK(fit.t1_ns_per_byte == Approx(0.5));
    CHECK(fit.t0_ns == Approx(1));
    CHECK(fit.residual_ns == Approx(std::sqrt(0.5)));
}

TEST_CASE("a fit takes two message sizes and a schedule with steps", "[replay][fit]")
{
    const std::vector<ReplayResult> none;
    const std::vector<ReplayResult> one{replay_of(64, 100)};
    const std::vector<ReplayResult> same{replay_of(64, 100), replay_of(64, 120)};
    const std::vector<ReplayResult> no_steps{replay_of(64, 0, 0), replay_of(128, 0, 0)};
    for (const auto* replays : {&none, &one, &same})
        CHECK_THROWS_WITH(fit_timing(*replays, {}), Contains("at least two message sizes"));
    CHECK_THROWS_WITH(fit_timing(no_steps, {}), Contains("without steps"));
}

} // namespace nocturne::fit_test
