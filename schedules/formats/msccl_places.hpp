// Where the buffers of a program in MSCCL's XML are, and what is owed in them. Of use inside this room only.
#pragma once

#include "schedules/formats/msccl_program.hpp"
#include "schedules/schedule/transfer_weights.hpp"

namespace nocturne {

/// Is it `cpy`?
bool is_plain_copy(const MscclStepKind& kind);

/// Of a program that is called in place or not; it must outlive this. Places of buffers follow those of
/// chunks.
class MscclPlaces {
public:
    MscclPlaces(const MscclProgram& program, bool in_place);

    PlaceId in(char buffer, std::uint32_t offset, std::uint32_t gpu) const;
    PlaceId of(const MscclOperand& operand, std::uint32_t gpu) const
    {
        return in(operand.buffer, operand.offset, gpu);
    }
    /// Behind the buffers of all GPUs.
    PlaceId end() const;
    /// The collective, and what is where. What a GPU has for itself is in it, unless nothing is done to that
    /// but to copy it to the output once.
    void set(Schedule& schedule);
    /// Is a copy from there one that set() has left out?
    bool is_skipped(std::uint32_t gpu, PlaceId from) const;

private:
    std::uint32_t processors() const { return static_cast<std::uint32_t>(program_.gpus.size()); }
    bool own_is_plain() const;
    void add_own_blocks(Collective& collective) const;
    std::pair<std::uint32_t, std::uint32_t> offsets_of(ChunkId chunk) const;

    const MscclProgram& program_;
    bool in_place_;
    bool skips_own_ = false;   ///< own blocks are no chunks
    PlaceId first_buffer_ = 0; ///< behind the places of chunks
};

} // namespace nocturne
