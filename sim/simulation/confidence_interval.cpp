#include "sim/simulation/confidence_interval.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace nocturne {

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

double quantile(std::size_t samples, double probability)
{
    const boost::math::students_t distribution(static_cast<double>(samples - 1));
    return boost::math::quantile(distribution, probability);
}

struct Moments {
    double mean;
    double deviation_of_mean; ///< its estimated standard deviation
};

/// Of two samples or more.
Moments moments_of(std::span<const double> samples)
{
    const auto count = static_cast<double>(samples.size());
    const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / count;
    double squares = 0;
    for (const double sample : samples)
        squares += (sample - mean) * (sample - mean);
    return {mean, std::sqrt(squares / (count - 1) / count)};
}

} // namespace

Estimate estimate_mean(std::span<const double> samples)
{
    if (samples.empty())
        return {};
    if (samples.size() == 1)
        return {samples[0], unbounded};
    const Moments moments = moments_of(samples);
    return {moments.mean, quantile(samples.size(), 0.975) * moments.deviation_of_mean};
}

Estimate estimate_ratio(std::span<const Batch> batches)
{
    Batch all;
    for (const Batch& batch : batches) {
        all.sum += batch.sum;
        all.count += batch.count;
    }
    if (all.count == 0)
        return {};
    const double ratio = all.sum / all.count;
    if (batches.size() < 2)
        return {ratio, unbounded};
    double squares = 0;
    for (const Batch& batch : batches)
        squares += (batch.sum - ratio * batch.count) * (batch.sum - ratio * batch.count);
    const auto number = static_cast<double>(batches.size());
    const double deviation = std::sqrt(squares / (number - 1) * number) / all.count;
    return {ratio, quantile(batches.size(), 0.975) * deviation};
}

bool is_one_above_zero(std::span<const SampleSums> series, std::size_t samples, double probability_of_error)
{
    if (samples < 2 || series.empty())
        return false;
    const auto count = static_cast<double>(samples);
    const double deviations =
        quantile(samples, 1 - probability_of_error / static_cast<double>(series.size()));
    return std::any_of(series.begin(), series.end(), [&](const SampleSums& each) {
        const double mean = each.sum / count;
        const double variance = std::max(0.0, each.squares - mean * each.sum) / (count - 1);
        return mean > deviations * std::sqrt(variance / count);
    });
}

bool is_above_zero(std::span<const double> samples, double probability_of_error)
{
    if (samples.size() < 2)
        return false;
    const Moments moments = moments_of(samples);
    return moments.mean > quantile(samples.size(), 1 - probability_of_error) * moments.deviation_of_mean;
}

} // namespace nocturne
