#include "models/routing/distances.hpp"
#include "schedules/portfolio/message_engines.hpp"
#include "schedules/portfolio/solver_turn.hpp"
#include "schedules/satisfiability/sum_encoding.hpp"

#include <algorithm>
#include <list>
#include <optional>
#include <utility>

namespace nocturne {
namespace {

constexpr std::string_view sums_name = "sums";
constexpr std::uint64_t first_sum_turn = 2'000; ///< conflicts
/// Of all formulas: what the solver has a chance with, some hundred megabytes.
constexpr std::uint64_t most_sum_literals = 4'000'000;
/// To make so many takes as long as a conflict.
constexpr std::uint64_t literals_a_conflict = 2'000;

struct FarPair {
    std::uint32_t hops;
    Pair pair;
};

/// Ascending in hops.
std::vector<FarPair> pairs_by_distance(const Topology& topology)
{
    std::vector<FarPair> pairs;
    for (ProcessorId from = 0; from < topology.processor_count(); ++from) {
        const auto distances = distances_from(topology, topology.processor(from).injection);
        for (ProcessorId to = 0; to < topology.processor_count(); ++to)
            if (to != from && distances[topology.processor(to).ejection] != unreachable)
                pairs.push_back({distances[topology.processor(to).ejection], {from, to}});
    }
    std::ranges::stable_sort(pairs, {}, &FarPair::hops);
    return pairs;
}

/// The paths of these pairs; none if a formula with them has more than `left` literals, which it takes away.
std::optional<std::vector<CandidatePath>> few_paths(const Problem& problem, std::span<const FarPair> pairs,
                                                    unsigned steps, std::uint64_t& left)
{
    constexpr std::uint64_t least_of_a_path = 20; ///< literals, in each step for a contribution
    std::vector<Pair> ends;
    for (const FarPair& pair : pairs)
        ends.push_back(pair.pair);
    const std::uint64_t most = left / (least_of_a_path * steps * problem.collective.chunks.size() *
                                       problem.topology.processor_count());
    auto paths = list_candidate_paths(problem, ends, [](const CandidatePath&) { return 1; }, most);
    const std::uint64_t literals = paths ? estimated_sum_literals(problem, steps, paths->all) : left + 1;
    if (literals > left)
        return std::nullopt;
    left -= literals;
    return std::move(paths->all);
}

/// From few paths to many, as long as the formulas together have no more than `left` literals.
std::list<SolverQuestion> questions_of(const Problem& problem, unsigned steps, std::uint64_t left)
{
    std::list<SolverQuestion> questions;
    const auto add = [&](const Problem& form, std::span<const FarPair> pairs, bool is_whole) {
        auto paths = few_paths(form, pairs, steps, left);
        if (paths)
            questions.push_back(
                {[&problem, steps, paths = std::move(*paths)] { return encode_sums(problem, steps, paths); },
                 is_whole});
        return paths.has_value();
    };
    const std::vector<FarPair> pairs = pairs_by_distance(problem.topology);
    Problem minimal = problem;
    if (problem.switching == Switching::wormhole) {
        minimal.slack = 0;
        for (auto end = pairs.begin(); end != pairs.end();) {
            end = std::ranges::upper_bound(end, pairs.end(), end->hops, {}, &FarPair::hops);
            if (!add(minimal, {pairs.begin(), end}, false))
                return questions;
        }
    }
    add(problem, pairs, true);
    return questions;
}

} // namespace

bool suits_sums(const Problem& problem)
{
    if (problem.slack)
        for (ChunkId id = 0; id < problem.collective.chunks.size(); ++id)
            if (problem.collective.demands.receivers_of(id).size() == 1)
                return false;
    // One step between neighbours, seen at a glance.
    const std::uint64_t processors = problem.topology.processor_count();
    return processors * processors * problem.collective.chunks.size() * 100 <= most_sum_literals;
}

SearchResult search_sums(const Problem& problem, unsigned steps, const SearchControl& control)
{
    SearchResult result{.unscheduled = problem.collective.demands.size()};
    const SearchProgress progress{.engine = sums_name, .steps = steps, .unscheduled = result.unscheduled};
    const std::uint64_t affordable = control.effort == 0
                                         ? most_sum_literals
                                         : std::min(control.effort, most_sum_literals) * literals_a_conflict;
    std::list<SolverQuestion> questions =
        questions_of(problem, steps, std::min(most_sum_literals, affordable));
    if (affordable < most_sum_literals && (questions.empty() || !questions.back().is_whole))
        result.tried = control.effort / 8 + 1; // more effort will ask more
    for (std::uint64_t turn = first_sum_turn; !questions.empty(); turn *= 2) {
        const auto limits = [&] { return solver_turn(control, progress, result.tried, turn); };
        const TurnResult turns = take_turns(questions, problem, control, sums_name, {}, limits, result);
        if (turns == TurnResult::refuted)
            result.outcome = Outcome::impossible;
        if (turns != TurnResult::go_on)
            break;
    }
    return result;
}

} // namespace nocturne
