// What exact searches share: symmetric schedules are looked for first.
#pragma once

#include "schedules/chunk_search/exact_steps.hpp"
#include "schedules/chunk_search/network_symmetry.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace nocturne {

/// What is left of a search's conflicts.
class SearchBudget {
public:
    explicit SearchBudget(const ExactConfig& config)
        : end_(config.end), limited_(config.conflicts > 0), left_(config.conflicts)
    {
    }

    bool is_spent() const { return end_.has_come() || (limited_ && left_ == 0); }
    void spend(std::uint64_t conflicts) { left_ -= std::min(left_, conflicts); }

    /// At most an `of`-th of what is left, and `most` conflicts.
    SolveControl share(std::uint64_t of, std::uint64_t most) const
    {
        SolveControl control = rest();
        control.conflicts = limited_ ? std::clamp<std::uint64_t>(left_ / of, 1, most) : most;
        return control;
    }
    SolveControl rest() const { return {.conflicts = left_, .end = end_}; }

private:
    SearchEnd end_;
    bool limited_;
    std::uint64_t left_;
};

struct SymmetricSearch {
    std::size_t most_groups;
    std::size_t variables_each = 1; ///< of each hop, chunk and step, about
    std::vector<Literal> phases = {};
};

/// `orbits_of(hops, group)`: what a group of symmetries makes the same, empty if nothing;
/// `formula_of(orbits)`: the formula with that. What is too large for a formula is unknown.
template <class OrbitsOf, class FormulaOf>
ExactAnswer decide_symmetric_first(const LinkNetwork& network, const Collective& collective,
                                   const ExactConfig& config, const SymmetricSearch& search,
                                   const OrbitsOf& orbits_of, const FormulaOf& formula_of)
try {
    constexpr std::size_t most_variables = 10'000'000;
    constexpr std::uint64_t conflicts_each = 200'000;
    SearchBudget budget{config};
    ExactAnswer answer;
    const auto solved = [&](const auto& formula, SolveControl control, Proof proof) {
        control.phases = search.phases;
        Solution solution = solve(formula.formula, control, proof);
        budget.spend(solution.conflicts);
        if (solution.verdict == Verdict::satisfiable) {
            answer.verdict = Verdict::satisfiable;
            answer.schedule = schedule_of(formula, solution.model, network, collective);
        }
        return solution;
    };
    const std::vector<ChunkHop> hops = all_hops(network, 1'000'000);
    if (hops.size() * collective.chunks.size() * config.shape.steps * search.variables_each > most_variables)
        return {};
    for (const auto& group : semiregular_groups(network, search.most_groups)) {
        const auto orbits = orbits_of(hops, group);
        if (orbits.empty())
            continue;
        solved(formula_of(orbits), budget.share(2 * search.most_groups, conflicts_each), Proof::none);
        if (answer.schedule || budget.is_spent())
            return answer;
    }
    if (budget.is_spent())
        return answer;
    Solution solution = solved(formula_of({}), budget.rest(), config.proof);
    answer.verdict = solution.verdict;
    answer.conflicts = solution.conflicts;
    answer.proof = std::move(solution.proof);
    return answer;
} catch (const std::length_error&) {
    return {};
}

} // namespace nocturne
