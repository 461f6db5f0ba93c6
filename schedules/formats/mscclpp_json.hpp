// MSCCL++'s execution plans, which its executor runs on GPUs (github.com/microsoft/mscclpp).
#pragma once

#include "schedules/schedule/transfer_weights.hpp"

#include <string>

namespace nocturne {

/// The schedule as make_gpu_plan() has it, over memory channels (peer-to-peer access), in chunks of any size.
/// Hops over switches are not in the plan.
///
/// Throws std::invalid_argument for what make_gpu_plan() refuses, and what the executor has no room for
/// (src/core/include/execution_common.hpp at 1f5f065): 64 operations, 16 channels or 16 remote buffers a
/// thread block, 16 semaphores a GPU. Precondition: valid.
std::string to_mscclpp_json(const Schedule& schedule, const LinkNetwork& network);

} // namespace nocturne
