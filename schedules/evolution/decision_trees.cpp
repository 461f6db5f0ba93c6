#include "schedules/evolution/decision_trees.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

template <class T>
void shuffle(std::vector<T>& items, SplitMix64& random)
{
    for (auto i = static_cast<std::uint32_t>(items.size()); i > 1; --i)
        std::swap(items[i - 1], items[random.below(i)]);
}

/// The data with the values of each variable numbered from 0, in the order in which they first occur.
struct DenseData {
    std::vector<std::uint16_t> values;  ///< as CategoricalData::values
    std::vector<std::uint32_t> first;   ///< of a variable among the alphabets
    std::vector<std::uint16_t> letters; ///< alphabets: what the numbers stand for
    std::uint32_t most = 0;             ///< values of a variable

    std::uint32_t count(std::uint32_t variable) const { return first[variable + 1] - first[variable]; }
};

DenseData make_dense(const CategoricalData& data)
{
    DenseData dense{data.values, {0}, {}};
    std::vector<std::uint32_t> number(std::size_t{std::numeric_limits<std::uint16_t>::max()} + 1, none);
    for (std::uint32_t variable = 0; variable < data.variables(); ++variable) {
        const std::uint32_t first = dense.first.back();
        for (std::uint32_t row = 0; row < data.rows; ++row) {
            std::uint16_t& value = dense.values[std::size_t{variable} * data.rows + row];
            if (number[value] == none) {
                number[value] = static_cast<std::uint32_t>(dense.letters.size()) - first;
                dense.letters.push_back(value);
            }
            value = static_cast<std::uint16_t>(number[value]);
        }
        dense.first.push_back(static_cast<std::uint32_t>(dense.letters.size()));
        dense.most = std::max(dense.most, dense.count(variable));
        for (std::uint32_t i = first; i < dense.letters.size(); ++i)
            number[dense.letters[i]] = none;
    }
    return dense;
}

struct Split {
    double gain = 0; ///< of log probability, above 0 if the split is worth it
    std::uint32_t variable = none;
    std::uint16_t value = 0; ///< dense
};

struct Leaf {
    std::uint32_t node;
    std::uint32_t begin; ///< among the rows of the tree
    std::uint32_t end;
    Split split;
};

/// Grows tree after tree; what they share is allocated once.
class TreeGrower {
public:
    TreeGrower(const CategoricalData& data, const TreeLimits& limits)
        : data_(data), dense_(make_dense(data)), limits_(limits), rows_(data.rows), counts_(dense_.most),
          table_(std::size_t{dense_.most} * dense_.most), seen_(dense_.most),
          log_factorial_(std::size_t{data.rows} + dense_.most + 1)
    {
        for (std::size_t i = 1; i < log_factorial_.size(); ++i)
            log_factorial_[i] = log_factorial_[i - 1] + std::log(static_cast<double>(i));
    }

    /// Can the variable be asked, or depend on others? Not if it has one value only.
    bool varies(std::uint32_t variable) const { return dense_.count(variable) > 1; }

    void grow(std::uint32_t variable, std::span<const std::uint32_t> parents, DecisionTrees& trees);

private:
    double log_probability(std::uint32_t rows, double log_factorials, std::uint32_t values) const
    {
        return log_factorial_[values - 1] - log_factorial_[rows + values - 1] + log_factorials;
    }
    Split best_split(const Leaf& leaf, std::uint32_t variable, std::span<const std::uint32_t> parents);
    void try_parent(const Leaf& leaf, std::uint32_t variable, std::uint32_t parent, Split& best);
    std::uint32_t partition(const Leaf& leaf);

    const CategoricalData& data_;
    DenseData dense_;
    TreeLimits limits_;
    std::vector<std::uint32_t> rows_;   ///< those of a leaf stand together
    std::vector<std::uint32_t> counts_; ///< of the variable's values in the leaf at hand
    std::vector<std::uint32_t> table_;  ///< the same for each value of the parent at hand
    std::vector<std::uint32_t> seen_;   ///< rows with that value
    std::vector<double> log_factorial_;
    std::vector<Leaf> leaves_;
    double whole_ = 0; ///< log probability of the leaf at hand
};

