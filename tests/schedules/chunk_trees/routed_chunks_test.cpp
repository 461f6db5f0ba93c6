#include "models/topology/make_topology.hpp"
#include "schedules/chunk_bounds/chunk_bounds.hpp"
#include "schedules/chunk_trees/routed_chunks.hpp"
#include "schedules/chunks/chunk_validator.hpp"
#include "tests/schedules/chunk_trees/gpu_networks.hpp"

#include <catch2/catch.hpp>

namespace nocturne::chunk_trees_test {

TEST_CASE("all-to-all on a DGX-1: 3 chunks a pair in 8 steps and 8 rounds, the cut's", "[chunks][routed]")
{
    const LinkNetwork network = dgx1();
    const ChunkedCollective collective = chunked_alltoall({.processors = 8, .parts = 3});
    const auto found = route_in_steps(network, collective, {.cost = {}});
    REQUIRE(found);
    CHECK(validate(found->schedule, network).empty());
    CHECK(count_steps(found->schedule) == 8);
    CHECK(count_rounds(found->schedule) == 8);
    const auto bound = best_chunk_bound(network, collective);
    REQUIRE(bound);
    CHECK(bound->rounds == Ratio{8, 1});
    CHECK_FALSE(refute(*bound, network, collective));
}

TEST_CASE("all-to-all of 8 and 16 GPUs is near its bound in time", "[chunks][routed]")
{
    struct Row {
        LinkNetwork network;
        std::uint32_t parts;
        double bytes; ///< of a chunk
        double bound; ///< cycles
        double most;
    };
    const Row row = GENERATE_COPY(values<Row>(
        {{ndv2(2), 1, 2 * 62.5e6, 320e6, 320.05e6}, {dgx2x2(4), 16, 2 * 31.25e6 / 16, 20e6, 20.1e6}}));
    const ChunkedCollective collective =
        chunked_alltoall({.processors = row.network.processor_count(), .parts = row.parts});
    const AlphaBeta cost{.bytes_per_weight = row.bytes};
    const auto found = route_in_time(row.network, collective, {.cost = cost, .runs = 2});
    REQUIRE(found);
    CHECK(validate(found->schedule, row.network).empty());
    CHECK(found->cycles <= row.most);
    CHECK(found->cycles >= row.bound);
    const auto bound = best_chunk_bound(row.network, collective);
    REQUIRE(bound);
    CHECK(static_cast<double>(bound->rounds.numerator) / static_cast<double>(bound->rounds.denominator) *
              row.bytes / static_cast<double>(row.network.unit_bytes_per_cycle()) ==
          Approx(row.bound));
}

TEST_CASE("scatter, gather and all-to-all are routed on every network, others are not", "[chunks][routed]")
{
    const auto text = GENERATE("ring:5", "mesh:3x3", "hypercube:3", "octagon:8");
    const LinkNetwork network = link_network_of(make_topology(text));
    const ChunkedShape shape{.processors = network.processor_count(), .parts = 2};
    for (const ChunkedCollective& collective :
         {chunked_scatter(shape, 1), chunked_gather(shape, 2), chunked_alltoall(shape)}) {
        const auto in_time = route_in_time(network, collective, {.cost = {}, .runs = 1});
        const auto in_steps = route_in_steps(network, collective, {.cost = {}, .runs = 1});
        REQUIRE(in_time);
        REQUIRE(in_steps);
        CHECK(validate(in_time->schedule, network).empty());
        CHECK(validate(in_steps->schedule, network).empty());
    }
    CHECK_FALSE(route_in_time(network, chunked_allgather(shape), {}));
    CHECK_FALSE(route_in_steps(network, chunked_reduce(shape, 0), {}));
}

} // namespace nocturne::chunk_trees_test
