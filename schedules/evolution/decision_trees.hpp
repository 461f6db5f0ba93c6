// The probabilistic model of MBOA: a binary decision tree for each variable says how it depends on the others
// (Ocenasek and Schwarz, "Estimation of distribution algorithm for mixed continuous-discrete optimization
// problems", 2002; trees instead of tables in Bayesian networks: Chickering, Heckerman and Meek, 1997). Here
// all variables are categorical.
#pragma once

#include "models/routing/random.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// Observations of categorical variables. Order of values means nothing.
struct CategoricalData {
    std::uint32_t rows = 0;            ///< observations
    std::vector<std::uint16_t> values; ///< of variable v in row r: at v * rows + r

    std::uint32_t variables() const
    {
        return rows == 0 ? 0 : static_cast<std::uint32_t>(values.size() / rows);
    }
    std::span<const std::uint16_t> of(std::uint32_t variable) const
    {
        return std::span(values).subspan(std::size_t{variable} * rows, rows);
    }
};

/// Which variables a variable may depend on: those of variable v are of[first[v]] to of[first[v + 1] - 1].
struct CandidateParents {
    std::vector<std::uint32_t> first;
    std::vector<std::uint32_t> of;
};

/// Every variable on every other one.
CandidateParents all_candidates(std::uint32_t variables);

struct TreeLimits {
    std::uint32_t most_leaves = 16; ///< of a tree; 1 = no dependencies: the univariate marginal model
    std::uint32_t least_rows = 4;   ///< of a leaf
    std::uint32_t candidates = 16;  ///< tried for a variable, drawn anew in each learning; 0 = all
};

/// A joint distribution: an order of the variables, and for each one a tree that asks earlier variables
/// whether they have a certain value. A leaf holds the values of its rows, so that frequencies are exact.
struct DecisionTrees {
    struct Node {
        std::uint32_t variable; ///< asked; in a leaf the tree's own
        std::uint16_t value;    ///< asked for
        std::uint32_t yes;      ///< node; in a leaf the first of its values
        std::uint32_t no;       ///< node; in a leaf how many values
    };

    std::vector<std::uint32_t> order; ///< in which variables are drawn: trees ask only earlier ones
    std::vector<std::uint32_t> root;  ///< node of each variable's tree
    std::vector<Node> nodes;
    std::vector<std::uint16_t> values; ///< of leaves

    /// Of all trees; as many as there are variables if none depends on another.
    std::uint32_t leaves() const { return static_cast<std::uint32_t>(nodes.size() + root.size()) / 2; }
};

/// Puts the variables into a random order and grows their trees greedily: of all splits of all leaves of a
/// tree the best, as long as it makes the model more probable. The metric is that of K2 (Cooper and
/// Herskovits, 1992; a BDe metric: all frequencies equally likely at first, over the values that occur at
/// all), with a prior against size: a split has to earn (ln rows) / 2 for each parameter that it adds, and
/// the logarithm of the number of splits that it was chosen from. Growth sees one split ahead: the parity of
/// two fair variables stays hidden.
///
/// A tree costs leaves * candidates * (rows + the variable's values * the candidate's values).
///
/// Throws std::invalid_argument for no rows, candidates of another number of variables, or limits of no
/// leaves or no rows.
DecisionTrees learn_decision_trees(const CategoricalData& data, const CandidateParents& candidates,
                                   const TreeLimits& limits, SplitMix64& random);

/// Draws a value for each variable; `row` has one place for each.
void sample(const DecisionTrees& trees, std::span<std::uint16_t> row, SplitMix64& random);

} // namespace nocturne
