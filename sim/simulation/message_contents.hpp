// What messages consist of, and what must be in memories at the end: by the collective alone.
#pragma once

#include "models/hardware/chunk_element.hpp"
#include "schedules/collective/collective.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// What a message consists of: bytes that differ from message to message.
std::vector<std::uint8_t> message_content(MessageId message, std::uint64_t message_bytes, std::uint64_t seed);

/// The key in the digests of a message.
std::uint64_t message_key(MessageId message, std::uint64_t seed);

// Sums.

/// How contributions are made.
struct ContributionForm {
    std::uint64_t bytes; ///< of each; whole words
    ChunkElement element = ChunkElement::int32;
    std::uint64_t seed = 1;
};

/// What a processor contributes to a chunk.
std::vector<std::uint32_t> contribution(const Collective& collective, ChunkId chunk, std::uint32_t processor,
                                        const ContributionForm& form);

/// What a receiver is owed: the sum of these contributions.
std::vector<std::uint32_t> reference_sum(const Collective& collective, const Demand& demand,
                                         const ContributionForm& form);

// Messages of collectives in steps: whole, as those of one contributor are, or words of 32 bits, which are
// added modulo 2^32, of those to which several contribute.

/// Throws std::invalid_argument, one line, if something is added and messages are no whole words.
void require_words_of_sums(const Collective& collective, std::uint64_t message_bytes);

/// What `processor`, a contributor, has of a message when all begins.
std::vector<std::uint8_t> contributed_content(const Collective& collective, MessageId message,
                                              std::uint32_t processor, std::uint64_t message_bytes,
                                              std::uint64_t seed);
/// What must lie at the place of the message in the receiver's memory at the end.
std::vector<std::uint8_t> owed_content(const Collective& collective, const Demand& demand,
                                       std::uint64_t message_bytes, std::uint64_t seed);

/// The same as keys of digests: that of a sum is the sum, modulo 2^64, of those of its contributions.
std::uint64_t contributed_key(const Collective& collective, MessageId message, std::uint32_t processor,
                              std::uint64_t seed);
std::uint64_t owed_key(const Collective& collective, const Demand& demand, std::uint64_t seed);

/// Are both for the same sum of the same message?
bool have_same_content(const Demand& a, const Demand& b);

/// Is the processor a contributor to the message?
bool contributes(const Collective& collective, MessageId message, std::uint32_t processor);

} // namespace nocturne
