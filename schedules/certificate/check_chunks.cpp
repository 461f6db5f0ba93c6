#include "schedules/certificate/check_bound.hpp"
#include "schedules/certificate/crossings.hpp"
#include "schedules/certificate/cut_claims.hpp"
#include "schedules/certificate/drat.hpp"
#include "schedules/certificate/hops.hpp"
#include "schedules/certificate/link_need.hpp"
#include "schedules/certificate/step_formula.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace nocturne {
namespace {

using Rational = boost::multiprecision::cpp_rational;

/// The weight of the heaviest chunk of which a contribution of one is owed to the other. Throws if there is
/// none.
std::uint32_t heaviest_owed(const Collective& collective, const FarthestPair& pair)
{
    std::uint32_t heaviest = 0;
    for (const Demand& demand : collective.demands)
        if (demand.receiver == pair.to && std::ranges::binary_search(demand.contributors, pair.from))
            heaviest = std::max(heaviest, collective.chunks.at(demand.chunk).weight);
    if (heaviest == 0 || pair.from == pair.to)
        throw std::invalid_argument(
            fmt::format("processor {} owes nothing to processor {}", pair.from, pair.to));
    return heaviest;
}

/// The network on which sums are copies that run backwards; see InfeasibilityProof.
LinkNetwork turned_round(const LinkNetwork& network)
{
    LinkNetwork result{network.name(), network.processor_count()};
    for (NodeId node = network.processor_count(); node < network.node_count(); ++node)
        result.add_switch(NodeKind::plain_switch, network.node_name(node));
    for (NetworkLink link : network.links()) {
        std::swap(link.source, link.target);
        result.add_link(link);
    }
    return result;
}

/// Exactly what the double says.
Rational exactly(double value)
{
    if (!std::isfinite(value) || value < 0)
        throw std::invalid_argument("times, bytes and start-ups are finite numbers of 0 or more");
    return Rational(value);
}

/// A bound's cost and network in exact numbers.
class ExactTimes {
public:
    ExactTimes(const Bound& bound, const LinkNetwork& network)
        : network_(network), bytes_(exactly(bound.cost.bytes_per_weight)),
          start_(exactly(bound.cost.start_cycles)), claimed_(exactly(bound.cycles)),
          holds_link_(bound.cost.latency_holds_link), latencies_(latencies_of(network))
    {
    }

    const Rational& claimed() const { return claimed_; }
    const NetworkLatencies& latencies() const { return latencies_; }

    /// The weight that can have streamed over the link in the claimed time but for `closed`.
    Rational streamed(LinkId link, const Rational& closed) const
    {
        const Rational first = closed + start_ + latencies_.of_transfers[link];
        if (claimed_ <= first)
            return 0;
        if (bytes_ == 0)
            throw std::invalid_argument("a transfer without time bounds nothing");
        return (claimed_ - first) * network_.link(link).bytes_per_cycle / bytes_;
    }

    /// See relay_times(), of chunks of so much.
    auto hop(std::uint64_t weight, CountedLink counted) const
    {
        return [this, weight, counted](LinkId link) {
            Rational time = network_.link(link).latency_cycles;
            if (counts(network_, link, counted))
                time += start_ + stream(link, weight);
            return time;
        };
    }

    Rational stream(LinkId link, std::uint64_t weight) const
    {
        return bytes_ * weight / network_.link(link).bytes_per_cycle;
    }

    /// Of rounds: a chunk of weight 1 over a link of one unit.
    Rational of_rounds(const Ratio& rounds) const
    {
        return bytes_ * rounds.numerator / rounds.denominator / network_.unit_bytes_per_cycle();
    }

