#include "models/routing/random.hpp"
#include "sim/traffic/warm_up.hpp"
#include "tests/catch.hpp"
#include "tests/sim/traffic/measured.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace nocturne::warm_up_test {

using namespace nocturne::test;
using Catch::StartsWith;

namespace {

/// The definition, word by word.
std::optional<std::size_t> truncation_by_definition(const std::vector<double>& values)
{
    const std::size_t n = values.size();
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t d = 0; d + 5 <= n; ++d) {
        const auto left = static_cast<double>(n - d);
        double mean = 0;
        for (std::size_t i = d; i < n; ++i)
            mean += values[i] / left;
        double squares = 0;
        for (std::size_t i = d; i < n; ++i)
            squares += (values[i] - mean) * (values[i] - mean);
        if (squares / (left * left) < least) {
            least = squares / (left * left);
            best = d;
        }
    }
    return n >= 10 && 2 * best < n ? std::optional(best) : std::nullopt;
}

/// A warm-up that is found, at most so long.
TrafficSetting finding(double load, std::uint64_t most_cycles, NetworkModel model)
{
    TrafficSetting setting;
    setting.load = load;
    setting.model = model;
    setting.plan = {most_cycles, 4000, 10, 4000};
    setting.plan.finds_warm_up = true;
    return setting;
}

TrafficPoint measured(double load, std::uint64_t most_cycles, NetworkModel model = NetworkModel::flit)
{
    return measure_each({finding(load, most_cycles, model)}).front();
}

} // namespace

TEST_CASE("the truncation of MSER is that of its definition", "[traffic][warm-up]")
{
    SplitMix64 random(7);
    unsigned found = 0;
    for (int trial = 0; trial < 300; ++trial) {
        std::vector<double> values(random.below(120));
        const double bias = 40 * random.uniform(), decay = 1 + 30 * random.uniform();
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = 20 + random.uniform() - bias * std::exp(-static_cast<double>(i) / decay);
        const auto expected = truncation_by_definition(values);
        CAPTURE(trial, values.size(), bias, decay);
        CHECK(mser_truncation(values) == expected);
        found += expected && *expected > 0 ? 1 : 0;
    }
    CHECK(found > 50);
}

TEST_CASE("MSER leaves out a transient, nothing of a steady series, and says when it needs more",
          "[traffic][warm-up]")
{
    std::vector<double> values(100, 0);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = i < 20 ? 1.0 : i % 2 == 0 ? 9.0 : 11.0;
    CHECK(mser_truncation(values) == 20u);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = i % 2 == 0 ? 9.0 : 11.0;
    CHECK(mser_truncation(values) == 0u);
    for (std::size_t i = 0; i < values.size(); ++i) // a queue that grows
        values[i] = static_cast<double>(i * i);
    CHECK_FALSE(mser_truncation(values));
    CHECK_FALSE(mser_truncation(std::vector<double>(9, 1.0)));
}

TEST_CASE("a warm-up is as long as the transient asks, and the result says so", "[traffic][warm-up]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const TrafficPoint point = measured(0.2, 50'000, model);
    CHECK_FALSE(point.saturated);
    CHECK(point.warm_up_cycles >= 1000);
    CHECK(point.warm_up_cycles < 50'000);
    CHECK_THAT(point.warm_up_reason, StartsWith("MSER-5: the transient ended in cycle "));
    CHECK(point.measured_cycles == 4000);
    CHECK(point.accepted_flit_rate == Approx(0.2).epsilon(0.1));
}

TEST_CASE("without a steady state the warm-up ends where it must", "[traffic][warm-up]")
{
    const TrafficPoint saturated = measured(1, 3000);
    CHECK(saturated.saturated);
    CHECK(saturated.warm_up_cycles <= 3000);
    const TrafficPoint idle = measured(0, 3000);
    CHECK(idle.warm_up_cycles == 3000);
    CHECK(idle.warm_up_reason == "MSER-5: no end of the transient among 0 packets of 3000 cycles");
}

TEST_CASE("a warm-up that was found gives the point of a fixed one as long", "[traffic][warm-up]")
{
    TrafficSetting setting = finding(0.15, 50'000, NetworkModel::worm);
    const TrafficPoint found = measure_here(setting);
    setting.plan.finds_warm_up = false;
    setting.plan.warm_up_cycles = found.warm_up_cycles;
    TrafficPoint fixed = measure_here(setting);
    CHECK(fixed.warm_up_reason.empty());
    fixed.warm_up_reason = found.warm_up_reason;
    CHECK(fixed == found);
}

} // namespace nocturne::warm_up_test
