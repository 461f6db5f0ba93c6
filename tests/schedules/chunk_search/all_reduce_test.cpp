#include "schedules/certificate/drat.hpp"
#include "schedules/chunk_search/all_reduce.hpp"
#include "schedules/chunk_search/exact_sums.hpp"
#include "schedules/chunk_search/front.hpp"
#include "schedules/chunk_search/round_bounds.hpp"
#include "schedules/chunk_search/tree_all_reduce.hpp"
#include "schedules/schedule/chunk_time.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/chunk_search/link_networks.hpp"

using namespace nocturne;

namespace {

LinkNetwork ring(std::uint32_t nodes)
{
    return test::grid({.sides = {nodes}, .bytes_per_cycle = {1}, .wraps = true});
}

std::string why_invalid(const std::optional<Schedule>& schedule, const LinkNetwork& network)
{
    return schedule ? test::first_violation(*schedule, network) : "no schedule";
}

} // namespace

TEST_CASE("an allgather backwards and forwards is an all-reduce", "[chunk_search][allreduce]")
{
    struct Row {
        std::uint32_t parts, steps, rounds;
    };
    const auto [parts, steps, rounds] = GENERATE(Row{1, 2, 2}, Row{3, 3, 4});
    const LinkNetwork network = test::dgx1();
    const ExactAnswer half =
        decide_steps(network, allgather({.processors = 8, .parts = parts}), {.shape = {steps, rounds}});
    REQUIRE(half.schedule);
    const Schedule whole = all_reduce_from(*half.schedule, network);
    CHECK(why_invalid(whole, network) == "");
    CHECK(whole.collective == allreduce({.processors = 8, .parts = 8 * parts}));
    CHECK(count_steps(whole) == 2 * steps);
    CHECK(count_rounds(whole) == 2 * rounds);
    CHECK_THROWS_AS(all_reduce_from(whole, network), std::invalid_argument);
}

TEST_CASE("a link's partner the other way may have another latency", "[chunk_search][allreduce]")
{
    LinkNetwork network("there and back", 3);
    for (const NodeId node : {0u, 1u, 2u}) {
        network.add_link({node, (node + 1) % 3, 4, 1});
        network.add_link({(node + 1) % 3, node, 4, 2 + node});
    }
    const Collective whole = allreduce({.processors = 3});
    const auto points = find_front(network, whole, {.most_parts = 1, .extra_rounds = 1, .extra_steps = 1});
    REQUIRE(points.size() > 1);
    for (const FrontPoint& point : points)
        CHECK(why_invalid(point.schedule, network) == "");
    // In two steps and rounds, three parts.
    CHECK(points.back().parts == 3 * points.back().rounds / 2);
}

TEST_CASE("where one chunk is added up and another is spread, sums are searched for", "[chunk_search]")
{
    LinkNetwork network("line", 3);
    network.add_links(0, 1, 1, 1);
    network.add_links(1, 2, 1, 1);
    const CollectiveShape shape{.processors = 3};
    const Collective whole = at_once(broadcast(shape, 0), reduce(shape, 0));
    CHECK_THROWS_AS(reversed(whole), std::invalid_argument);
    CHECK_THROWS_AS(decide_steps(network, whole, {.shape = {2, 2}}), std::invalid_argument);
    const auto points = find_front(network, whole, {.most_parts = 1, .extra_steps = 0});
    REQUIRE(points.size() == 1);
    CHECK(why_invalid(points.front().schedule, network) == "");
    CHECK(points.front().steps == 2);
}

TEST_CASE("links with no partner the other way have a reduce-scatter of their own",
          "[chunk_search][allreduce]")
{
    LinkNetwork network("one way", 4);
    for (const NodeId node : {0u, 1u, 2u, 3u})
        network.add_link({node, (node + 1) % 4, 1, 0});
    const Collective whole = allreduce({.processors = 4});
    const auto points = find_front(network, whole, {.most_parts = 1, .extra_rounds = 1, .extra_steps = 1});
    REQUIRE_FALSE(points.empty());
    for (const FrontPoint& point : points)
        CHECK(why_invalid(point.schedule, network) == "");
    // Three receptions to add a chunk and three to spread it, over four links.
    CHECK(points.back().is_least);
    CHECK(points.back().parts == 4);
    CHECK(points.back().rounds == 6);
}

