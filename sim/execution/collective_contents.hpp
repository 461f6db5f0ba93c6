// The contributions and results of a collective in the memories of its processors.
#pragma once

#include "sim/execution/contents.hpp"
#include "sim/execution/memories.hpp"
#include "sim/execution/program.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace nocturne {

class CollectiveContents {
public:
    /// The collective must outlive it.
    CollectiveContents(const Collective& collective, ChunkSizes sizes, const ContentForm& form)
        : collective_(&collective), sizes_(sizes), form_(form)
    {
    }

    /// Contributions and results that are not in the chunks' own places.
    void set_placements(std::span<const ChunkPlacement> inputs, std::span<const ChunkPlacement> outputs);

    const Collective& collective() const { return *collective_; }

    /// With the places of contributions and results beside these. Throws as Memories.
    Memories memories_with(std::vector<PlaceUse> uses) const;
    /// Puts the contributions there. The places of results differ from what they will be in every bit, so
    /// that none is right by chance.
    void load(Memories& memories) const;

    using VisitResult = std::function<void(const Demand&, std::span<const std::uint32_t> owed)>;
    void for_each_result(const VisitResult& visit) const;
    /// Does the receiver hold what it is owed?
    bool holds(const Memories& memories, const Demand& demand, std::span<const std::uint32_t> owed) const;

private:
    using Placements = std::map<std::pair<ProcessorId, ChunkId>, PlaceId>;

    static PlaceId place_in(const Placements& placements, ProcessorId processor, ChunkId chunk);
    std::uint64_t bytes_of(ChunkId chunk) const { return sizes_.of(*collective_, chunk); }

    const Collective* collective_;
    ChunkSizes sizes_;
    ContentForm form_;
    Placements inputs_;
    Placements outputs_;
};

} // namespace nocturne
