// What GPUs do in a schedule of chunks where they reach into each other's memory, and what waits for what.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/formats/gpu_buffers.hpp"
#include "schedules/schedule/transfer_weights.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne {

using OperationId = std::uint32_t;
using BlockId = std::uint32_t; ///< of a thread block, over all GPUs

/// How many operations of each block are known to be over.
using VectorClock = std::vector<std::uint32_t>;

struct PlanOperation {
    enum class Kind {
        begin,
        put, ///< into the memory of the GPU that the block is for
        copy,
        add,
        read_and_add, ///< what is in the memory of that GPU
        end,
    };

    Kind kind;
    BlockId block;
    std::uint32_t position; ///< in its block
    BufferPlace source;
    BufferPlace destination;
    VectorClock over = {};    ///< when it begins
    std::int64_t hazard = -1; ///< position in its block of what must be over before it; -1: nothing
    std::vector<std::size_t> acquired = {}, released = {}; ///< semaphores of the GPU
    std::vector<std::size_t> awaited = {}, signalled = {}; ///< channels of the block
};

struct PlanBlock {
    std::uint32_t gpu;
    std::uint32_t peer; ///< the GPU itself: of what is local
    std::vector<OperationId> operations = {};
    std::vector<std::uint32_t> channels = {}; ///< indices of those of its GPU
};

struct PlanGpu {
    std::vector<BlockId> blocks;
    std::vector<std::uint32_t> connected_to; ///< by channel
    std::size_t semaphores = 0;
    std::uint32_t scratch_chunks = 0;
};

struct GpuPlan {
    std::uint32_t input_chunks, output_chunks; ///< of each GPU
    std::vector<PlanGpu> gpus;
    std::vector<PlanBlock> blocks;
    std::vector<PlanOperation> operations; ///< those of a block in order
};

/// A GPU has a thread block for each GPU that it exchanges data with, and one for what it copies for itself.
/// Copies are put into the memory of the next GPU, sums are read from there. An operation waits for another
/// one of another block, over a channel between GPUs or a semaphore within one, where both use a chunk, one
/// of them to write it, unless that follows from what the block has waited for before; and it uses the memory
/// of another GPU only between the beginning and the end of its kernel. The signals of a channel (semaphore)
/// are in the order of the waits. What a step reads and writes at once goes through scratch.
///
/// Throws std::invalid_argument for what GpuBuffers refuses (with `format`), more than 256 GPUs, and more
/// than `most_transfers` from a GPU to another. Precondition: valid.
GpuPlan make_gpu_plan(const Schedule& schedule, const LinkNetwork& network, std::string_view format,
                      std::size_t most_transfers);

} // namespace nocturne