void TreeGrower::try_parent(const Leaf& leaf, std::uint32_t variable, std::uint32_t parent, Split& best)
{
    const std::uint32_t values = dense_.count(variable);
    const std::uint32_t asked = dense_.count(parent);
    const std::uint16_t* of_variable = dense_.values.data() + std::size_t{variable} * data_.rows;
    const std::uint16_t* of_parent = dense_.values.data() + std::size_t{parent} * data_.rows;
    std::fill_n(table_.begin(), std::size_t{asked} * values, 0);
    std::fill_n(seen_.begin(), asked, 0);
    for (std::uint32_t i = leaf.begin; i < leaf.end; ++i) {
        ++table_[std::size_t{of_parent[rows_[i]]} * values + of_variable[rows_[i]]];
        ++seen_[of_parent[rows_[i]]];
    }
    const std::uint32_t all = leaf.end - leaf.begin;
    // Two values mirror each other: one question is enough.
    for (std::uint32_t value = asked == 2 ? 1 : 0; value < asked; ++value) {
        const std::uint32_t yes = seen_[value];
        if (yes < limits_.least_rows || all - yes < limits_.least_rows)
            continue;
        double with = 0;
        double without = 0;
        for (std::uint32_t k = 0; k < values; ++k) {
            const std::uint32_t count = table_[std::size_t{value} * values + k];
            with += log_factorial_[count];
            without += log_factorial_[counts_[k] - count];
        }
        const double gain =
            log_probability(yes, with, values) + log_probability(all - yes, without, values) - whole_;
        if (gain > best.gain)
            best = {gain, parent, static_cast<std::uint16_t>(value)};
    }
}

Split TreeGrower::best_split(const Leaf& leaf, std::uint32_t variable, std::span<const std::uint32_t> parents)
{
    const std::uint32_t all = leaf.end - leaf.begin;
    if (all < 2 * limits_.least_rows)
        return {};
    const std::uint32_t values = dense_.count(variable);
    std::fill_n(counts_.begin(), values, 0);
    const std::uint16_t* of_variable = dense_.values.data() + std::size_t{variable} * data_.rows;
    for (std::uint32_t i = leaf.begin; i < leaf.end; ++i)
        ++counts_[of_variable[rows_[i]]];
    double log_factorials = 0;
    for (std::uint32_t k = 0; k < values; ++k)
        log_factorials += log_factorial_[counts_[k]];
    if (*std::max_element(counts_.begin(), counts_.begin() + values) == all)
        return {}; // pure
    whole_ = log_probability(all, log_factorials, values);

    std::uint32_t choices = 0;
    for (const std::uint32_t parent : parents)
        choices += dense_.count(parent) == 2 ? 1 : dense_.count(parent);
    Split best;
    best.gain = 0.5 * (values - 1) * std::log(data_.rows) + std::log(choices);
    const double price = best.gain;
    for (const std::uint32_t parent : parents)
        try_parent(leaf, variable, parent, best);
    best.gain -= price;
    return best;
}

/// Brings the rows that answer yes to the front; returns where the others begin.
std::uint32_t TreeGrower::partition(const Leaf& leaf)
{
    const std::uint16_t* of_parent = dense_.values.data() + std::size_t{leaf.split.variable} * data_.rows;
    const auto middle = std::partition(rows_.begin() + leaf.begin, rows_.begin() + leaf.end,
                                       [&](std::uint32_t row) { return of_parent[row] == leaf.split.value; });
    return static_cast<std::uint32_t>(middle - rows_.begin());
}

