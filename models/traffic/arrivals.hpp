// Temporal patterns: when a processor sends its next message.
#pragma once

#include "models/routing/random.hpp"
#include "models/traffic/modulated_arrivals.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <variant>

namespace nocturne {

/// A message in each cycle with the same probability.
struct BernoulliArrivals {};

/// Markov-modulated: on and off for geometrically distributed times; while it is on, Bernoulli arrivals at
/// the peak load.
struct BurstyArrivals {
    double burst_cycles = 100; ///< mean time on, cycles, 1 or more
    double peak = 1;           ///< load while it is on, flits per cycle, above 0
};

/// Messages at equal distances; each processor begins at a random point of the period.
struct PeriodicArrivals {};

using ArrivalProcess =
    std::variant<BernoulliArrivals, BurstyArrivals, PeriodicArrivals, MmppArrivals, ParetoArrivals>;

/// `bernoulli`, `bursty[:BURST_CYCLES[,PEAK]]`, `periodic`, `mmpp:RATE,CYCLES,RATE,CYCLES[,...]`,
/// `pareto[:SOURCES[,SHAPE[,ON_CYCLES[,PEAK]]]]`. Throws std::invalid_argument for another text or
/// numbers out of range.
ArrivalProcess make_arrivals(std::string_view text);

/// The highest load, in flits per cycle, that the process can offer with messages of so many flits in the
/// mean: a message in each cycle, or the peak of bursts and of all sources together, or with a message in
/// each cycle of the busiest state.
double highest_load(const ArrivalProcess& process, double mean_flits);

/// Mean length of the longest state that the process remembers, cycles: of bursts, or of a state of an MMPP;
/// 0 of a process without memory. Of ParetoArrivals there is none that is longest: infinite.
double state_cycles(const ArrivalProcess& process);

/// The times of one processor's messages. Costs are per message, not per cycle.
class Arrivals {
public:
    /// `load`: flits per cycle, 0 or more; `mean_flits` of a message, 1 or more. Throws std::invalid_argument
    /// if the load is above highest_load().
    Arrivals(const ArrivalProcess& process, double load, double mean_flits, std::uint64_t seed);

    /// Does it ever send?
    bool is_silent() const { return probability_ <= 0; }
    /// Cycle of the next message, from 0, strictly ascending; `never`, from then on, for one after cycle
    /// 2^53. Only if it is not silent.
    std::uint64_t next();
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

private:
    /// Failures before the first success.
    double geometric(double probability);

    std::unique_ptr<ArrivalTimes> times_; ///< of the modulated processes
    SplitMix64 random_;
    double probability_;  ///< of a message in a cycle (while it is on)
    double leave_on_ = 0; ///< probabilities that a cycle is the last one of its state; 0: always on
    double leave_off_ = 0;
    bool is_periodic_ = false;
    double at_ = 0;       ///< the earliest cycle of the next message
    double on_until_ = 0; ///< the first cycle that is off
};

} // namespace nocturne
