// Sets of small numbers as words of bits, and the round-robin choice from one: what arbiters are made of.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace nocturne {

/// Calls `visit(i)` for each bit of a word in ascending order.
template <typename Visit>
void for_each_bit(std::uint64_t word, Visit visit)
{
    for (; word != 0; word &= word - 1)
        visit(static_cast<std::uint32_t>(std::countr_zero(word)));
}

/// The first bit after `last` (below 64) in circular order; the word is not 0.
inline std::uint32_t next_bit_in_turn(std::uint64_t word, std::uint32_t last)
{
    const std::uint64_t after = word & (~std::uint64_t{1} << last);
    return static_cast<std::uint32_t>(std::countr_zero(after != 0 ? after : word));
}

/// `rows` sets of numbers below `size`, side by side in one array: `Words`, words(rows, size) of them.
template <typename Words>
class BasicBitRows {
public:
    static constexpr std::uint32_t none = ~0u;

    static constexpr std::size_t words(std::size_t rows, std::size_t size)
    {
        return rows * ((size + 63) / 64);
    }

    /// All empty, if `words` are 0.
    BasicBitRows(std::size_t size, Words words) : stride_((size + 63) / 64), words_(std::move(words)) {}
    BasicBitRows(std::size_t rows, std::size_t size)
        requires std::is_same_v<Words, std::vector<std::uint64_t>>
        : BasicBitRows(size, Words(words(rows, size)))
    {
    }

    /// A whole set, if `size` is 64 or less: for loops that cannot afford to ask how many words there are.
    std::uint64_t& word(std::size_t row) { return words_[row]; }
    const std::uint64_t& word(std::size_t row) const { return words_[row]; }

    void insert(std::size_t row, std::uint32_t i) { words_[row * stride_ + i / 64] |= 1ull << (i % 64); }
    void erase(std::size_t row, std::uint32_t i) { words_[row * stride_ + i / 64] &= ~(1ull << (i % 64)); }
    void clear(std::size_t row)
    {
        // A loop: a call of memset costs more than the one or two words that there are as a rule.
        for (std::size_t word = row * stride_; word < (row + 1) * stride_; ++word)
            words_[word] = 0;
    }
    bool contains(std::size_t row, std::uint32_t i) const
    {
        return (words_[row * stride_ + i / 64] >> (i % 64) & 1) != 0;
    }
    bool empty(std::size_t row) const
    {
        for (std::size_t word = row * stride_; word < (row + 1) * stride_; ++word)
            if (words_[word] != 0)
                return false;
        return true;
    }

    /// Calls `visit(i)` for each element in ascending order; the visitor may erase the element that it
    /// visits.
    template <typename Visit>
    void for_each(std::size_t row, Visit visit) const
    {
        for (std::size_t word = 0; word < stride_; ++word)
            for (std::uint64_t left = words_[row * stride_ + word]; left != 0; left &= left - 1)
                visit(static_cast<std::uint32_t>(word * 64 + static_cast<unsigned>(std::countr_zero(left))));
    }

    /// The same from the first element after `last` on, in circular order.
    template <typename Visit>
    void for_each_after(std::size_t row, std::uint32_t last, Visit visit) const
    {
        for_each(row, [&](std::uint32_t i) {
            if (i > last)
                visit(i);
        });
        for_each(row, [&](std::uint32_t i) {
            if (i <= last)
                visit(i);
        });
    }

    /// The smallest element from `from` on, or `none`.
    std::uint32_t next(std::size_t row, std::uint32_t from) const
    {
        std::size_t word = from / 64;
        if (word >= stride_)
            return none;
        std::uint64_t left = words_[row * stride_ + word] & (~0ull << (from % 64));
        while (left == 0) {
            if (++word == stride_)
                return none;
            left = words_[row * stride_ + word];
        }
        return static_cast<std::uint32_t>(word * 64 + static_cast<unsigned>(std::countr_zero(left)));
    }

    /// The first element after `last` in circular order, or `none`: a round-robin arbiter whose last grant
    /// was `last`.
    std::uint32_t round_robin(std::size_t row, std::uint32_t last) const
    {
        const std::uint32_t after = next(row, last + 1);
        return after != none ? after : next(row, 0);
    }

private:
    std::size_t stride_;
    Words words_;
};

using BitRows = BasicBitRows<std::vector<std::uint64_t>>;
using BitRowsView = BasicBitRows<std::span<std::uint64_t>>; ///< of words that are somebody else's

/// One set of numbers below a size that is fixed at construction. Numbers below 64 are in the object itself.
class BitSet {
public:
    static constexpr std::uint32_t none = BitRows::none;

    explicit BitSet(std::size_t size) : more_words_(size <= 64 ? 0 : (size - 1) / 64)
    {
        if (more_words_ != 0)
            more_ = std::make_unique<std::uint64_t[]>(more_words_);
    }

    /// The whole set, if `size` is 64 or less.
    std::uint64_t& word() { return first_; }

    void insert(std::uint32_t i) { word_of(i) |= 1ull << (i % 64); }
    void erase(std::uint32_t i) { word_of(i) &= ~(1ull << (i % 64)); }
    void clear()
    {
        first_ = 0;
        for (std::size_t i = 0; i < more_words_; ++i)
            more_[i] = 0;
    }
    bool contains(std::uint32_t i) const
    {
        return ((i < 64 ? first_ : more_[i / 64 - 1]) >> (i % 64) & 1) != 0;
    }
    bool empty() const
    {
        std::uint64_t any = first_;
        for (std::size_t i = 0; i < more_words_; ++i)
            any |= more_[i];
        return any == 0;
    }

    /// The smallest element from `from` on, or `none`.
    std::uint32_t next(std::uint32_t from) const
    {
        std::size_t word = from / 64;
        if (word > more_words_)
            return none;
        std::uint64_t left = (word == 0 ? first_ : more_[word - 1]) & (~0ull << (from % 64));
        while (left == 0) {
            if (word == more_words_)
                return none;
            left = more_[word++];
        }
        return static_cast<std::uint32_t>(word * 64 + static_cast<unsigned>(std::countr_zero(left)));
    }

    /// Calls `visit(i)` for each element in ascending order; the visitor may erase the element that it
    /// visits.
    template <typename Visit>
    void for_each(Visit visit) const
    {
        for_each_bit(first_, visit);
        for (std::size_t word = 0; word < more_words_; ++word)
            for_each_bit(more_[word],
                         [&](std::uint32_t i) { visit(static_cast<std::uint32_t>(word * 64) + 64 + i); });
    }

private:
    std::uint64_t& word_of(std::uint32_t i) { return i < 64 ? first_ : more_[i / 64 - 1]; }

    std::uint64_t first_ = 0;
    std::unique_ptr<std::uint64_t[]> more_;
    std::size_t more_words_;
};

} // namespace nocturne
