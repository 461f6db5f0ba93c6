// Lower bounds as the papers print them, with their ceilings: for comparing claims with. They speak of
// regular networks, or of any, so that some are loose and some do not hold everywhere; lower_bounds() knows
// nothing of them.
//
// P processors, k ports (in all-port networks the degree). The papers:
// - MIN: Jaroš, Evolutionary Optimization of Multistage Interconnection Networks Performance, GECCO 2009,
//   section 3
// - FT: Jaroš, Dvořák, on collective communications in faulty networks, section 2 and table 1
// - EA: Jaroš, Ohlídal, Dvořák, An Evolutionary Approach to Collective Communication Scheduling, GECCO 2007,
//   equation (4) and table 1. Of its many-to-many bounds (table 5) it prints the numbers, but no formulas.
#pragma once

#include "schedules/problem/problem.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne::formulas {

// Each throws std::invalid_argument for fewer than 2 processors, or 0 ports or channels.

/// ceil(log_{k+1} P): everybody informed informs k others a step. EA equation (4); FT table 1; MIN with k =
/// 1.
std::uint64_t oab_steps(std::uint64_t processors, std::uint64_t ports);

/// ceil((P - 1) / k): everybody must receive P - 1 messages. FT table 1; MIN with k = 1.
std::uint64_t aab_steps(std::uint64_t processors, std::uint64_t ports);

/// max(ceil(log_{k+1} P), ceil((P - 1) / k)). EA table 1.
std::uint64_t aab_steps_with_growth(std::uint64_t processors, std::uint64_t ports);

/// ceil((P - 1) / k): the source must send P - 1 messages. EA table 1; FT table 1; MIN with k = 1.
std::uint64_t oas_steps(std::uint64_t processors, std::uint64_t ports);

/// ceil(2 (P/2)^2 / B): half of the messages of each processor cross the bisection, of B channels, both
/// directions counted. MIN, and with B the channels of one direction doubled EA and FT. A binary tree has B =
/// 2: P^2 / 4 (MIN table 3).
std::uint64_t aas_steps_by_bisection(std::uint64_t processors, std::uint64_t channels);

/// max(ceil(P^2 / (2 B)), ceil((P - 1) / k)), B counted as above. EA table 1.
std::uint64_t aas_steps(std::uint64_t processors, std::uint64_t channels, std::uint64_t ports);

/// ceil((P^2 / 2 + 2 D) / B): D messages between processors of one half cross the bisection twice. FT section
/// 2.
std::uint64_t aas_steps_by_crossings(std::uint64_t processors, std::uint64_t channels, std::uint64_t twice);

/// ceil(distances / (P k)): the sum of all shortest distances over the channels of a k-regular network. FT
/// table 1.
std::uint64_t aas_steps_by_distances(std::uint64_t distances, std::uint64_t processors, std::uint64_t ports);

/// A formula with the numbers of a problem put in.
struct PrintedBound {
    std::uint64_t steps;
    std::string formula; ///< `ceil((P - 1) / k) with P = 16, k = 2`
    std::string source;  ///< which paper

    friend bool operator==(const PrintedBound&, const PrintedBound&) = default;
};

/// The formulas above that speak of the problem's collective (OAB, AAB, OAS, AAS; gathers as scatters) and
/// need no more than the network: not those by a bisection. k is the port model, or the largest degree of an
/// all-port network, regular or not. Nothing for other collectives.
std::vector<PrintedBound> printed_bounds(const Problem& problem);

} // namespace nocturne::formulas
