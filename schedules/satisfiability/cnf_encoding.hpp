// What encoders of a search add to formulas, and what solvers answer.
#pragma once

#include "schedules/certificate/cnf_formula.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// The value of every variable, by variable; [0] stands for none.
using Model = std::vector<bool>;

inline bool holds(const Model& model, Literal literal)
{
    return literal > 0 ? model[static_cast<std::size_t>(literal)]
                       : !model[static_cast<std::size_t>(-literal)];
}

/// One of `any_of` holds if `condition` does.
void add_implication(Formula& formula, Literal condition, std::span<const Literal> any_of);

/// At most `most` of the literals hold: chains of pairwise clauses for 1, otherwise a sequential counter
/// (Sinz, Towards an optimal CNF encoding of Boolean cardinality constraints, CP 2005).
void add_at_most(Formula& formula, unsigned most, std::span<const Literal> literals);
/// Literals that each one of a long list costs in add_at_most(…, 1, …), for estimates of size.
inline constexpr std::uint64_t literals_per_exclusion = 7;

} // namespace nocturne
