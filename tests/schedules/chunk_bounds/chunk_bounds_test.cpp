#include "models/topology/make_topology.hpp"
#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/chunk_search/exact_sums.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/chunk_search/link_networks.hpp"

#include <cmath>
#include <numeric>

namespace nocturne::chunk_bounds_test {
namespace {

Ratio best_of_all_cuts(const LinkNetwork& network, const Collective& collective)
{
    Ratio best;
    for (std::uint32_t set = 1; set + 1 < 1U << network.node_count(); ++set) {
        NodeCut cut;
        for (NodeId node = 0; node < network.node_count(); ++node)
            if ((set >> node & 1) != 0)
                cut.nodes.push_back(node);
        best = std::max(best, proven_rounds(cut, network, collective).value());
    }
    return best;
}

} // namespace

TEST_CASE("the cut that is found is the best of all", "[chunks][bound]")
{
    SplitMix64 random{GENERATE(range(1U, 41U))};
    const LinkNetwork network = test::random_links(random, {.most_switches = 2});
    const CollectiveShape shape{.processors = network.processor_count(), .parts = 1 + random.below(3)};
    for (const CollectiveKind kind :
         {CollectiveKind::allgather, CollectiveKind::reduce_scatter, CollectiveKind::broadcast,
          CollectiveKind::reduce, CollectiveKind::allreduce}) {
        const Collective collective = test::of_kind(kind, shape, 1);
        const auto bound = best_cut(network, collective);
        REQUIRE(bound);
        CHECK(bound->rounds == best_of_all_cuts(network, collective));
        CHECK_FALSE(refute(*bound, network, collective));
    }
}

TEST_CASE("the lengths that are found prove no less than any cut", "[chunks][bound]")
{
    SplitMix64 random{GENERATE(range(1U, 21U))};
    const LinkNetwork network = test::random_links(random, {.most_switches = 2});
    const Collective collective = alltoall({.processors = network.processor_count(), .parts = 1});
    const auto bound = best_lengths(network, collective);
    REQUIRE(bound);
    CHECK_FALSE(refute(*bound, network, collective));
    CHECK_FALSE(bound->rounds < best_of_all_cuts(network, collective));
}

TEST_CASE("a scan's cut is nearly the best of all, and the exact search finds nothing below it",
          "[chunks][bound]")
{
    SplitMix64 random{GENERATE(range(1U, 41U))};
    const LinkNetwork network = test::random_links(random, {.most_switches = 2});
    CollectiveShape shape{.processors = network.processor_count(), .parts = 1 + random.below(2)};
    const Collective collective = scan(shape);
    const auto bound = best_prefix_cut(network, collective);
    REQUIRE(bound);
    CHECK_FALSE(refute(*bound, network, collective));
    const auto value = [](const Ratio& ratio) {
        return static_cast<double>(ratio.numerator) / static_cast<double>(ratio.denominator);
    };
    CHECK(value(bound->rounds) >= 0.999 * value(best_of_all_cuts(network, collective)));
    const auto whole = static_cast<std::uint32_t>(std::ceil(value(bound->rounds) - 1e-9));
    for (std::uint32_t steps = 1; steps < whole; ++steps) {
        const auto answer = decide_sums(network, collective, {.shape = {steps, whole - 1}});
        CHECK(answer.verdict == Verdict::unsatisfiable);
    }
}

TEST_CASE("whatever sums are owed, no schedule has fewer rounds than any cut asks for", "[chunks][bound]")
{
    SplitMix64 random{GENERATE(range(1U, 41U))};
    const LinkNetwork network = test::random_links(random, {.most_switches = 2});
    const std::uint32_t processors = network.processor_count();
    Collective collective{CollectiveKind::custom, processors, 1, {}, {}};
    std::vector<std::uint32_t> all(processors);
    std::iota(all.begin(), all.end(), 0U);
    collective.chunks.push_back({1, all});
    for (std::uint32_t receiver = 0; receiver < processors; ++receiver) {
        std::vector<std::uint32_t> sum;
        for (const std::uint32_t node : all)
            if (random.below(2) == 0)
                sum.push_back(node);
        if (!sum.empty() && sum != std::vector{receiver})
            collective.demands.push_back({0, receiver, sum});
    }
    if (collective.demands.empty())
        return;
    const Ratio bound = best_of_all_cuts(network, collective);
    const auto whole =
        static_cast<std::uint32_t>((bound.numerator + bound.denominator - 1) / bound.denominator);
    for (std::uint32_t steps = 1; steps < whole; ++steps)
        CHECK(decide_sums(network, collective, {.shape = {steps, whole - 1}}).verdict !=
              Verdict::satisfiable);
}

TEST_CASE("a scan leaves a half of a grid in every row", "[chunks][bound]")
{
    const auto rounds = [](const std::string& name) {
        const LinkNetwork network = link_network_of(make_topology(name));
        return best_prefix_cut(network, scan({.processors = network.processor_count()}))->rounds;
    };
    CHECK(rounds("mesh:8x8") == Ratio{1, 1});    // 8 rows, each with a link across
    CHECK(rounds("torus:8x8") == Ratio{1, 2});   // and two
    CHECK(rounds("hypercube:6") == Ratio{1, 1}); // 32 even members, each with a link to an odd one
    CHECK(rounds("octagon:8") == Ratio{1, 2});   // 4 even members, each with two
    CHECK(rounds("complete:8") == Ratio{1, 4});  // 4 even members, each with four
    CHECK_FALSE(best_prefix_cut(link_network_of(make_topology("ring:4")), allreduce({.processors = 4})));
}

TEST_CASE("nothing is claimed of receivers that cannot be reached, or of other collectives",
          "[chunks][bound]")
{
    LinkNetwork network{"one way", 2};
    network.add_link({0, 1, 1, 0});
    CHECK_FALSE(best_cut(network, allgather({.processors = 2})));
    CHECK_FALSE(best_cut(network, reduce_scatter({.processors = 2})));
    CHECK_FALSE(best_cut(network, allreduce({.processors = 2})));
    CHECK_FALSE(best_lengths(network, alltoall({.processors = 2})));
    const LinkNetwork ring = link_network_of(make_topology("ring:3"));
    CHECK_FALSE(best_cut(ring, scan({.processors = 3})));
    CHECK_FALSE(best_lengths(ring, allgather({.processors = 3})));
    CHECK(best_cut(network, broadcast({.processors = 2}, 0))->rounds == Ratio{1, 1});
}

TEST_CASE("the best bound of an all-reduce on a ring is that of receptions", "[chunks][bound]")
{
    const LinkNetwork network = link_network_of(make_topology("ring:5"));
    const auto bound = best_rounds_bound(network, allreduce({.processors = 5, .parts = 5}));
    REQUIRE(bound);
    CHECK(kind_of(*bound) == "receptions");
    CHECK(bound->rounds == Ratio{4, 1});
}

TEST_CASE("widths and weights near 2^32 give the bound of small ones in the same ratio", "[chunks][bound]")
{
    constexpr std::uint64_t factor = 1'000'000'007; // widths up to 4 of them
    SplitMix64 random{GENERATE(range(1U, 21U))};
    const LinkNetwork small = test::random_links(random, {.most_switches = 2});
    LinkNetwork large{"large", small.processor_count()};
    for (std::size_t i = small.processor_count(); i < small.node_count(); ++i)
        large.add_switch(NodeKind::plain_switch, "switch");
    for (NetworkLink link : small.links()) {
        link.bytes_per_cycle *= factor;
        large.add_link(link);
    }
    large.add_links(0, 1, 1, 0); // the unit is one byte
    std::vector<std::uint32_t> weights, large_weights;
    for (std::uint32_t i = 0; i < small.processor_count(); ++i) {
        weights.push_back(1 + random.below(4));
        large_weights.push_back(weights.back() * static_cast<std::uint32_t>(factor));
    }
    const CollectiveShape shape{.processors = small.processor_count()};
    const bool adds = random.below(2) == 0;
    const Collective of_small = adds ? reduce_scatter(shape, weights) : allgather(shape, weights);
    const Collective of_large = adds ? reduce_scatter(shape, large_weights) : allgather(shape, large_weights);
    const auto expected = best_cut(small, of_small);
    const auto found = best_cut(large, of_large);
    REQUIRE((expected && found));
    CHECK_FALSE(refute(*found, large, of_large));
    const auto value = [](const Ratio& ratio) {
        return static_cast<double>(ratio.numerator) / static_cast<double>(ratio.denominator);
    };
    // A round is the time of weight 1 over a link of one unit: rounds by unit are times.
    CHECK(value(found->rounds) / static_cast<double>(large.unit_bytes_per_cycle()) ==
          Approx(value(expected->rounds) / static_cast<double>(small.unit_bytes_per_cycle())).epsilon(1e-6));
}

TEST_CASE("all-to-all on grids of 256 is bounded by hops, or by what crosses the middle", "[chunks][bound]")
{
    // Without time for flows and programs.
    const auto at_once = end_after({});
    const auto torus = best_rounds_bound(link_network_of(make_topology("torus:16x16")),
                                         alltoall({.processors = 256}), at_once);
    REQUIRE(torus);
    CHECK(torus->rounds == Ratio{512, 1}); // 8 hops on average, over 4 links each
    const auto mesh = best_rounds_bound(link_network_of(make_topology("mesh:16x16")),
                                        alltoall({.processors = 256}), at_once);
    REQUIRE(mesh);
    CHECK(mesh->rounds == Ratio{1024, 1}); // 128 x 128 over 16 links
    const auto oblong =
        best_rounds_bound(link_network_of(make_topology("mesh:4x16")), alltoall({.processors = 64}), at_once);
    REQUIRE(oblong);
    CHECK(oblong->rounds == Ratio{256, 1}); // 32 x 32 over 4 links, between columns
}

TEST_CASE("lengths grow where shortest paths crowd", "[chunks][bound]")
{
    // Two cliques that are shuffled, joined by two links: what crosses needs lengths, or the cut between.
    SplitMix64 random{GENERATE(range(1U, 6U))};
    constexpr std::uint32_t half = 6;
    std::vector<NodeId> node(2 * half);
    for (NodeId i = 0; i < node.size(); ++i)
        node[i] = i;
    for (std::size_t i = node.size(); i > 1; --i)
        std::swap(node[i - 1], node[random.below(static_cast<std::uint32_t>(i))]);
    LinkNetwork network{"barbell", 2 * half};
    for (std::uint32_t a = 0; a < 2 * half; ++a)
        for (std::uint32_t b = a + 1; b < 2 * half; ++b)
            if (a / half == b / half)
                network.add_links(node[a], node[b], 1, 0);
    network.add_links(node[0], node[half], 1, 0);
    network.add_links(node[1], node[half + 1], 1, 0);
    const auto bound = best_lengths(network, alltoall({.processors = 2 * half}));
    REQUIRE(bound);
    CHECK(bound->rounds == Ratio{half * half / 2, 1});
}

} // namespace nocturne::chunk_bounds_test
