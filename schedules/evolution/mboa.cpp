#include "schedules/evolution/mboa.hpp"

#include "schedules/evolution/mboa_island.hpp"
#include "schedules/evolution/mboa_variables.hpp"
#include "schedules/evolution/parameters.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace nocturne {
namespace {

constexpr std::string_view mboa_name = "mboa";

void check(const MboaParameters& parameters, const Problem& problem)
{
    const ParameterCheck check(mboa_name);
    check.at_least(2, "population", parameters.population);
    check.at_least(1, "tournament", parameters.tournament);
    check.at_least(1, "replacement tournament", parameters.replacement_tournament);
    check.at_least(1, "leaves of a tree", parameters.trees.most_leaves);
    check.at_least(1, "rows of a leaf", parameters.trees.least_rows);
    check.paths(parameters.paths, problem);
    check.at_least(1, "islands", parameters.islands);
    check.at_least(1, "generations per epoch", parameters.generations_per_epoch);
    check.probability("mutation probability", parameters.mutation_probability);
    check.probability("conflicting mutation", parameters.conflicting_mutation);
    check.probability("slot swap", parameters.slot_swap);
}

} // namespace

std::string describe(const MboaParameters& parameters)
{
    const auto& [population, tournament, replacement_tournament, replacement, trees, structural_prior,
                 candidate_genes, mutation_probability, conflicting_mutation, slots_tested, slot_swap,
                 restoration, restored_path, acceleration, path_stall, path_remedy, stagnation_limit, paths,
                 islands, generations_per_epoch] = parameters;
    const auto& [most_leaves, least_rows, candidates] = trees;
    return fmt::format("population {}, tournament {}, replacement tournament {}, replacement {}, "
                       "leaves of a tree {}, rows of a leaf {}, candidates of a tree {}, structural prior "
                       "{}, candidate genes {}, "
                       "mutation probability {}, conflicting mutation {}, slots tested {}, slot swap {}, "
                       "restoration {}, restored path {}, acceleration {}, path stall {}, path remedy {}, "
                       "stagnation limit {}, {}, islands {}, "
                       "generations per epoch {}",
                       population, tournament, replacement_tournament,
                       replacement == Replacement::worst ? "worst" : "nearest", most_leaves, least_rows,
                       candidates, structural_prior, candidate_genes, mutation_probability,
                       conflicting_mutation, slots_tested, slot_swap, restoration,
                       restored_path == RestoredPath::random ? "random" : "same-index", acceleration,
                       path_stall, path_remedy == PathRemedy::best ? "best" : "one", stagnation_limit,
                       describe(paths), islands, generations_per_epoch);
}

bool suits_mboa(const Problem& problem)
{
    return suits_chromosomes(problem);
}

IslandModel mboa_model(const Problem& problem, unsigned steps, const MboaParameters& parameters,
                       const Schedule* start)
{
    check(parameters, problem);
    ChromosomeEncoding encoding(problem, steps, parameters.paths);
    CandidateParents candidates =
        parameters.structural_prior
            ? conflict_candidates(encoding, parameters.candidate_genes, parameters.paths.seed)
            : all_candidates(static_cast<std::uint32_t>(encoding.deliveries().size()) *
                             variables_per_gene(encoding));
    const auto setting = std::make_shared<const MboaSetting>(
        MboaSetting{std::move(encoding), std::move(candidates), parameters, start});
    const auto make = [setting](std::uint32_t island, std::uint64_t seed) -> std::unique_ptr<Island> {
        return std::make_unique<MboaIsland>(setting, island, seed);
    };
    return {mboa_name, fmt::format("{}, {}", describe(parameters), describe_start(start)), parameters.islands,
            make, ring_exchange};
}

SearchResult search_mboa(const Problem& problem, unsigned steps, const SearchControl& control)
{
    return search_islands(problem, steps, mboa_model(problem, steps, {}, control.start), control);
}

} // namespace nocturne
