// Which chunks, or messages, each node has.
#pragma once

#include "schedules/collective/collective.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace nocturne {

/// A set of chunks, or messages, for every node, as bits. Nothing is checked: nodes and chunks are below the
/// numbers given.
class ChunkSets {
public:
    /// All empty.
    ChunkSets(std::size_t nodes, std::size_t chunks) : words_((chunks + 63) / 64), bits_(nodes * words_) {}

    bool has(std::uint32_t node, ChunkId chunk) const
    {
        return (bits_[node * words_ + chunk / 64] >> (chunk % 64) & 1) != 0;
    }
    void add(std::uint32_t node, ChunkId chunk) { bits_[node * words_ + chunk / 64] |= bit(chunk); }
    void remove(std::uint32_t node, ChunkId chunk) { bits_[node * words_ + chunk / 64] &= ~bit(chunk); }
    void clear() { std::fill(bits_.begin(), bits_.end(), 0); }

    /// Chunks 64 i to 64 i + 63 of a node, i below word_count().
    std::uint64_t word(std::uint32_t node, std::size_t i) const { return bits_[node * words_ + i]; }
    std::size_t word_count() const { return words_; }

private:
    static std::uint64_t bit(ChunkId chunk) { return std::uint64_t{1} << (chunk % 64); }

    std::size_t words_;
    std::vector<std::uint64_t> bits_;
};

} // namespace nocturne