TEST_CASE("all-reduces in the fewest steps, in the fewest rounds, and in no fewer",
          "[chunk_search][allreduce]")
{
    const auto check = [](const LinkNetwork& network, std::uint32_t parts, const StepsAndRounds& shape,
                          Verdict verdict) {
        const Collective collective = allreduce({.processors = network.processor_count(), .parts = parts});
        const ExactAnswer answer = decide_sums(network, collective, {.shape = shape, .proof = Proof::drat});
        CAPTURE(network.processor_count(), parts, shape.steps, shape.rounds);
        REQUIRE(answer.verdict == verdict);
        if (verdict == Verdict::satisfiable) {
            CHECK(why_invalid(answer.schedule, network) == "");
            CHECK(count_steps(*answer.schedule) <= shape.steps);
            CHECK(count_rounds(*answer.schedule) <= shape.rounds);
        } else {
            CHECK(refute_proof(sum_formula(network, collective, shape).formula, answer.proof) ==
                  std::nullopt);
        }
    };
    check(ring(5), 1, {2, 2}, Verdict::satisfiable);
    check(ring(5), 5, {4, 4}, Verdict::satisfiable);
    check(ring(5), 5, {3, 4}, Verdict::unsatisfiable);
    check(ring(4), 4, {3, 3}, Verdict::satisfiable);
    check(ring(4), 1, {1, 1}, Verdict::unsatisfiable);
    check(test::dgx1(), 8, {3, 4}, Verdict::satisfiable);
    check(test::grid({{2, 2, 2}, {1, 1, 1}}), 1, {3, 3}, Verdict::satisfiable); // doubling by exchanges
    check(test::grid({{3, 3}, {1, 1}}), 1, {4, 4}, Verdict::satisfiable);
}

TEST_CASE("sums and copies backwards agree on what can be reduced", "[chunk_search][allreduce]")
{
    const unsigned seed = GENERATE(range(1u, 21u));
    SplitMix64 random(seed);
    const LinkNetwork network = test::random_links(
        random, {.least_processors = 3, .most_latency = 1, .most_units = 1, .most_more = 5});
    const std::uint32_t nodes = network.processor_count();
    const CollectiveShape shape{.processors = nodes};
    const Collective collective = seed % 2 == 0 ? reduce_scatter(shape) : reduce(shape, random.below(nodes));
    for (std::uint32_t steps = 1; steps <= 4; ++steps) {
        const ExactConfig config{.shape = {steps, steps}};
        const ExactAnswer sums = decide_sums(network, collective, config);
        const ExactAnswer copies = decide_steps(network, collective, config);
        CAPTURE(seed, steps);
        REQUIRE(sums.verdict == copies.verdict);
        if (sums.schedule) {
            CHECK(why_invalid(sums.schedule, network) == "");
            CHECK(why_invalid(copies.schedule, network) == "");
        }
    }
}

TEST_CASE("groups use the processors between them, and switches", "[chunk_search][allreduce]")
{
    // 0 and 2 contribute; what they send goes through 1 or 3, or a switch.
    const CollectiveShape group{.processors = 4, .parts = 2, .group = {0, 2}};
    LinkNetwork star{"star", 4};
    const NodeId hub = star.add_switch(GENERATE(NodeKind::plain_switch, NodeKind::copying_switch), "hub");
    for (const NodeId node : {0u, 1u, 2u, 3u})
        star.add_links(node, hub, 1, 1);
    CHECK(why_invalid(decide_sums(ring(4), allreduce(group), {.shape = {2, 2}}).schedule, ring(4)) == "");
    CHECK(why_invalid(decide_sums(star, allreduce(group), {.shape = {1, 2}}).schedule, star) == "");
    CHECK(why_invalid(decide_steps(star, allgather({.processors = 4}), {.shape = {2, 4}}).schedule, star) ==
          "");
    CHECK(why_invalid(decide_steps(star, reduce_scatter(group), {.shape = {2, 2}}).schedule, star) == "");
}

TEST_CASE("a processor that contributes nothing adds what comes to it at once", "[chunk_search][allreduce]")
{
    // 1, 2 and 3 send to 0 through 4, which only passes their sum on: one chunk over its one link.
    LinkNetwork network{"funnel", 5};
    for (const NodeId node : {1u, 2u, 3u})
        network.add_links(node, 4, 1, 1);
    network.add_links(4, 0, 1, 1);
    const Collective owed = reduce({.processors = 5, .group = {0, 1, 2, 3}}, 0);
    CHECK(why_invalid(decide_steps(network, owed, {.shape = {2, 2}}).schedule, network) == "");
    CHECK(decide_steps(network, owed, {.shape = {1, 1}}).verdict == Verdict::unsatisfiable);
}

TEST_CASE("what is too large for a formula is not decided", "[chunk_search][allreduce]")
{
    const LinkNetwork network = test::grid({{16, 16}, {1, 1}});
    const CollectiveShape shape{.processors = 256, .parts = 4};
    CHECK(decide_steps(network, alltoall({.processors = 256}), {.shape = {40, 300}}).verdict ==
          Verdict::unknown);
    CHECK(decide_sums(network, allreduce(shape), {.shape = {30, 30}}).verdict == Verdict::unknown);
}

