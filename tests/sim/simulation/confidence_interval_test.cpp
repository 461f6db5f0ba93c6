#include "models/routing/random.hpp"
#include "sim/simulation/confidence_interval.hpp"
#include "tests/catch.hpp"

#include <cmath>
#include <vector>

namespace nocturne::estimate_test {

TEST_CASE("a mean has the error that Student's table says", "[simulation]")
{
    // t(0.975, 3) = 3.182; the standard deviation of these is sqrt(20 / 3).
    const Estimate estimate = estimate_mean(std::vector<double>{1, 3, 5, 7});
    CHECK(estimate.mean == 4);
    CHECK(estimate.error == Approx(3.182446 * std::sqrt(20.0 / 3 / 4)).epsilon(1e-6));
}

TEST_CASE("too few samples have no error to tell", "[simulation]")
{
    CHECK(estimate_mean({}) == Estimate{0, 0});
    CHECK(estimate_mean(std::vector<double>{5}).mean == 5);
    CHECK(std::isinf(estimate_mean(std::vector<double>{5}).error));
    CHECK(estimate_ratio({}) == Estimate{0, 0});
    CHECK(std::isinf(estimate_ratio(std::vector<Batch>{{6, 2}}).error));
    CHECK(estimate_ratio(std::vector<Batch>{{6, 2}}).mean == 3);
    CHECK_FALSE(is_above_zero(std::vector<double>{5}));
}

TEST_CASE("batches of the same size are samples of their means", "[simulation]")
{
    const std::vector<Batch> batches{{10, 10}, {30, 10}, {50, 10}, {70, 10}};
    const Estimate ratio = estimate_ratio(batches);
    const Estimate mean = estimate_mean(std::vector<double>{1, 3, 5, 7});
    CHECK(ratio.mean == Approx(mean.mean));
    CHECK(ratio.error == Approx(mean.error));
}

TEST_CASE("an empty batch weighs nothing", "[simulation]")
{
    CHECK(estimate_ratio(std::vector<Batch>{{12, 4}, {0, 0}, {24, 8}}).mean == 3);
}

TEST_CASE("95 of 100 confidence intervals cover the mean", "[simulation]")
{
    // Sums of three uniform numbers, mean 1.5; 2000 experiments: three standard deviations are 1.5 %.
    SplitMix64 random(1);
    int covered = 0;
    for (int experiment = 0; experiment < 2000; ++experiment) {
        std::vector<double> samples;
        for (int i = 0; i < 10; ++i)
            samples.push_back(random.uniform() + random.uniform() + random.uniform());
        const Estimate estimate = estimate_mean(samples);
        covered += std::abs(estimate.mean - 1.5) <= estimate.error ? 1 : 0;
    }
    CHECK(covered / 2000.0 == Approx(0.95).margin(0.015));
}

TEST_CASE("intervals of batches that correlate are wide enough, and of others no wider", "[simulation]")
{
    // Batches of an autoregressive series; beside the interval of independent samples.
    const auto [correlation, least, most_of_independent] =
        GENERATE(table<double, double, double>({{0.0, 0.935, 0.97}, {0.5, 0.875, 0.8}, {0.8, 0.84, 0.5}}));
    SplitMix64 random(1);
    const auto noise = [&] {
        double sum = 0;
        for (int i = 0; i < 12; ++i)
            sum += random.uniform() - 0.5;
        return sum;
    };
    constexpr int experiments = 2000;
    int covered = 0, covered_by_independent = 0;
    double width = 0, width_of_independent = 0;
    for (int experiment = 0; experiment < experiments; ++experiment) {
        std::vector<double> means;
        double value = noise() / std::sqrt(1 - correlation * correlation);
        for (int i = 0; i < 20; ++i)
            means.push_back(value = correlation * value + noise());
        const Estimate estimate = estimate_batches(means), independent = estimate_mean(means);
        CHECK(estimate.mean == Approx(independent.mean).margin(1e-12));
        covered += std::abs(estimate.mean) <= estimate.error ? 1 : 0;
        covered_by_independent += std::abs(independent.mean) <= independent.error ? 1 : 0;
        if (std::isfinite(estimate.error)) {
            width += estimate.error;
            width_of_independent += independent.error;
        }
    }
    CAPTURE(correlation, covered, covered_by_independent);
    CHECK(covered >= least * experiments);
    CHECK(covered_by_independent <= most_of_independent * experiments);
    if (correlation == 0)
        CHECK(width < 1.1 * width_of_independent);
}

TEST_CASE("a mean above zero is told from chance", "[simulation]")
{
    CHECK(is_above_zero(std::vector<double>{1, 1, 1, 1}));
    CHECK(is_above_zero(std::vector<double>{3, 4, 5, 4, 3, 5}));
    CHECK_FALSE(is_above_zero(std::vector<double>{0, 0, 0, 0}));
    CHECK_FALSE(is_above_zero(std::vector<double>{8, 0, 0, 0, 0}));
    CHECK_FALSE(is_above_zero(std::vector<double>{-3, -4, -5}));
    SplitMix64 random(1);
    int mistakes = 0;
    for (int experiment = 0; experiment < 2000; ++experiment) {
        std::vector<double> samples;
        for (int i = 0; i < 20; ++i)
            samples.push_back(random.uniform() - random.uniform());
        mistakes += is_above_zero(samples) ? 1 : 0;
    }
    CHECK(mistakes < 25); // 10 expected; five standard deviations more
}

} // namespace nocturne::estimate_test
