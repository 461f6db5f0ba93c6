// Collectives in chunks that may be added: who contributes what, and who must have which contributions.
#pragma once

#include "schedules/chunks/processor_list.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

using ChunkId = std::uint32_t;

/// The part of a vector that travels as one. A chunk that is not reduced has one contributor, its origin; one
/// that is reduced has several, whose contributions are added on the way.
struct Chunk {
    std::uint32_t weight = 1;   ///< its size in units of the collective's smallest part, 1 or more
    ProcessorList contributors; ///< ascending, at least one

    friend bool operator==(const Chunk&, const Chunk&) = default;
};

/// `receiver` has the sum of exactly these contributions to `chunk` at the end.
struct ChunkDemand {
    ChunkId chunk;
    std::uint32_t receiver;     ///< processor
    ProcessorList contributors; ///< ascending, a subset of the chunk's

    friend bool operator==(const ChunkDemand&, const ChunkDemand&) = default;
};

enum class ChunkedKind {
    broadcast,
    scatter,
    gather,
    reduce,
    allgather,
    reduce_scatter,
    allreduce,
    alltoall,
    scan,
    custom, ///< several at once, or what a file lists
};

/// What is owed. Contributor p of a chunk holds its contribution in the chunk's own place when all begins. A
/// receiver that is owed exactly what it contributes itself is not listed.
struct ChunkedCollective {
    ChunkedKind kind = ChunkedKind::custom;
    std::uint32_t processors = 0;
    std::uint32_t parts = 1; ///< C: equal parts that each block of the collective is cut into
    std::vector<Chunk> chunks = {};
    std::vector<ChunkDemand> demands = {}; ///< by (chunk, receiver)

    friend bool operator==(const ChunkedCollective&, const ChunkedCollective&) = default;
};

/// Where a collective takes place, and in how many parts.
struct ChunkedShape {
    std::uint32_t processors;              ///< of the network
    std::uint32_t parts = 1;               ///< C, 1 or more
    std::vector<std::uint32_t> group = {}; ///< ascending; empty = all processors
};

// Each throws std::invalid_argument for a group of fewer than two, unordered, or with a processor that does
// not exist, a root outside the group, no parts, sizes of the wrong number, or more than max_chunks chunks or
// results.
// Chunk ids: block by block in the order of the group, the parts of a block in a row. Weights of 0 in vector
// forms give a pair no chunk.

inline constexpr std::size_t max_chunks = std::size_t{1} << 24;

/// One block of C chunks, from the root to all (from all to the root, added up).
ChunkedCollective chunked_broadcast(const ChunkedShape& shape, std::uint32_t root);
ChunkedCollective chunked_reduce(const ChunkedShape& shape, std::uint32_t root);
/// A block for (from) each other member: n-1 blocks.
ChunkedCollective chunked_scatter(const ChunkedShape& shape, std::uint32_t root);
ChunkedCollective chunked_gather(const ChunkedShape& shape, std::uint32_t root);
/// A block of each member to all; `weights`, one a member, makes it allgatherv.
ChunkedCollective chunked_allgather(const ChunkedShape& shape, std::span<const std::uint32_t> weights = {});
/// n blocks that all contribute to; member i has the sum of block i at the end.
ChunkedCollective chunked_reduce_scatter(const ChunkedShape& shape,
                                         std::span<const std::uint32_t> weights = {});
/// C chunks that all contribute to and all have the sum of: the whole vector is one block.
ChunkedCollective chunked_allreduce(const ChunkedShape& shape);
/// A block from each member to each other; `weights`, row by row, one a pair with the diagonal ignored, makes
/// it alltoallv.
ChunkedCollective chunked_alltoall(const ChunkedShape& shape, std::span<const std::uint32_t> weights = {});
/// C chunks; member i has the sum of the contributions of the members up to itself (MPI_Scan).
ChunkedCollective chunked_scan(const ChunkedShape& shape);

/// How many results a collective of that kind is owed, of so many members, in so many parts: as many demands
/// as it has. None for ChunkedKind::custom, which is spelled out.
std::uint64_t results_of(ChunkedKind kind, std::uint64_t members, std::uint64_t parts);

/// The collective of that kind; broadcast, reduce, scatter and gather need the root. Throws as the functions
/// above, and for ChunkedKind::custom.
ChunkedCollective make_chunked_collective(ChunkedKind kind, const ChunkedShape& shape,
                                          std::optional<std::uint32_t> root = std::nullopt);
bool needs_root(ChunkedKind kind);

/// Several collectives on the same network at once: chunks of the second follow those of the first. Throws
/// std::invalid_argument if they are for different numbers of processors, or cut into different parts.
ChunkedCollective at_once(const ChunkedCollective& first, const ChunkedCollective& second);

/// Is some chunk contributed to by several processors: is anything added?
bool reduces(const ChunkedCollective& collective);

/// Each demand turned round: who received contributes, who contributed receives the sum. Allgather becomes
/// reduce-scatter, broadcast reduce, scatter gather, alltoall alltoall. A schedule turned round with it
/// (reversed()) stays valid. A chunk that is owed to none keeps one contributor, so that what adds becomes
/// what copies. Throws std::invalid_argument unless every chunk has one contributor and is owed whole, or
/// every demand is for all contributions and no chunk has two receivers.
ChunkedCollective reversed(const ChunkedCollective& collective);

/// `allreduce`, `reduce-scatter`, …; parsing ignores case, hyphens and underscores and throws
/// std::invalid_argument with the list of kinds.
std::string_view to_string(ChunkedKind kind);
ChunkedKind parse_chunked_kind(std::string_view text);

} // namespace nocturne
