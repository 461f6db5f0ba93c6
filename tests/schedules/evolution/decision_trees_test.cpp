#include "schedules/evolution/decision_trees.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace nocturne::decision_trees_test {

namespace {

using Row = std::vector<std::uint16_t>;

CategoricalData make_data(std::uint32_t rows, const std::function<Row(SplitMix64&)>& draw, std::uint64_t seed)
{
    SplitMix64 random(seed);
    CategoricalData data{rows, {}};
    for (std::uint32_t row = 0; row < rows; ++row) {
        const Row values = draw(random);
        data.values.resize(values.size() * rows);
        for (std::size_t variable = 0; variable < values.size(); ++variable)
            data.values[variable * rows + row] = values[variable];
    }
    return data;
}

DecisionTrees learn(const CategoricalData& data, std::uint64_t seed, const TreeLimits& limits = {})
{
    SplitMix64 random(seed);
    return learn_decision_trees(data, all_candidates(data.variables()), limits, random);
}

/// The share of `count` new rows that `holds`.
double share(const DecisionTrees& trees, std::uint64_t seed, const std::function<bool(const Row&)>& holds,
             unsigned count = 4000)
{
    SplitMix64 random(seed);
    Row row(trees.root.size());
    unsigned held = 0;
    for (unsigned i = 0; i < count; ++i) {
        sample(trees, row, random);
        held += holds(row) ? 1 : 0;
    }
    return static_cast<double>(held) / count;
}

bool is_earlier(const DecisionTrees& trees, std::uint32_t a, std::uint32_t b)
{
    const auto at = [&](std::uint32_t v) { return std::find(trees.order.begin(), trees.order.end(), v); };
    return at(a) < at(b);
}

} // namespace

TEST_CASE("trees find dependencies that marginal frequencies miss", "[evolution][decision_trees]")
{
    const std::uint64_t seed = GENERATE(1, 2, 3, 4, 5);

    SECTION("two variables that always differ")
    {
        const auto data = make_data(
            100, [](SplitMix64& random) { return Row{static_cast<std::uint16_t>(random.below(2)), 0}; },
            seed);
        auto opposite = data;
        for (std::uint32_t row = 0; row < data.rows; ++row)
            opposite.values[data.rows + row] = 1 - data.values[row];
        const auto differ = [](const Row& row) { return row[0] != row[1]; };
        CHECK(share(learn(opposite, seed), seed, differ) == 1);
        // What a univariate model of the same rows samples: half of it is wrong.
        CHECK(share(learn(opposite, seed, {.most_leaves = 1}), seed, differ) == Approx(0.5).margin(0.1));
    }
}

TEST_CASE("trees ask earlier variables only, candidates only, and keep their limits",
          "[evolution][decision_trees]")
{
    const std::uint64_t seed = GENERATE(1, 2, 3);
    constexpr std::uint32_t variables = 12;
    const auto data = make_data(
        150,
        [](SplitMix64& random) {
            const std::uint32_t common = random.below(6);
            Row row;
            for (std::uint32_t i = 0; i < variables; ++i)
                row.push_back(static_cast<std::uint16_t>(random.below(8) == 0 ? random.below(6) : common));
            return row;
        },
        seed);
    CandidateParents neighbours{{0}, {}};
    for (std::uint32_t v = 0; v < variables; ++v) {
        neighbours.of.push_back((v + 1) % variables);
        neighbours.of.push_back((v + variables - 1) % variables);
        neighbours.first.push_back(2 * (v + 1));
    }
    const TreeLimits limits{.most_leaves = 5, .least_rows = 10, .candidates = 0};
    SplitMix64 random(seed);
    const DecisionTrees trees = learn_decision_trees(data, neighbours, limits, random);
    CHECK(trees.leaves() > variables); // there is much to find

    std::uint32_t leaves = 0;
    for (std::uint32_t v = 0; v < variables; ++v) {
        std::uint32_t rows = 0;
        std::uint32_t leaves_here = 0;
        Row held;
        std::vector<std::uint32_t> nodes{trees.root[v]};
        while (!nodes.empty()) {
            const auto node = trees.nodes[nodes.back()];
            nodes.pop_back();
            if (node.variable == v) {
                CHECK(node.no >= limits.least_rows);
                rows += node.no;
                ++leaves_here;
                held.insert(held.end(), trees.values.begin() + node.yes,
                            trees.values.begin() + node.yes + node.no);
                continue;
            }
            CHECK(is_earlier(trees, node.variable, v));
            CHECK((node.variable == (v + 1) % variables || v == (node.variable + 1) % variables));
            nodes.push_back(node.yes);
            nodes.push_back(node.no);
        }
        CHECK(rows == data.rows);
        CHECK(leaves_here <= limits.most_leaves);
        leaves += leaves_here;
        // Leaves share out the rows' values: none is lost or made up.
        const auto column = data.of(v);
        CHECK(std::is_permutation(held.begin(), held.end(), column.begin(), column.end()));
    }
    CHECK(leaves == trees.leaves());
}

} // namespace nocturne::decision_trees_test
