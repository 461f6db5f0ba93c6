// Where chunks lie in memories, what is in them at first, and what must be in them at the end.
#pragma once

#include "sim/chunk_replay/chunk_replay.hpp"
#include "sim/simulation/message_contents.hpp"

#include <unordered_map>

namespace nocturne {

/// Places of one node, as many bytes each as the largest chunk that is ever there.
class ChunkMemoryMap {
public:
    void add(PlaceId place, std::uint64_t bytes);
    /// Gives each place its address; after that none is added.
    void lay_out();

    std::uint64_t address_of(PlaceId place) const { return places_.at(place).address; }
    std::uint64_t bytes() const { return bytes_; }

private:
    struct Extent {
        std::uint64_t address = 0;
        std::uint64_t bytes = 0;
    };
    std::unordered_map<PlaceId, Extent> places_;
    std::uint64_t bytes_ = 0;
};

/// By processor: every place that holds something at some time. Throws std::invalid_argument for a schedule
/// that stores something in a switch, and for memories of 4 GiB or more.
std::vector<ChunkMemoryMap> chunk_memories(const Schedule& schedule, const ChunkReplayOptions& options);

/// How contributions to a chunk are made.
ContributionForm form_of(const Schedule& schedule, ChunkId chunk, const ChunkReplayOptions& options);

/// Where a contribution lies at first, and a result at the end.
PlaceId input_place(const Schedule& schedule, std::uint32_t processor, ChunkId chunk);
PlaceId output_place(const Schedule& schedule, std::uint32_t processor, ChunkId chunk);

} // namespace nocturne
