#include "schedules/chunk_trees/chunk_trees.hpp"
#include "schedules/chunk_trees/edge_splitting.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/chunk_search/link_networks.hpp"

#include <atomic>

namespace nocturne::chunk_trees_test {
namespace {

std::uint64_t most_rounds(const Schedule& schedule, const LinkNetwork& network)
{
    std::vector<std::uint64_t> carried(network.link_count(), 0);
    for (const Transfer& transfer : schedule.steps.front())
        for (const LinkId link : transfer.links())
            ++carried[link];
    std::uint64_t most = 0;
    for (LinkId link = 0; link < network.link_count(); ++link)
        most = std::max(most, (carried[link] + network.units(link) - 1) / network.units(link));
    return most;
}

} // namespace

TEST_CASE("trees on random networks carry everything within the rounds of the bound", "[chunks][trees]")
{
    SplitMix64 random{GENERATE(range(1U, 61U))};
    // As much comes into switches as goes out of them.
    const LinkNetwork network = test::random_links(
        random, {.most_switches = 2, .copies = true, .both_ways = true, .most_latency = 4, .most_more = 5});
    CollectiveShape shape{.processors = network.processor_count(), .parts = 1 + random.below(4)};
    if (shape.processors > 3 && random.below(2) == 0)
        shape.group = {0, 2, 3};
    for (const CollectiveKind kind : {CollectiveKind::allgather, CollectiveKind::reduce_scatter,
                                      CollectiveKind::broadcast, CollectiveKind::reduce}) {
        const Collective collective = test::of_kind(kind, shape);
        const auto found = spread_over_trees(network, collective, {.cost = {}, .runs = 2});
        REQUIRE(found);
        CHECK(test::first_violation(found->schedule, network) == "");
        CHECK(found->schedule.collective == collective);
        CHECK(most_rounds(found->schedule, network) <= found->rounds);
        CHECK(found->cycles >= found->bound * (1 - 1e-9));
        CHECK(static_cast<double>(found->rounds) <
              found->bound * static_cast<double>(network.unit_bytes_per_cycle()) + 2);
    }
}

TEST_CASE("64 chunks on networks of GPUs are within 2 % of the best cut", "[chunks][trees]")
{
    // Times are of all data over the printed throughput: 8 GPUs at 2400/7 GB/s, 16 at 1040/3, 7/6 rounds.
    const double bytes = 1e6;
    const auto [network, cycles] = GENERATE_COPY(table<LinkNetwork, double>(
        {{test::a100(1), 8 * 64 * bytes / (2400. / 7)}, {test::dgx1(1, 0), 64 * bytes * 7 / 6}}));
    for (const bool adds : {false, true}) {
        const CollectiveShape shape{.processors = network.processor_count(), .parts = 64};
        const auto collective = adds ? reduce_scatter(shape) : allgather(shape);
        const auto found =
            spread_over_trees(network, collective, {.cost = {.bytes_per_weight = bytes}, .runs = 2});
        REQUIRE(found);
        CHECK(found->bound == Approx(cycles));
        CHECK(found->cycles <= 1.02 * cycles);
        CHECK(test::first_violation(found->schedule, network) == "");
    }
}

TEST_CASE("allgathers of 8 to 32 GPUs are near their bounds", "[chunks][trees]")
{
    struct Row {
        LinkNetwork network;
        std::uint32_t parts;
        double bytes; ///< of a GPU
        double bound;
        double most;
    };
    const Row row = GENERATE_COPY(values<Row>({{test::a100(2), 64, 1040. / 3 * 1e6 / 16, 1e6, 1.02e6},
                                               {test::ndv2(2), 64, 2 * 62.5e6, 40e6, 43.75e6},
                                               {test::ndv2(4), 32, 2 * 31.25e6, 60e6, 66.25e6},
                                               {test::dgx2x2(4), 20, 2 * 31.25e6, 5e6, 5.05e6}}));
    const auto collective = allgather({.processors = row.network.processor_count(), .parts = row.parts});
    const auto found = spread_over_trees(row.network, collective,
                                         {.cost = {.bytes_per_weight = row.bytes / row.parts}, .runs = 2});
    REQUIRE(found);
    CHECK(found->bound == Approx(row.bound));
    CHECK(found->cycles <= row.most);
    CHECK(test::first_violation(found->schedule, row.network) == "");
}

TEST_CASE("trees in boxes carry everything, and no link more than they say", "[chunks][trees]")
{
    const auto seed = GENERATE(range(1U, 61U));
    SplitMix64 random{seed};
    const LinkNetwork network =
        seed % 3 == 0 ? test::rings(2 + random.below(3), 3 + random.below(4)) : test::random_boxes(random);
    const CollectiveShape shape{.processors = network.processor_count(), .parts = 1 + random.below(9)};
    for (const CollectiveKind kind : {CollectiveKind::allgather, CollectiveKind::reduce_scatter,
                                      CollectiveKind::allreduce, CollectiveKind::broadcast}) {
        const Collective collective = test::of_kind(kind, shape);
        const PackedTreesConfig config{.cost = {.bytes_per_weight = 100}, .only_in_boxes = true};
        const auto found = kind == CollectiveKind::allreduce
                               ? all_reduce_over_trees(network, collective, config)
                               : spread_over_trees(network, collective, config);
        CHECK((found || seed % 3 != 0));
        if (!found)
            continue;
        CAPTURE(seed, to_string(kind));
        CHECK(test::first_violation(found->schedule, network) == "");
        CHECK(found->schedule.collective == collective);
        CHECK(most_rounds(found->schedule, network) <= found->rounds);
        CHECK(found->cycles >= found->bound * (1 - 1e-9));
    }
}

TEST_CASE("four boxes of eight in a ring are near the bound of their fabric", "[chunks][trees]")
{
    const LinkNetwork network = test::rings(4, 8);
    for (const CollectiveKind kind :
         {CollectiveKind::allgather, CollectiveKind::reduce_scatter, CollectiveKind::allreduce}) {
        constexpr std::uint32_t parts = 32;
        const bool is_all_reduce = kind == CollectiveKind::allreduce;
        const Collective collective =
            test::of_kind(kind, {.processors = network.processor_count(),
                                 .parts = is_all_reduce ? parts * network.processor_count() : parts});
        const PackedTreesConfig config{.cost = {.bytes_per_weight = 1e6}};
        const auto found = is_all_reduce ? all_reduce_over_trees(network, collective, config)
                                         : spread_over_trees(network, collective, config);
        REQUIRE(found);
        // Each gets a share of 24 others over 16 bytes a cycle: three shares for each member of a box.
        CHECK(found->bound == Approx((is_all_reduce ? 2 : 1) * 3 * parts * 1e6 / 16));
        CHECK(found->cycles <= 1.03 * found->bound);
        CHECK(test::first_violation(found->schedule, network) == "");
    }
}

TEST_CASE("what trees cannot carry is left to others", "[chunks][trees]")
{
    LinkNetwork network{"one way", 3};
    network.add_link({0, 1, 1, 0});
    network.add_link({1, 2, 1, 0});
    CHECK_FALSE(spread_over_trees(network, allgather({.processors = 3}), {}));
    CHECK_FALSE(spread_over_trees(network, alltoall({.processors = 3}), {}));
    CHECK_FALSE(spread_over_trees(network, allreduce({.processors = 3}), {}));
    const std::vector<std::uint32_t> weights{2, 1, 1};
    network.add_link({2, 0, 1, 0});
    CHECK_FALSE(spread_over_trees(network, allgather({.processors = 3}, weights), {}));
    CHECK(spread_over_trees(network, allgather({.processors = 3}), {}));
    CHECK_FALSE(spread_over_trees(network, allgather({.processors = 3}), {.cost = {}, .packing_work = 1}));
    CHECK_FALSE(spread_over_trees(network, allreduce({.processors = 3}), {}));
}

TEST_CASE("at the end no pair of edges is split off any more", "[chunks][trees]")
{
    // Four processors at two switches that are joined.
    LinkNetwork network{"switches", 4};
    const NodeId first = network.add_switch(NodeKind::plain_switch, "a");
    const NodeId second = network.add_switch(NodeKind::plain_switch, "b");
    network.add_links(first, second, 2, 1);
    for (const NodeId node : {0U, 1U, 2U, 3U})
        network.add_links(node, node < 2 ? first : second, 1, 1);
    const Collective collective = allgather({.processors = 4});
    const SpreadToAll spread = spread_of(collective).value();
    const std::vector<SplitEdge> links = edges_of_links(network, spread, 3, 0);
    CHECK_FALSE(split_off_others(network, spread, links).empty());
    const std::atomic<bool> stop = true;
    const SearchEnd end{.stop = &stop};
    CHECK(least_reception(links, spread, network.node_count(), end) == 0);
    CHECK(split_off_others(network, spread, links, end).empty());
    CHECK_FALSE(spread_over_trees(network, collective, {.cost = {}, .end = end}));
}

} // namespace nocturne::chunk_trees_test
