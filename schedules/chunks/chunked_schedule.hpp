// A schedule of chunks: what is copied or added where, over which links, when, or after what.
#pragma once

#include "schedules/chunks/link_network.hpp"
#include "schedules/collective/collective.hpp"
#include "schedules/collective/operation.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nocturne {

/// Where in a node's memory. Place c below the number of chunks is chunk c's own; higher places are scratch
/// that a schedule uses as it likes.
using PlaceId = std::uint32_t;

/// What is at one place of one node goes to a place of another node, or of the same one.
struct ChunkTransfer {
    NodeId source;
    NodeId destination;
    PlaceId from;
    PlaceId to;
    Operation operation = Operation::copy;
    /// Links from source to destination, each from where the last one ended, with switches between them that
    /// do not store it. Empty if and only if source and destination are the same.
    std::vector<LinkId> path = {};
    std::uint32_t step = 0;                ///< where steps synchronize, from 0
    std::vector<std::uint32_t> after = {}; ///< where dependencies do: transfers that end before this begins

    friend bool operator==(const ChunkTransfer&, const ChunkTransfer&) = default;
};

enum class ChunkSynchronization {
    steps,        ///< a barrier after each step; what links carry was there when it began
    dependencies, ///< none: a transfer starts when those it waits for are done and the links are free
};

/// Which contribution or result a processor has in a place that is not the chunk's own: files of other tools
/// have input and output buffers.
struct ChunkPlacement {
    std::uint32_t processor;
    ChunkId chunk;
    PlaceId place;

    friend bool operator==(const ChunkPlacement&, const ChunkPlacement&) = default;
};

/// Carries out a collective on a network. Whether it does is for the validator (chunk_validator.hpp).
///
/// Under steps, a step of r rounds lets a link of b units (LinkNetwork::units) carry chunks of a total weight
/// of b r, and all that a step writes is written when it ends: its transfers read what was there when it
/// began. Then its local transfers, from one place of a node to another, take place, in the order in which
/// they are listed: they take no time.
///
/// Under dependencies a transfer reads and writes at any time between its start and its end, and only
/// dependencies, through any number of transfers, order what is read and written. The order of `transfers` is
/// none but on links: a link carries one after the other in this order, and a transfer over several links
/// holds its place in the order of each of them. That says when transfers start, not which of two has ended.
/// So lists of the same transfers are the same schedule if no link carries them in another order.
struct ChunkedSchedule {
    std::string name;
    std::string source;   ///< where it comes from; free text, may be empty
    std::string topology; ///< specification, or the name of the network it was made for
    Collective collective;
    ChunkSynchronization synchronization = ChunkSynchronization::steps;
    std::vector<std::uint32_t> rounds;        ///< of each step, 1 or more; empty under dependencies
    std::vector<ChunkTransfer> transfers;     ///< under steps, in order of these
    std::vector<ChunkPlacement> inputs = {};  ///< contributions that are not in the chunk's own place
    std::vector<ChunkPlacement> outputs = {}; ///< results that are not
    /// Of the largest vector that a processor contributes, for which it was made; nothing: it is not known.
    std::optional<std::uint64_t> bytes = std::nullopt;

    friend bool operator==(const ChunkedSchedule&, const ChunkedSchedule&) = default;
};

/// S and R of a schedule in steps.
std::uint32_t count_steps(const ChunkedSchedule& schedule);
std::uint64_t count_rounds(const ChunkedSchedule& schedule);

/// The weight of what each transfer carries: of what its source holds when the transfer executes, whatever
/// the order of the list under dependencies. Where nothing has come: in a chunk's own place that chunk's, in
/// scratch 0. One per transfer.
std::vector<std::uint32_t> transfer_weights(const ChunkedSchedule& schedule);

/// The schedule run backwards on the network with every link turned round: copies become additions where
/// copies fanned out, and it carries out reversed(collective). Each link that is used needs a partner of the
/// same bandwidth the other way; its latency may be another. Throws std::invalid_argument if there is none,
/// the schedule adds and copies, uses scratch, or waits.
ChunkedSchedule reversed(const ChunkedSchedule& schedule, const LinkNetwork& network);

} // namespace nocturne
