// Means with confidence intervals.
#pragma once

#include <cstddef>
#include <span>

namespace nocturne {

/// A mean and half the width of its 95 % confidence interval.
struct Estimate {
    double mean = 0;
    double error = 0; ///< infinite if there is too little to tell

    friend bool operator==(const Estimate&, const Estimate&) = default;
};

/// Of independent samples, by Student's t. No samples: 0; one: an infinite error.
Estimate estimate_mean(std::span<const double> samples);

/// What belongs to one batch of a simulation.
struct Batch {
    double sum = 0;   ///< of what is averaged
    double count = 0; ///< of what it is averaged over

    friend bool operator==(const Batch&, const Batch&) = default;
};

/// sum / count over all batches, by the method of batch means (Law, Simulation Modeling and Analysis, 4th
/// ed., section 9.5.3): what is too correlated to be told apart within a batch is taken as one sample.
/// Batches of different count are weighed as a ratio estimator does. A count of 0 in all: 0; fewer than two
/// batches: an infinite error.
///
/// Are batches shorter than what correlates them, they are no independent samples either. So the correlation
/// r of each batch with the next one is estimated, its bias taken away (Kendall, Note on bias in the
/// estimation of autocorrelation, Biometrika 41, 1954). If it is above what independent batches show one time
/// in ten, the interval is that of an autoregressive series of order 1: the variance is (1 + r) / (1 - r)
/// times as large, and there are as many fewer degrees of freedom (Law, section 9.5.3); of fewer than two
/// independent samples an infinite error is left. Of fewer than eight batches no correlation is known.
Estimate estimate_ratio(std::span<const Batch> batches);
/// The same of batches that count alike: their means.
Estimate estimate_batches(std::span<const double> means);

/// The sums of samples, where there is no room for the samples themselves.
struct SampleSums {
    double sum = 0;
    double squares = 0;

    void add(double sample)
    {
        sum += sample;
        squares += sample * sample;
    }
};

/// is_above_zero() for many series of so many samples each: is one of them above 0, with a probability of
/// error of at most that in all (Bonferroni)?
bool is_one_above_zero(std::span<const SampleSums> series, std::size_t samples, double probability_of_error);

/// Is the mean of the samples above 0, with a probability of error of at most that? By Student's t; no with
/// fewer than two.
bool is_above_zero(std::span<const double> samples, double probability_of_error = 0.005);

} // namespace nocturne
