#include "schedules/chunk_certificate/chunk_claims.hpp"

#include "schedules/certificate/drat.hpp"
#include "schedules/chunk_certificate/crossings.hpp"
#include "schedules/chunk_formula/step_formula.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>
#include <stdexcept>

namespace nocturne {
namespace {

using Rational = boost::multiprecision::cpp_rational;

constexpr std::array<std::string_view, 3> time_kind_names{"reach", "crossing", "rounds"};

void require_processors(const LinkNetwork& network, const Collective& collective)
{
    if (collective.processors != network.processor_count())
        throw std::invalid_argument(fmt::format("the collective is for {} processors, the network has {}",
                                                collective.processors, network.processor_count()));
}

/// The weight of the heaviest chunk whose contribution of `from` is owed to `to`. Throws if there is none.
std::uint32_t heaviest_owed(const Collective& collective, std::uint32_t from, std::uint32_t to)
{
    std::uint32_t heaviest = 0;
    for (const Demand& demand : collective.demands)
        if (demand.receiver == to &&
            std::binary_search(demand.contributors.begin(), demand.contributors.end(), from))
            heaviest = std::max(heaviest, collective.chunks.at(demand.chunk).weight);
    if (heaviest == 0 || from == to)
        throw std::invalid_argument(fmt::format("nothing of processor {} is owed to processor {}", from, to));
    return heaviest;
}

/// The network on which sums are copies that run backwards; see ShapeClaim.
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

/// A claim's cost and network in exact numbers.
class ExactTimes {
public:
    ExactTimes(const TimeClaim& claim, const LinkNetwork& network)
        : network_(network), bytes_(exactly(claim.cost.bytes_per_weight)),
          start_(exactly(claim.cost.start_cycles)), claimed_(exactly(claim.cycles)),
          holds_link_(claim.cost.latency_holds_link)
    {
    }

    const Rational& claimed() const { return claimed_; }
    const Rational& start() const { return start_; }

