#include "sim/execution/contents.hpp"

#include "models/routing/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

using Words = std::vector<std::uint32_t>;

Words of_key(std::uint64_t key)
{
    return {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)};
}

std::uint64_t key_of(std::span<const std::uint32_t> words)
{
    return std::uint64_t{words[1]} << 32 | words[0];
}

SplitMix64 random_of(ChunkId chunk, const ContentForm& form)
{
    return SplitMix64(form.seed ^ (std::uint64_t{chunk} << 24));
}

/// Of a chunk that is not added.
Words arbitrary_words(ChunkId chunk, std::uint64_t bytes, const ContentForm& form)
{
    Words words((bytes + 3) / 4);
    SplitMix64 random = random_of(chunk, form);
    for (std::size_t i = 0; i < words.size(); i += 2) {
        const std::uint64_t both = random();
        words[i] = static_cast<std::uint32_t>(both);
        if (i + 1 < words.size())
            words[i + 1] = static_cast<std::uint32_t>(both >> 32);
    }
    return words;
}

Words summand(const Collective& collective, ChunkId chunk, ProcessorId processor, std::uint64_t bytes,
              const ContentForm& form)
{
    SplitMix64 random(form.seed ^ (std::uint64_t{chunk} << 32 | processor) * 0x9e3779b97f4a7c15);
    Words words((bytes + 3) / 4);
    // A float has 24 bits for whole numbers, and so many contributions are added at most.
    const unsigned bits =
        23 - static_cast<unsigned>(std::bit_width(collective.chunks[chunk].contributors.size()));
    for (std::uint32_t& word : words) {
        const auto value = static_cast<std::uint32_t>(random());
        word = form.element == ChunkElement::int32
                   ? value
                   : std::bit_cast<std::uint32_t>(static_cast<float>(value >> (32 - bits)));
    }
    return words;
}

} // namespace

void require_words_of_sums(const Collective& collective, std::uint64_t bytes)
{
    if (bytes % sizeof(std::uint32_t) != 0 && reduces(collective))
        throw std::invalid_argument(fmt::format(
            "messages of {} bytes: sums are of words of 4 bytes, and messages of whole words", bytes));
}

Words contributed_content(const Collective& collective, ChunkId chunk, ProcessorId processor,
                          std::uint64_t bytes, const ContentForm& form)
{
    const bool is_added = collective.chunks[chunk].contributors.size() > 1;
    if (form.payload == PayloadForm::digest) {
        const std::uint64_t key = random_of(chunk, form)();
        return of_key(is_added ? SplitMix64(key + processor)() : key);
    }
    return is_added ? summand(collective, chunk, processor, bytes, form)
                    : arbitrary_words(chunk, bytes, form);
}

Words owed_content(const Collective& collective, const Demand& demand, std::uint64_t bytes,
                   const ContentForm& form)
{
    Words sum;
    for (const ProcessorId contributor : demand.contributors) {
        Words part = contributed_content(collective, demand.chunk, contributor, bytes, form);
        if (sum.empty())
            sum = std::move(part);
        else
            add_content(form, sum, part);
    }
    return sum;
}

std::vector<std::uint8_t> bytes_of(std::span<const std::uint32_t> words, std::uint64_t bytes)
{
    std::vector<std::uint8_t> result(bytes);
    std::memcpy(result.data(), words.data(), bytes);
    return result;
}

void add_content(const ContentForm& form, std::span<std::uint32_t> there, std::span<const std::uint32_t> came)
{
    if (form.payload == PayloadForm::digest)
        std::ranges::copy(of_key(key_of(there) + key_of(came)), there.begin());
    else
        add_words(form.element, there, came);
}

bool have_same_content(const Demand& a, const Demand& b)
{
    return a.chunk == b.chunk && a.contributors == b.contributors;
}

bool contributes(const Collective& collective, ChunkId chunk, ProcessorId processor)
{
    const ProcessorList& contributors = collective.chunks[chunk].contributors;
    return std::binary_search(contributors.begin(), contributors.end(), processor);
}

} // namespace nocturne
