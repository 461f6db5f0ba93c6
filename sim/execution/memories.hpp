// What lies in the processors' memories while a program runs: the contents of its places.
#pragma once

#include "schedules/schedule/schedule.hpp"
#include "sim/execution/contents.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace nocturne {

// Bytes: of one memory at most, and of those of all processors together.
inline constexpr std::uint64_t largest_memory = (1ull << 32) - 1;
inline constexpr std::uint64_t all_memories = 16ull << 30;

/// A place of a processor, by number over all processors.
using SlotId = std::uint32_t;

/// A place that a program reads or writes.
struct PlaceUse {
    ProcessorId processor;
    PlaceId place;
    std::uint64_t bytes; ///< of the largest content that is ever there

    friend auto operator<=>(const PlaceUse&, const PlaceUse&) = default;
};

/// The places of all processors, and once they are filled what lies there.
class Memories {
public:
    /// For these places, in any order; one that is named several times gets the largest size. Throws
    /// std::invalid_argument if held memories would be too large: one has less than 4 GiB, all of them
    /// together have at most 16 GiB.
    Memories(std::vector<PlaceUse> uses, std::uint32_t processors, const ContentForm& form);

    /// Precondition: the place is one of the uses, or was added.
    SlotId slot(ProcessorId processor, PlaceId place) const { return find(processor, place).value(); }
    std::optional<SlotId> find(ProcessorId processor, PlaceId place) const;
    PlaceId place_of(SlotId slot) const { return places_[slot]; }
    /// The place, which is made if there is none: while a run goes on.
    SlotId add(const PlaceUse& use);
    /// Every place gets bytes that nobody contributes.
    void fill();

    const ContentForm& form() const { return form_; }
    /// What is in a place, of so many bytes, as words of 32 bits; of a digest the two words of its key.
    std::span<const std::uint32_t> content(SlotId slot, std::uint64_t bytes) const;
    /// Writes or adds what came.
    void put(SlotId slot, std::span<const std::uint32_t> came, Operation operation);
    /// From a place of a processor to another of its places.
    void move(SlotId from, SlotId to, std::uint64_t bytes, Operation operation);
    /// Of the memory of one processor, bytes.
    std::uint64_t bytes_of(ProcessorId processor) const { return sizes_[processor]; }

private:
    const ContentForm form_;
    std::vector<SlotId> first_; ///< by processor: its first slot, in the order of places; one entry more
    std::vector<PlaceId> places_;
    std::map<std::pair<ProcessorId, PlaceId>, SlotId> added_;
    std::vector<std::uint64_t> begins_; ///< by slot, in words_
    std::uint64_t words_total_ = 0;
    std::vector<std::uint32_t> words_; ///< as many once they are filled
    std::vector<std::uint64_t> sizes_;
};

} // namespace nocturne