TEST_CASE("a owed on a ring is found in as many steps as it is long", "[chunk_search][allreduce]")
{
    const LinkNetwork network = ring(5);
    const Collective owed = scan({.processors = 5});
    CHECK(least_steps(network, owed) == 2);
    CHECK(why_invalid(decide_sums(network, owed, {.shape = {2, 2}}).schedule, network) == "");
}

TEST_CASE("over trees an all-reduce comes near the bound of a mesh", "[chunk_search][trees]")
{
    const LinkNetwork network =
        GENERATE(test::grid({{3, 3}, {1, 1}}), test::grid({{2, 4}, {3, 1}}), test::dgx1());
    const Collective collective = allreduce({.processors = network.processor_count(), .parts = 60});
    const auto schedule = all_reduce_by_trees(network, collective);
    CHECK(why_invalid(schedule, network) == "");
    // So many rounds for the chunks, and a few until the first ones have gone up and down.
    CHECK(count_rounds(*schedule) <= least_rounds(network, collective) + 2 * network.processor_count());
    const Schedule free = trees_without_barriers(*schedule);
    CHECK(why_invalid(free, network) == "");
    const AlphaBeta cost{.bytes_per_weight = 100};
    CHECK(time_of(free, network, cost) <= time_of(*schedule, network, cost));
}

TEST_CASE("trees need a network in which links have partners, and an all-reduce of all",
          "[chunk_search][trees]")
{
    LinkNetwork one_way{"one way", 3};
    for (NodeId node = 0; node < 3; ++node)
        one_way.add_link({node, (node + 1) % 3, 1, 1});
    CHECK_FALSE(all_reduce_by_trees(one_way, allreduce({.processors = 3})));
    CHECK_FALSE(all_reduce_by_trees(LinkNetwork("apart", 2), allreduce({.processors = 2})));
    CHECK_FALSE(all_reduce_by_trees(ring(4), allreduce({.processors = 4, .parts = 1, .group = {0, 1}})));
    CHECK_FALSE(all_reduce_by_trees(ring(4), reduce_scatter({.processors = 4})));
}

TEST_CASE("fronts go from the fewest steps to the bound on rounds", "[chunk_search][front]")
{
    const LinkNetwork network = ring(5);
    const Collective whole = allreduce({.processors = 5});
    const auto points = find_front(network, whole, {.most_parts = 3, .extra_rounds = 2, .extra_steps = 2});
    REQUIRE(points.size() >= 2);
    CHECK(points.front().steps == 2);
    CHECK(points.front().is_proven);
    CHECK(points.back().rounds * 5 == points.back().parts * 4);
    CHECK(points.back().is_least);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const FrontPoint& point = points[i];
        CHECK(why_invalid(point.schedule, network) == "");
        CHECK(point.rounds >= least_rounds(network, in_parts(whole, point.parts)));
        if (i > 0) {
            CHECK(point.steps > points[i - 1].steps);
            CHECK(point.rounds * points[i - 1].parts < points[i - 1].rounds * point.parts);
        }
    }
}

TEST_CASE("of as many rounds a chunk a front has the fewest chunks", "[chunk_search][front]")
{
    // A torus of 3x3: 16 receptions a chunk over 36 links, two rounds to add a chunk up and two to spread it.
    const LinkNetwork network = test::grid({.sides = {3, 3}, .bytes_per_cycle = {1, 1}, .wraps = true});
    const Collective whole = allreduce({.processors = 9});
    const auto points = find_front(network, whole, {.most_parts = 4, .extra_rounds = 1, .extra_steps = 2});
    REQUIRE_FALSE(points.empty());
    CHECK(points.back().is_least);
    CHECK(points.back().parts == 9);
    CHECK(points.back().rounds == 4);
}

TEST_CASE("the front of DGX-1's allgather is proven", "[chunk_search][front]")
{
    const Collective whole = allgather({.processors = 8});
    const auto points =
        find_front(test::dgx1(), whole, {.most_parts = 2, .extra_rounds = 1, .extra_steps = 1});
    REQUIRE(points.size() == 1);
    CHECK((points[0].parts == 2 && points[0].steps == 2 && points[0].rounds == 3));
    CHECK(points[0].is_proven);
}

TEST_CASE("bounds on steps and rounds", "[chunk_search][front]")
{
    const LinkNetwork network = test::dgx1();
    CHECK(least_steps(network, allgather({.processors = 8})) == 2);
    CHECK(least_rounds(network, allgather({.processors = 8, .parts = 6})) == 7);
    CHECK(least_rounds(network, reduce_scatter({.processors = 8, .parts = 6})) == 7);
    CHECK(least_rounds(network, allreduce({.processors = 8, .parts = 48})) == 14);
    CHECK(least_rounds(network, alltoall({.processors = 8, .parts = 3})) == 8);
    LinkNetwork one_way{"one way", 2};
    one_way.add_link({0, 1, 1, 1});
    CHECK(least_steps(one_way, allgather({.processors = 2})) == std::nullopt);
}
