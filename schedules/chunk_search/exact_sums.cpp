#include "schedules/chunk_search/exact_sums.hpp"

#include "schedules/chunk_search/network_symmetry.hpp"
#include "schedules/chunk_search/search_budget.hpp"
#include "schedules/chunk_search/turned_network.hpp"

#include <stdexcept>

namespace nocturne {
namespace {

/// The same nodes and links; what copies is only passed through.
LinkNetwork with_plain_switches(const LinkNetwork& network)
{
    return turned(turned(network));
}

std::optional<Schedule> find_symmetric_sums(const LinkNetwork& network, const Collective& collective,
                                            const ExactConfig& config, SearchBudget& budget)
{
    constexpr std::size_t most_groups = 6, most_variables = 10'000'000;
    constexpr std::uint64_t conflicts_each = 200'000;
    const std::vector<ChunkHop> hops = all_hops(network, 1'000'000);
    if (hops.size() * collective.chunks.size() * config.shape.steps * network.processor_count() >
        most_variables)
        throw std::length_error("too large to be decided");
    for (const auto& group : semiregular_groups(network, most_groups)) {
        const std::vector<SumSymmetry> symmetries = sum_symmetries(hops, collective, group);
        if (symmetries.empty())
            continue;
        const SumFormula formula = sum_formula(network, collective, config.shape, symmetries);
        SolveControl control = budget.share(2 * most_groups, conflicts_each);
        control.phases = {-1}; // everything false first: what serves nothing is not sent
        const Solution solution = solve(formula.formula, control);
        budget.spend(solution.conflicts);
        if (solution.verdict == Verdict::satisfiable)
            return schedule_of(formula, solution.model, network, collective);
        if (budget.is_spent())
            break;
    }
    return std::nullopt;
}

ExactAnswer decide_on_plain(const LinkNetwork& network, const Collective& collective,
                            const ExactConfig& config)
{
    SearchBudget budget{config};
    ExactAnswer answer;
    answer.schedule = find_symmetric_sums(network, collective, config, budget);
    if (answer.schedule) {
        answer.verdict = Verdict::satisfiable;
        return answer;
    }
    if (budget.is_spent())
        return answer;
    const SumFormula formula = sum_formula(network, collective, config.shape);
    SolveControl control = budget.rest();
    control.phases = {-1};
    Solution solution = solve(formula.formula, control, config.proof);
    answer.verdict = solution.verdict;
    answer.conflicts = solution.conflicts;
    answer.proof = std::move(solution.proof);
    if (solution.verdict == Verdict::satisfiable)
        answer.schedule = schedule_of(formula, solution.model, network, collective);
    return answer;
}

} // namespace

ExactAnswer decide_sums(const LinkNetwork& network, const Collective& collective, const ExactConfig& config)
{
    require_steps_and_rounds(config.shape);
    try {
        return decide_on_plain(with_plain_switches(network), collective, config);
    } catch (const std::length_error&) {
        return {}; // too large to be decided
    }
}

} // namespace nocturne
