#include "schedules/bounds/exhausted.hpp"

#include "schedules/satisfiability/drat.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

std::string reason_for(const Problem& problem, unsigned steps, const Formula& formula,
                       std::uint64_t conflicts)
{
    std::string paths = "over all paths";
    if (problem.switching == Switching::store_and_forward)
        paths = "hop by hop";
    else if (problem.slack == 0u)
        paths = "over minimal paths";
    else if (problem.slack)
        paths = fmt::format("over paths up to slack {}", *problem.slack);
    return fmt::format("all schedules with {} steps {} were searched: {} variables, {} clauses, {} conflicts",
                       steps, paths, formula.variable_count(), formula.clause_count(), conflicts);
}

} // namespace

std::optional<Bound> exhausted_bound(const Problem& problem, unsigned steps, const SolveControl& control,
                                     Proof proof)
{
    const Encoding encoding = encode(problem, steps);
    Solution solution = solve(encoding.formula, control, proof);
    if (solution.verdict != Verdict::unsatisfiable)
        return std::nullopt;
    return Bound{steps + 1, BoundKind::exhausted,
                 reason_for(problem, steps, encoding.formula, solution.conflicts),
                 Exhaustion{std::move(solution.proof)}};
}

std::optional<std::string> refute_exhaustion(const Problem& problem, const Bound& bound,
                                             std::uint64_t conflicts)
{
    const auto* const exhaustion = std::get_if<Exhaustion>(&bound.certificate);
    if (exhaustion == nullptr)
        return "an exhausted search is claimed, but the certificate is another one";
    if (bound.steps <= 1)
        return bound.steps == 1 ? std::nullopt
                                : std::optional<std::string>("a bound of 0 steps says nothing");
    const unsigned steps = bound.steps - 1;
    const Formula formula = encode(problem, steps).formula;
    if (!exhaustion->proof.empty())
        return refute_proof(formula, exhaustion->proof);
    const Solution solution = solve(formula, {.conflicts = conflicts});
    if (solution.verdict == Verdict::satisfiable)
        return fmt::format("there is a schedule with {} steps", steps);
    if (solution.verdict == Verdict::unknown)
        return fmt::format("no proof is given, and searching again did not end within {} conflicts",
                           conflicts);
    return std::nullopt;
}

} // namespace nocturne
