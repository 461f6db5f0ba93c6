#include "models/traffic/modulated_arrivals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace nocturne {

namespace {

constexpr double last_time = 0x1p53; ///< from here on times are no longer exact to the cycle

class MmppTimes final : public ArrivalTimes {
public:
    MmppTimes(const MmppArrivals& process, double load, double mean_flits, SplitMix64& random)
    {
        const double scale = load / process.mean_rate() / mean_flits;
        double all_cycles = 0;
        for (const MmppArrivals::State& state : process.states) {
            // Rounding must not make more than one message a cycle of what is one.
            states_.push_back({std::min(1.0, state.rate * scale), 1 / state.cycles});
            all_cycles += state.cycles;
        }
        double place = random.uniform() * all_cycles; // in the long run each state has its share of the time
        while (state_ + 1 < process.states.size() && place >= process.states[state_].cycles)
            place -= process.states[state_++].cycles;
        until_ = 1 + geometric_number(states_[state_].leave, random);
    }

    double next(SplitMix64& random) override
    {
        double at = at_ + geometric_number(states_[state_].message, random);
        while (at >= until_ && until_ < last_time) {
            at_ = until_;
            const std::uint32_t other = random.below(static_cast<std::uint32_t>(states_.size() - 1));
            state_ = other < state_ ? other : other + 1;
            until_ = at_ + 1 + geometric_number(states_[state_].leave, random);
            at = at_ + geometric_number(states_[state_].message, random);
        }
        at_ = at + 1;
        return at;
    }

private:
    struct State {
        double message; ///< probability of one in a cycle
        double leave;   ///< probability that a cycle is the last one in the state
    };
    std::vector<State> states_;
    std::size_t state_ = 0;
    double at_ = 0; ///< the earliest cycle of the next message
    double until_;  ///< the first cycle in another state
};

/// A Pareto distribution by its shape and mean.
class Pareto {
public:
    Pareto(double shape, double mean) : shape_(shape), mean_(mean), least_(mean * (shape - 1) / shape) {}

    double draw(SplitMix64& random) const { return least_ * std::pow(1 - random.uniform(), -1 / shape_); }
    /// What is left of a time into which a point of time falls: with the density (1 - F) / mean.
    double draw_rest(SplitMix64& random) const
    {
        const double place = random.uniform(), before_least = (shape_ - 1) / shape_;
        if (place < before_least)
            return place * mean_;
        const double behind = (place - before_least) * shape_;
        return least_ * std::pow(1 - std::min(behind, 1 - 0x1p-53), -1 / (shape_ - 1));
    }

private:
    double shape_;
    double mean_;
    double least_;
};

class ParetoTimes final : public ArrivalTimes {
public:
    ParetoTimes(const ParetoArrivals& process, double load, double mean_flits, SplitMix64& random)
        : message_(process.peak / mean_flits), is_always_on_(load >= process.sources * process.peak),
          on_(process.shape, process.on_cycles),
          off_(process.shape, process.on_cycles * (process.sources * process.peak / load - 1)),
          sources_(process.sources)
    {
        const double share_on = load / (process.sources * process.peak);
        for (Source& source : sources_) {
            if (is_always_on_)
                source.on_until = std::numeric_limits<double>::infinity();
            else if (random.uniform() < share_on)
                source.on_until = on_.draw_rest(random);
            else
                begin_period(source, off_.draw_rest(random), random);
            advance(source, random);
        }
    }

    double next(SplitMix64& random) override
    {
        Source& first = *std::ranges::min_element(sources_, {}, &Source::at);
        const double at = std::max(first.at, last_ + 1);
        last_ = at;
        first.from = first.at + 1;
        advance(first, random);
        return at;
    }

private:
    struct Source {
        double from = 0;     ///< the earliest time of its next message
        double on_until = 0; ///< when it goes off
        double at = 0;       ///< cycle of its next message
    };

    void begin_period(Source& source, double begin, SplitMix64& random) const
    {
        source.from = begin;
        source.on_until = begin + on_.draw(random);
    }

    /// What falls into the time off is drawn again in the next time on: arrivals have no memory.
    void advance(Source& source, SplitMix64& random) const
    {
        source.at = std::ceil(source.from) + geometric_number(message_, random);
        while (source.at >= source.on_until && source.on_until < last_time) {
            begin_period(source, source.on_until + off_.draw(random), random);
            source.at = std::ceil(source.from) + geometric_number(message_, random);
        }
    }

    const double message_; ///< probability of one in a cycle of a source that is on
    const bool is_always_on_;
    const Pareto on_;
    const Pareto off_;
    std::vector<Source> sources_;
    double last_ = -1; ///< cycle of the last message of all
};

} // namespace

double geometric_number(double probability, SplitMix64& random)
{
    if (!(probability > 0)) // the quotient below would be 0 / 0 for the number 0
        return std::numeric_limits<double>::infinity();
    return probability >= 1 ? 0 : std::floor(std::log1p(-random.uniform()) / std::log1p(-probability));
}

double MmppArrivals::mean_rate() const
{
    double sum = 0, cycles = 0;
    for (const State& state : states) {
        sum += state.rate * state.cycles;
        cycles += state.cycles;
    }
    return sum / cycles;
}

double MmppArrivals::highest_rate() const
{
    return std::ranges::max_element(states, {}, &State::rate)->rate;
}

std::unique_ptr<ArrivalTimes> arrival_times(const MmppArrivals& process, double load, double mean_flits,
                                            SplitMix64& random)
{
    return std::make_unique<MmppTimes>(process, load, mean_flits, random);
}

std::unique_ptr<ArrivalTimes> arrival_times(const ParetoArrivals& process, double load, double mean_flits,
                                            SplitMix64& random)
{
    return std::make_unique<ParetoTimes>(process, load, mean_flits, random);
}

} // namespace nocturne
