#include "models/routing/random.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/chunk_bounds/chunk_bounds.hpp"

#include <catch2/catch.hpp>

namespace nocturne::chunk_bounds_test {
namespace {

LinkNetwork random_network(SplitMix64& random)
{
    LinkNetwork network{"random", 2 + random.below(4)};
    for (std::uint32_t i = random.below(3); i > 0; --i)
        network.add_switch(NodeKind::plain_switch, "switch");
    const auto nodes = static_cast<std::uint32_t>(network.node_count());
    for (NodeId node = 0; node < nodes; ++node) // a ring, so that all are reached, and more
        network.add_link({node, (node + 1) % nodes, 1 + random.below(3), 0});
    for (std::uint32_t i = random.below(8); i > 0; --i) {
        const NodeId node = random.below(nodes);
        network.add_link({node, (node + 1 + random.below(nodes - 1)) % nodes, 1 + random.below(4), 0});
    }
    return network;
}

Ratio best_of_all_cuts(const LinkNetwork& network, const ChunkedCollective& collective)
{
    Ratio best;
    for (std::uint32_t set = 1; set + 1 < 1U << network.node_count(); ++set) {
        ChunkBound bound;
        for (NodeId node = 0; node < network.node_count(); ++node)
            if ((set >> node & 1) != 0)
                bound.cut.push_back(node);
        best = std::max(best, proven_rounds(bound, network, collective).value());
    }
    return best;
}

} // namespace

TEST_CASE("the cut that is found is the best of all", "[chunks][bound]")
{
    SplitMix64 random{GENERATE(range(1U, 41U))};
    const LinkNetwork network = random_network(random);
    const ChunkedShape shape{.processors = network.processor_count(), .parts = 1 + random.below(3)};
    for (const ChunkedKind kind : {ChunkedKind::allgather, ChunkedKind::reduce_scatter,
                                   ChunkedKind::broadcast, ChunkedKind::reduce, ChunkedKind::allreduce}) {
        const ChunkedCollective collective =
            make_chunked_collective(kind, shape, needs_root(kind) ? std::optional{1U} : std::nullopt);
        const auto bound = best_cut(network, collective);
        REQUIRE(bound);
        CHECK(bound->rounds == best_of_all_cuts(network, collective));
        CHECK_FALSE(refute(*bound, network, collective));
    }
}

TEST_CASE("the lengths that are found prove no less than any cut", "[chunks][bound]")
{
    SplitMix64 random{GENERATE(range(1U, 21U))};
    const LinkNetwork network = random_network(random);
    const ChunkedCollective collective =
        chunked_alltoall({.processors = network.processor_count(), .parts = 1});
    const auto bound = best_lengths(network, collective);
    REQUIRE(bound);
    CHECK_FALSE(refute(*bound, network, collective));
    CHECK_FALSE(bound->rounds < best_of_all_cuts(network, collective));
}

TEST_CASE("nothing is claimed of receivers that cannot be reached, or of other collectives",
          "[chunks][bound]")
{
    LinkNetwork network{"one way", 2};
    network.add_link({0, 1, 1, 0});
    CHECK_FALSE(best_cut(network, chunked_allgather({.processors = 2})));
    CHECK_FALSE(best_cut(network, chunked_reduce_scatter({.processors = 2})));
    CHECK_FALSE(best_cut(network, chunked_allreduce({.processors = 2})));
    CHECK_FALSE(best_lengths(network, chunked_alltoall({.processors = 2})));
    const LinkNetwork ring = link_network_of(make_topology("ring:3"));
    CHECK_FALSE(best_cut(ring, chunked_scan({.processors = 3})));
    CHECK_FALSE(best_lengths(ring, chunked_allgather({.processors = 3})));
    CHECK(best_cut(network, chunked_broadcast({.processors = 2}, 0))->rounds == Ratio{1, 1});
}

TEST_CASE("the best bound of an all-reduce on a ring is that of receptions", "[chunks][bound]")
{
    const LinkNetwork network = link_network_of(make_topology("ring:5"));
    const auto bound = best_chunk_bound(network, chunked_allreduce({.processors = 5, .parts = 5}));
    REQUIRE(bound);
    CHECK(bound->kind == ChunkBoundKind::receptions);
    CHECK(bound->rounds == Ratio{4, 1});
}

} // namespace nocturne::chunk_bounds_test
