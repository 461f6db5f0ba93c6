#include "schedules/bounds/infeasibility_bound.hpp"

#include "schedules/certificate/schedule_formula.hpp"
#include "schedules/problem/copying_problem.hpp"

#include <fmt/format.h>

#include <utility>

namespace nocturne {
namespace {

std::string_view paths_of(const Problem& problem)
{
    if (problem.switching == Switching::store_and_forward)
        return "hop by hop";
    if (!problem.slack)
        return "over any paths";
    return *problem.slack == 0 ? "over minimal paths" : "within the slack";
}

} // namespace

InfeasibilitySearch infeasibility_bound(const Problem& problem, unsigned steps, const SolveControl& control)
{
    if (const auto backwards =
            reduces(problem.collective) ? bounding_problem(problem, std::nullopt) : std::nullopt)
        return infeasibility_bound(*backwards, steps, control);
    const std::optional<Formula> formula = schedule_formula(problem, steps);
    if (!formula)
        return {};
    Solution solution = solve(*formula, control, Proof::drat);
    InfeasibilitySearch search{.verdict = solution.verdict, .conflicts = solution.conflicts};
    if (solution.verdict != Verdict::unsatisfiable)
        return search;
    search.bound =
        proven_bound(problem, steps,
                     fmt::format("{} variables, {} clauses, {} conflicts", formula->variable_count(),
                                 formula->clause_count(), solution.conflicts),
                     std::move(solution.proof));
    return search;
}

Bound proven_bound(const Problem& problem, unsigned steps, std::string_view how, std::string proof)
{
    return {steps + 1,
            fmt::format("proven that no schedule {} has {} steps: {}", paths_of(problem), steps, how),
            InfeasibilityProof{std::move(proof)}};
}

} // namespace nocturne
