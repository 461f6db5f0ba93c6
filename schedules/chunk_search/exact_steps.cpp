#include "schedules/chunk_search/exact_steps.hpp"

#include "schedules/chunk_search/network_symmetry.hpp"
#include "schedules/chunk_search/search_budget.hpp"
#include "schedules/chunk_search/turned_network.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace nocturne {
namespace {

/// Without those that bring what nobody reads afterwards and no demand is for.
void drop_useless(Schedule& schedule)
{
    std::set<std::pair<NodeId, ChunkId>> wanted;
    for (const Demand& demand : schedule.collective.demands)
        wanted.emplace(demand.receiver, demand.chunk);
    for (auto step = schedule.steps.rbegin(); step != schedule.steps.rend(); ++step) {
        Step kept;
        for (auto one = step->rbegin(); one != step->rend(); ++one)
            if (wanted.contains({one->destination, PlaceId{one->to}})) {
                wanted.emplace(one->source, one->message);
                kept.push_back(*one);
            }
        step->assign(kept.rbegin(), kept.rend());
    }
}

/// The symmetric ones, a group after the other.
std::optional<Schedule> find_symmetric(const LinkNetwork& network, const Collective& collective,
                                       const ExactConfig& config, SearchBudget& budget)
{
    constexpr std::size_t most_groups = 4, most_variables = 10'000'000;
    constexpr std::uint64_t conflicts_each = 200'000;
    const std::vector<ChunkHop> hops = all_hops(network, 1'000'000);
    if (hops.size() * collective.chunks.size() * config.shape.steps > most_variables)
        throw std::length_error("too large to be decided");
    for (const auto& group : semiregular_groups(network, most_groups)) {
        const TransferOrbits orbits = transfer_orbits(hops, collective, group);
        if (orbits.empty())
            continue;
        const StepFormula formula = step_formula(network, collective, config.shape, orbits);
        const Solution solution = solve(formula.formula, budget.share(2 * most_groups, conflicts_each));
        budget.spend(solution.conflicts);
        if (solution.verdict == Verdict::satisfiable)
            return schedule_of(formula, solution.model, network, collective);
        if (budget.is_spent())
            break;
    }
    return std::nullopt;
}

ExactAnswer decide_copies(const LinkNetwork& network, const Collective& collective, const ExactConfig& config)
{
    SearchBudget budget{config};
    ExactAnswer answer;
    answer.schedule = find_symmetric(network, collective, config, budget);
    if (answer.schedule) {
        answer.verdict = Verdict::satisfiable;
        return answer;
    }
    if (budget.is_spent())
        return answer;
    const StepFormula formula = step_formula(network, collective, config.shape);
    Solution solution = solve(formula.formula, budget.rest(), config.proof);
    answer.verdict = solution.verdict;
    answer.conflicts = solution.conflicts;
    answer.proof = std::move(solution.proof);
    if (solution.verdict == Verdict::satisfiable)
        answer.schedule = schedule_of(formula, solution.model, network, collective);
    return answer;
}

} // namespace

Schedule schedule_of(const StepFormula& formula, const Model& model, const LinkNetwork& network,
                     const Collective& collective)
{
    Schedule schedule = empty_schedule("exact", network.name(), collective, ScheduleSynchronization::steps);
    std::vector<ListedTransfer> listed;
    for (const SentVariable& sent : formula.sent)
        if (holds(model, sent.literal)) {
            const ChunkHop& hop = formula.hops[sent.hop];
            listed.push_back({Transfer{sent.chunk, hop.source, hop.destination, hop.path}, sent.step});
        }
    set_transfers(schedule, std::move(listed));
    drop_useless(schedule);
    set_least_rounds(schedule, network);
    return schedule;
}

ExactAnswer decide_steps(const LinkNetwork& network, const Collective& collective, const ExactConfig& config)
{
    if (reduces(collective)) {
        ExactAnswer answer = decide_steps(turned(network), reversed(collective), config);
        if (answer.schedule)
            answer.schedule = turned_in_time(*answer.schedule, collective);
        return answer;
    }
    require_steps_and_rounds(config.shape);
    try {
        return decide_copies(network, collective, config);
    } catch (const std::length_error&) {
        return {}; // too large to be decided
    }
}

} // namespace nocturne
