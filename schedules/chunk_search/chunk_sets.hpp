// Which chunks each node has, as bits.
#pragma once

#include "schedules/collective/collective.hpp"

#include <bit>
#include <cstdint>
#include <vector>

namespace nocturne {

/// A set of chunks for each node.
class ChunkSets {
public:
    ChunkSets(std::size_t nodes, std::size_t chunks) : words_((chunks + 63) / 64), bits_(nodes * words_, 0) {}

    bool contains(std::size_t node, ChunkId chunk) const
    {
        return (bits_[node * words_ + chunk / 64] >> (chunk % 64) & 1) != 0;
    }
    void insert(std::size_t node, ChunkId chunk) { bits_[node * words_ + chunk / 64] |= one(chunk); }
    std::size_t words() const { return words_; }
    std::uint64_t word(std::size_t node, std::size_t index) const { return bits_[node * words_ + index]; }

private:
    static std::uint64_t one(ChunkId chunk) { return std::uint64_t{1} << (chunk % 64); }

    std::size_t words_;
    std::vector<std::uint64_t> bits_;
};

/// Calls use(chunk) for each chunk that node `a` of `first` has and node `b` of `second` lacks.
template <typename Use>
void for_each_lacking(const ChunkSets& first, std::size_t a, const ChunkSets& second, std::size_t b,
                      const Use& use)
{
    for (std::size_t i = 0; i < first.words(); ++i)
        for (std::uint64_t left = first.word(a, i) & ~second.word(b, i); left != 0; left &= left - 1)
            use(static_cast<ChunkId>(64 * i) + static_cast<ChunkId>(std::countr_zero(left)));
}

inline std::size_t count_lacking(const ChunkSets& first, std::size_t a, const ChunkSets& second,
                                 std::size_t b)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < first.words(); ++i)
        count += static_cast<std::size_t>(std::popcount(first.word(a, i) & ~second.word(b, i)));
    return count;
}

} // namespace nocturne
