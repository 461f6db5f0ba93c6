// Propositional formulas in conjunctive normal form.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace nocturne {

/// A variable (1, 2, …) or its negation (-1, -2, …), as in DIMACS.
using Literal = int;

/// The value of every variable, by variable; [0] stands for none.
using Model = std::vector<bool>;

inline bool holds(const Model& model, Literal literal)
{
    return literal > 0 ? model[static_cast<std::size_t>(literal)]
                       : !model[static_cast<std::size_t>(-literal)];
}

/// A conjunction of clauses. A value: encoders add to it, everybody else only reads it.
class Formula {
public:
    Literal add_variable() { return ++variables_; }
    /// Literals of variables that exist. The empty clause is false.
    void add_clause(std::span<const Literal> literals);
    void add_clause(std::initializer_list<Literal> literals)
    {
        add_clause(std::span(literals.begin(), literals.size()));
    }
    /// `implied` or one of it holds if `condition` does.
    void add_implication(Literal condition, std::span<const Literal> any_of);

    /// At most `most` of the literals hold: chains of pairwise clauses for 1, otherwise a sequential counter (Sinz, Towards
    /// an optimal CNF encoding of Boolean cardinality constraints, CP 2005).
    void add_at_most(unsigned most, std::span<const Literal> literals);
    /// Literals that each one of a long list costs in add_at_most(1, …), for estimates of size.
    static constexpr std::uint64_t literals_per_exclusion = 7;

    int variable_count() const { return variables_; }
    std::size_t clause_count() const { return first_.size() - 1; }
    std::size_t literal_count() const { return literals_.size(); }
    std::span<const Literal> clause(std::size_t index) const
    {
        return std::span(literals_).subspan(first_[index], first_[index + 1] - first_[index]);
    }

    friend bool operator==(const Formula&, const Formula&) = default;

private:
    void add_at_most_one(std::span<const Literal> literals);

    int variables_ = 0;
    std::vector<Literal> literals_;
    std::vector<std::size_t> first_{0}; ///< clause i is literals_[first_[i]] up to first_[i + 1]
};

/// Does the model satisfy every clause?
bool satisfies(const Model& model, const Formula& formula);

/// The formula in the format that SAT solvers and proof checkers read.
std::string to_dimacs(const Formula& formula);

} // namespace nocturne
