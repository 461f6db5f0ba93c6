#include "schedules/chunks/chunked_collective.hpp"

#include <catch2/catch.hpp>

using namespace nocturne;

TEST_CASE("collectives owe as many chunks as MPI says", "[chunks][collective]")
{
    const ChunkedShape shape{.processors = 6, .parts = 3, .group = {0, 2, 3, 5}};
    const auto [kind, chunks, demands] =
        GENERATE(table<ChunkedKind, std::size_t, std::size_t>({{ChunkedKind::broadcast, 3, 9},
                                                               {ChunkedKind::reduce, 3, 3},
                                                               {ChunkedKind::scatter, 9, 9},
                                                               {ChunkedKind::gather, 9, 9},
                                                               {ChunkedKind::allgather, 12, 36},
                                                               {ChunkedKind::reduce_scatter, 12, 12},
                                                               {ChunkedKind::allreduce, 3, 12},
                                                               {ChunkedKind::alltoall, 36, 36},
                                                               {ChunkedKind::scan, 3, 9}}));
    const auto collective = make_chunked_collective(
        kind, shape, needs_root(kind) ? std::optional<std::uint32_t>{2} : std::nullopt);
    CHECK(collective.chunks.size() == chunks);
    CHECK(collective.demands.size() == demands);
}

TEST_CASE("turned round twice a collective is itself", "[chunks][collective]")
{
    const std::uint32_t processors = GENERATE(2u, 3u, 7u);
    const auto kind =
        GENERATE(ChunkedKind::broadcast, ChunkedKind::reduce, ChunkedKind::scatter, ChunkedKind::gather,
                 ChunkedKind::allgather, ChunkedKind::reduce_scatter, ChunkedKind::alltoall);
    const auto collective =
        make_chunked_collective(kind, {.processors = processors, .parts = 2},
                                needs_root(kind) ? std::optional<std::uint32_t>{1} : std::nullopt);
    CHECK(reversed(reversed(collective)) == collective);
}

TEST_CASE("allgather turned round is reduce-scatter", "[chunks][collective]")
{
    const std::uint32_t processors = GENERATE(2u, 5u);
    CHECK(reversed(chunked_allgather({.processors = processors, .parts = 2})) ==
          chunked_reduce_scatter({.processors = processors, .parts = 2}));
}

TEST_CASE("turned round, what adds copies, also a chunk that is owed to none", "[chunks][collective]")
{
    ChunkedCollective collective = chunked_reduce({.processors = 3, .parts = 2}, 0);
    collective.demands.pop_back();
    CHECK(reduces(collective));
    CHECK_FALSE(reduces(reversed(collective)));
}

TEST_CASE("demands for the same sum share their list of contributors", "[chunks]")
{
    const ChunkedCollective collective = chunked_allreduce({.processors = 4, .parts = 3});
    const std::vector<std::uint32_t>& first = collective.demands.front().contributors;
    for (const ChunkDemand& demand : collective.demands) {
        const std::vector<std::uint32_t>& other = demand.contributors;
        CHECK(&other == &first);
    }
    CHECK(ProcessorList{1, 2} == ProcessorList{1, 2});
    CHECK(ProcessorList{1, 2} != ProcessorList{1, 3});
    CHECK(ProcessorList().empty());
}
