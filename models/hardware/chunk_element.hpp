// What sums consist of, and how hardware adds them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace nocturne {

/// What contributions consist of: little-endian words of 32 bits.
enum class ChunkElement {
    int32, ///< added modulo 2^32
    /// Whole numbers that all sums of a chunk represent exactly, so that any order gives the same bytes. The
    /// hardware adds in the order in which chunks arrive.
    float32,
};

/// `int32` or `float32`; parsing throws std::invalid_argument for anything else.
std::string_view to_string(ChunkElement element);
ChunkElement parse_chunk_element(std::string_view text);

/// Adds word by word: `there` becomes the sum.
void add_words(ChunkElement element, std::span<std::uint32_t> there, std::span<const std::uint32_t> came);

} // namespace nocturne
