// What is owed of each chunk, to whom.
#pragma once

#include "schedules/collective/processor_list.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// Index of a chunk in Collective::chunks.
using ChunkId = std::uint32_t;

/// The most chunks that a collective may have, and the most results that it may owe: an all-to-all on 4096
/// processors.
inline constexpr std::uint64_t max_demands = std::uint64_t{1} << 24;

/// `receiver` has the sum of exactly these contributions to `chunk` at the end.
struct Demand {
    ChunkId chunk;
    std::uint32_t receiver;     ///< processor
    ProcessorList contributors; ///< ascending, a subset of the chunk's

    friend bool operator==(const Demand&, const Demand&) = default;
};

/// Demands in order of their chunks: those of one chunk lie side by side. 32 bytes each, and 4 for each
/// chunk.
class Demands {
public:
    using Iterator = std::vector<Demand>::const_iterator;

    Demands() = default;
    /// In any order; those of one chunk keep theirs. Throws as push_back().
    explicit Demands(std::vector<Demand> demands);

    /// Throws std::invalid_argument if its chunk comes before that of the last one, or is not below
    /// max_demands.
    void push_back(Demand demand);

    std::size_t size() const { return demands_.size(); }
    bool empty() const { return demands_.empty(); }
    const Demand& operator[](std::size_t index) const { return demands_[index]; }
    const Demand& front() const { return demands_.front(); }
    Iterator begin() const { return demands_.begin(); }
    Iterator end() const { return demands_.end(); }

    /// The receivers of a chunk, in the order of its demands.
    std::span<const std::uint32_t> receivers_of(ChunkId chunk) const
    {
        const std::size_t first = first_of(chunk);
        return {receivers_.data() + first, first_of(chunk + 1) - first};
    }

    std::span<const Demand> of(ChunkId chunk) const
    {
        const std::size_t first = first_of(chunk);
        return std::span(demands_).subspan(first, first_of(chunk + 1) - first);
    }

    friend bool operator==(const Demands& a, const Demands& b) { return a.demands_ == b.demands_; }

private:
    std::size_t first_of(ChunkId chunk) const
    {
        return chunk < first_.size() ? first_[chunk] : receivers_.size();
    }

    std::vector<Demand> demands_;
    std::vector<std::uint32_t> first_; ///< of each chunk, up to that of the last demand
    std::vector<std::uint32_t> receivers_;
};

} // namespace nocturne
