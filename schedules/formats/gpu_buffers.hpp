// The buffers in which executors on GPUs keep the places of a schedule: input, output, scratch.
#pragma once

#include "schedules/schedule/transfer_weights.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace nocturne {

struct BufferPlace {
    char buffer;          ///< i, o or s
    std::uint32_t offset; ///< in chunks

    friend auto operator<=>(const BufferPlace&, const BufferPlace&) = default;
};

/// Of allreduce and reduce-scatter, in place in the input, of allgather, in place in the output, and of
/// alltoall, from input to output with scratch between.
class GpuBuffers {
public:
    /// `format` is named in errors. Throws std::invalid_argument for other collectives, groups that are not
    /// all processors, blocks of unequal size, schedules with buffers of their own, and chunks stored in
    /// switches.
    GpuBuffers(const Schedule& schedule, std::string_view format);

    /// Scratch is handed out in the order in which it is asked for.
    BufferPlace place(std::uint32_t gpu, PlaceId place);
    BufferPlace new_scratch(std::uint32_t gpu) { return {'s', scratch_chunks_[gpu]++}; }

    std::uint32_t input_chunks() const;
    std::uint32_t output_chunks() const;
    std::uint32_t scratch_chunks(std::uint32_t gpu) const { return scratch_chunks_[gpu]; }

private:
    std::uint32_t whole() const { return collective_.processors * collective_.parts; }

    const Collective& collective_;
    std::vector<std::map<PlaceId, std::uint32_t>> scratch_; ///< offsets, by GPU
    std::vector<std::uint32_t> scratch_chunks_;
};

/// What was done last with a place: the order that others must keep.
template <class Done>
struct PlaceAccess {
    std::optional<Done> write;
    std::vector<Done> reads; ///< since then

    /// What must be over before the place is read, or written.
    std::vector<Done> before(bool writes) const
    {
        std::vector<Done> result;
        if (write)
            result.push_back(*write);
        if (writes)
            result.insert(result.end(), reads.begin(), reads.end());
        return result;
    }
    void add(const Done& access, bool writes)
    {
        if (writes)
            *this = {access, {}};
        else
            reads.push_back(access);
    }
};

} // namespace nocturne
