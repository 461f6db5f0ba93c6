// HGSA: hybrid parallel genetic simulated annealing for broadcasts of many under store-and-forward switching (Jaroš, Ohlídal
// and Dvořák, GECCO 2007, section 3.1 and 5). On networks with wormhole switching the schedules hold as well.
#pragma once

#include "schedules/evolution/island.hpp"
#include "schedules/search/engine.hpp"

namespace nocturne {

/// The paper's values are the defaults.
struct HgsaParameters {
    std::uint32_t slaves = 10;    ///< chains of simulated annealing; the master keeps one solution besides
    std::uint32_t exchange = 100; ///< Metropolis iterations between two exchanges
    double temperature = 100;     ///< at the start
    std::uint32_t plateau = 200;  ///< iterations at one temperature
    double cooling = 0.99;        ///< factor from one temperature to the next, above 0 and below 1
    double child_mutation = 0.1;  ///< probability that a child of the crossover is mutated
    std::size_t most_paths = 64;  ///< of one sender and receiver; a random choice where there are more
};

bool suits_hgsa(const Problem& problem);

/// One island for each slave; the exchange is the master's: roulette wheel over the slaves' solutions. `start` as in
/// umda_model().
IslandModel hgsa_model(const Problem& problem, unsigned steps, const HgsaParameters& parameters,
                       const Schedule* start = nullptr);

/// SearchProgress::tried counts fitness evaluations: Metropolis iterations and children.
SearchResult search_hgsa(const Problem& problem, unsigned steps, const SearchControl& control);

} // namespace nocturne
