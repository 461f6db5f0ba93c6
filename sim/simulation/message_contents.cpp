#include "sim/simulation/message_contents.hpp"

#include "models/routing/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

namespace nocturne {

namespace {

bool is_sum(const Collective& collective, MessageId message)
{
    return collective.chunks[message].contributors.size() > 1;
}

std::vector<std::uint8_t> bytes_of(const std::vector<std::uint32_t>& words)
{
    std::vector<std::uint8_t> bytes(words.size() * sizeof(std::uint32_t));
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

} // namespace

std::vector<std::uint8_t> message_content(MessageId message, std::uint64_t message_bytes, std::uint64_t seed)
{
    std::vector<std::uint8_t> content(message_bytes);
    SplitMix64 random(seed ^ (std::uint64_t{message} << 24));
    for (std::size_t i = 0; i < content.size(); i += sizeof(std::uint64_t)) {
        const std::uint64_t word = random();
        std::memcpy(content.data() + i, &word, std::min(sizeof word, content.size() - i));
    }
    return content;
}

std::uint64_t message_key(MessageId message, std::uint64_t seed)
{
    SplitMix64 random(seed ^ (std::uint64_t{message} << 24));
    return random();
}

std::vector<std::uint32_t> contribution(const Collective& collective, ChunkId chunk, std::uint32_t processor,
                                        const ContributionForm& form)
{
    SplitMix64 random(form.seed ^ (std::uint64_t{chunk} << 32 | processor) * 0x9e3779b97f4a7c15);
    std::vector<std::uint32_t> words(form.bytes / sizeof(std::uint32_t));
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

std::vector<std::uint32_t> reference_sum(const Collective& collective, const Demand& demand,
                                         const ContributionForm& form)
{
    std::vector<std::uint32_t> sum;
    for (const std::uint32_t contributor : demand.contributors) {
        const std::vector<std::uint32_t> part = contribution(collective, demand.chunk, contributor, form);
        if (sum.empty())
            sum = part;
        else
            add_words(form.element, sum, part);
    }
    return sum;
}

void require_words_of_sums(const Collective& collective, std::uint64_t message_bytes)
{
    if (message_bytes % sizeof(std::uint32_t) != 0 && reduces(collective))
        throw std::invalid_argument(
            fmt::format("messages of {} bytes: sums are of words of 4 bytes, and messages of whole words",
                        message_bytes));
}

std::vector<std::uint8_t> contributed_content(const Collective& collective, MessageId message,
                                              std::uint32_t processor, std::uint64_t message_bytes,
                                              std::uint64_t seed)
{
    if (!is_sum(collective, message))
        return message_content(message, message_bytes, seed);
    return bytes_of(contribution(collective, message, processor, {.bytes = message_bytes, .seed = seed}));
}

std::vector<std::uint8_t> owed_content(const Collective& collective, const Demand& demand,
                                       std::uint64_t message_bytes, std::uint64_t seed)
{
    if (!is_sum(collective, demand.chunk))
        return message_content(demand.chunk, message_bytes, seed);
    return bytes_of(reference_sum(collective, demand, {.bytes = message_bytes, .seed = seed}));
}

std::uint64_t contributed_key(const Collective& collective, MessageId message, std::uint32_t processor,
                              std::uint64_t seed)
{
    const std::uint64_t key = message_key(message, seed);
    return is_sum(collective, message) ? SplitMix64(key + processor)() : key;
}

std::uint64_t owed_key(const Collective& collective, const Demand& demand, std::uint64_t seed)
{
    std::uint64_t key = 0;
    for (const std::uint32_t contributor : demand.contributors)
        key += contributed_key(collective, demand.chunk, contributor, seed);
    return key;
}

bool have_same_content(const Demand& a, const Demand& b)
{
    return a.chunk == b.chunk && a.contributors == b.contributors;
}

bool contributes(const Collective& collective, MessageId message, std::uint32_t processor)
{
    const ProcessorList& contributors = collective.chunks[message].contributors;
    return std::binary_search(contributors.begin(), contributors.end(), processor);
}

} // namespace nocturne
