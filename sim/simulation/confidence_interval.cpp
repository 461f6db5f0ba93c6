#include "sim/simulation/confidence_interval.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace nocturne {

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

double quantile_of(double degrees_of_freedom, double probability)
{
    return boost::math::quantile(boost::math::students_t(degrees_of_freedom), probability);
}

double quantile(std::size_t samples, double probability)
{
    return quantile_of(static_cast<double>(samples - 1), probability);
}

/// Of each deviation from the mean with the next one, without bias; 0 where chance may have made it.
double correlation_of(std::span<const double> deviations)
{
    constexpr std::size_t fewest = 8;
    constexpr double one_in_ten = 1.3; // standard deviations, one-sided
    constexpr double most = 0.9;       // beyond, nothing is known of the mean
    if (deviations.size() < fewest)
        return 0;
    double squares = 0, products = 0;
    for (std::size_t i = 0; i < deviations.size(); ++i) {
        squares += deviations[i] * deviations[i];
        products += i == 0 ? 0 : deviations[i - 1] * deviations[i];
    }
    if (squares <= 0)
        return 0;
    const auto number = static_cast<double>(deviations.size());
    const double biased = products / squares;
    const double correlation = biased + (1 + 3 * biased) / number;
    return correlation > one_in_ten / std::sqrt(number) ? std::min(correlation, most) : 0;
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
    std::vector<double> deviations;
    double squares = 0;
    for (const Batch& batch : batches) {
        deviations.push_back(batch.sum - ratio * batch.count);
        squares += deviations.back() * deviations.back();
    }
    const auto number = static_cast<double>(batches.size());
    const double correlation = correlation_of(deviations);
    const double factor = (1 + correlation) / (1 - correlation);
    const double independent = number / factor; // samples that tell as much
    if (independent < 2)
        return {ratio, unbounded};
    const double deviation = std::sqrt(factor * squares / (number - 1) * number) / all.count;
    return {ratio, quantile_of(independent - 1, 0.975) * deviation};
}

Estimate estimate_batches(std::span<const double> means)
{
    std::vector<Batch> batches;
    for (const double mean : means)
        batches.push_back({mean, 1});
    return estimate_ratio(batches);
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
