// A program in MSCCL's XML as its executors take it (github.com/Azure/msccl-executor-nccl at c6f6b36,
// src/misc/msccl/msccl_parser.cc and src/device/msccl_kernel.cu; github.com/microsoft/msccl at b23e9cd).
// Of use inside this room only.
#pragma once

#include "schedules/formats/xml_place.hpp"
#include "schedules/schedule/validator.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nocturne {

/// What a step of a type does with each of its chunks, in this order.
struct MscclStepKind {
    std::string_view name;
    bool receives = false;
    bool reads_source = false;      ///< and adds it to what has come
    bool reads_destination = false; ///< and adds the source to it
    bool stores = false;            ///< the result at the destination
    bool sends = false;             ///< the result
};

/// A chunk of a buffer; which memory that is depends on whether the collective is called in place.
struct MscclOperand {
    char buffer = 'i'; ///< i, o or s
    std::uint32_t offset = 0;
};

struct MscclStep {
    XmlPlace place;
    const MscclStepKind* kind;                  ///< of `nop`: none
    MscclOperand source = {}, destination = {}; ///< of the first chunk
    std::uint32_t count;                        ///< chunks: 0 to 71
    /// Thread block and number of a step.
    std::optional<std::pair<std::uint32_t, std::uint32_t>> waits_for = std::nullopt;
    bool sets_flag;
    std::uint32_t number; ///< what its flag says: the executor counts steps in its own way
    // Of what it receives, if the file has it; of no use to executors.
    std::optional<std::vector<LinkId>> path = std::nullopt;
    std::optional<std::uint32_t> turn = std::nullopt; ///< among all that links carry
};

struct MscclBlock {
    XmlPlace place;
    std::int32_t send, receive; ///< GPUs, or -1
    std::uint32_t channel;
    std::vector<MscclStep> steps;
};

struct MscclGpu {
    std::uint32_t scratch_chunks = 0;
    std::vector<MscclBlock> blocks;
};

struct MscclProgram {
    std::string name;
    CollectiveKind kind;       ///< allreduce, allgather, reduce_scatter or alltoall
    std::uint32_t chunks;      ///< of the whole vector
    std::uint32_t parts;       ///< of a block; of the vector for allreduce
    bool is_in_place;          ///< it may be called with one buffer for input and output
    bool is_out_of_place;      ///< it may be called with two
    std::uint32_t sends_ahead; ///< over a connection before the first is received
    /// Chunks of a step that are sent at once, at least: with the largest size that the program is for.
    std::uint32_t chunks_a_send;
    std::vector<MscclGpu> gpus;
    std::vector<Violation> violations; ///< what executors do not take, and can still be followed
};

/// `algo` is for so many GPUs (`network` has them, for messages). Throws std::runtime_error, one line with
/// the place, for what lacks attributes, names what does not exist or is not declared, has two thread blocks
/// at one end of a connection, or asks for many more results than its steps can bring.
MscclProgram read_msccl_program(const XmlPlace& algo, std::uint32_t processors, std::string_view network);

} // namespace nocturne
