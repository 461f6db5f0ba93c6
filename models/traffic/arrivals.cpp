#include "models/traffic/arrivals.hpp"

#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace nocturne {
namespace {

/// From here on times in a double are no longer exact to the cycle.
constexpr double end_of_time = 0x1p53;

/// In whole cycles; what lies after the end of time never comes.
std::uint64_t cycle_of(double time)
{
    return time < end_of_time ? static_cast<std::uint64_t>(time) : Arrivals::never;
}

double number_in(std::string_view text, std::string_view whole)
{
    const auto number = number_of<double>(text);
    if (!number)
        throw std::invalid_argument(fmt::format("arrivals {}: '{}' is no number", whole, text));
    return *number;
}

} // namespace

ArrivalProcess make_arrivals(std::string_view text)
{
    if (text == "bernoulli")
        return BernoulliArrivals{};
    if (text == "periodic")
        return PeriodicArrivals{};
    const std::size_t colon = text.find(':');
    if (text.substr(0, colon) != "bursty") {
        const std::string meant =
            meant_name(text, std::vector<std::string>{"bernoulli", "bursty", "periodic"});
        throw std::invalid_argument(
            fmt::format("no arrivals '{}'{}{}; there are bernoulli, bursty[:BURST_CYCLES[,PEAK]], periodic",
                        text, meant.empty() ? "" : ": ", meant));
    }
    BurstyArrivals bursty;
    if (colon != std::string_view::npos) {
        const std::string_view numbers = text.substr(colon + 1);
        const std::size_t comma = numbers.find(',');
        bursty.burst_cycles = number_in(numbers.substr(0, comma), text);
        if (comma != std::string_view::npos)
            bursty.peak = number_in(numbers.substr(comma + 1), text);
    }
    if (!(bursty.burst_cycles >= 1) || !std::isfinite(bursty.burst_cycles))
        throw std::invalid_argument(fmt::format("arrivals {}: bursts of 1 cycle or more", text));
    if (!(bursty.peak > 0) || !std::isfinite(bursty.peak))
        throw std::invalid_argument(fmt::format("arrivals {}: a peak load above 0", text));
    return bursty;
}

double highest_load(const ArrivalProcess& process, double mean_flits)
{
    const auto* const bursty = std::get_if<BurstyArrivals>(&process);
    return bursty != nullptr ? bursty->peak : mean_flits;
}

Arrivals::Arrivals(const ArrivalProcess& process, double load, double mean_flits, std::uint64_t seed)
    : random_(seed), probability_(load / mean_flits)
{
    if (!(load >= 0) || !(mean_flits >= 1))
        throw std::invalid_argument(
            fmt::format("load {} in messages of {} flits: 0 or more, and 1 or more", load, mean_flits));
    if (const auto* const bursty = std::get_if<BurstyArrivals>(&process)) {
        if (load > bursty->peak)
            throw std::invalid_argument(
                fmt::format("load {}: bursts offer {} flits a cycle at most", load, bursty->peak));
        probability_ = load > 0 ? bursty->peak / mean_flits : 0;
        // On for a share load / peak of the time; where even pauses of a cycle are too long for that, bursts
        // are longer.
        if (load < bursty->peak) {
            leave_on_ = std::min(1 / bursty->burst_cycles, bursty->peak / load - 1);
            leave_off_ = leave_on_ * load / (bursty->peak - load);
        }
    }
    if (probability_ > 1)
        throw std::invalid_argument(
            fmt::format("load {}: messages of {} flits, one a cycle, offer no more", load, mean_flits));
    if (is_silent())
        return;
    is_periodic_ = std::holds_alternative<PeriodicArrivals>(process);
    if (is_periodic_)
        at_ = random_.uniform() / probability_;
    if (leave_on_ > 0) {
        if (random_.uniform() >= load / std::get<BurstyArrivals>(process).peak)
            at_ = 1 + geometric(leave_off_);
        on_until_ = at_ + 1 + geometric(leave_on_);
    } else {
        on_until_ = std::numeric_limits<double>::infinity();
    }
}

double Arrivals::geometric(double probability)
{
    if (!(probability > 0)) // the quotient below would be 0 / 0 for the number 0
        return std::numeric_limits<double>::infinity();
    return probability >= 1 ? 0 : std::floor(std::log1p(-random_.uniform()) / std::log1p(-probability));
}

std::uint64_t Arrivals::next()
{
    if (is_periodic_) {
        const double at = at_;
        at_ += 1 / probability_;
        return cycle_of(at);
    }
    double at = at_ + geometric(probability_);
    // What falls into the time off is drawn again in the next burst: arrivals have no memory.
    while (at >= on_until_ && at < end_of_time) {
        at_ = on_until_ + 1 + geometric(leave_off_);
        on_until_ = at_ + 1 + geometric(leave_on_);
        at = at_ + geometric(probability_);
    }
    at_ = at + 1;
    return cycle_of(at);
}

} // namespace nocturne
