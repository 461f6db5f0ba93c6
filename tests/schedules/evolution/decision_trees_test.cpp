#include "schedules/evolution/decision_trees.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>
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
    SECTION("a chain of ten variables, each the one before and one step on")
    {
        const auto data = make_data(
            200,
            [](SplitMix64& random) {
                Row row{static_cast<std::uint16_t>(random.below(4))};
                while (row.size() < 10)
                    row.push_back(static_cast<std::uint16_t>((row.back() + 1) % 4));
                return row;
            },
            seed);
        const auto is_chain = [](const Row& row) {
            for (std::size_t i = 1; i < row.size(); ++i)
                if (row[i] != (row[i - 1] + 1) % 4)
                    return false;
            return true;
        };
        CHECK(share(learn(data, seed, {.candidates = 0}), seed, is_chain) == 1);
        CHECK(share(learn(data, seed, {.most_leaves = 1}), seed, is_chain) < 0.01);
    }
    SECTION("one variable says whether two others agree")
    {
        const auto data = make_data(
            400,
            [](SplitMix64& random) {
                const auto a = static_cast<std::uint16_t>(random.below(4) == 0);
                const auto b = static_cast<std::uint16_t>(random.below(4) == 0);
                return Row{a, b, static_cast<std::uint16_t>(a ^ b)};
            },
            seed);
        const auto trees = learn(data, seed, {.candidates = 0});
        CHECK(share(trees, seed, [](const Row& row) { return row[2] == (row[0] ^ row[1]); }) > 0.95);
    }
}

TEST_CASE("independent variables give trees of one leaf", "[evolution][decision_trees]")
{
    const std::uint64_t seed = GENERATE(1, 2, 3, 4, 5);
    const unsigned values = GENERATE(2u, 5u, 16u);
    const auto data = make_data(
        100,
        [values](SplitMix64& random) {
            Row row;
            for (unsigned i = 0; i < 40; ++i)
                row.push_back(static_cast<std::uint16_t>(random.below(values)));
            return row;
        },
        seed);
    // 780 pairs of variables, and no more splits than chance explains.
    CHECK(learn(data, seed, {.candidates = 0}).leaves() <= 42);
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

TEST_CASE("values are drawn as often as their leaf has seen them", "[evolution][decision_trees]")
{
    // b is 7 where a is 3; elsewhere it is 1, 2 or 9 in the ratio 5 : 3 : 2.
    const auto data = make_data(
        500,
        [](SplitMix64& random) {
            const std::uint16_t a = random.below(2) == 0 ? 3 : 5;
            const std::uint32_t draw = random.below(10);
            const std::uint16_t b = a == 3 ? 7 : draw < 5 ? 1 : draw < 8 ? 2 : 9;
            return Row{a, b};
        },
        1);
    std::map<std::pair<std::uint16_t, std::uint16_t>, double> seen;
    for (std::uint32_t row = 0; row < data.rows; ++row)
        seen[{data.of(0)[row], data.of(1)[row]}] += 1.0 / data.rows;
    const std::uint64_t seed = GENERATE(1, 2, 3, 4); // both orders of the two variables among them
    const DecisionTrees trees = learn(data, seed);
    for (const auto& [pair, frequency] : seen) {
        const double drawn = share(
            trees, seed,
            [&wanted = pair](const Row& row) { return row[0] == wanted.first && row[1] == wanted.second; },
            20000);
        CHECK(drawn == Approx(frequency).margin(0.02)); // six standard deviations
    }
    CHECK(share(trees, seed, [&](const Row& row) { return seen.count({row[0], row[1]}) == 1; }) == 1);
}

TEST_CASE("learning and sampling repeat themselves with the same seed", "[evolution][decision_trees]")
{
    const auto data = make_data(
        60,
        [](SplitMix64& random) {
            Row row(30, static_cast<std::uint16_t>(random.below(3)));
            for (std::uint16_t& value : row)
                value = static_cast<std::uint16_t>(value + random.below(2));
            return row;
        },
        3);
    const auto draw = [&](std::uint64_t seed) {
        const DecisionTrees trees = learn(data, seed, {.candidates = 4});
        SplitMix64 random(seed);
        Row all;
        Row row(30);
        for (unsigned i = 0; i < 20; ++i) {
            sample(trees, row, random);
            all.insert(all.end(), row.begin(), row.end());
        }
        return all;
    };
    CHECK(draw(5) == draw(5));
    CHECK(draw(5) != draw(6));
}

TEST_CASE("nothing to learn from and limits that leave nothing are refused", "[evolution][decision_trees]")
{
    SplitMix64 random(1);
    const CategoricalData data{2, {0, 1, 1, 0}};
    CHECK_THROWS_WITH(learn_decision_trees({}, all_candidates(0), {}, random), Catch::Contains("0 rows"));
    CHECK_THROWS_WITH(learn_decision_trees({3, {0, 1}}, all_candidates(1), {}, random),
                      Catch::Contains("2 values in 3 rows"));
    CHECK_THROWS_WITH(learn_decision_trees(data, all_candidates(3), {}, random),
                      Catch::Contains("candidate parents of 3 variables, data of 2"));
    CHECK_THROWS_WITH(learn_decision_trees(data, all_candidates(2), {.most_leaves = 0}, random),
                      Catch::Contains("most leaves"));
    CHECK_THROWS_WITH(learn_decision_trees(data, all_candidates(2), {.least_rows = 0}, random),
                      Catch::Contains("least rows"));
}

} // namespace nocturne::decision_trees_test