    /// Pieces of this weight that can have ended on the link before the claimed time, but for `closed` of it.
    /// Whole chunks may hold their part of the link for its latency: the least part is that of the slowest
    /// path over it.
    Rational ended_before(LinkId link, const Rational& closed, std::uint64_t weight, bool are_whole)
    {
        const Rational one = stream(link, weight);
        const Rational first = start_ + latencies_.of_transfers[link] + one;
        const Rational by = claimed_ - closed;
        if (by <= first)
            return 0;
        const bool holds = holds_link_ && are_whole;
        if (holds && least_rates_.empty())
            least_rates_ = least_rates(network_);
        const Rational period =
            holds ? one + (first - one) * least_rates_[link] / network_.link(link).bytes_per_cycle : one;
        if (period == 0)
            throw std::invalid_argument("a chunk without time bounds nothing");
        // Whole periods since the link can have begun that are over before the claimed time.
        const Rational periods = (by - (holds ? period : first)) / period;
        const boost::multiprecision::cpp_int whole = numerator(periods) / denominator(periods);
        return Rational(whole) == periods ? Rational(whole) : Rational(whole + 1);
    }

private:
    const LinkNetwork& network_;
    Rational bytes_;
    Rational start_;
    Rational claimed_;
    bool holds_link_;
    NetworkLatencies latencies_;
    std::vector<std::uint64_t> least_rates_; ///< by link, once they are asked for
};

Refutation refute_time(const FarthestPair& pair, const Bound& bound, const LinkNetwork& network,
                       const Collective& collective)
{
    const std::uint32_t heaviest = heaviest_owed(collective, pair);
    const ExactTimes times(bound, network);
    Rational least = -1;
    for (const CountedLink counted : {CountedLink::first, CountedLink::last})
        least = std::max(least,
                         relay_times<Rational>(network, {pair.from}, false,
                                               times.hop(bound.holds_for_any_parts ? 0 : heaviest, counted))
                             .at(pair.to));
    if (least < 0 || times.claimed() <= least)
        return std::nullopt;
    return fmt::format("from {} to {} it may take {:.6g} cycles", pair.from, pair.to,
                       least.convert_to<double>());
}

/// Could all that a claim says have crossed links of these lengths?
bool suffices(ExactTimes& times, const CutClaim<Rational>& claim, const std::vector<std::uint64_t>& lengths,
              bool streams)
{
    const bool are_alike = claim.crossed.lightest == claim.crossed.heaviest;
    Rational done = 0;
    for (const auto& [closed, counted] : claim.windows)
        for (LinkId link = 0; link < lengths.size(); ++link)
            if (lengths[link] > 0)
                done += counted *
                        (streams ? Rational(times.streamed(link, closed) * lengths[link])
                                 : times.ended_before(link, closed, are_alike ? claim.crossed.heaviest : 1,
                                                      are_alike));
    const Rational needed =
        Rational(claim.times) * (!streams && are_alike ? claim.crossed.chunks : claim.crossed.weight);
    return streams ? done > needed : done >= needed;
}

Refutation refute_time(const LinkNeed& need, const Bound& bound, const LinkNetwork& network,
                       const Collective& collective)
{
    CutClaim<Rational> claim;
    for (ChunkId chunk = 0; chunk < need.crossings.size(); ++chunk)
        if (need.crossings[chunk] == no_crossing)
            return std::nullopt;
        else if (need.crossings[chunk] > 0)
            claim.crossed.add(need.crossings[chunk], collective.chunks[chunk].weight);
    if (claim.crossed.chunks == 0)
        throw std::invalid_argument("nothing must cross the links");
    ExactTimes times(bound, network);
    const bool streams = bound.holds_for_any_parts || std::holds_alternative<LinkLengths>(bound.certificate);
    if (!suffices(times, claim, need.lengths, streams))
        return std::nullopt;
    if (const auto* const cut = std::get_if<NodeCut>(&bound.certificate)) {
        const std::uint64_t lightest =
            std::ranges::min_element(collective.chunks, {}, &Chunk::weight)->weight;
        const std::vector<std::uint32_t> demands = demand_ids(collective);
        for (const CountedLink counted : {CountedLink::first, CountedLink::last})
            for (const CutClaim<Rational>& each : claims_of_cut<Rational>(
                     network, times.latencies(), collective, demands, inside_of(*cut, network), counted,
                     times.hop(bound.holds_for_any_parts ? 0 : lightest, counted)))
                if (!suffices(times, each, need.lengths, streams))
                    return std::nullopt;
    }
    return fmt::format("by then all that must cross the links of the {} can have crossed them",
                       kind_of(bound));
}

Refutation refute_rounds(const Bound& bound, const LinkNetwork& network, const Collective& collective)
{
    const std::optional<Ratio> proven = proven_rounds(bound.certificate, network, collective);
    if (!proven || !(*proven < bound.rounds))
        return std::nullopt;
    const std::string_view kind = kind_of(bound);
    return fmt::format("the {} {} {} rounds of the collective in {} part{}, not {}", kind,
                       kind.ends_with('s') ? "prove" : "proves", to_string(*proven), collective.parts,
                       collective.parts == 1 ? "" : "s", to_string(bound.rounds));
}

Refutation refute_time(const Bound& bound, const LinkNetwork& network, const Collective& collective)
{
    if (bound.released_from > 0) {
        Bound since = bound;
        since.released_from = 0;
        const Rational cycles = exactly(bound.cycles) - bound.released_from;
        since.cycles = cycles.convert_to<double>();
        if (Rational(since.cycles) < cycles) // no less than what is claimed
            since.cycles = std::nextafter(since.cycles, std::numeric_limits<double>::infinity());
        if (cycles <= 0)
            return fmt::format("{:.6g} cycles are no more than the release at {}", bound.cycles,
                               bound.released_from);
        return refute_time(since, network, released_from(collective, bound.released_from));
    }
    if (Ratio{} < bound.rounds) {
        if (auto why = refute_rounds(bound, network, collective))
            return why;
        const ExactTimes times(bound, network);
        const Rational proven = times.of_rounds(bound.rounds);
        if (times.claimed() <= proven)
            return std::nullopt;
        return fmt::format("{} rounds take {:.6g} cycles", to_string(bound.rounds),
                           proven.convert_to<double>());
    }
    if (const auto* const pair = std::get_if<FarthestPair>(&bound.certificate))
        return refute_time(*pair, bound, network, collective);
    return refute_time(link_need(bound.certificate, network, collective), bound, network, collective);
}

Refutation refute_steps(const Bound& bound, const LinkNetwork& network, const Collective& collective)
{
    const auto* const pair = std::get_if<FarthestPair>(&bound.certificate);
    if (pair == nullptr)
        return fmt::format("a certificate of the kind {} is not one of steps of chunks", kind_of(bound));
    heaviest_owed(collective, *pair);
    const std::uint32_t steps = transfers_from(network, pair->from)[pair->to];
    if (bound.steps <= steps)
        return std::nullopt;
    return fmt::format("from {} to {} it is {} transfers, not {}", pair->from, pair->to, steps, bound.steps);
}

Refutation refute_rounds_in_steps(const Bound& bound, const LinkNetwork& network,
                                  const Collective& collective)
{
    const auto* const certificate = std::get_if<InfeasibilityProof>(&bound.certificate);
    if (certificate == nullptr)
        return fmt::format("a certificate of the kind {} is not one of rounds in so many steps",
                           kind_of(bound));
    const StepsAndRounds shape{bound.steps, static_cast<std::uint32_t>(rounded_up(bound.rounds) - 1)};
    const StepFormula formula = reduces(collective)
                                    ? step_formula(turned_round(network), reversed(collective), shape)
                                    : step_formula(network, collective, shape);
    return refute_proof(formula.formula, certificate->proof);
}

} // namespace

