// MBOA: the mixed Bayesian optimization algorithm of Jaroš, Ohlídal and Dvořák (GECCO 2007, section 3.2): a decision tree for
// each variable models what it depends on.
#pragma once

#include "schedules/evolution/chromosome.hpp"
#include "schedules/evolution/island.hpp"
#include "schedules/search/engine.hpp"

namespace nocturne {

struct MboaParameters {
    std::uint32_t population = 200;  ///< the paper fits it to each problem
    double mutation_probability = 1; ///< the paper: one random gene in each chromosome
    bool restoration = true;         ///< broadcasts
    bool acceleration = false;       ///< scatters; the UMDA papers brought it
    std::uint32_t path_stall =
        20; ///< generations without progress before paths are replaced by others; 0 = never
    PathLists paths = {};
    std::uint32_t islands = 1;
    std::uint32_t generations_per_epoch = 10;
};

bool suits_mboa(const Problem& problem);

/// Islands of MBOA, as umda_model().
IslandModel mboa_model(const Problem& problem, unsigned steps, const MboaParameters& parameters,
                       const Schedule* start = nullptr);

/// SearchProgress::tried counts fitness evaluations.
SearchResult search_mboa(const Problem& problem, unsigned steps, const SearchControl& control);

} // namespace nocturne
