#include "models/topology/make_topology.hpp"
#include "schedules/chunk_portfolio/chunk_portfolio.hpp"

#include <catch2/catch.hpp>

namespace nocturne::chunk_portfolio_test {

namespace {

ChunkRequest request_for(ChunkedKind kind, std::uint32_t processors, ChunkObjective objective)
{
    ChunkRequest request;
    request.of_parts = [=](std::uint32_t parts) {
        return make_chunked_collective(kind, {.processors = processors, .parts = parts},
                                       needs_root(kind) ? std::optional{0U} : std::nullopt);
    };
    request.objective = objective;
    request.seconds = 20;
    return request;
}

} // namespace

TEST_CASE("every collective has a schedule for every objective", "[chunks][portfolio]")
{
    const LinkNetwork network = link_network_of(make_topology("ring:4"));
    const auto kind = GENERATE(ChunkedKind::broadcast, ChunkedKind::scatter, ChunkedKind::gather,
                               ChunkedKind::reduce, ChunkedKind::allgather, ChunkedKind::reduce_scatter,
                               ChunkedKind::allreduce, ChunkedKind::alltoall, ChunkedKind::scan);
    for (const auto objective : {ChunkObjective::steps, ChunkObjective::time}) {
        ChunkRequest request = request_for(kind, 4, objective);
        request.parts = 1;
        const auto found = find_chunked_schedule(network, request);
        INFO(to_string(kind) << " for " << to_string(objective));
        REQUIRE(found); // which has been validated
        CHECK(found->schedule.collective == request.of_parts(1));
        CHECK(found->cycles == Approx(time_of(found->schedule, network, found->cost)));
    }
}

TEST_CASE("objectives are reached on a ring whose best schedules everybody knows", "[chunks][portfolio]")
{
    const LinkNetwork network = link_network_of(make_topology("ring:5"));
    const auto steps =
        find_chunked_schedule(network, request_for(ChunkedKind::allgather, 5, ChunkObjective::steps));
    REQUIRE(steps);
    CHECK(count_steps(steps->schedule) == 2);
    CHECK(count_rounds(steps->schedule) == 2);
    CHECK(steps->is_optimal);
    // Four vectors come in over two links: two rounds a chunk.
    const auto bandwidth =
        find_chunked_schedule(network, request_for(ChunkedKind::allgather, 5, ChunkObjective::bandwidth));
    REQUIRE(bandwidth);
    CHECK(count_rounds(bandwidth->schedule) == 2 * bandwidth->schedule.collective.parts);
    CHECK(bandwidth->is_optimal);
}

TEST_CASE("the bytes are those of the largest vector that a processor contributes", "[chunks][portfolio]")
{
    CHECK(largest_contribution(chunked_allgather({.processors = 5, .parts = 3})) == 3);
    CHECK(largest_contribution(chunked_reduce_scatter({.processors = 5, .parts = 3})) == 15);
    CHECK(largest_contribution(chunked_alltoall({.processors = 5, .parts = 3})) == 12);
    CHECK(largest_contribution(chunked_allreduce({.processors = 5, .parts = 3})) == 3);
    ChunkRequest request = request_for(ChunkedKind::allgather, 4, ChunkObjective::time);
    request.parts = 2;
    request.bytes = 800;
    const auto found = find_chunked_schedule(link_network_of(make_topology("complete:4")), request);
    REQUIRE(found);
    CHECK(found->cost.bytes_per_weight == Approx(400));
    // Both chunks of each neighbour over its own link of 4 bytes a cycle, and a cycle of latency.
    CHECK(found->cycles == Approx(201));
    CHECK(found->is_optimal);
    request.bytes = 0;
    CHECK_THROWS_AS(find_chunked_schedule(link_network_of(make_topology("complete:4")), request),
                    std::invalid_argument);
}

TEST_CASE("an all-to-all by time goes over the best flow", "[chunks][portfolio]")
{
    const LinkNetwork network = link_network_of(make_topology("mesh:4x4"));
    ChunkRequest request = request_for(ChunkedKind::alltoall, 16, ChunkObjective::time);
    request.parts = 4;
    request.bytes = 15 * 64000;
    const auto found = find_chunked_schedule(network, request);
    REQUIRE(found);
    CHECK(found->engine == "flow");
    // 64 blocks of 64000 bytes cross the middle over 4 links of 4 bytes a cycle.
    REQUIRE(found->claims.time);
    CHECK(found->claims.time->kind == TimeClaimKind::rounds);
    CHECK(found->claims.time->cycles == Approx(256000));
    CHECK(found->cycles < 1.01 * 256000);
}

} // namespace nocturne::chunk_portfolio_test
