#include "schedules/optimize/exact.hpp"

#include "schedules/bounds/encoding.hpp"
#include "schedules/bounds/satisfiability.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

constexpr std::string_view name = "exact";
constexpr std::uint64_t most_literals = 30'000'000; ///< some hundred megabytes in the solver

/// What one processor must send or receive takes so many steps.
unsigned fewest_steps_for_ports(const Problem& problem)
{
    std::vector<unsigned> sends(problem.topology.processor_count());
    std::vector<unsigned> receives(problem.topology.processor_count());
    for (const Message& message : problem.collective.messages) {
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

/// The formulas to be solved one after the other, the smaller first: a schedule without relays is one; that there is none
/// says something only if relays cannot help.
std::vector<Relays> forms(const Problem& problem)
{
    if (fits(problem, Relays::none))
        return {Relays::none, Relays::any};
    return {Relays::any};
}

bool is_small(const Problem& problem, unsigned steps, Relays relays)
{
    return estimated_literals(problem, steps, relays) <= most_literals;
}

std::uint64_t count_deliveries(const Problem& problem)
{
    std::uint64_t deliveries = 0;
    for (const Message& message : problem.collective.messages)
        deliveries += message.receivers.size();
    return deliveries;
}

SolveControl solve_control(const Problem& problem, unsigned steps, const SearchControl& control,
                           std::uint64_t tried)
{
    SolveControl its{.deadline = control.deadline, .stop = control.stop};
    if (control.effort > 0)
        its.conflicts = control.effort - tried;
    if (control.on_progress)
        its.on_progress = [&control, steps, tried,
                           owed = count_deliveries(problem)](std::uint64_t conflicts) {
            control.on_progress({name, steps, tried + conflicts, owed});
        };
    return its;
}

Schedule schedule_of(const Problem& problem, std::vector<Move> moves)
{
    Schedule schedule = empty_schedule(problem, name);
    for (Move& move : moves) {
        if (schedule.steps.size() <= move.step)
            schedule.steps.resize(move.step + 1);
        schedule.steps[move.step].push_back(
            {move.message, move.source, move.destination, std::move(move.path)});
    }
    std::erase_if(schedule.steps, [](const Step& step) { return step.empty(); });
    return schedule;
}

} // namespace

bool suits_exact(const Problem& problem)
{
    return is_small(problem, fewest_steps_for_ports(problem), forms(problem).front());
}

SearchResult search_exact(const Problem& problem, unsigned steps, const SearchControl& control)
{
    SearchResult result{.unscheduled = count_deliveries(problem)};
    for (const Relays relays : forms(problem)) {
        if (control.is_over() || (control.effort > 0 && result.tried >= control.effort) ||
            !is_small(problem, steps, relays))
            return result;
        const Encoding encoding = encode(problem, steps, relays);
        const Solution solution =
            solve(encoding.formula, solve_control(problem, steps, control, result.tried));
        result.tried += solution.conflicts;
        if (solution.verdict == Verdict::satisfiable) {
            result.outcome = Outcome::found;
            result.schedule = schedule_of(problem, encoding.moves(solution.model));
            result.unscheduled = 0;
            return result;
        }
        if (solution.verdict == Verdict::unsatisfiable && relays == Relays::any)
            result.outcome = Outcome::impossible;
        // Satisfiable or not with relays, where time ran out without them: that is harder.
        if (solution.verdict == Verdict::unknown)
            return result;
    }
    return result;
}

} // namespace nocturne
