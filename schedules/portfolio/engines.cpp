#include "schedules/portfolio/engines.hpp"

#include "models/text/unknown_name.hpp"
#include "schedules/chunk_search/front.hpp"
#include "schedules/evolution/hgsa.hpp"
#include "schedules/evolution/mboa.hpp"
#include "schedules/evolution/umda.hpp"
#include "schedules/portfolio/construct.hpp"
#include "schedules/portfolio/doubling_engine.hpp"
#include "schedules/portfolio/even.hpp"
#include "schedules/portfolio/exact.hpp"
#include "schedules/portfolio/local.hpp"
#include "schedules/portfolio/reduce_broadcast.hpp"
#include "schedules/portfolio/sums.hpp"
#include "schedules/scatter/even_scatter.hpp"
#include "schedules/scatter/quotient_scatter.hpp"
#include "schedules/scatter/symmetry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace nocturne {
namespace {

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

/// An all-reduce goes up and down trees in steps; by time that is one of the ways of the engine `time`.
bool suits_trees(const ChunkProblem& problem)
{
    const bool is_all_reduce = problem.collective.kind == CollectiveKind::allreduce;
    if (problem.objective != ChunkObjective::bandwidth &&
        is_all_reduce != (problem.objective == ChunkObjective::steps))
        return false;
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
           .summary = "constructions with a proof, without a search",
           .suits = suits_construction,
           .search = search_construction,
           .effort_per_second = 1,
           .is_construction = true},
    Engine{.name = "flow",
           .summary = "scatters from one processor and gathers to one, exactly",
           .suits = suits_flow,
           .search = search_flow,
           .effort_per_second = 1,
           .is_construction = true},
    Engine{.name = "local",
           .summary = "local search: an ejection pool for scatters, randomised construction for broadcasts",
           .suits = suits_local,
           .search = search_local,
           .memory = memory_of_local},
    Engine{.name = "symmetry",
           .summary = "scatters as symmetric as their network: orbits of messages are packed",
           .suits = suits_symmetric,
           .search = search_symmetric},
    Engine{.name = "exact",
           .summary = "whether there is a schedule at all: satisfiability of a formula (CaDiCaL)",
           .suits = suits_exact,
           .search = search_exact,
           .effort_per_second = 2'500,
           .comes_first = is_tiny_for_exact},
    Engine{.name = "umda",
           .summary =
               "the papers' evolution: chromosomes sampled from the marginal frequencies of the better "
               "ones",
           .suits = suits_umda,
           .search = search_umda,
           .effort_per_second = 600'000,
           .only_by_name = true},
    Engine{.name = "mboa",
           .summary =
               "the papers' Bayesian optimization: decision trees learn from the best schedules so far",
           .suits = suits_mboa,
           .search = search_mboa,
           .effort_per_second = 300'000,
           .only_by_name = true},
    Engine{.name = "hgsa",
           .summary = "the papers' parallel simulated annealing with crossover, for broadcasts hop by hop",
           .suits = suits_hgsa,
           .search = search_hgsa,
           .effort_per_second = 1'500'000,
           .only_by_name = true},
    // Behind the others, which draw by their places in the table.
    Engine{.name = "even",
           .summary = "large scatters: paths that load the network evenly, packed into fewer and fewer steps",
           .suits = suits_even_scatter,
           .search = search_even,
           .effort_per_second = 100'000,
           .is_gradual = true,
           .memory = memory_of_even_scatter},
    Engine{.name = "quotient",
           .summary = "large scatters on symmetric networks: one message of each orbit is packed so",
           .suits = suits_even_scatter,
           .search = search_quotient_scatter,
           .effort_per_second = 100'000,
           .is_gradual = true,
           .memory = memory_of_even_scatter},
    Engine{.name = "doubling",
           .summary = "all-reduce and scan in rounds that double what a sum has",
           .suits = suits_doubling,
           .search = search_doubling,
           .effort_per_second = 1,
           .is_construction = true,
           .adds = true},
    Engine{.name = "reduce-broadcast",
           .summary = "all-reduce in two halves: to one place, and from there",
           .suits = suits_reduce_broadcast,
           .search = search_reduce_broadcast,
           .adds = true},
    Engine{.name = "sums",
           .summary = "small all-reduces and scans, over ever longer paths: satisfiability (CaDiCaL)",
           .suits = suits_sums,
           .search = search_sums,
           .effort_per_second = 2'500,
           .adds = true},
    Engine{.name = "construct",
           .summary = "constructions with a proof, and flows over their paths",
           .by_objective = &by_constructions},
    Engine{.name = "exact",
           .summary = "small problems, in so many steps and rounds: satisfiability (CaDiCaL)",
           .by_objective = &by_questions},
    Engine{.name = "halves",
           .summary = "all-reduce from reduce-scatter and allgather, each by satisfiability",
           .by_objective = &by_halves},
    Engine{.name = "time",
           .summary = "what its far end lacks, whenever a link falls idle",
           .by_objective = &by_time},
    Engine{.name = "trees",
           .summary = "packed spanning trees, at the bandwidth of the best cut",
           .by_objective = &by_trees},
    Engine{.name = "flow",
           .summary = "scatters and all-to-all over the flow of least congestion",
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
