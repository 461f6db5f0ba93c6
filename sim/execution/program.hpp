// What the DMA engines of all processors do, in the one form in which it runs: tasks that send messages, what
// each of them waits for, and what is copied or added when it ends.
#pragma once

#include "models/network/configuration.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/link_network.hpp"
#include "schedules/schedule/transfer_order.hpp"
#include "sim/execution/memories.hpp"
#include "sim/execution/workload.hpp"

#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

namespace nocturne {

using TaskId = std::uint32_t;

/// Stands for no task, processor or step.
inline constexpr std::uint32_t no_number = ~0u;

/// What is in a slot of the source goes to a slot of the destination.
struct ProgramMessage {
    ProcessorId source;
    ProcessorId destination;
    const Route* route; ///< of the program or of the workload that it was made of; null: routers choose it
    std::uint64_t bytes;
    SlotId from;
    SlotId to;
    Operation operation; ///< when all of it has come
    TaskId sender;       ///< its task
    TaskId awaited_by;   ///< the task that it has to come to
};

/// Within a memory, in no time.
struct LocalOperation {
    SlotId from;
    SlotId to;
    std::uint64_t bytes;
    Operation operation;
};

/// Begins when all that it waits for has been, and its links have room for its rate (LinkShares), takes its
/// start-up time if it has something to send, sends all of its messages at once, and ends when these have
/// left and as many have come as it expects. Then its local operations take place, one after the other.
struct ProgramTask {
    std::uint32_t messages = 0;        ///< its first; up to those of the next task
    std::uint32_t locals = 0;          ///< likewise
    std::uint32_t waits = 0;           ///< for so many ends and begins of tasks, and releases of links
    std::uint32_t expected = 0;        ///< messages
    ProcessorId processor = no_number; ///< whose steps are tasks one after the other; or nothing
    std::uint32_t step = no_number;    ///< whose time it counts for; or nothing
    bool starts_up = false;
};

struct Program {
    std::vector<ProgramTask> tasks; ///< and one more, whose messages and locals are behind the last
    std::vector<ProgramMessage> messages;
    std::vector<LocalOperation> locals;
    Followers after_end{0, {}}; ///< tasks that wait for the end of a task
    // Of a schedule of chunks; empty of a workload.
    const LinkNetwork* network = nullptr;
    std::vector<std::span<const LinkId>> links; ///< by task; of the schedule
    std::vector<std::uint64_t> hold_cycles;     ///< from its begin until it gives its share of them back
    Followers after_hold{0, {}};                ///< tasks that are next on a link that one of the two fills
    Followers after_begin{0, {}};               ///< tasks that are next on a link that they may share
    std::vector<TaskId> first;                  ///< wait for nothing; begun in this order
    std::uint32_t steps = 0;
    bool has_barriers = false;                 ///< processors are done together
    std::vector<TaskId> task_of_transfer = {}; ///< of a schedule of chunks
    /// By task: before this cycle it does not begin; empty if all may from 0 on.
    std::vector<std::uint64_t> release_cycles = {};
    std::deque<Route> routes = {}; ///< those of messages that no workload has

    std::size_t task_count() const { return tasks.size() - 1; }

    // While it is made.

    /// Whose messages and local operations come next.
    ProgramTask next_task() const
    {
        return {.messages = static_cast<std::uint32_t>(messages.size()),
                .locals = static_cast<std::uint32_t>(locals.size())};
    }
    /// When all tasks are there, with the ends that they wait for (before, after).
    void close(std::span<const std::pair<std::uint32_t, std::uint32_t>> ends);
};

/// How many bytes chunks have.
struct ChunkSizes {
    std::uint64_t bytes_per_weight; ///< of a chunk of weight 1

    std::uint64_t of(const Collective& collective, ChunkId chunk) const
    {
        return bytes_per_weight * collective.chunks[chunk].weight;
    }
};

// Workloads: messages of a collective in steps.

/// The places that a workload uses, besides those of contributions.
std::vector<PlaceUse> places_of(const Workload& workload, const Collective& collective, ChunkSizes sizes);

/// Each step of an engine becomes a task. Barriers are tasks that send nothing: under one, a step in which an
/// engine does nothing is none. Messages of the workload that the collective does not have (probes) take
/// `sizes.bytes_per_weight`. `memories` must have the places. The workload must outlive the program.
Program program_of(const Workload& workload, const Collective& collective, ChunkSizes sizes,
                   const Memories& memories);

// Schedules of chunks.

/// The places that it uses. Throws std::invalid_argument for a schedule that stores something in a switch.
std::vector<PlaceUse> places_of_chunks(const Schedule& schedule, ChunkSizes sizes);

/// Each transfer becomes a task that begins when those it waits for have ended, and its links have room for
/// its rate beside their earlier transfers, and not before what it reads is released; under steps also when
/// the step before has ended, whose local transfers then take place. t0 is the start-up of each transfer.
/// `schedule` must be staged (stage_steps()), and outlive the program, as the network must.
Program program_of_chunks(const Schedule& schedule, const Topology& topology, const LinkNetwork& network,
                          const HardwareConfig& hardware, ChunkSizes sizes, const Memories& memories);

} // namespace nocturne
