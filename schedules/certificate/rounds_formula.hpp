// Rounds, shared out among steps, and what links carry in them, as clauses.
#pragma once

#include "schedules/certificate/cnf_formula.hpp"

#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace nocturne {

struct StepsAndRounds {
    std::uint32_t steps;  ///< S, 1 or more
    std::uint32_t rounds; ///< R of all steps together, S or more

    friend bool operator==(const StepsAndRounds&, const StepsAndRounds&) = default;
};

/// Throws std::invalid_argument unless there are steps, and as many rounds or more.
void require_steps_and_rounds(const StepsAndRounds& shape);

/// A literal that counts so many times where it holds.
struct WeightedLiteral {
    Literal literal;
    std::uint64_t weight;
};

/// Adds to a formula: each step has one round or more, and all steps together at most R.
class RoundsFormula {
public:
    /// The formula must outlive this.
    RoundsFormula(Formula& formula, const StepsAndRounds& shape);

    /// more_rounds()[t][k] says: step t has more than k + 1 rounds.
    const std::vector<std::vector<Literal>>& more_rounds() const { return more_; }

    /// The weights of those that hold are at most `units` times the rounds of step t. A sequential counter
    /// (Sinz, CP 2005).
    void limit(std::uint32_t t, std::uint64_t units, std::span<const WeightedLiteral> literals);

private:
    struct Limited {
        std::uint32_t step;
        std::uint64_t units;
        std::vector<std::pair<Literal, std::uint64_t>> literals; ///< with their weights, ascending

        friend auto operator<=>(const Limited&, const Limited&) = default;
    };

    Formula& formula_;
    std::vector<std::vector<Literal>> more_;
    std::set<Limited> limited_; ///< in symmetric formulas links are alike: said once
};

} // namespace nocturne
