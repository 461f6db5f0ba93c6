#include "schedules/chunk_search/crossing_time.hpp"
#include "schedules/chunk_search/timed_search.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/chunk_search/link_networks.hpp"

using namespace nocturne;

TEST_CASE("allgathers on meshes and tori end when their slowest corner can", "[chunk_search][time]")
{
    struct Row {
        test::Grid grid;
        std::uint32_t chunks;
        double microseconds; ///< that TACOS's regression tests print
        double gibibytes;
    };
    const Row row =
        GENERATE(Row{{{5, 5}, {50, 50}, 500}, 1, 9606, 1}, Row{{{5, 5}, {50, 75}, 500}, 1, 8005, 1},
                 Row{{{3, 3, 3}, {50, 50, 50}, 500}, 1, 6671.17, 1},
                 Row{{{3, 3, 3}, {50, 50, 50}, 500, true}, 1, 3706.20, 1});
    const LinkNetwork network = test::grid(row.grid);
    const std::uint32_t nodes = network.processor_count();
    TimedConfig config;
    config.cost = {.bytes_per_weight = row.gibibytes * 1e9 / (nodes * row.chunks),
                   .latency_holds_link = true};
    const auto found = search_by_time(network, allgather({.processors = nodes, .parts = row.chunks}), config);
    REQUIRE(found);
    CHECK(found->cycles == Approx(1000 * row.microseconds).epsilon(1e-6));
    CHECK(found->cycles == Approx(found->bound).epsilon(1e-9));
    CHECK(test::first_violation(found->schedule, network) == "");
}

TEST_CASE("slow links carry into a box of fast ones what the box lacks", "[chunk_search][time]")
{
    constexpr std::uint32_t boxes = 4, each = 4;
    const LinkNetwork network = test::rails(boxes, each);
    const double bytes = 1 << 20;
    constexpr std::uint32_t parts = 8;
    const CollectiveShape shape{.processors = boxes * each, .parts = parts};
    // What comes into a box over its rails; of an all-reduce as much goes out before.
    const double least = (boxes - 1) * each * bytes / (each * 50);
    const auto gathered = search_by_time(network, allgather(shape),
                                         {.cost = {.bytes_per_weight = bytes / parts}, .seed = 1, .runs = 2});
    CHECK(gathered->cycles < 1.2 * least);
    const auto reduced =
        search_by_time(network, allreduce({.processors = boxes * each, .parts = parts * boxes * each}),
                       {.cost = {.bytes_per_weight = bytes / parts}, .seed = 1, .runs = 2});
    CHECK(reduced->cycles < 1.2 * 2 * least);
}

TEST_CASE("links side by side and planes of switches carry as much as one link that is as wide",
          "[chunk_search][time]")
{
    const auto processors = GENERATE(2u, 5u, 8u);
    const auto planes = GENERATE(1u, 2u, 6u);
    const auto links_each = GENERATE(1u, 3u);
    const bool has_trunks = GENERATE(false, true) && processors % 2 == 0;
    LinkNetwork network("box", processors);
    for (std::uint32_t plane = 0; plane < planes; ++plane) {
        // With trunks each half has a switch of its own, joined by as many links as the half has.
        const NodeId first = network.add_switch(NodeKind::plain_switch, "first");
        const NodeId second = has_trunks ? network.add_switch(NodeKind::plain_switch, "second") : first;
        for (NodeId node = 0; node < processors; ++node)
            for (std::uint32_t link = 0; link < links_each; ++link)
                network.add_links(node, node < processors / 2 ? first : second, 4, 1);
        for (std::uint32_t link = 0; has_trunks && link < links_each * processors / 2; ++link)
            network.add_links(first, second, 4, 1);
    }
    const std::uint32_t links = planes * links_each;
    const double bytes = 4096; // of a chunk, far more than the latencies
    const auto check = [&](const Collective& collective, double sent) {
        const auto found =
            search_by_time(network, collective, {.cost = {.bytes_per_weight = bytes}, .runs = 1});
        CAPTURE(processors, planes, links_each, has_trunks, to_string(collective.kind));
        REQUIRE(found);
        CHECK(test::first_violation(found->schedule, network) == "");
        CHECK(found->cycles == Approx(sent * bytes / (4 * links)).epsilon(0.01)); // chunks that each sends
    };
    const CollectiveShape shape{.processors = processors, .parts = links};
    const double others = (processors - 1) * links;
    check(allgather(shape), others);
    check(reduce_scatter(shape), others);
    check(alltoall(shape), others);
    check(allreduce({.processors = processors, .parts = links * processors}), 2 * others);
}

