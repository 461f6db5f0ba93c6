#include "models/routing/paths.hpp"
#include "schedules/broadcast/broadcast_construction.hpp"
#include "schedules/broadcast/broadcast_engines.hpp"
#include "schedules/problem/transfer_rules.hpp"
#include "schedules/search/warm_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace nocturne {
namespace {

/// Most paths from one processor to another, and arcs to a processor from all others.
constexpr unsigned broadcast_paths = 16;
constexpr std::size_t most_arcs = 256;
/// Arcs between all pairs: hops beyond a minimal path, and the most processors for which they are made.
constexpr unsigned detour = 1;
constexpr std::size_t most_processors = 64;
/// Attempts with arcs between neighbours before those with longer ones.
constexpr unsigned first_attempts = 16;
/// With a schedule to begin with, one attempt of so many does.
constexpr unsigned warm_interval = 4;

void add_new(std::vector<RelayArc>& arcs, std::vector<RelayArc> more)
{
    const auto key = [](const RelayArc& arc) { return std::tie(arc.source, arc.destination, arc.path); };
    const auto before = [&](const RelayArc& a, const RelayArc& b) { return key(a) < key(b); };
    std::set<RelayArc, decltype(before)> known(arcs.begin(), arcs.end(), before);
    for (RelayArc& arc : more)
        if (known.insert(arc).second)
            arcs.push_back(std::move(arc));
}

/// The paths of the schedule to begin with become arcs, too: each goes well with the others there.
std::vector<RelayArc> arcs_of(const std::vector<Step>& start)
{
    std::vector<RelayArc> arcs;
    for (const Step& step : start)
        for (const Transfer& transfer : step)
            arcs.push_back({transfer.source, transfer.destination, *transfer.path});
    return arcs;
}

/// For messages that must not be relayed.
std::vector<RelayArc> straight_arcs(const Problem& problem)
{
    std::vector<RelayArc> arcs;
    for (const Message& message : problem.collective.messages()) {
        if (!forbids_relays(problem.slack, message))
            continue;
        const ProcessorId receiver = message.receivers.front();
        PathEnumerator paths(problem.topology, message.origin, receiver, *problem.slack);
        for (unsigned count = 0; count < broadcast_paths; ++count)
            if (auto path = paths.next())
                arcs.push_back({message.origin, receiver, std::move(*path)});
    }
    return arcs;
}

bool has_longer_arcs(const Problem& problem)
{
    return problem.switching == Switching::wormhole && problem.topology.processor_count() <= most_processors;
}

std::vector<RelayArc> longer_arcs(const Problem& problem)
{
    const std::size_t share = most_arcs / problem.topology.processor_count();
    return all_arcs(problem, std::min(broadcast_paths, static_cast<unsigned>(share)), detour);
}

/// Has every processor ports for what it is owed?
bool ports_suffice(const Problem& problem, unsigned steps)
{
    std::vector<std::uint64_t> owed(problem.topology.processor_count());
    for (const Message& message : problem.collective.messages())
        for (const ProcessorId receiver : message.receivers)
            ++owed[receiver];
    for (ProcessorId p = 0; p < owed.size(); ++p)
        if (owed[p] > std::uint64_t{steps} * receive_ports(problem.topology, p, problem.ports))
            return false;
    return true;
}

/// Attempts on one network of arcs.
struct Attempts {
    Attempts(const Problem& problem, unsigned steps, std::vector<RelayArc> arcs, SplitMix64 random,
             SearchMeter& meter)
        : network(problem, std::move(arcs)), construction(network, steps, random, meter)
    {
    }
    const RelayNetwork network;
    BroadcastConstruction construction;
};

} // namespace

bool suits_broadcast(const Problem& problem)
{
    return is_broadcast(problem.collective);
}

SearchResult search_broadcast(const Problem& problem, unsigned steps, const SearchControl& control)
{
    if (!suits_broadcast(problem))
        throw std::invalid_argument(fmt::format("local broadcast: it cannot do {}", describe(problem)));
    SearchMeter meter(control, "local", steps);
    const std::uint64_t owed = problem.collective.demands.size();
    if (!ports_suffice(problem, steps))
        return {.outcome = Outcome::gave_up, .tried = 0, .unscheduled = owed};
    SplitMix64 random(control.seed);
    std::deque<Attempts> ways; // of passing messages on, which take turns
    const std::vector<Step> start = usable_steps(problem, control.start);
    std::vector<RelayArc> arcs = neighbour_arcs(problem, broadcast_paths);
    add_new(arcs, arcs_of(start));
    add_new(arcs, straight_arcs(problem));
    ways.emplace_back(problem, steps, std::move(arcs), SplitMix64(random()), meter);
    ways.front().construction.begin_with(start);
    for (std::uint64_t turn = 0; !meter.is_over(); ++turn) {
        if (turn == first_attempts && has_longer_arcs(problem))
            ways.emplace_back(problem, steps, longer_arcs(problem), SplitMix64(random()), meter);
        const bool is_warm = !start.empty() && turn % warm_interval == 0;
        BroadcastConstruction& construction = ways[is_warm ? 0 : turn % ways.size()].construction;
        const ArcPolicy policy = random.below(2) == 0 ? ArcPolicy::none : ArcPolicy::same_arcs;
        if (construction.attempt(is_warm ? ArcPolicy::as_before : policy))
            return {Outcome::found, construction.schedule(), meter.tried(), 0};
        meter.end_attempt(construction.missing());
    }
    return {.outcome = Outcome::gave_up,
            .tried = meter.tried(),
            .unscheduled = std::min(owed, meter.unscheduled())};
}

} // namespace nocturne
