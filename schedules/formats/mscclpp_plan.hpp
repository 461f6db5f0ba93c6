// An execution plan of MSCCL++ as its executor takes it (github.com/microsoft/mscclpp at 00668b4,
// src/core/executor/execution_plan.cc and src/core/include/execution_kernel.hpp). Of use inside this module
// only.
#pragma once

#include "schedules/formats/msccl_program.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// What an operation moves, and what of it the other GPUs see.
struct PlanAction {
    std::string_view name;
    enum class Kind {
        none,    ///< `nop`: all threads of the block wait for each other
        barrier, ///< so do several blocks of the GPU
        signal,
        wait,
        flush,
        acquire,
        release,
        put,    ///< from here into the memory of others, place by place
        get,    ///< from the memory of others
        reduce, ///< the first source and all others, added up, to the destinations
    } kind;
    bool reads_packets = false;  ///< sources but the first, or the only one: waits until they are there
    bool sends_packets = false;  ///< into the memory of others
    bool keeps_packets = false;  ///< its second destination is one of packets, here
    bool has_data_result = true; ///< its first destination is no packet
    bool signals = false;        ///< what it has put is known to be there with the signal that it sends
};

/// Consecutive chunks of a buffer of some GPU.
struct PlanPlaces {
    std::uint32_t gpu;
    char buffer; ///< i, o or s
    std::uint32_t first;
    std::uint32_t count;
};

struct PlanStep {
    const PlanAction* action;
    bool is_over_port = false;
    std::vector<PlanPlaces> sources = {}, destinations = {};
    std::vector<std::uint32_t> ids = {}; ///< channels of the GPU, of the type; or semaphores
    std::uint32_t barrier = 0, blocks = 0;
};

struct PlanThreadBlock {
    std::vector<PlanStep> steps;
};

/// One end of a connection.
struct PlanChannel {
    std::uint32_t peer;
    std::optional<std::uint32_t> at_peer; ///< its number there; none: the peer does not use it
};

struct PlanRank {
    std::array<std::vector<PlanChannel>, 2> channels; ///< of memory, and of ports
    std::vector<std::uint32_t> semaphores;            ///< their initial values
    std::vector<PlanThreadBlock> blocks;
};

struct MscclppPlan {
    MscclProgram program; ///< its name, buffers and collective; no thread blocks
    std::vector<PlanRank> ranks;
    std::vector<Violation> violations; ///< what the executor has no room for
};

/// For so many GPUs (`network` has them, for messages). Chunks that thread blocks share are cut until each
/// has whole ones. A pipeline is read as its operations, once for all that it repeats them for. Throws
/// std::runtime_error, one line that begins with `origin` and says where, for what is no plan, names what
/// does not exist, multicasts or adds in switches, and for other collectives than allreduce, allgather,
/// reducescatter and alltoall.
MscclppPlan read_mscclpp_plan(std::string_view text, std::string_view origin, std::uint32_t processors,
                              const std::string& network);

} // namespace nocturne
