// What contributions consist of, and what must be in memories at the end: by the collective alone.
#pragma once

#include "models/hardware/chunk_element.hpp"
#include "models/hardware/payload.hpp"
#include "models/topology/topology.hpp"
#include "schedules/collective/collective.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// What is kept of contents, and how they are made and added. Chunks of one contributor are arbitrary bytes,
/// those of several are words of 32 bits.
struct ContentForm {
    /// held: every byte; digest: a key of 64 bits instead, whatever the length: that of a sum is the sum,
    /// modulo 2^64, of those of its contributions.
    PayloadForm payload = PayloadForm::held;
    ChunkElement element = ChunkElement::int32; ///< of held sums
    std::uint64_t seed = 1;

    /// Words of 32 bits that stand for a content of so many bytes.
    std::size_t words(std::uint64_t bytes) const
    {
        return payload == PayloadForm::digest ? 2 : (bytes + 3) / 4;
    }
};

/// Throws std::invalid_argument, one line, if something is added and a chunk of weight 1, of so many bytes,
/// is no whole words.
void require_words_of_sums(const Collective& collective, std::uint64_t bytes);

/// What `processor`, a contributor, has of a chunk of so many bytes when all begins.
std::vector<std::uint32_t> contributed_content(const Collective& collective, ChunkId chunk,
                                               ProcessorId processor, std::uint64_t bytes,
                                               const ContentForm& form);
/// What must lie in the receiver's memory at the end.
std::vector<std::uint32_t> owed_content(const Collective& collective, const Demand& demand,
                                        std::uint64_t bytes, const ContentForm& form);

/// The first bytes of held words: little-endian, as they lie in a memory.
std::vector<std::uint8_t> bytes_of(std::span<const std::uint32_t> words, std::uint64_t bytes);

/// Adds word by word, or key to key: `there` becomes the sum.
void add_content(const ContentForm& form, std::span<std::uint32_t> there,
                 std::span<const std::uint32_t> came);

/// Are both for the same sum of the same chunk?
bool have_same_content(const Demand& a, const Demand& b);

/// Is the processor a contributor to the chunk?
bool contributes(const Collective& collective, ChunkId chunk, ProcessorId processor);

} // namespace nocturne
