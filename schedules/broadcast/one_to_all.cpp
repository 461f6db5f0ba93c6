#include "models/routing/distances.hpp"
#include "models/routing/random.hpp"
#include "schedules/broadcast/broadcast_engines.hpp"
#include "schedules/broadcast/step_flow.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/search/search_meter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

/// By step, from what holds before the first to what holds after the last: has the processor the message?
using InformedSets = std::vector<std::vector<bool>>;

/// Under a slack: processors that the randomised search moves, for each there is, before the search step by
/// step.
constexpr std::uint64_t moves_backwards = 500;
/// Relays that the search step by step tries before it under store-and-forward switching.
constexpr std::uint64_t moves_forwards = 50'000;

/// The randomised search.
class Backwards {
public:
    Backwards(const Problem& problem, const StepNetwork& network, unsigned steps, SearchMeter& meter);

    /// Sets of at most the steps asked for, if it finds them.
    std::optional<InformedSets> attempt();

private:
    std::vector<bool> last_set();
    std::vector<ProcessorId> order();
    std::vector<bool> served_before(const std::vector<bool>& set);

    const StepNetwork& network_;
    const Message message_;
    const unsigned steps_;
    SplitMix64 random_;
    SearchMeter& meter_;
    std::vector<std::uint32_t> distance_; ///< from the source, by processor
};

Backwards::Backwards(const Problem& problem, const StepNetwork& network, unsigned steps, SearchMeter& meter)
    : network_(network), message_(problem.collective.messages().front()), steps_(steps),
      random_(meter.control().seed), meter_(meter)
{
    const Topology& topology = problem.topology;
    const auto distances = distances_from(topology, topology.processor(message_.origin).injection);
    for (const Processor& processor : topology.processors())
        distance_.push_back(distances[processor.ejection]);
}

/// The receivers, and a few others that could pass the message on.
std::vector<bool> Backwards::last_set()
{
    std::vector<bool> set(network_.processor_count());
    set[message_.origin] = true;
    for (const ProcessorId receiver : message_.receivers)
        set[receiver] = true;
    const std::uint32_t relays = random_.below(4); // of 16 processors
    for (ProcessorId p = 0; p < network_.processor_count(); ++p)
        if (!set[p] && distance_[p] != unreachable && random_.below(16) < relays)
            set[p] = true;
    return set;
}

/// The order in which processors are to leave: at random, the far ones rather earlier.
std::vector<ProcessorId> Backwards::order()
{
    std::vector<std::pair<std::int64_t, ProcessorId>> keys;
    constexpr std::array<std::int64_t, 4> pulls{0, 1, 4, 32}; // of a hop, against 8 of chance
    const std::int64_t pull = pulls[random_.below(pulls.size())];
    for (ProcessorId p = 0; p < network_.processor_count(); ++p)
        keys.emplace_back(random_.below(8 << 16) - pull * (std::int64_t{distance_[p]} << 16), p);
    std::sort(keys.begin(), keys.end());
    std::vector<ProcessorId> result;
    for (const auto& [key, p] : keys)
        result.push_back(p);
    return result;
}

/// As few of the set as can inform the others in one step.
std::vector<bool> Backwards::served_before(const std::vector<bool>& set)
{
    std::vector<bool> before = set;
    StepFlow flow(network_, set);
    for (const ProcessorId p : order()) {
        if (!set[p] || p == message_.origin)
            continue;
        if (meter_.is_spent())
            break;
        meter_.count();
        StepFlow changed = flow;
        if (!changed.receive(p))
            continue;
        flow = std::move(changed);
        before[p] = false;
    }
    return before;
}

/// From the last set to the one before the first step, which may hold the source only.
std::optional<InformedSets> Backwards::attempt()
{
    InformedSets sets{last_set()};
    const auto left = [&] {
        return static_cast<std::uint64_t>(std::count(sets.back().begin(), sets.back().end(), true)) - 1;
    };
    while (left() > 0 && sets.size() <= steps_)
        sets.push_back(served_before(sets.back()));
    meter_.end_attempt(left());
    if (left() > 0)
        return std::nullopt;
    std::reverse(sets.begin(), sets.end());
    return sets;
}

/// The transfers that inform those who join from one set to the next, without those that nobody is owed or
/// passes on.
Schedule make_schedule(const Problem& problem, const StepNetwork& network, const InformedSets& sets)
{
    const Message& message = problem.collective.messages().front();
    std::vector<bool> needed(network.processor_count());
    for (const ProcessorId receiver : message.receivers)
        needed[receiver] = true;
    Schedule result = empty_schedule(problem, "local");
    for (std::size_t step = sets.size() - 1; step > 0; --step) {
        StepFlow flow(network, sets[step - 1]);
        for (ProcessorId p = 0; p < network.processor_count(); ++p)
            if (sets[step][p] && !sets[step - 1][p] && needed[p] && !flow.receive(p))
                throw std::logic_error("one to all: the sets have no flow between them");
        Step transfers = flow.transfers();
        for (const Transfer& transfer : transfers)
            needed[transfer.source] = true;
        if (!transfers.empty())
            result.steps.push_back(std::move(transfers));
    }
    std::reverse(result.steps.begin(), result.steps.end());
    return result;
}

/// Attempts of the randomised search, up to a number of processors moved.
std::optional<Schedule> search_backwards(const Problem& problem, const StepNetwork& network,
                                         Backwards& search, SearchMeter& meter, std::uint64_t most_moves)
{
    while (!meter.is_over() && meter.tried() < most_moves)
        if (const auto sets = search.attempt())
            if (Schedule schedule = make_schedule(problem, network, *sets);
                keeps_transfer_rules(problem, schedule))
                return schedule;
    return std::nullopt;
}

} // namespace

bool suits_one_to_all(const Problem& problem)
{
    return is_broadcast(problem.collective) && problem.collective.messages().size() == 1;
}

SearchResult search_one_to_all(const Problem& problem, unsigned steps, const SearchControl& control)
{
    if (!suits_one_to_all(problem))
        throw std::invalid_argument(fmt::format("one to all: it cannot do {}", describe(problem)));
    const StepNetwork network(problem);
    const Message& message = problem.collective.messages().front();
    SearchMeter meter(control, "local", steps);
    const auto found = [&](Schedule schedule) {
        return SearchResult{Outcome::found, std::move(schedule), meter.tried(), 0};
    };

    const auto search_forwards = [&](std::uint64_t effort) {
        SearchControl part = control;
        part.effort = effort;
        SearchResult result = search_broadcast(problem, steps, part);
        meter.count(result.tried);
        result.tried = meter.tried();
        return result;
    };

    // Where a hop takes a step the far ones set the pace: sets chosen from the end do not know of them.
    if (problem.switching == Switching::store_and_forward) {
        const std::uint64_t left = meter.effort_left();
        const std::uint64_t effort = left == 0 ? moves_forwards : std::min(left, moves_forwards);
        if (SearchResult result = search_forwards(effort); result.schedule)
            return result;
    }
    Backwards backwards(problem, network, steps, meter);
    const std::uint64_t most_moves = problem.slack
                                         ? meter.tried() + moves_backwards * network.processor_count()
                                         : std::numeric_limits<std::uint64_t>::max();
    if (auto schedule = search_backwards(problem, network, backwards, meter, most_moves))
        return found(std::move(*schedule));
    if (problem.slack && !meter.is_over())
        return search_forwards(meter.effort_left());
    const auto missing = std::min<std::uint64_t>(message.receivers.size(), meter.unscheduled());
    return SearchResult{Outcome::gave_up, std::nullopt, meter.tried(), missing};
}

} // namespace nocturne
