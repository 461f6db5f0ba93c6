// UMDA: the univariate marginal distribution algorithm of Jaroš (GECCO 2009, section 4) and Jaroš and Dvořák (section 3).
#pragma once

#include "schedules/evolution/chromosome.hpp"
#include "schedules/evolution/island.hpp"
#include "schedules/search/engine.hpp"

namespace nocturne {

/// The papers' values are the defaults.
struct UmdaParameters {
    std::uint32_t population = 60;     ///< 4 or more, even: half of it become parents
    double mutation_probability = 0.9; ///< of each new chromosome, 0 to 1
    bool acceleration = true;          ///< scatters: no processor sends more in a step than its ports take
    bool slot_swap = true;             ///< scatters: mutation swaps the steps of two deliveries
    bool path_mutation = true;         ///< mutation tries other paths
    bool restoration = true;           ///< broadcasts: off, inadmissible chromosomes are punished instead
    bool building_blocks = true;       ///< broadcasts: the first population has all steps 0
    PathLists paths = {};
    std::uint32_t islands = 1;
    std::uint32_t generations_per_epoch = 50; ///< between two exchanges of the islands' best
};

bool suits_umda(const Problem& problem);

/// Islands of UMDA for a schedule of at most `steps` steps, in a ring; `start` (or null) seeds the first population.
/// Problem and start must outlive the model. Throws std::invalid_argument, naming the parameter, for one out of range, and
/// as ChromosomeEncoding does.
IslandModel umda_model(const Problem& problem, unsigned steps, const UmdaParameters& parameters,
                       const Schedule* start = nullptr);

/// With the parameters of the papers; SearchProgress::tried counts fitness evaluations.
SearchResult search_umda(const Problem& problem, unsigned steps, const SearchControl& control);

} // namespace nocturne
