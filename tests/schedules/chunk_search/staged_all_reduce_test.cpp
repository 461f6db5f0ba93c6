#include "schedules/chunk_search/timed_schedules.hpp"
#include "schedules/schedule/start_order.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/chunk_search/link_networks.hpp"

#include <algorithm>
#include <cmath>
#include <set>

using namespace nocturne;

namespace {

/// What the staged all-reduces are made from: the same members, and hops between them.
std::vector<Schedule> staged(const LinkNetwork& network, std::uint32_t parts, const AlphaBeta& cost)
{
    const CollectiveShape shape{.processors = network.processor_count(), .parts = parts};
    const Collective spread = allgather({.processors = network.processor_count()});
    return staged_all_reduces(make_timed_problem(network, spread, cost, 4), allreduce(shape));
}

double least_time(const LinkNetwork& network, std::uint32_t parts, const AlphaBeta& cost)
{
    double least = HUGE_VAL;
    for (const Schedule& schedule : staged(network, parts, cost)) {
        CHECK(test::first_violation(schedule, network) == "");
        least = std::min(least, time_of(schedule, network, cost));
    }
    return least;
}

} // namespace

TEST_CASE("recursive doubling takes one start-up for each doubling", "[chunk_search][stages]")
{
    const auto processors = GENERATE(4u, 8u, 16u, 32u);
    LinkNetwork network("star", processors);
    const NodeId hub = network.add_switch(NodeKind::plain_switch, "hub");
    for (NodeId node = 0; node < processors; ++node)
        network.add_links(node, hub, 50, 1);
    const AlphaBeta cost{.bytes_per_weight = 1024, .start_cycles = 1000, .latency_holds_link = true};
    const double doubling = 1000 + 2 + 1024.0 / 50;
    CHECK(least_time(network, 1, cost) == Approx(std::log2(processors) * doubling));
}

TEST_CASE("a torus is reduced along one dimension after the other", "[chunk_search][stages]")
{
    // As many start-ups as there are hops to the farthest node.
    const LinkNetwork torus = test::grid({{4, 6, 5}, {50, 50, 50}, 400, true});
    CHECK(least_time(torus, 1, {.bytes_per_weight = 50}) == Approx((2 + 3 + 2) * 401).epsilon(0.02));
}

TEST_CASE("boxes of rings are reduced inside, then cross the fabric once, then spread inside",
          "[chunk_search][stages]")
{
    // Two hops of a ring of five, the fabric, two hops; then the bytes of five shares. At once to everybody
    // over the fabric would be 3000 cycles and 14 x 1800 bytes at 16 a cycle.
    const double least = 4 * 200 + 2 * 1500;
    const double found = least_time(test::rings(3, 5), 15, {.bytes_per_weight = 120});
    CHECK(found >= least);
    CHECK(found <= 1.1 * least);
}

TEST_CASE("every staged all-reduce is right, and has no two that are the same", "[chunk_search][stages]")
{
    const unsigned seed = GENERATE(range(1u, 41u));
    SplitMix64 random(seed);
    const LinkNetwork network = seed % 4 == 3   ? test::rings(2 + seed % 3, 3 + seed % 2)
                                : seed % 3 == 0 ? test::random_boxes(random)
                                : seed % 3 == 1
                                    ? test::rails(2 + seed % 4, 2 + seed % 3)
                                    : test::grid({{2 + seed % 3, 3 + seed % 2}, {4, 8}, 3, seed % 2 == 0});
    const auto parts = static_cast<std::uint32_t>(1 + random.below(13));
    const AlphaBeta cost{.bytes_per_weight = 100,
                         .start_cycles = seed % 2 == 0 ? 0.0 : 20.0,
                         .latency_holds_link = seed % 5 == 0};
    CAPTURE(seed, parts);
    for (const Schedule& schedule : staged(network, parts, cost)) {
        CHECK(test::first_violation(schedule, network) == "");
        const Schedule freed = in_order_of_starts(schedule, network, cost);
        CHECK(test::first_violation(freed, network) == "");
        CHECK(count_transfers(freed) == count_transfers(schedule));
        // Listed as they start they start as before: to list them once more changes nothing.
        CHECK(time_of(in_order_of_starts(freed, network, cost), network, cost) ==
              Approx(time_of(freed, network, cost)));
    }
}

TEST_CASE("a group that is not everybody, and sums that not all are owed, have no stages",
          "[chunk_search][stages]")
{
    const LinkNetwork network = test::rails(2, 2);
    const Collective spread = allgather({.processors = 4});
    const TimedProblem problem = make_timed_problem(network, spread, {}, 4);
    CHECK(staged_all_reduces(problem, reduce_scatter({.processors = 4})).empty());
    CHECK(staged_all_reduces(problem, scan({.processors = 4})).empty());
    CHECK(staged_all_reduces(problem, allreduce({.processors = 4, .group = {0, 1}})).empty());
    CHECK_FALSE(staged_all_reduces(problem, allreduce({.processors = 4})).empty());
}

TEST_CASE("an order of many transfers is given up as soon as it is over", "[chunk_search][stages]")
{
    constexpr std::uint32_t parts = 100'000;
    LinkNetwork network("two", 2);
    network.add_links(0, 1, 1, 1);
    const Collective owed = broadcast({.processors = 2, .parts = parts}, 0);
    Schedule schedule = empty_schedule("by hand", "two", owed, ScheduleSynchronization::dependencies);
    for (ChunkId chunk = parts; chunk-- > 0;)
        append_transfer(schedule, {chunk, 0, 1, Path{0}});
    const AlphaBeta cost{.bytes_per_weight = 1};
    const auto never = [] { return false; };
    CHECK(in_order_of_starts(schedule, network, cost, never) == in_order_of_starts(schedule, network, cost));
    for (const auto order : {0, 1}) {
        unsigned looks = 0;
        const auto is_over = [&] { return ++looks > 0; };
        const auto cut = order == 0 ? in_order_of_starts(schedule, network, cost, is_over)
                                    : in_order_of_releases(schedule, network, cost, is_over);
        CHECK_FALSE(cut);
        CHECK(looks == 1);
    }
}

TEST_CASE("a link that falls free goes to what is ready", "[chunk_search][stages]")
{
    // 0 sends to 2 what comes from 1, and then something of its own, which needs not wait.
    LinkNetwork network("three", 3);
    network.add_links(1, 0, 1, 1);
    network.add_links(0, 2, 1, 1);
    Collective owed{CollectiveKind::custom, 3, 1, {{1, {1}}, {1, {0}}}, {}};
    owed.demands.push_back({0, 2, {1}});
    owed.demands.push_back({1, 2, {0}});
    Schedule schedule = empty_schedule("by hand", "three", owed, ScheduleSynchronization::dependencies);
    append_transfer(schedule, {0, 1, 0, Path{0}});
    append_transfer(schedule, {0, 0, 2, Path{2}}, {0});
    append_transfer(schedule, {1, 0, 2, Path{2}});
    const AlphaBeta cost{.bytes_per_weight = 100};
    REQUIRE(test::first_violation(schedule, network) == "");
    CHECK(time_of(schedule, network, cost) == Approx(302));
    const Schedule freed = in_order_of_starts(schedule, network, cost);
    CHECK(test::first_violation(freed, network) == "");
    CHECK(time_of(freed, network, cost) == Approx(202));
    CHECK(freed.steps.front()[1].message == 1);
    // The last to start is the last to give back its link.
    CHECK(in_order_of_releases(freed, network, cost).steps.front().back().message == 0);
}