    /// The weight that can have streamed over the link by the claimed time.
    Rational streamed(LinkId link) const
    {
        const Rational first = start_ + network_.link(link).latency_cycles;
        if (claimed_ <= first)
            return 0;
        if (bytes_ == 0)
            throw std::invalid_argument("what takes no time bounds nothing");
        return (claimed_ - first) * network_.link(link).bytes_per_cycle / bytes_;
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

    /// Pieces of this weight that can have ended on the link before the claimed time. Whole chunks may hold
    /// the link for its latency.
    Rational ended_before(LinkId link, std::uint64_t weight, bool are_whole) const
    {
        const Rational one = stream(link, weight);
        const Rational first = start_ + network_.link(link).latency_cycles + one;
        if (claimed_ <= first)
            return 0;
        const Rational period = holds_link_ && are_whole ? first : one;
        if (period == 0)
            throw std::invalid_argument("a chunk that takes no time bounds nothing");
        // Ends at first, first + period, …: those before the claimed time.
        const Rational periods = (claimed_ - first) / period;
        const boost::multiprecision::cpp_int whole = numerator(periods) / denominator(periods);
        return Rational(whole) == periods ? Rational(whole) : Rational(whole + 1);
    }

private:
    const LinkNetwork& network_;
    Rational bytes_;
    Rational start_;
    Rational claimed_;
    bool holds_link_;
};

/// Latencies of the shortest way, start-up and streaming onto its first link; nothing if there is no way.
std::optional<Rational> least_reach(const ExactTimes& times, const LinkNetwork& network, NodeId from,
                                    NodeId to, std::uint64_t weight)
{
    std::vector<std::optional<Rational>> reached(network.node_count());
    using Entry = std::pair<Rational, NodeId>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    open.emplace(0, from);
    while (!open.empty()) {
        const auto [so_far, node] = open.top();
        open.pop();
        if (node == to)
            return so_far;
        if (reached[node])
            continue;
        reached[node] = so_far;
        for (const LinkId link : network.links_from(node)) {
            Rational then = so_far + network.link(link).latency_cycles;
            if (node == from)
                then += times.start() + times.stream(link, weight);
            if (!reached[network.link(link).target])
                open.emplace(std::move(then), network.link(link).target);
        }
    }
    return std::nullopt;
}

std::optional<std::string> refute_reach(const TimeClaim& claim, const LinkNetwork& network,
                                        const Collective& collective)
{
    const std::uint32_t heaviest = heaviest_owed(collective, claim.from, claim.to);
    const std::uint32_t weight = claim.holds_for_any_parts ? 0 : heaviest;
    const ExactTimes times(claim, network);
    const auto least = least_reach(times, network, claim.from, claim.to, weight);
    if (!least || times.claimed() <= *least)
        return std::nullopt;
    return fmt::format("from {} to {} it may take {:.6g} cycles", claim.from, claim.to,
                       least->convert_to<double>());
}

std::optional<std::string> refute_crossing(const TimeClaim& claim, const LinkNetwork& network,
                                           const Collective& collective)
{
    std::vector<bool> inside(network.node_count(), false);
    for (const NodeId node : claim.cut) {
        if (node >= network.node_count())
            throw std::invalid_argument(fmt::format("node {} of the cut does not exist", node));
        inside[node] = true;
    }
    const std::vector<std::uint32_t> crossings = least_crossings(collective, inside);
    std::uint64_t count = 0;
    boost::multiprecision::cpp_int weight = 0;
    std::uint64_t lightest = ~std::uint64_t{0}, heaviest = 0;
    for (ChunkId chunk = 0; chunk < crossings.size(); ++chunk)
        if (crossings[chunk] > 0) {
            const std::uint64_t one = collective.chunks[chunk].weight;
            count += crossings[chunk];
            weight += boost::multiprecision::cpp_int(one) * crossings[chunk];
            lightest = std::min(lightest, one);
            heaviest = std::max(heaviest, one);
        }
    if (count == 0)
        throw std::invalid_argument("nothing must leave the cut");
    const ExactTimes times(claim, network);
    const bool are_alike = lightest == heaviest;
    if (claim.holds_for_any_parts) {
        Rational streamed = 0;
        for (LinkId link = 0; link < network.link_count(); ++link)
            if (inside[network.link(link).source] && !inside[network.link(link).target])
                streamed += times.streamed(link);
        if (streamed <= Rational(weight))
            return std::nullopt;
        return "by then all that must leave the cut can have streamed out of it";
    }
    Rational done = 0;
    for (LinkId link = 0; link < network.link_count(); ++link)
        if (inside[network.link(link).source] && !inside[network.link(link).target])
            done += times.ended_before(link, are_alike ? heaviest : 1, are_alike);
    if (done < (are_alike ? Rational(count) : Rational(weight)))
        return std::nullopt;
    return "by then all that must leave the cut can have left it";
}

std::optional<std::string> refute_any(const TimeClaim& claim, const LinkNetwork& network,
                                      const Collective& collective)
{
    switch (claim.kind) {
    case TimeClaimKind::reach:
        return refute_reach(claim, network, collective);
    case TimeClaimKind::crossing:
        return refute_crossing(claim, network, collective);
    case TimeClaimKind::rounds:
        break;
    }
    if (!claim.rounds)
        throw std::invalid_argument("a time for rounds has no bound on them");
    if (auto why = refute(*claim.rounds, network, collective))
        return why;
    const ExactTimes times(claim, network);
    const Rational proven = times.of_rounds(claim.rounds->rounds);
    if (times.claimed() <= proven)
        return std::nullopt;
    return fmt::format("{} rounds take {:.6g} cycles", to_string(claim.rounds->rounds),
                       proven.convert_to<double>());
}

/// What a check throws is why the claim is not proven.
template <class Check>
std::optional<std::string> reason_of(const LinkNetwork& network, const Collective& collective, Check check)
{
    try {
        require_processors(network, collective);
        return check();
    } catch (const std::exception& error) {
        return error.what();
    }
}

} // namespace

std::optional<std::string> refute(const StepClaim& claim, const LinkNetwork& network,
                                  const Collective& collective)
{
    return reason_of(network, collective, [&]() -> std::optional<std::string> {
        heaviest_owed(collective, claim.from, claim.to);
        const std::uint32_t steps = transfers_from(network, claim.from)[claim.to];
        if (claim.steps <= steps)
            return std::nullopt;
        return fmt::format("from {} to {} it is {} transfers, not {}", claim.from, claim.to, steps,
                           claim.steps);
    });
}

std::optional<std::string> refute(const ShapeClaim& claim, const LinkNetwork& network,
                                  const Collective& collective)
{
    return reason_of(network, collective, [&]() -> std::optional<std::string> {
        const bool adds = reduces(collective);
        const StepFormula formula =
            adds ? step_formula(turned_round(network), reversed(collective), claim.shape)
                 : step_formula(network, collective, claim.shape);
        return refute_proof(formula.formula, claim.proof);
    });
}

std::optional<std::string> refute(const TimeClaim& claim, const LinkNetwork& network,
                                  const Collective& collective)
{
    return reason_of(network, collective, [&] { return refute_any(claim, network, collective); });
}

std::vector<std::string> refutations(const ChunkClaims& claims, const LinkNetwork& network,
                                     const Collective& collective)
{
    std::vector<std::string> found;
    const auto check = [&](const std::string& what, const auto& claim) {
        if (const auto why = refute(claim, network, collective))
            found.push_back(fmt::format("{}: {}", what, *why));
    };
    if (claims.steps)
        check("steps", *claims.steps);
    if (claims.rounds)
        check("rounds", *claims.rounds);
    for (const ShapeClaim& claim : claims.shapes)
        check(fmt::format("no schedule in {} steps and {} rounds", claim.shape.steps, claim.shape.rounds),
              claim);
    if (claims.time)
        check("time", *claims.time);
    return found;
}

std::string describe(const StepClaim& claim, const LinkNetwork& network)
{
    return fmt::format("the way from {} to {}", network.node_name(claim.from), network.node_name(claim.to));
}

std::string describe(const TimeClaim& claim, const LinkNetwork& network)
{
    switch (claim.kind) {
    case TimeClaimKind::reach:
        return fmt::format("the way from {} to {}", network.node_name(claim.from),
                           network.node_name(claim.to));
    case TimeClaimKind::crossing:
        return fmt::format("what must leave {}", describe_nodes(claim.cut, network));
    case TimeClaimKind::rounds:
        break;
    }
    return claim.rounds ? describe(*claim.rounds, network) : "no bound on rounds";
}

std::string_view to_string(TimeClaimKind kind)
{
    return time_kind_names[static_cast<std::size_t>(kind)];
}

} // namespace nocturne
