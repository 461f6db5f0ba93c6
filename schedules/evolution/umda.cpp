#include "schedules/evolution/umda.hpp"

#include "schedules/evolution/chromosome.hpp"
#include "schedules/evolution/parameters.hpp"
#include "schedules/evolution/umda_island.hpp"

#include <fmt/format.h>

#include <memory>
#include <string_view>

namespace nocturne {
namespace {

constexpr std::string_view umda_name = "umda";

void check(const UmdaParameters& parameters, const Problem& problem)
{
    const ParameterCheck check(umda_name);
    check.require(parameters.population >= 4 && parameters.population % 2 == 0, "population",
                  parameters.population, "an even number, 4 or more");
    check.probability("mutation probability", parameters.mutation_probability);
    check.probability("conflicting mutation", parameters.conflicting_mutation);
    check.paths(parameters.paths, problem);
    check.at_least(1, "islands", parameters.islands);
    check.at_least(1, "generations per epoch", parameters.generations_per_epoch);
}

} // namespace

std::string describe(const UmdaParameters& parameters)
{
    const auto& [population, mutation_probability, acceleration, slot_swap, path_mutation, restoration,
                 building_blocks, conflicting_mutation, slots_tested, sampling_tries, whole_genes,
                 stagnation_limit, paths, islands, generations_per_epoch] = parameters;
    return fmt::format(
        "population {}, mutation probability {}, acceleration {}, slot swap {}, path mutation {}, "
        "restoration {}, building blocks {}, conflicting mutation {}, slots tested {}, "
        "sampling tries {}, whole genes {}, stagnation limit {}, {}, islands {}, generations per epoch {}",
        population, mutation_probability, acceleration, slot_swap, path_mutation, restoration,
        building_blocks, conflicting_mutation, slots_tested, sampling_tries, whole_genes, stagnation_limit,
        describe(paths), islands, generations_per_epoch);
}

bool suits_umda(const Problem& problem)
{
    return suits_chromosomes(problem);
}

IslandModel umda_model(const Problem& problem, unsigned steps, const UmdaParameters& parameters,
                       const Schedule* start)
{
    check(parameters, problem);
    const auto setting = std::make_shared<const UmdaSetting>(
        UmdaSetting{ChromosomeEncoding(problem, steps, parameters.paths), parameters, start});
    const auto make = [setting](std::uint32_t island, std::uint64_t seed) -> std::unique_ptr<Island> {
        return std::make_unique<UmdaIsland>(setting, island, seed);
    };
    return {umda_name, fmt::format("{}, {}", describe(parameters), describe_start(start)), parameters.islands,
            make, ring_exchange};
}

SearchResult search_umda(const Problem& problem, unsigned steps, const SearchControl& control)
{
    UmdaParameters parameters;
    // A single island has nobody to exchange with, and effort is looked at between epochs.
    parameters.generations_per_epoch = 10;
    return search_islands(problem, steps, umda_model(problem, steps, parameters, control.start), control);
}

} // namespace nocturne
