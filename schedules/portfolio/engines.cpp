#include "schedules/portfolio/engines.hpp"

#include "models/text/unknown_name.hpp"
#include "schedules/broadcast/broadcast_engines.hpp"
#include "schedules/chunk_search/front.hpp"
#include "schedules/constructions/constructions.hpp"
#include "schedules/evolution/hgsa.hpp"
#include "schedules/evolution/mboa.hpp"
#include "schedules/evolution/umda.hpp"
#include "schedules/portfolio/construct.hpp"
#include "schedules/portfolio/message_engines.hpp"
#include "schedules/problem/transfer_rules.hpp"
#include "schedules/scatter/scatter_engines.hpp"
#include "schedules/search/warm_start.hpp"
#include "schedules/sums/sum_schedules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

namespace nocturne {
namespace {

bool suits_local(const Problem& problem)
{
    return is_personalized(problem.collective) || suits_broadcast(problem);
}

/// About as many bytes as search_local() takes: for scatters, who holds which channel in which step.
std::uint64_t memory_of_local(const Problem& problem, unsigned steps)
{
    return is_personalized(problem.collective) ? memory_of_scatter(problem, steps) : 0;
}

/// Messages with one receiver each under wormhole switching: an ejection pool packs them into the steps, each
/// over one of some candidate paths (see packing.hpp, local_scatter.cpp). Attempts with minimal paths and
/// with detours of one and two hops, as far as the slack allows, take turns; each round has twice the
/// placements of the one before and chooses anew where there are too many paths. From the second round on the
/// flow bound sorts out paths that no schedule of `steps` steps can use. Messages with one receiver under
/// store-and-forward switching: see scatter_engines.hpp; broadcasts: see broadcast_engines.hpp. Gives up
/// early only where counting shows that there are too few steps for the candidate paths.
///
/// A schedule to begin with that is valid and short enough is returned as it is. Of any other, the attempts
/// of every other round begin with the messages where that has them, as far as their paths exist and there is
/// room; only the others wait in the pool. Broadcasts of one message ignore it: their steps are flows between
/// sets, and follow from the sets.
SearchResult search_local(const Problem& problem, unsigned steps, const SearchControl& control)
{
    if (auto schedule = valid_start(problem, steps, control.start))
        return {Outcome::found, std::move(schedule), 0, 0};
    if (forbids_relays(problem)) // whatever the collective is called
        return search_scatter(problem, steps, control);
    if (suits_one_to_all(problem))
        return search_one_to_all(problem, steps, control);
    if (is_personalized(problem.collective))
        return problem.switching == Switching::wormhole ? search_scatter(problem, steps, control)
                                                        : search_store_and_forward(problem, steps, control);
    return search_broadcast(problem, steps, control);
}

/// Begins on a torus with missing channels with what these leave of the whole torus's phases, unless the
/// control has a schedule to begin with.
SearchResult search_even(const Problem& problem, unsigned steps, const SearchControl& control)
{
    if (control.start != nullptr)
        return search_even_scatter(problem, steps, control);
    const auto phases = surviving_torus_phases(problem);
    SearchControl from_phases = control;
    from_phases.start = phases ? &*phases : nullptr;
    return search_even_scatter(problem, steps, from_phases);
}

bool suits_doubling(const Problem& problem)
{
    return problem.collective.kind == CollectiveKind::allreduce ||
           problem.collective.kind == CollectiveKind::scan;
}

SearchResult search_doubling(const Problem& problem, unsigned steps, const SearchControl&)
{
    std::optional<Schedule> schedule = doubling(problem);
    if (!schedule || schedule->steps.size() > steps)
        return {};
    return {Outcome::found, std::move(schedule)};
}

bool suits_all(const ChunkProblem&)
{
    return true;
}

bool suits_constructions(const ChunkProblem& problem)
{
    return problem.topology && problem.objective != ChunkObjective::steps && !reduces(problem.collective);
}

bool suits_questions(const ChunkProblem& problem)
{
    return problem.network.node_count() * problem.collective.chunks.size() <= most_exact_places;
}

bool suits_halves(const ChunkProblem& problem)
{
    return problem.collective.kind == CollectiveKind::allreduce;
}

/// In steps, only an all-reduce goes up and down trees.
bool suits_trees(const ChunkProblem& problem)
{
    if (problem.objective == ChunkObjective::steps)
        return problem.collective.kind == CollectiveKind::allreduce;
    return !owed_pairs(problem.collective);
}

/// Where steps count it is only what searches begin with.
bool suits_flows(const ChunkProblem& problem)
{
    return owed_pairs(problem.collective).has_value();
}

constexpr ObjectiveSearch by_constructions{EngineTurn::first, suits_constructions, &ChunkEngines::construct};
constexpr ObjectiveSearch by_questions{EngineTurn::front, suits_questions};
constexpr ObjectiveSearch by_halves{EngineTurn::front, suits_halves};
constexpr ObjectiveSearch by_time{EngineTurn::parts, suits_all, &ChunkEngines::search_time};
constexpr ObjectiveSearch by_trees{EngineTurn::parts, suits_trees, &ChunkEngines::search_trees};
constexpr ObjectiveSearch by_flows{EngineTurn::parts, suits_flows, &ChunkEngines::search_flow};

constexpr std::array table{
    Engine{.name = "construct",
           .summary = "proven constructions, without a search",
           .suits = suits_construction,
           .search = search_construction,
           .effort_per_second = 1,
           .is_construction = true},
    Engine{.name = "flow",
           .summary = "scatters from one processor and gathers to one: maximum flow, exact",
           .suits = suits_flow,
           .search = search_flow,
           .effort_per_second = 1,
           .is_construction = true},
    Engine{.name = "local",
           .summary = "ejection pool for scatters, randomized construction for broadcasts",
           .suits = suits_local,
           .search = search_local,
           .memory = memory_of_local},
    Engine{.name = "symmetry",
           .summary = "symmetric scatters: packs orbits of messages under the network's automorphisms",
           .suits = suits_symmetric,
           .search = search_symmetric},
    Engine{.name = "exact",
           .summary = "satisfiability (CaDiCaL): finds a schedule or proves that none exists",
           .suits = suits_exact,
           .search = search_exact,
           .effort_per_second = 2'500,
           .comes_first = is_tiny_for_exact},
    Engine{.name = "umda",
           .summary = "evolutionary (UMDA): samples chromosomes from the marginals of the better solutions",
           .suits = suits_umda,
           .search = search_umda,
           .effort_per_second = 600'000,
           .only_by_name = true},
    Engine{.name = "mboa",
           .summary = "evolutionary (MBOA): Bayesian optimization with decision trees",
           .suits = suits_mboa,
           .search = search_mboa,
           .effort_per_second = 300'000,
           .only_by_name = true},
    Engine{.name = "hgsa",
           .summary = "evolutionary (HGSA): parallel simulated annealing with crossover, for broadcasts",
           .suits = suits_hgsa,
           .search = search_hgsa,
           .effort_per_second = 1'500'000,
           .only_by_name = true},
    // Behind the others, which draw by their places in the table.
    Engine{.name = "even",
           .summary = "large scatters: evenly loaded paths, packed into fewer and fewer steps",
           .suits = suits_even_scatter,
           .search = search_even,
           .effort_per_second = 100'000,
           .is_gradual = true,
           .memory = memory_of_even_scatter},
    Engine{.name = "quotient",
           .summary = "large scatters on symmetric networks: engine even on one message per orbit",
           .suits = suits_even_scatter,
           .search = search_quotient_scatter,
           .effort_per_second = 100'000,
           .is_gradual = true,
           .memory = memory_of_even_scatter},
    Engine{.name = "doubling",
           .summary = "all-reduce and scan by recursive doubling",
           .suits = suits_doubling,
           .search = search_doubling,
           .effort_per_second = 1,
           .is_construction = true,
           .adds = true},
    Engine{.name = "reduce-broadcast",
           .summary = "all-reduce as a reduce followed by a broadcast",
           .suits = suits_reduce_broadcast,
           .search = search_reduce_broadcast,
           .adds = true},
    Engine{.name = "sums",
           .summary = "small all-reduces and scans: satisfiability (CaDiCaL), over longer and longer paths",
           .suits = suits_sums,
           .search = search_sums,
           .effort_per_second = 2'500,
           .adds = true},
    Engine{.name = "construct",
           .summary = "proven constructions, and flows over their paths",
           .by_objective = &by_constructions},
    Engine{.name = "exact",
           .summary = "small problems: satisfiability (CaDiCaL) for a number of steps and rounds",
           .by_objective = &by_questions},
    Engine{.name = "halves",
           .summary = "all-reduce from reduce-scatter and allgather, each by satisfiability",
           .by_objective = &by_halves},
    Engine{.name = "trees",
           .summary = "packed spanning trees, at the bandwidth of the tightest cut",
           .by_objective = &by_trees},
    Engine{.name = "time",
           .summary = "greedy in time: an idle link sends the rarest chunk that its receiver lacks",
           .by_objective = &by_time},
    Engine{.name = "flow",
           .summary = "scatters and all-to-all over the multicommodity flow of least congestion",
           .by_objective = &by_flows},
};

[[noreturn]] void throw_unknown(std::string_view name, bool has_objective)
{
    std::vector<std::string> names;
    for (const Engine& engine : table)
        if ((engine.by_objective != nullptr) == has_objective)
            names.emplace_back(engine.name);
    throw std::invalid_argument(
        unknown_name(has_objective ? "engine for an objective" : "engine", name, names));
}

/// Those of one question that are asked for.
template <class Suits>
std::vector<const Engine*> asked_engines(std::string_view asked, bool has_objective, std::string_view problem,
                                         Suits suits)
{
    std::vector<const Engine*> found;
    for (const Engine& engine : table) {
        if ((engine.by_objective != nullptr) != has_objective)
            continue;
        if (asked == engine.name && !suits(engine))
            throw std::invalid_argument(fmt::format("engine {} cannot do {}", engine.name, problem));
        if (asked == engine.name || (asked == "auto" && !engine.only_by_name && suits(engine)))
            found.push_back(&engine);
    }
    if (found.empty() && asked == "auto")
        throw std::invalid_argument(fmt::format("no engine can do {}", problem));
    if (found.empty())
        throw_unknown(asked, has_objective);
    return found;
}

} // namespace

std::span<const Engine> engines()
{
    return table;
}

const Engine& find_engine(std::string_view name)
{
    const auto is_called_so = [&](const Engine& engine) { return engine.name == name; };
    const auto found = std::ranges::find_if(table, is_called_so); // those for messages come first
    if (found == table.end() || found->by_objective != nullptr)
        throw_unknown(name, false);
    return *found;
}

std::vector<const Engine*> engines_for(const Problem& problem, std::string_view name)
{
    return asked_engines(name, false, describe(problem),
                         [&](const Engine& engine) { return can_try(engine, problem); });
}

std::vector<const Engine*> engines_for(const ChunkProblem& problem, std::string_view name)
{
    return asked_engines(name, true, describe(problem),
                         [&](const Engine& engine) { return engine.by_objective->suits(problem); });
}

} // namespace nocturne
