// Lower bounds as the papers print them, with their ceilings: for comparing claims with. They speak of
// regular networks, or of any, so that some are loose and some do not hold everywhere; lower_bounds() knows
// nothing of them.
//
// P processors, k ports (in all-port networks the degree). The papers:
// - MIN: Jaroš, Evolutionary Optimization of Multistage Interconnection Networks Performance, GECCO 2009,
//   section 3
// - FT: Jaroš, Dvořák, on collective communications in faulty networks, section 2 and table 1
// - EA: Jaroš, Ohlídal, Dvořák, An Evolutionary Approach to Collective Communication Scheduling,
//   GECCO 2007, equation (4) and table 1. Of its many-to-many bounds (table 5) it prints the numbers, but no
//   formulas.
#pragma once

#include "schedules/problem/problem.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne::formulas {

// Each throws std::invalid_argument for fewer than 2 processors, or 0 ports.

/// ceil(log_{k+1} P): everybody informed informs k others a step. EA equation (4); FT table 1; MIN with k =
/// 1.
std::uint64_t oab_steps(std::uint64_t processors, std::uint64_t ports);

/// ceil((P - 1) / k): in AAB everybody must receive P - 1 messages, in OAS the source must send them. EA and
/// FT table 1; MIN with k = 1.
std::uint64_t port_steps(std::uint64_t processors, std::uint64_t ports);

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
