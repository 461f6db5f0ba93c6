// What a DMA engine is told to do: descriptors, their layout in memory, and hex images of memories.
#pragma once

#include "models/routing/routing.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace nocturne {

/// One line of a DMA program.
struct DmaDescriptor {
    enum class Opcode : std::uint8_t {
        end = 0,     ///< the program ends after `step` steps
        send = 1,    ///< send `length` bytes
        receive = 2, ///< the step is not done before `length` messages for it have arrived
        copy = 3, ///< at the end of the step: `length` bytes from `local_address` to `remote_address`, within
                  ///< this memory
        add = 4   ///< the same, added to what is there: words of 32 bits, modulo 2^32
    };
    Opcode opcode = Opcode::end;
    std::uint32_t step = 0;
    ProcessorId destination = 0;
    Route route;                      ///< channels to the destination's router; fewer than 2^24 of them
    std::uint32_t remote_step = 0;    ///< the step of the receiver that this message counts for
    std::uint32_t local_address = 0;  ///< of the message in the memory of the sender
    std::uint32_t remote_address = 0; ///< and of the receiver; for `copy` and `add` of this processor
    std::uint32_t length = 0;         ///< bytes; for `receive`, messages

    friend bool operator==(const DmaDescriptor&, const DmaDescriptor&) = default;
};

/// Descriptors in the order of their steps, with an `end` at the end. What comes for a place that is added
/// to, or that a step still sends from, is sent to an address of its own, and a `copy` or `add` of the
/// receiver puts it into its place.
using DmaProgram = std::vector<DmaDescriptor>;

/// Size of a descriptor in memory: eight little-endian words of 32 bits, namely opcode | hops << 8, step,
/// destination, address of the route, remote step, local address, remote address, length. A route is a word a
/// hop: channel | class << 24.
inline constexpr std::uint32_t dma_descriptor_words = 8;

/// The program as the words of a memory from address `base` on: descriptors first, then their routes. Throws
/// std::invalid_argument for a program without an end, or with one in its middle, out of order, or with a
/// route that does not fit its words.
std::vector<std::uint32_t> encode(const DmaProgram& program, std::uint32_t base = 0);

/// One descriptor and its route, read from memory by `read(address)`, a word at a time. Throws
/// std::runtime_error for an opcode that does not exist.
DmaDescriptor decode_descriptor(std::uint32_t address,
                                const std::function<std::uint32_t(std::uint32_t address)>& read);

/// A memory image in the format of Verilog's $readmemh: `@` and a word address, then words of eight
/// hexadecimal digits.
std::string to_hex(std::span<const std::uint32_t> words);

} // namespace nocturne
