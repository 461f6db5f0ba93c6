// Clauses of a formula that may become too large.
#pragma once

#include "schedules/certificate/allowance.hpp"
#include "schedules/certificate/cnf_formula.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace nocturne {

using Literals = std::vector<Literal>;

/// Throws TooLarge as soon as the formula has more literals than it may.
class ClauseWriter {
public:
    explicit ClauseWriter(std::uint64_t most_literals) : left_(most_literals) {}

    Literal variable() { return formula_.add_variable(); }
    /// Literals that the formula may still get.
    const Allowance& left() const { return left_; }

    void clause(const Literals& literals)
    {
        left_.spend(literals.size());
        formula_.add_clause(literals);
    }

    /// If `condition` holds, so does one of `any_of`.
    void implies(Literal condition, Literals any_of)
    {
        any_of.push_back(-condition);
        clause(any_of);
    }

    /// At most `most` of the literals hold. counted[k]: at least k + 1 of the literals so far.
    void at_most(unsigned most, const Literals& literals)
    {
        if (literals.size() <= most)
            return;
        Literals counted;
        for (const Literal literal : literals) {
            Literals next;
            for (unsigned k = 0; k < most && k <= counted.size(); ++k) {
                next.push_back(variable());
                if (k < counted.size())
                    clause({-counted[k], next[k]});
                clause(k == 0 ? Literals{-literal, next[k]} : Literals{-literal, -counted[k - 1], next[k]});
            }
            if (counted.size() == most)
                clause({-literal, -counted[most - 1]});
            counted = std::move(next);
        }
    }

    Formula take() && { return std::move(formula_); }

private:
    Allowance left_;
    Formula formula_;
};

} // namespace nocturne
