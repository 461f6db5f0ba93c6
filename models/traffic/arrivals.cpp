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

/// What stands behind the colon, up to `most` numbers.
std::vector<double> numbers_behind(std::string_view text, std::size_t colon, std::size_t most)
{
    std::vector<double> numbers;
    std::string_view rest = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
    while (colon != std::string_view::npos) {
        const std::size_t comma = rest.find(',');
        numbers.push_back(number_in(rest.substr(0, comma), text));
        if (comma == std::string_view::npos)
            break;
        rest.remove_prefix(comma + 1);
    }
    if (numbers.size() > most)
        throw std::invalid_argument(fmt::format("arrivals {}: at most {} numbers", text, most));
    return numbers;
}

MmppArrivals make_mmpp(std::string_view text, std::size_t colon)
{
    constexpr std::size_t most_states = 64;
    const std::vector<double> numbers = numbers_behind(text, colon, 2 * most_states);
    if (numbers.size() < 4 || numbers.size() % 2 != 0)
        throw std::invalid_argument(
            fmt::format("arrivals {}: expected mmpp:RATE,CYCLES,RATE,CYCLES and more of them", text));
    MmppArrivals mmpp;
    for (std::size_t i = 0; i < numbers.size(); i += 2) {
        if (!(numbers[i] >= 0) || !std::isfinite(numbers[i]))
            throw std::invalid_argument(fmt::format("arrivals {}: rates of 0 or more", text));
        if (!(numbers[i + 1] >= 1) || !std::isfinite(numbers[i + 1]))
            throw std::invalid_argument(fmt::format("arrivals {}: states of 1 cycle or more", text));
        mmpp.states.push_back({numbers[i], numbers[i + 1]});
    }
    if (!(mmpp.mean_rate() > 0) || !std::isfinite(mmpp.mean_rate()))
        throw std::invalid_argument(fmt::format("arrivals {}: no state has a rate above 0", text));
    return mmpp;
}

ParetoArrivals make_pareto(std::string_view text, std::size_t colon)
{
    constexpr double most_sources = 1024;
    ParetoArrivals pareto;
    const std::vector<double> numbers = numbers_behind(text, colon, 4);
    if (!numbers.empty()) {
        if (!(numbers[0] >= 1 && numbers[0] <= most_sources && numbers[0] == std::floor(numbers[0])))
            throw std::invalid_argument(fmt::format("arrivals {}: from 1 to {} sources", text, most_sources));
        pareto.sources = static_cast<unsigned>(numbers[0]);
    }
    if (numbers.size() > 1)
        pareto.shape = numbers[1];
    if (numbers.size() > 2)
        pareto.on_cycles = numbers[2];
    if (numbers.size() > 3)
        pareto.peak = numbers[3];
    if (!(pareto.shape > 1 && pareto.shape < 2))
        throw std::invalid_argument(fmt::format("arrivals {}: a shape above 1 and below 2", text));
    if (!(pareto.on_cycles >= 1) || !std::isfinite(pareto.on_cycles))
        throw std::invalid_argument(fmt::format("arrivals {}: sources on for 1 cycle or more", text));
    if (!(pareto.peak > 0) || !std::isfinite(pareto.peak))
        throw std::invalid_argument(fmt::format("arrivals {}: a peak load above 0", text));
    return pareto;
}

} // namespace

ArrivalProcess make_arrivals(std::string_view text)
{
    if (text == "bernoulli")
        return BernoulliArrivals{};
    if (text == "periodic")
        return PeriodicArrivals{};
    const std::size_t colon = text.find(':');
    const std::string_view name = text.substr(0, colon);
    if (name == "mmpp")
        return make_mmpp(text, colon);
    if (name == "pareto")
        return make_pareto(text, colon);
    if (name != "bursty") {
        const std::string meant =
            meant_name(name, std::vector<std::string>{"bernoulli", "bursty", "mmpp", "pareto", "periodic"});
        throw std::invalid_argument(
            fmt::format("no arrivals '{}'{}{}; there are bernoulli, bursty[:BURST_CYCLES[,PEAK]], periodic, "
                        "mmpp:RATE,CYCLES,RATE,CYCLES[,...], pareto[:SOURCES[,SHAPE[,ON_CYCLES[,PEAK]]]]",
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
    if (const auto* const mmpp = std::get_if<MmppArrivals>(&process))
        return mean_flits * mmpp->mean_rate() / mmpp->highest_rate();
    if (const auto* const pareto = std::get_if<ParetoArrivals>(&process))
        return std::min(pareto->sources * pareto->peak, mean_flits);
    const auto* const bursty = std::get_if<BurstyArrivals>(&process);
    return bursty != nullptr ? bursty->peak : mean_flits;
}

double state_cycles(const ArrivalProcess& process)
{
    if (std::holds_alternative<ParetoArrivals>(process))
        return std::numeric_limits<double>::infinity();
    if (const auto* const bursty = std::get_if<BurstyArrivals>(&process))
        return bursty->burst_cycles;
    double longest = 0;
    if (const auto* const mmpp = std::get_if<MmppArrivals>(&process))
        for (const auto& state : mmpp->states)
            longest = std::max(longest, state.cycles);
    return longest;
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
    const auto* const mmpp = std::get_if<MmppArrivals>(&process);
    const auto* const pareto = std::get_if<ParetoArrivals>(&process);
    if ((mmpp != nullptr || pareto != nullptr) && load > highest_load(process, mean_flits))
        throw std::invalid_argument(fmt::format("load {}: such arrivals offer {} flits a cycle at most", load,
                                                highest_load(process, mean_flits)));
    if (pareto != nullptr && pareto->peak > mean_flits)
        throw std::invalid_argument(
            fmt::format("load {}: messages of {} flits, one a cycle, offer no peak of {}", load, mean_flits,
                        pareto->peak));
    if (is_silent())
        return;
    if (mmpp != nullptr)
        times_ = arrival_times(*mmpp, load, mean_flits, random_);
    if (pareto != nullptr)
        times_ = arrival_times(*pareto, load, mean_flits, random_);
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
    return geometric_number(probability, random_);
}

std::uint64_t Arrivals::next()
{
    if (times_)
        return cycle_of(times_->next(random_));
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
