#include "models/benes/randomized_routing.hpp"
#include "models/benes/worst_permutation.hpp"
#include "models/topology/generators.hpp"
#include "models/traffic/permutation.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/benes/benes.hpp"
#include "sim/benes/benes_wormhole.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>

namespace nocturne::benes_test {

using Catch::Contains;

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

TEST_CASE(
    "the worst permutations are found again whatever the number of workers, and measured with other tags",
    "[benes]")
{
    const std::vector<BenesDesign> designs{{2, 4, 1, 8}, {4, 2, 0, 4}, {4, 2, 1, 4}};
    BenesOptions options{.permutations = {"worst"}, .search_evaluations = 60, .samples = 20, .workers = 1};
    const auto alone = evaluate_benes(designs, options);
    REQUIRE(alone.size() == 6);
    for (const unsigned workers : {2U, 4U}) {
        options.workers = workers;
        CHECK(evaluate_benes(designs, options) == alone);
    }
    for (const BenesPoint& point : alone) {
        CHECK_FALSE(point.search_start.empty());
        CHECK(point.searched_delay >= 1);
    }
    // Without free columns no tags are drawn: 4 messages of each switch want one line.
    CHECK(alone[4].mean_delay >= 4);
    CHECK(alone[5].mean_delay == alone[4].mean_delay);
    CHECK(unavoidable_delay(BenesWiring(4, 2, 1)) == 4);
}

TEST_CASE("the looping algorithm takes one network cycle, on networks with all columns", "[benes]")
{
    BenesOptions options{.randomizations = {},
                         .permutations = {"random", "tornado", "worst"},
                         .references = {BenesReference::looping},
                         .search_evaluations = 20,
                         .setup_clocks = 2};
    const auto points = evaluate_benes(benes_designs(64, 64), options);
    // q = 2, 4, 8 and 64
    REQUIRE(points.size() == 4 * 3);
    for (const BenesPoint& point : points) {
        CHECK(point.randomization == "looping");
        CHECK(point.truncated == 0);
        CHECK(point.mean_delay == 1);
        CHECK(point.most_delay == 1);
        CHECK(point.mean_clocks == 2.0 * point.columns + 256.0 / point.link_bits);
    }
}

TEST_CASE("circuits of a word are set up for each word", "[benes]")
{
    BenesOptions options{.message_bits = 100, .setup_clocks = 2, .release_clocks = 3};
    const BenesDesign design{4, 3, 1, 32};
    CHECK(circuit_cost(design, options).network_cycle_clocks == 4 * 2 + 4 + 3);
    CHECK(circuit_cost(design, options).rounds == 1);
    options.circuit = CircuitUse::word;
    CHECK(circuit_cost(design, options).network_cycle_clocks == 4 * 2 + 1 + 3);
    CHECK(circuit_cost(design, options).rounds == 4);
    const auto point = evaluate_benes(std::vector{design}, options)[0];
    CHECK(point.mean_clocks == Approx(point.mean_delay * 12 * 4));
    CHECK(point.clocks_error == Approx(point.delay_error * 12 * 4));
    CHECK(point.most_clocks == point.most_delay * 12 * 4);
}

TEST_CASE("the interval of a share is that of Clopper and Pearson", "[benes]")
{
    // A crossbar takes every permutation at once: 20 of 20.
    const auto all = evaluate_benes(std::vector{BenesDesign{16, 1, 0, 1}}, {.samples = 20})[0];
    CHECK(all.share_within_limit == 1);
    CHECK(all.share_low == Approx(std::pow(0.025, 1.0 / 20)));
    CHECK(all.share_high == 1);
    CHECK(all.messages_within_limit == 1);
    // The identity needs 4 here, so that none is within 3; but of each 4 messages on a line 3 are.
    const auto none = evaluate_benes(
        std::vector{BenesDesign{4, 2, 1, 1}},
        {.permutations = {"worst"}, .search_evaluations = 1, .samples = 20, .delay_limit = 3})[0];
    CHECK(none.search_start == "identity");
    CHECK(none.mean_delay == 4);
    CHECK(none.share_within_limit == 0);
    CHECK(none.share_low == 0);
    CHECK(none.share_high == Approx(1 - std::pow(0.025, 1.0 / 20)));
    CHECK(none.messages_within_limit == Approx(0.75));
}

TEST_CASE("wormhole messages that meet nobody take the time of one, again and again", "[benes]")
{
    // Bit reversal passes an Omega-equivalent network without conflict; 3 cycles a switch, 2 at the ends, a
    // flit a cycle.
    const std::uint32_t flits = GENERATE(1u, 5u, 40u);
    const Job job = [&] {
        const Topology topology = make_benes(2, 5, 4);
        const std::vector<TaggedPermutation> twice(2, {make_permutation(topology, "reversal"), 1});
        return nlohmann::json(wormhole_latencies(topology, twice, flits));
    };
    const auto latencies = run_jobs(std::span(&job, 1)).front().get<std::vector<std::uint64_t>>();
    CHECK(latencies == std::vector<std::uint64_t>(2, 3 * 5 + 2 + flits - 1));
}

TEST_CASE("wormhole messages all arrive, on every design and with every permutation", "[benes]")
{
    BenesOptions options{.randomizations = {},
                         .permutations = {"random", "tornado", "worst"},
                         .references = {BenesReference::wormhole},
                         .search_evaluations = 10,
                         .reference_samples = 5};
    const auto designs = benes_designs(64, 64);
    const auto points = evaluate_benes(designs, options);
    REQUIRE(points.size() == designs.size() * 3);
    for (const BenesPoint& point : points) {
        CAPTURE(point.network, point.permutations);
        CHECK(point.randomization == "wormhole");
        CHECK(point.samples == 5);
        CHECK(point.mean_delay == 0);
        CHECK(point.network_cycle_clocks == 0);
        // Not below the zero-load latency.
        const double least = 3.0 * point.columns + 2 + (256.0 / point.link_bits - 1);
        CHECK(point.mean_clocks >= least);
        if (point.columns == 1)
            CHECK(point.mean_clocks == least);
    }
    options.workers = 1;
    CHECK(evaluate_benes(designs, options) == points);
}

TEST_CASE("what cannot be evaluated is refused", "[benes]")
{
    CHECK_THROWS_WITH(
        evaluate_benes(std::vector{BenesDesign{2, 3, 0, 8}},
                       {.references = {BenesReference::wormhole}, .message_bits = std::uint64_t{1} << 40}),
        Contains("flits"));
    CHECK_THROWS_WITH(evaluate_benes(std::vector{BenesDesign{2, 3, 3, 8}}, {}), Contains("at most n-1"));
}

} // namespace nocturne::benes_test
