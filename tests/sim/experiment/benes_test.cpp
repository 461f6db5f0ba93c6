#include "models/benes/randomized_routing.hpp"
#include "models/traffic/permutation.hpp"
#include "sim/experiment/benes.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace nocturne;
using Catch::Matchers::Contains;

TEST_CASE("the design space has every power and every truncation", "[benes]")
{
    const auto designs = benes_designs(1024, 256);
    // q = 2, 4 and 32; 1024 does not divide 256.
    CHECK(designs.size() == 10 + 5 + 2);
    CHECK(designs.front() == BenesDesign{2, 10, 0, 128});
    CHECK(designs.back() == BenesDesign{32, 2, 1, 8});
    CHECK(benes_designs(4096, 256).size() == 12 + 6 + 4 + 3 + 2);
    CHECK_THROWS_WITH(benes_designs(1000, 256), Contains("1000 processors are no power"));
    CHECK_THROWS_WITH(benes_designs(9, 256), Contains("9 processors are no power"));
    CHECK(benes_designs(9, 240).size() == 2);
}

TEST_CASE("a point is what the router gives, sample by sample", "[benes]")
{
    BenesOptions options{
        .randomizations = {Randomization::multiple}, .samples = 40, .message_bits = 100, .setup_clocks = 2};
    options.release_clocks = 3;
    options.seed = 8;
    options.delay_limit = 3;
    const BenesDesign design{4, 3, 1, 32};
    const auto points = evaluate_benes(std::vector{design}, options);
    REQUIRE(points.size() == 1);

    const BenesWiring wiring(4, 3, 1);
    PermutationRouter router(wiring);
    SplitMix64 seeds(8);
    std::vector<std::uint32_t> delays;
    for (int sample = 0; sample < 40; ++sample) {
        const std::uint64_t seed = seeds();
        delays.push_back(router.route(random_permutation(64, seed), {.seed = seed}).delay());
    }
    double sum = 0;
    for (const std::uint32_t delay : delays)
        sum += delay;
    CHECK(points[0].mean_delay == Approx(sum / 40));
    CHECK(points[0].most_delay == *std::max_element(delays.begin(), delays.end()));
    const auto within = std::count_if(delays.begin(), delays.end(), [](auto delay) { return delay <= 3; });
    CHECK(points[0].share_within_limit == Approx(static_cast<double>(within) / 40));
    // 4 columns of 2 clocks, 4 words of 32 bits, 3 clocks to release.
    CHECK(points[0].network_cycle_clocks == 15);
    CHECK(points[0].mean_clocks == Approx(15 * sum / 40));
    CHECK(points[0].network == "benes:4,3,1");
    CHECK(points[0].randomization == "multiple");
}

TEST_CASE("results depend on the seed, not on the number of workers", "[benes]")
{
    const auto designs = benes_designs(64, 64);
    BenesOptions options{.permutations = {"random", "tornado"}, .samples = 20, .workers = 1};
    const auto alone = evaluate_benes(designs, options);
    CHECK(alone.size() == designs.size() * 4);
    options.workers = 3;
    CHECK(evaluate_benes(designs, options) == alone);
    options.seed = 2;
    CHECK(evaluate_benes(designs, options) != alone);
}

TEST_CASE("confidence intervals hold the mean of many samples", "[benes]")
{
    const std::vector<BenesDesign> design{{2, 4, 1, 1}};
    BenesOptions options{.randomizations = {Randomization::single}, .samples = 20'000, .seed = 1'000'000};
    const double mean = evaluate_benes(design, options)[0].mean_delay;
    options.samples = 30;
    int covered = 0;
    for (options.seed = 1; options.seed <= 100; ++options.seed) {
        const BenesPoint point = evaluate_benes(design, options)[0];
        covered += std::abs(point.mean_delay - mean) <= point.delay_error ? 1 : 0;
    }
    CHECK(covered >= 90);
}

TEST_CASE("what cannot be evaluated is refused", "[benes]")
{
    const std::vector<BenesDesign> design{{2, 3, 0, 8}};
    CHECK_THROWS_WITH(evaluate_benes(design, {.samples = 1}), Contains("1 permutations"));
    CHECK_THROWS_WITH(evaluate_benes(design, {.message_bits = 0}), Contains("0 bits"));
    CHECK_THROWS_WITH(evaluate_benes(design, {.permutations = {"transpose"}}), Contains("powers of four"));
    CHECK_THROWS_WITH(evaluate_benes(design, {.permutations = {"zigzag"}}),
                      Contains("no permutation 'zigzag'"));
    CHECK_THROWS_WITH(evaluate_benes(std::vector{BenesDesign{2, 3, 3, 8}}, {}), Contains("at most n-1"));
}
