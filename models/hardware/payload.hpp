// What of the contents of messages is kept: their bytes, or a digest of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace nocturne {

/// held: memories and packets hold every byte. digest: in their place lies a PayloadDigest, whatever the
/// length; the bytes are a function of the message and their position, and are checked as they arrive.
enum class PayloadForm : std::uint8_t { held, digest };

/// `held` or `digest`; parsing throws std::invalid_argument for anything else.
std::string to_string(PayloadForm form);
PayloadForm parse_payload_form(std::string_view text);

/// Stands in a memory for a message.
struct PayloadDigest {
    std::uint64_t key = 0; ///< of the message whose bytes lie here; that of another while they have not come
    std::uint64_t sum = 0; ///< of digest_of_flit() over the flits that have come

    friend bool operator==(const PayloadDigest&, const PayloadDigest&) = default;
};
static_assert(sizeof(PayloadDigest) == 16 && offsetof(PayloadDigest, key) == 0); // as it lies in memories

/// Of the `bytes` bytes from position `begin` on of the message with that key: the key times a hash of the
/// position, so that the digest of a sum of keys is the sum of the digests (modulo 2^64). Sums over all flits
/// of a message differ if one is missing, comes twice, or belongs to another message or position (but for a
/// chance of some 2^-58).
std::uint64_t digest_of_flit(std::uint64_t key, std::uint64_t begin, std::uint64_t bytes);

/// Bytes that arrive of a message.
struct PayloadFlit {
    std::uint64_t key;           ///< what the sender had in the place of the message
    std::uint64_t begin;         ///< position in the message
    std::uint64_t bytes;         ///< from there on
    std::uint64_t message_bytes; ///< of the whole message
};

/// Flits come in order. The first one begins a new sum; with the last one the place has the key, so that what
/// is passed on before is wrong.
void add_flit(PayloadDigest& digest, const PayloadFlit& flit);

/// What is added to what: a sum of messages has the sum of their digests.
void add_message(PayloadDigest& digest, const PayloadDigest& came);

/// That of a whole message of `bytes` bytes, in flits of `flit_bytes`.
PayloadDigest digest_of_message(std::uint64_t key, std::uint64_t bytes, unsigned flit_bytes);

} // namespace nocturne