Refutation refute(const Bound& bound, const LinkNetwork& network, const Collective& collective)
{
    try {
        if (collective.processors != network.processor_count())
            return fmt::format("the collective is for {} processors, the network has {}",
                               collective.processors, network.processor_count());
        switch (bound.measure) {
        case Measure::steps:
            return refute_steps(bound, network, collective);
        case Measure::rounds:
            return refute_rounds(bound, network, collective);
        case Measure::rounds_in_steps:
            return refute_rounds_in_steps(bound, network, collective);
        case Measure::cycles:
            return refute_time(bound, network, collective);
        }
    } catch (const std::exception& error) {
        return error.what(); // what a check throws is why the bound is not proven
    }
    throw std::logic_error("unknown measure");
}

std::vector<std::string> refutations(const Bounds& bounds, const LinkNetwork& network,
                                     const Collective& collective)
{
    std::vector<std::string> found;
    const auto check = [&](const std::string& what, const Bound& bound) {
        if (const auto why = refute(bound, network, collective))
            found.push_back(fmt::format("{}: {}", what, *why));
    };
    if (bounds.steps)
        check("steps", *bounds.steps);
    if (bounds.rounds)
        check("rounds", *bounds.rounds);
    for (const Bound& bound : bounds.rounds_in_steps)
        check(fmt::format("no schedule in {} steps and {} rounds", bound.steps, rounded_up(bound.rounds) - 1),
              bound);
    if (bounds.cycles)
        check("time", *bounds.cycles);
    return found;
}

} // namespace nocturne
