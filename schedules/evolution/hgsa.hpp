// HGSA: hybrid parallel genetic simulated annealing for broadcasts of many under store-and-forward switching
// (Jaroš, Ohlídal and Dvořák, GECCO 2007, section 3.1 and 5). On networks with wormhole switching the
// schedules hold as well.
//
//   each slave: a random solution, the temperature at its start
//   repeat
//     each slave: `exchange` Metropolis iterations: a move; it stays if it costs nothing, or with
//                 probability exp(-energy / temperature); every `plateau` iterations the temperature falls
//     master:     draws one of the slaves' solutions for each slave, the better the more probable
//     each slave: own and drawn solution give two children (double-point crossover); the best of the four
//                 is mutated and takes the place of the own one by the Metropolis criterion
//
// What the paper leaves open:
// - A move: see HgsaMoves.
// - The scale of temperatures. With conflicts as energy 100 is far above any temperature that orders
//   anything, and the first hundred thousand iterations of each chain are lost: most schedules are found
//   between a quarter and an eighth of a conflict. So a conflict has the energy 400.
// - The end of cooling, and what then. Chains stay at `final_temperature`, where they drift over solutions of
//   equal fitness; the exchange, every 100 iterations, soon makes them all descend from one solution. If that
//   leads nowhere they are heated, and cool ten times as slowly, without the exchange: it would replace what
//   is hot by the colder solution that failed.
// - The roulette wheel: shares are how many conflicts fewer than the worst slave, and one.
// - The solution that the master keeps for itself has no say in what follows: it is not drawn.
// - Ties among the four: own solution, drawn one, children.
#pragma once

#include "schedules/evolution/hgsa_moves.hpp"
#include "schedules/evolution/island.hpp"
#include "schedules/search/engine.hpp"

#include <string>

namespace nocturne {

/// The paper's values are the defaults, where it has any.
struct HgsaParameters {
    std::uint32_t slaves = 10;    ///< chains of simulated annealing; the master keeps one solution besides
    std::uint32_t exchange = 100; ///< Metropolis iterations between two exchanges
    double temperature = 100;     ///< at the start
    std::uint32_t plateau = 200;  ///< iterations at one temperature
    double cooling = 0.99;        ///< factor from one temperature to the next, above 0 and below 1
    double child_mutation = 0.1;  ///< probability that a child of the crossover is mutated
    std::size_t most_paths = 64;  ///< of one sender and receiver; a random choice where there are more
    /// Hops of a path beyond a shortest one. The paper has 0, with which an all-to-all broadcast on a 4x4
    /// mesh with one port cannot have 15 steps: all must send 15 messages, and corners are on shortest paths
    /// for 8 only. With 4 it can.
    unsigned slack = 0;
    bool first_hop_at_once = false; ///< all-port networks: the first hop of each path is made in step 1
    double conflict_energy = 400;   ///< what one conflict weighs against the temperature
    double final_temperature = 50;  ///< cooling ends here; chains with a solution to start with begin here
    std::uint32_t hold =
        40;              ///< iterations a gene at the final_temperature before a chain is heated; 0 = never
    double reheat = 100; ///< to this temperature
    std::uint32_t reheat_plateau = 2000; ///< iterations at one temperature as it cools after that
    HgsaMoves moves = {};
};

/// Each of them by name, in one line.
std::string describe(const HgsaParameters& parameters);

/// Broadcasts, of one message or of many.
bool suits_hgsa(const Problem& problem);

/// One island for each slave; the exchange is the master's. `start` as in umda_model(). Throws
/// std::invalid_argument, naming the parameter, for one out of range, and as TimedPathEncoding does.
IslandModel hgsa_model(const Problem& problem, unsigned steps, const HgsaParameters& parameters,
                       const Schedule* start = nullptr);

/// SearchProgress::tried counts fitness evaluations (fitness_count.hpp): above all Metropolis iterations.
SearchResult search_hgsa(const Problem& problem, unsigned steps, const SearchControl& control);

} // namespace nocturne
