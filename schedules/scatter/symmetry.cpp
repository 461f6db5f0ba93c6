#include "schedules/scatter/orbit_packing.hpp"
#include "schedules/scatter/scatter_engines.hpp"
#include "schedules/scatter/step_groups.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/search/search_meter.hpp"

#include <algorithm>
#include <string_view>

namespace nocturne {

namespace {

constexpr std::string_view symmetry_engine = "symmetry";
/// Groups of the first round, as many more in each later one.
constexpr std::size_t first_groups = 4;
/// Placements of an attempt of the first round, and what comes to them for every orbit; twice as many in
/// every later one.
constexpr std::uint64_t orbit_effort = 4000;
constexpr std::uint64_t effort_per_orbit = 16;
/// Paths of a message, and uses of resources that the options of one packing may have.
constexpr std::size_t orbit_paths = 64;
constexpr std::size_t most_uses = 8'000'000;
constexpr unsigned orbit_slack = 2;
/// The round in which every slack has been tried: if no group has an option for every orbit by then, none
/// will.
constexpr unsigned last_hope = 5;

/// What to choose from for every orbit, within what memory allows.
std::vector<TransferChoice> choices(const Problem& problem, const StepGroup& group, const PathChoice& paths)
{
    std::vector<Symmetry> elements;
    for (const Symmetry& shift : group.shifts) {
        for (const Symmetry& element : group.quotient)
            elements.push_back(compose(element, shift));
    }
    std::vector<TransferChoice> result =
        choose_transfers(problem, representatives(problem.collective, elements), paths);
    std::size_t uses = 0;
    for (const TransferChoice& choice : result) {
        for (const Transfer& transfer : choice)
            uses += (transfer.path->size() + 2) * group.shifts.size();
    }
    for (TransferChoice& choice : result) {
        if (uses > most_uses)
            choice.resize(std::max<std::size_t>(1, choice.size() * most_uses / uses));
    }
    return result;
}

/// One search for a schedule that has the symmetries of `group`.
SearchResult attempt(const Problem& problem, const StepGroup& group, unsigned steps, const PathChoice& paths,
                     const SearchControl& control)
{
    const auto base_steps = static_cast<std::uint32_t>(steps / group.shifts.size());
    const std::vector<TransferChoice> transfers = choices(problem, group, paths);
    const OrbitPacking orbits = make_orbit_packing(problem, group, transfers);
    SearchResult result{.unscheduled = problem.collective.messages().size()};
    if (!is_possible(orbits))
        return result;
    const packing::PackingResult packed = packing::pack(orbits.packing, base_steps, control);
    result.tried = packed.tried;
    result.unscheduled = packed.unplaced * group.order();
    if (!packed.placements.empty()) {
        result.outcome = Outcome::found;
        result.schedule = empty_schedule(problem, symmetry_engine);
        result.schedule->steps = unfold(problem, group, orbits, packed.placements, base_steps);
    }
    return result;
}

/// Minimal paths first; every third round tries detours, one hop and two hops by turns.
unsigned slack_of_round(unsigned round, unsigned most)
{
    return round % 3 == 2 ? std::min(most, 1 + round / 3 % orbit_slack) : 0;
}

} // namespace

bool suits_symmetric(const Problem& problem)
{
    return problem.switching == Switching::wormhole && !is_broadcast(problem.collective) &&
           !has_equal_messages(problem.collective);
}

SearchResult search_symmetric(const Problem& problem, unsigned steps, const SearchControl& control)
{
    SearchMeter meter(control, symmetry_engine, steps);
    SearchResult result{.unscheduled = problem.collective.messages().size()};
    const std::vector<StepGroup> groups = choose_step_groups(problem, steps, control);
    const unsigned most = std::min(problem.slack.value_or(orbit_slack), orbit_slack);
    for (unsigned round = 0; !groups.empty(); ++round) {
        const std::uint64_t tried_before = meter.tried();
        // The first groups are the best guesses.
        const std::size_t count = std::min<std::size_t>(groups.size(), first_groups * (round + 1));
        for (const StepGroup& group : std::span(groups).first(count)) {
            if (meter.is_over())
                return result;
            const std::uint64_t orbits = problem.collective.messages().size() / group.order();
            const std::uint64_t effort = (orbit_effort + effort_per_orbit * orbits) << std::min(round, 30u);
            SearchControl slice = meter.slice(effort, group.order());
            slice.seed += round;
            const PathChoice paths{
                .slack = slack_of_round(round, most), .most_paths = orbit_paths, .seed = slice.seed};
            SearchResult attempted = attempt(problem, group, steps, paths, slice);
            meter.count(attempted.tried);
            meter.end_attempt(attempted.unscheduled);
            result.tried = meter.tried();
            result.unscheduled = meter.unscheduled();
            if (attempted.outcome == Outcome::found) {
                attempted.tried = meter.tried();
                return attempted;
            }
        }
        if (meter.tried() == tried_before && count == groups.size() && round >= last_hope)
            return result;
    }
    return result;
}

} // namespace nocturne