TEST_CASE("a small all-reduce pays one start-up where all are one hop away", "[chunk_search][time]")
{
    LinkNetwork network("star", 8);
    const NodeId hub = network.add_switch(NodeKind::plain_switch, "hub");
    for (NodeId node = 0; node < 8; ++node)
        network.add_links(node, hub, 64, 1);
    const auto found = search_by_time(network, allreduce({.processors = 8}),
                                      {.cost = {.bytes_per_weight = 1024, .start_cycles = 1000}, .runs = 1});
    REQUIRE(found);
    CHECK(test::first_violation(found->schedule, network) == "");
    CHECK(found->cycles == Approx(1000 + 7 * 1024 / 64 + 2).epsilon(0.01));
}

TEST_CASE("any collective on any network gets a valid schedule, not shorter than its bound",
          "[chunk_search][time]")
{
    const unsigned seed = GENERATE(range(1u, 91u));
    SplitMix64 random(seed);
    const LinkNetwork network = test::random_links(random, {.least_processors = 3,
                                                            .most_processors = 7,
                                                            .most_switches = 1,
                                                            .copies = true,
                                                            .both_ways = true,
                                                            .most_latency = 30});
    const CollectiveShape shape{.processors = network.processor_count(), .parts = 1 + random.below(3)};
    const Collective collective = test::of_kind(test::chunk_kinds[seed % test::chunk_kinds.size()], shape,
                                                random.below(shape.processors));
    TimedConfig config{.cost = {.bytes_per_weight = 40,
                                .start_cycles = seed % 2 == 0 ? 0.0 : 5.0,
                                .latency_holds_link = seed % 3 == 0},
                       .seed = seed,
                       .runs = 3};
    const auto found = search_by_time(network, collective, config);
    CAPTURE(seed, to_string(collective.kind));
    REQUIRE(found);
    CHECK(test::first_violation(found->schedule, network) == "");
    CHECK(found->cycles == Approx(time_of(found->schedule, network, config.cost)));
    CHECK(found->cycles >= found->bound * (1 - 1e-9));
    const auto again = search_by_time(network, collective, config);
    CHECK(again->schedule == found->schedule);
}

TEST_CASE("what cannot be reached has no schedule, and what makes no sense is refused",
          "[chunk_search][time]")
{
    LinkNetwork one_way{"one way", 2};
    one_way.add_link({0, 1, 1, 1});
    const Collective owed = allgather({.processors = 2});
    CHECK_FALSE(search_by_time(one_way, owed, {}));
    CHECK_FALSE(search_by_time(one_way, allreduce({.processors = 2}), {}));
    CHECK(search_by_time(one_way, scan({.processors = 2}), {}));
    CHECK_THROWS_AS(search_by_time(one_way, allgather({.processors = 3}), {}), std::invalid_argument);
    CHECK_THROWS_AS(search_by_time(one_way, owed, {.cost = {.bytes_per_weight = 0}}), std::invalid_argument);
}

TEST_CASE("the bound of what enters and leaves counts links of unequal speed", "[chunk_search][time]")
{
    LinkNetwork network{"two ways", 2};
    network.add_link({1, 0, 4, 3});
    network.add_links(0, 1, 2, 3);
    // Ten chunks of 8 bytes to node 0: every 2 cycles one over the first link, every 4 over the other one.
    const Collective owed = scatter({.processors = 2, .parts = 10}, 1);
    const auto bound_of = [](const LinkNetwork& links, const Collective& collective, const AlphaBeta& cost) {
        return port_time_bound(links, collective, piece_of(collective), cost).cycles;
    };
    CHECK(bound_of(network, owed, {.bytes_per_weight = 8}) == Approx(3 + 14));
    CHECK(bound_of(network, owed, {.bytes_per_weight = 8, .latency_holds_link = true}) == Approx(30));
    // However it is cut: 80 bytes over 6 a cycle, once both latencies are over.
    CHECK(port_time_bound(network, owed, std::nullopt, {.bytes_per_weight = 8}).cycles ==
          Approx(3 + 80.0 / 6));
    // A broadcast leaves its root once a chunk, a scatter once a chunk of each receiver.
    LinkNetwork star{"star", 4};
    for (const NodeId leaf : {1u, 2u, 3u})
        star.add_links(0, leaf, 1, 0);
    CHECK(bound_of(star, broadcast({.processors = 4, .parts = 6}, 1), {.bytes_per_weight = 8}) ==
          Approx(48 + 8)); // the last goes on
    CHECK(bound_of(star, scatter({.processors = 4, .parts = 6}, 1), {.bytes_per_weight = 8}) ==
          Approx(3 * 48));
}
