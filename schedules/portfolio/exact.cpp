#include "schedules/certificate/schedule_formula.hpp"
#include "schedules/portfolio/message_engines.hpp"
#include "schedules/portfolio/solver_turn.hpp"
#include "schedules/problem/transfer_rules.hpp"
#include "schedules/satisfiability/encoding.hpp"
#include "schedules/satisfiability/satisfiability.hpp"
#include "schedules/search/warm_start.hpp"

#include <algorithm>
#include <list>
#include <optional>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

constexpr std::string_view name = "exact";

constexpr std::uint64_t first_turn = 5'000; ///< conflicts
/// Of formulas that the solver has a chance with; larger ones only take memory from the other engines.
constexpr std::uint64_t most_exact_literals = 2'000'000;

/// What one processor must send or receive takes so many steps.
unsigned fewest_steps_for_ports(const Problem& problem)
{
    std::vector<unsigned> sends(problem.topology.processor_count());
    std::vector<unsigned> receives(problem.topology.processor_count());
    for (const Message& message : problem.collective.messages()) {
        ++sends[message.origin];
        for (const ProcessorId receiver : message.receivers)
            ++receives[receiver];
    }
    unsigned steps = 1;
    for (ProcessorId id = 0; id < sends.size(); ++id) {
        const unsigned out = send_ports(problem.topology, id, problem.ports);
        const unsigned in = receive_ports(problem.topology, id, problem.ports);
        steps = std::max({steps, (sends[id] + out - 1) / out, (receives[id] + in - 1) / in});
    }
    return steps;
}

/// Do hops from processor to processor lead to every receiver?
bool reaches_by_hops(const Problem& problem)
{
    return std::ranges::all_of(problem.collective.messages(), [&](const Message& message) {
        const auto hops = transfers_from(problem.topology, message.origin);
        return std::ranges::all_of(message.receivers,
                                   [&](ProcessorId id) { return hops[id] != unreachable; });
    });
}

/// The problem behind those that allow less, and are easier to satisfy: messages with one receiver go
/// straight there, over minimal paths if they can (where channels are scarce they must); messages with
/// several go hop by hop.
std::vector<Problem> restrictions(const Problem& problem)
{
    std::vector<Problem> result;
    const bool broadcasts = !is_personalized(problem.collective);
    if (broadcasts && !mixes_relays(problem) && problem.switching == Switching::wormhole &&
        reaches_by_hops(problem)) {
        result.push_back(problem);
        result.back().switching = Switching::store_and_forward; // a hop is a minimal path
        result.back().slack.reset();
    }
    if (!broadcasts && problem.switching == Switching::wormhole && problem.slack != 0U) {
        result.push_back(problem);
        result.back().slack = 0;
        if (!problem.slack) { // straight, over any path
            result.push_back(problem);
            result.back().slack = static_cast<unsigned>(problem.topology.router_count());
        }
    }
    result.push_back(problem);
    return result;
}

bool is_small(const Problem& problem, unsigned steps)
{
    return estimated_literals(problem, steps) <= most_exact_literals;
}

std::vector<TimedTransfer> moves_of(const std::vector<Step>& steps)
{
    std::vector<TimedTransfer> transfers;
    for (unsigned step = 0; step < steps.size(); ++step)
        for (const Transfer& transfer : steps[step])
            transfers.push_back(
                {step, transfer.message, transfer.source, transfer.destination, *transfer.path});
    return transfers;
}

/// About the problems whose schedules are schedules of the one asked for, as far as they are small enough.
std::list<SolverQuestion> forms_of(const Problem& problem, unsigned steps)
{
    std::list<SolverQuestion> forms;
    std::vector<Problem> problems = restrictions(problem);
    for (Problem& form : problems)
        if (is_small(form, steps))
            forms.push_back({[form, steps] { return encode(form, steps); }, &form == &problems.back()});
    return forms;
}

/// The search for a proof that there is no schedule: of the checker's formula. Nothing if it is too large.
std::optional<SolverRun> begin_proof(const Problem& problem, unsigned steps)
{
    const std::optional<Formula> formula = schedule_formula(problem, steps, most_exact_literals);
    return formula ? std::optional<SolverRun>(SolverRun(*formula, Proof::drat)) : std::nullopt;
}

} // namespace

bool suits_exact(const Problem& problem)
{
    const unsigned steps = fewest_steps_for_ports(problem);
    // Who holds what is in every formula for messages that are relayed: seen at a glance.
    const std::uint64_t places = problem.collective.messages().size() * problem.topology.processor_count();
    if (!is_personalized(problem.collective) && places * steps > most_exact_literals)
        return false;
    const std::vector<Problem> forms = restrictions(problem);
    return std::ranges::any_of(forms, [&](const Problem& form) { return is_small(form, steps); });
}

bool is_tiny_for_exact(const Problem& problem, unsigned steps)
{
    constexpr std::uint64_t few_literals = 20'000;
    return estimated_literals(problem, steps) <= few_literals;
}

SearchResult search_exact(const Problem& problem, unsigned steps, const SearchControl& control)
{
    if (auto schedule = valid_start(problem, steps, control.start))
        return {Outcome::found, std::move(schedule), 0, 0};
    const std::vector<TimedTransfer> start = moves_of(usable_steps(problem, control.start));
    SearchResult result{.unscheduled = problem.collective.demands.size()};
    const SearchProgress progress{.engine = name, .steps = steps, .unscheduled = result.unscheduled};
    std::list<SolverQuestion> forms = forms_of(problem, steps);
    std::optional<SolverRun> proof = begin_proof(problem, steps);
    // They take turns, longer and longer ones: which of them is easy is not known. A single one has all the
    // time.
    for (std::uint64_t turn = first_turn; !forms.empty() || proof; turn *= 2) {
        const auto limits = [&] {
            const bool is_single = forms.size() + (proof ? 1 : 0) == 1;
            return solver_turn(control, progress, result.tried, is_single ? 0 : turn);
        };
        const TurnResult turns = take_turns(forms, problem, control, name, start, limits, result);
        if (turns == TurnResult::over)
            return result;
        if (turns == TurnResult::refuted) // nothing is left to find, only to prove
            forms.clear();
        if (!proof)
            continue;
        if (is_spent(control, result.tried))
            return result;
        Solution solution = proof->run(limits());
        result.tried += solution.conflicts;
        if (solution.verdict == Verdict::unsatisfiable) {
            result.outcome = Outcome::impossible;
            result.proof = std::move(solution.proof);
            return result;
        }
        if (solution.verdict == Verdict::satisfiable)
            proof.reset();
    }
    return result;
}

} // namespace nocturne
