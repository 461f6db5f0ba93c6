#include "schedules/optimize/local_broadcast.hpp"

#include "schedules/optimize/broadcast_construction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

/// Most paths from one processor to another, and arcs to a processor from all others.
constexpr unsigned most_paths = 16;
constexpr std::size_t most_arcs = 256;
/// Arcs between all pairs: hops beyond a minimal path, and the most processors for which they are made.
constexpr unsigned detour = 1;
constexpr std::size_t most_processors = 64;
/// Attempts with arcs between neighbours before those with longer ones.
constexpr unsigned first_attempts = 16;
bool has_longer_arcs(const Problem& problem)
{
    return problem.switching == Switching::wormhole && problem.topology.processor_count() <= most_processors;
}

std::vector<RelayArc> longer_arcs(const Problem& problem)
{
    const std::size_t share = most_arcs / problem.topology.processor_count();
    return all_arcs(problem, std::min(most_paths, static_cast<unsigned>(share)), detour);
}

/// Has every processor ports for what it is owed?
bool ports_suffice(const Problem& problem, unsigned steps)
{
    std::vector<std::uint64_t> owed(problem.topology.processor_count());
    for (const Message& message : problem.collective.messages)
        for (const ProcessorId receiver : message.receivers)
            ++owed[receiver];
    for (ProcessorId p = 0; p < owed.size(); ++p)
        if (owed[p] > std::uint64_t{steps} * receive_ports(problem.topology, p, problem.ports))
            return false;
    return true;
}

std::uint64_t count_deliveries(const Collective& collective)
{
    std::uint64_t result = 0;
    for (const Message& message : collective.messages)
        result += message.receivers.size();
    return result;
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
    return is_broadcast(problem.collective.kind);
}

SearchResult search_broadcast(const Problem& problem, unsigned steps, const SearchControl& control)
{
    if (!suits_broadcast(problem))
        throw std::invalid_argument(fmt::format("local broadcast: it cannot do {}", describe(problem)));
    SearchMeter meter(control, "local", steps);
    const std::uint64_t owed = count_deliveries(problem.collective);
    if (!ports_suffice(problem, steps))
        return {.outcome = Outcome::gave_up, .tried = 0, .unscheduled = owed};
    SplitMix64 random(control.seed);
    std::deque<Attempts> ways; // of passing messages on, which take turns
    ways.emplace_back(problem, steps, neighbour_arcs(problem, most_paths), SplitMix64(random()), meter);
    for (std::uint64_t turn = 0; !meter.is_over(); ++turn) {
        if (turn == first_attempts && has_longer_arcs(problem))
            ways.emplace_back(problem, steps, longer_arcs(problem), SplitMix64(random()), meter);
        BroadcastConstruction& construction = ways[turn % ways.size()].construction;
        if (construction.attempt(random.below(2) == 0 ? Habit::none : Habit::same_arcs))
            return {Outcome::found, construction.schedule(), meter.tried(), 0};
        meter.end_attempt(construction.missing());
    }
    return {.outcome = Outcome::gave_up,
            .tried = meter.tried(),
            .unscheduled = std::min(owed, meter.unscheduled())};
}

} // namespace nocturne
