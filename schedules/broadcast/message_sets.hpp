// A set of messages for every processor, as bits.
#pragma once

#include "models/topology/topology.hpp"
#include "schedules/collective/collective.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace nocturne {

/// Nothing is checked: processors and messages are below the numbers given.
class MessageSets {
public:
    /// All empty.
    MessageSets(std::size_t processors, std::size_t messages)
        : words_((messages + 63) / 64), bits_(processors * words_)
    {
    }

    bool has(ProcessorId p, MessageId m) const { return (bits_[p * words_ + m / 64] >> (m % 64) & 1) != 0; }
    void add(ProcessorId p, MessageId m) { bits_[p * words_ + m / 64] |= bit(m); }
    void remove(ProcessorId p, MessageId m) { bits_[p * words_ + m / 64] &= ~bit(m); }
    void clear() { std::fill(bits_.begin(), bits_.end(), 0); }

    /// Messages 64 i to 64 i + 63 of a processor, i below word_count().
    std::uint64_t word(ProcessorId p, std::size_t i) const { return bits_[p * words_ + i]; }
    std::size_t word_count() const { return words_; }

private:
    static std::uint64_t bit(MessageId m) { return std::uint64_t{1} << (m % 64); }

    std::size_t words_;
    std::vector<std::uint64_t> bits_;
};

} // namespace nocturne
