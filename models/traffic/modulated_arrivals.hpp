// Arrivals whose rate changes with the state of something that is not seen.
#pragma once

#include "models/routing/random.hpp"

#include <memory>
#include <vector>

namespace nocturne {

/// Markov-modulated Poisson process in discrete time (Fischer and Meier-Hellstern, The Markov-modulated
/// Poisson process (MMPP) cookbook, Performance Evaluation 18, 1993): states in which a processor stays for
/// geometrically distributed times, and in which it sends with the state's own rate; each of the other
/// states follows with the same probability. Rates are relative: the load of a source says what they are in
/// the mean.
struct MmppArrivals {
    struct State {
        double rate;   ///< relative to the others, 0 or more
        double cycles; ///< mean time in the state, 1 or more
    };
    std::vector<State> states; ///< 2 or more, one of them with a rate above 0

    /// Mean over time.
    double mean_rate() const;
    double highest_rate() const;
};

/// Self-similar: the superposition of sources that are on and off for times with Pareto distributions, whose
/// shape between 1 and 2 makes the counts of messages long-range dependent with the Hurst parameter
/// (3 - shape) / 2 (Willinger, Taqqu, Sherman, Wilson, Self-similarity through high-variability, IEEE/ACM
/// Transactions on Networking 5, 1997). While a source is on it has Bernoulli arrivals at the peak load; the
/// mean time off follows from the load. What falls into one cycle comes one cycle after the other.
struct ParetoArrivals {
    unsigned sources = 16; ///< 1 .. 1024
    double shape = 1.4;    ///< above 1, below 2
    double on_cycles = 50; ///< mean time on, cycles, 1 or more
    double peak = 1;       ///< load of a source while it is on, flits per cycle, above 0
};

/// The times of one processor's messages, of such a process. The generator is that of the caller.
class ArrivalTimes {
public:
    virtual ~ArrivalTimes() = default;
    /// Cycle of the next message, whole and strictly ascending; far beyond 2^53, or infinite, if it never
    /// comes.
    virtual double next(SplitMix64& random) = 0;
};

/// `load` above 0 and at most what the process can offer, `mean_flits` of a message: see Arrivals.
std::unique_ptr<ArrivalTimes> arrival_times(const MmppArrivals& process, double load, double mean_flits,
                                            SplitMix64& random);
std::unique_ptr<ArrivalTimes> arrival_times(const ParetoArrivals& process, double load, double mean_flits,
                                            SplitMix64& random);

/// Failures before the first success, by inversion; infinite for the probability 0.
double geometric_number(double probability, SplitMix64& random);

} // namespace nocturne