void TreeGrower::grow(std::uint32_t variable, std::span<const std::uint32_t> parents, DecisionTrees& trees)
{
    std::iota(rows_.begin(), rows_.end(), 0);
    const auto add_leaf = [&](std::uint32_t begin, std::uint32_t end) {
        Leaf leaf{static_cast<std::uint32_t>(trees.nodes.size()), begin, end, {}};
        trees.nodes.push_back({variable, 0, 0, 0});
        if (!parents.empty())
            leaf.split = best_split(leaf, variable, parents);
        leaves_.push_back(leaf);
        return leaf.node;
    };
    leaves_.clear();
    trees.root[variable] = add_leaf(0, data_.rows);
    while (leaves_.size() < limits_.most_leaves) {
        const auto best = std::max_element(leaves_.begin(), leaves_.end(), [](const Leaf& a, const Leaf& b) {
            return a.split.gain < b.split.gain;
        });
        if (best->split.gain <= 0)
            break;
        const Leaf leaf = *best;
        *best = leaves_.back();
        leaves_.pop_back();
        const std::uint32_t middle = partition(leaf);
        const std::uint32_t yes = add_leaf(leaf.begin, middle);
        const std::uint32_t no = add_leaf(middle, leaf.end);
        const std::uint16_t letter = dense_.letters[dense_.first[leaf.split.variable] + leaf.split.value];
        trees.nodes[leaf.node] = {leaf.split.variable, letter, yes, no};
    }
    const auto first = static_cast<std::uint32_t>(trees.values.size());
    for (const Leaf& leaf : leaves_) {
        trees.nodes[leaf.node].yes = first + leaf.begin;
        trees.nodes[leaf.node].no = leaf.end - leaf.begin;
    }
    const auto of_variable = data_.of(variable);
    for (const std::uint32_t row : rows_)
        trees.values.push_back(of_variable[row]);
}

/// `count` of the items, all different, in front of the others.
void draw(std::vector<std::uint32_t>& items, std::uint32_t count, SplitMix64& random)
{
    if (items.size() <= count)
        return;
    for (std::uint32_t i = 0; i < count; ++i)
        std::swap(items[i], items[i + random.below(static_cast<std::uint32_t>(items.size()) - i)]);
    items.resize(count);
}

void check(const CategoricalData& data, const CandidateParents& candidates, const TreeLimits& limits)
{
    if (data.rows == 0 || data.values.size() % data.rows != 0)
        throw std::invalid_argument(
            fmt::format("{} values in {} rows: nothing to learn from", data.values.size(), data.rows));
    if (candidates.first.size() != std::size_t{data.variables()} + 1)
        throw std::invalid_argument(fmt::format("candidate parents of {} variables, data of {}",
                                                static_cast<std::ptrdiff_t>(candidates.first.size()) - 1,
                                                data.variables()));
    if (limits.most_leaves == 0)
        throw std::invalid_argument("most leaves of a tree: 0, at least 1");
    if (limits.least_rows == 0)
        throw std::invalid_argument("least rows of a leaf: 0, at least 1");
}

} // namespace

CandidateParents all_candidates(std::uint32_t variables)
{
    CandidateParents all{{0}, {}};
    for (std::uint32_t variable = 0; variable < variables; ++variable) {
        for (std::uint32_t parent = 0; parent < variables; ++parent)
            if (parent != variable)
                all.of.push_back(parent);
        all.first.push_back(static_cast<std::uint32_t>(all.of.size()));
    }
    return all;
}

DecisionTrees learn_decision_trees(const CategoricalData& data, const CandidateParents& candidates,
                                   const TreeLimits& limits, SplitMix64& random)
{
    check(data, candidates, limits);
    DecisionTrees trees;
    trees.order.resize(data.variables());
    trees.root.resize(data.variables());
    std::iota(trees.order.begin(), trees.order.end(), 0);
    shuffle(trees.order, random);
    trees.values.reserve(data.values.size());

    TreeGrower grower(data, limits);
    std::vector<bool> is_earlier(data.variables(), false);
    std::vector<std::uint32_t> parents;
    for (const std::uint32_t variable : trees.order) {
        parents.clear();
        if (limits.most_leaves > 1 && grower.varies(variable))
            for (std::uint32_t i = candidates.first[variable]; i < candidates.first[variable + 1]; ++i)
                if (is_earlier[candidates.of[i]] && grower.varies(candidates.of[i]))
                    parents.push_back(candidates.of[i]);
        if (limits.candidates != 0)
            draw(parents, limits.candidates, random);
        grower.grow(variable, parents, trees);
        is_earlier[variable] = true;
    }
    return trees;
}

void sample(const DecisionTrees& trees, std::span<std::uint16_t> row, SplitMix64& random)
{
    for (const std::uint32_t variable : trees.order) {
        const DecisionTrees::Node* node = &trees.nodes[trees.root[variable]];
        while (node->variable != variable)
            node = &trees.nodes[row[node->variable] == node->value ? node->yes : node->no];
        row[variable] = trees.values[node->yes + random.below(node->no)];
    }
}

} // namespace nocturne
