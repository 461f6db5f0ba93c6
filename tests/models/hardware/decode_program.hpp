// A DMA program read back from memory.
#pragma once

#include "models/hardware/dma_program.hpp"

#include <fmt/format.h>

#include <span>
#include <stdexcept>

namespace nocturne::test {

/// The program that starts at word address `base / 4` of a memory. Throws std::runtime_error for an image
/// that is cut off.
inline DmaProgram decode(std::span<const std::uint32_t> words, std::uint32_t base = 0)
{
    constexpr std::uint32_t word_bytes = 4;
    const auto read = [&](std::uint32_t address) {
        if (address < base || address % word_bytes != 0 || (address - base) / word_bytes >= words.size())
            throw std::runtime_error(fmt::format("DMA program: nothing at address {:#x}", address));
        return words[(address - base) / word_bytes];
    };
    DmaProgram program;
    do
        program.push_back(decode_descriptor(
            base + static_cast<std::uint32_t>(program.size()) * dma_descriptor_words * word_bytes, read));
    while (program.back().opcode != DmaDescriptor::Opcode::end);
    return program;
}

} // namespace nocturne::test
