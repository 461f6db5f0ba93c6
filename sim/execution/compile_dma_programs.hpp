// From a workload to what is in the memories: DMA programs, and a place for every message.
#pragma once

#include "models/hardware/dma_program.hpp"
#include "sim/execution/contents.hpp"
#include "sim/execution/workload.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace nocturne {

/// Programs, messages and records begin at multiples of this address.
inline constexpr std::uint64_t memory_alignment = 64;

/// The next multiple of the alignment, in bytes.
constexpr std::uint64_t aligned(std::uint64_t bytes)
{
    return (bytes + memory_alignment - 1) / memory_alignment * memory_alignment;
}

/// A processor's part: its program is at address 0, the messages that it ever holds lie behind, and behind
/// them its staging buffers.
struct CompiledEngine {
    DmaProgram program;
    std::vector<std::pair<MessageId, std::uint32_t>> addresses; ///< of the messages it holds, by message
    std::uint32_t buffers = 0;                                  ///< address of the first staging buffer
    std::uint32_t memory_bytes = 0;

    /// Where the message is; nothing if the processor never holds it.
    std::optional<std::uint32_t> address_of(MessageId message) const;
};

/// The messages that each processor has at the start or receives, ascending.
std::vector<std::vector<MessageId>> messages_held(const Workload& workload, const Collective& collective);

/// What the program of a processor takes in memory, words of 32 bits.
std::uint64_t program_words(const Workload& workload, ProcessorId id);

/// Where a message lies, or will lie, in the memory of a processor; in a staging buffer unless that is
/// no_buffer.
using MessageAddress = std::function<std::uint32_t(ProcessorId, MessageId, std::uint32_t buffer)>;

/// The program of one processor; all messages have the same size.
DmaProgram make_program(const Workload& workload, ProcessorId id, const MessageAddress& address_of,
                        std::uint32_t message_bytes);

/// One a processor. Throws std::invalid_argument if messages are empty, no whole words where something is
/// added, or too large: a memory holds less than 4 GiB, all of them together at most 16 GiB.
std::vector<CompiledEngine> compile_dma_programs(const Workload& workload, const Collective& collective,
                                                 std::uint64_t message_bytes);

/// The memory of a processor when the run starts: its program, and what it contributes to messages. The
/// places of the others hold the complement of what is to come, so that a byte that was never written is not
/// right by chance.
std::vector<std::uint8_t> initial_memory(const CompiledEngine& engine, ProcessorId id,
                                         const Collective& collective, std::uint64_t message_bytes,
                                         std::uint64_t seed);

} // namespace nocturne
