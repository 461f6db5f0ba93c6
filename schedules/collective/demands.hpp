// What is owed of each chunk, to whom.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace nocturne {

/// Processors, as a value whose copies share their elements. Never changes; a million demands for the sum of
/// the same thousand contributions are a million pointers.
class ProcessorList {
public:
    ProcessorList() : ProcessorList(std::vector<std::uint32_t>{}) {}
    ProcessorList(std::vector<std::uint32_t> processors)
        : processors_(std::make_shared<const std::vector<std::uint32_t>>(std::move(processors)))
    {
    }
    ProcessorList(std::initializer_list<std::uint32_t> processors)
        : ProcessorList(std::vector<std::uint32_t>(processors))
    {
    }

    operator const std::vector<std::uint32_t>&() const { return *processors_; }

    std::size_t size() const { return processors_->size(); }
    bool empty() const { return processors_->empty(); }
    std::uint32_t operator[](std::size_t index) const { return (*processors_)[index]; }
    std::uint32_t front() const { return processors_->front(); }
    std::uint32_t back() const { return processors_->back(); }
    auto begin() const { return processors_->begin(); }
    auto end() const { return processors_->end(); }

    friend bool operator==(const ProcessorList& a, const ProcessorList& b)
    {
        return a.processors_ == b.processors_ || *a.processors_ == *b.processors_;
    }
    friend bool operator==(const ProcessorList& a, const std::vector<std::uint32_t>& b)
    {
        return *a.processors_ == b;
    }

private:
    std::shared_ptr<const std::vector<std::uint32_t>> processors_;
};

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

/// Demands in order of their chunks: those of one chunk lie side by side. 36 bytes each, and 4 for each
/// chunk, which copies share until one of them changes.
class Demands {
public:
    using Iterator = std::vector<Demand>::const_iterator;

    Demands() = default;
    /// In any order; those of one chunk keep theirs. Throws as push_back().
    explicit Demands(std::vector<Demand> demands);

    /// Throws std::invalid_argument if its chunk comes before that of the last one, or is not below
    /// max_demands.
    void push_back(Demand demand);

    std::size_t size() const { return lists_->demands.size(); }
    bool empty() const { return lists_->demands.empty(); }
    const Demand& operator[](std::size_t index) const { return lists_->demands[index]; }
    const Demand& front() const { return lists_->demands.front(); }
    Iterator begin() const { return lists_->demands.begin(); }
    Iterator end() const { return lists_->demands.end(); }

    /// The receivers of a chunk, in the order of its demands.
    std::span<const std::uint32_t> receivers_of(ChunkId chunk) const
    {
        const std::size_t first = first_of(chunk);
        return {lists_->receivers.data() + first, first_of(chunk + 1) - first};
    }

    std::span<const Demand> of(ChunkId chunk) const
    {
        const std::size_t first = first_of(chunk);
        return std::span(lists_->demands).subspan(first, first_of(chunk + 1) - first);
    }

    friend bool operator==(const Demands& a, const Demands& b)
    {
        return a.lists_ == b.lists_ || a.lists_->demands == b.lists_->demands;
    }

private:
    struct Lists {
        std::vector<Demand> demands;
        std::vector<std::uint32_t> first; ///< of each chunk, up to that of the last demand
        std::vector<std::uint32_t> receivers;
    };

    std::size_t first_of(ChunkId chunk) const
    {
        return chunk < lists_->first.size() ? lists_->first[chunk] : lists_->receivers.size();
    }

    std::shared_ptr<Lists> lists_ = std::make_shared<Lists>();
};

} // namespace nocturne
