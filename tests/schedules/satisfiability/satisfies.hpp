#pragma once

#include "schedules/satisfiability/cnf_encoding.hpp"

#include <algorithm>

namespace nocturne::test {

/// Does the model satisfy every clause?
inline bool satisfies(const Model& model, const Formula& formula)
{
    for (std::size_t i = 0; i < formula.clause_count(); ++i) {
        const auto clause = formula.clause(i);
        if (std::none_of(clause.begin(), clause.end(),
                         [&](Literal literal) { return holds(model, literal); }))
            return false;
    }
    return true;
}

} // namespace nocturne::test
