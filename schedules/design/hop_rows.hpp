// The inner loops of HopLevels: unions of rows of machine words, for fixed numbers of words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace nocturne::design {

using Word = std::uint64_t;

#define NOCTURNE_INLINE [[gnu::always_inline]] inline

/// As many words as a vector operation takes at most: the compiler splits it for smaller ones.
template <std::size_t words>
struct WordBlock {
    using Type [[gnu::vector_size(words * sizeof(Word))]] = Word;
};
template <>
struct WordBlock<1> {
    using Type = Word;
};

/// Words of a row that are handled at once.
constexpr std::size_t block_of(std::size_t words)
{
    return words < 8 ? words : 8;
}

template <std::size_t block>
NOCTURNE_INLINE std::int64_t sum_of(const typename WordBlock<block>::Type& counts)
{
    if constexpr (block == 1)
        return static_cast<std::int64_t>(counts);
    else {
        Word sum = 0;
        for (std::size_t word = 0; word < block; ++word)
            sum += counts[word];
        return static_cast<std::int64_t>(sum);
    }
}

/// The union of a row and of the rows of `degree` others, of `words` words each (a multiple of `block`); its
/// bits are added to `counts`, by their word modulo `block`. `row_of(i)` is the i-th of the others.
template <std::size_t block, typename RowOf>
NOCTURNE_INLINE void unite_rows(Word* to, const Word* own, const RowOf& row_of, unsigned degree,
                                std::size_t words, typename WordBlock<block>::Type& counts)
{
    using Block = typename WordBlock<block>::Type;
    for (std::size_t at = 0; at < words; at += block) {
        Block all;
        std::memcpy(&all, own + at, sizeof all);
        for (unsigned i = 0; i < degree; ++i) {
            Block one;
            std::memcpy(&one, row_of(i) + at, sizeof one);
            all |= one;
        }
        std::memcpy(to + at, &all, sizeof all);
        if constexpr (block == 1) {
            counts += static_cast<Word>(__builtin_popcountll(all));
        } else {
            Block bits;
            for (std::size_t word = 0; word < block; ++word)
                bits[word] = static_cast<Word>(__builtin_popcountll(all[word]));
            counts += bits;
        }
    }
}

/// Rows on cache lines.
class RowStore {
public:
    /// New words are 0.
    void resize(std::size_t words) { lines_.resize((words + 7) / 8); }
    /// So many words, all 0.
    void clear(std::size_t words) { lines_.assign((words + 7) / 8, Line{}); }
    Word* data() { return lines_.empty() ? nullptr : lines_.front().words; }

private:
    struct alignas(64) Line {
        Word words[8];
    };
    std::vector<Line> lines_;
};

} // namespace nocturne::design
