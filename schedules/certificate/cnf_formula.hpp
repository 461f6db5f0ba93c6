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

/// A conjunction of clauses. A value: encoders add to it, everybody else only reads it.
class Formula {
public:
    Literal add_variable() { return ++variables_; }
    /// Literals of variables that exist. The empty clause is false.
    void add_clause(std::span<const Literal> literals)
    {
        literals_.insert(literals_.end(), literals.begin(), literals.end());
        first_.push_back(literals_.size());
    }
    void add_clause(std::initializer_list<Literal> literals)
    {
        add_clause(std::span(literals.begin(), literals.size()));
    }

    int variable_count() const { return variables_; }
    std::size_t clause_count() const { return first_.size() - 1; }
    std::size_t literal_count() const { return literals_.size(); }
    std::span<const Literal> clause(std::size_t index) const
    {
        return std::span(literals_).subspan(first_[index], first_[index + 1] - first_[index]);
    }

    friend bool operator==(const Formula&, const Formula&) = default;

private:
    int variables_ = 0;
    std::vector<Literal> literals_;
    std::vector<std::size_t> first_{0}; ///< clause i is literals_[first_[i]] up to first_[i + 1]
};

/// The formula in the format that SAT solvers and proof checkers read.
std::string to_dimacs(const Formula& formula);

} // namespace nocturne
