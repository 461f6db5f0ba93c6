#include "schedules/evolution/umda.hpp"

#include "schedules/evolution/parameters.hpp"
#include "schedules/evolution/umda_island.hpp"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <string_view>

namespace nocturne {
namespace {

constexpr std::string_view engine_name = "umda";

void require(bool holds, std::string_view parameter, double value, std::string_view demand)
{
    if (!holds)
        throw std::invalid_argument(fmt::format("umda: {} {}: {}", parameter, value, demand));
}

void check(const UmdaParameters& parameters)
{
    require(parameters.population >= 4 && parameters.population % 2 == 0, "population", parameters.population,
            "an even number, 4 or more");
    const auto probability = [](std::string_view name, double value) {
        require(value >= 0 && value <= 1, name, value, "a probability is from 0 to 1");
    };
    probability("mutation probability", parameters.mutation_probability);
    probability("conflicting mutation", parameters.conflicting_mutation);
    require(parameters.paths.most_paths >= 1, "most paths", 0, "1 or more to choose from");
    require(parameters.islands >= 1, "islands", parameters.islands, "1 or more evolve");
    require(parameters.generations_per_epoch >= 1, "generations per epoch", parameters.generations_per_epoch,
            "1 or more");
}

} // namespace

std::string describe(const UmdaParameters& parameters)
{
    const auto& [population, mutation_probability, acceleration, slot_swap, path_mutation, restoration,
                 building_blocks, conflicting_mutation, slots_tested, sampling_tries, whole_genes,
                 restart_stall, paths, islands, generations_per_epoch] = parameters;
    return fmt::format(
        "population {}, mutation probability {}, acceleration {}, slot swap {}, path mutation {}, "
        "restoration {}, building blocks {}, conflicting mutation {}, slots tested {}, "
        "sampling tries {}, whole genes {}, restart stall {}, {}, islands {}, generations per epoch {}",
        population, mutation_probability, acceleration, slot_swap, path_mutation, restoration,
        building_blocks, conflicting_mutation, slots_tested, sampling_tries, whole_genes, restart_stall,
        describe(paths), islands, generations_per_epoch);
}

bool suits_umda(const Problem& problem)
{
    return problem.switching == Switching::wormhole;
}

IslandModel umda_model(const Problem& problem, unsigned steps, const UmdaParameters& parameters,
                       const Schedule* start)
{
    check(parameters);
    if (problem.slack && parameters.paths.slack > *problem.slack)
        throw std::invalid_argument(fmt::format("umda: paths of slack {}: the problem allows {}",
                                                parameters.paths.slack, *problem.slack));
    const auto setting = std::make_shared<const UmdaSetting>(
        UmdaSetting{ChromosomeEncoding(problem, steps, parameters.paths), parameters, start});
    const auto make = [setting](std::uint32_t island, std::uint64_t seed) -> std::unique_ptr<Island> {
        return std::make_unique<UmdaIsland>(setting, island, seed);
    };
    return {engine_name, fmt::format("{}, {}", describe(parameters), describe_start(start)),
            parameters.islands, make, ring_exchange};
}

SearchResult search_umda(const Problem& problem, unsigned steps, const SearchControl& control)
{
    UmdaParameters parameters;
    // A single island has nobody to exchange with, and effort is looked at between epochs.
    parameters.generations_per_epoch = 10;
    return search_islands(problem, steps, umda_model(problem, steps, parameters, control.start), control);
}

} // namespace nocturne
