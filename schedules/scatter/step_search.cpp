#include "schedules/scatter/step_search.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace nocturne {

bool is_free(const HolderTable& table, std::span<const ResourceId> held, std::uint32_t step)
{
    return std::all_of(held.begin(), held.end(), [&](ResourceId resource) {
        const auto holders = table.holders(resource, step);
        return std::find(holders.begin(), holders.end(), no_message) != holders.end();
    });
}

std::uint32_t first_free_step(const HolderTable& table, std::span<const ResourceId> held,
                              std::uint32_t before)
{
    for (std::size_t block = 0; block * block_words * 64 < before; ++block) {
        StepBlock full{};
        for (const ResourceId resource : held)
            full |= table.full(resource, block);
        for (std::size_t word = 0; word < block_words; ++word)
            if (full[word] != ~std::uint64_t{0})
                return static_cast<std::uint32_t>((block * block_words + word) * 64) +
                       static_cast<std::uint32_t>(std::countr_one(full[word]));
    }
    return no_step;
}

std::uint32_t free_step_from(const HolderTable& table, std::span<const ResourceId> held, std::uint32_t first)
{
    const auto blocks = static_cast<std::uint32_t>(table.blocks());
    for (std::uint32_t i = 0; i < blocks; ++i) {
        const std::uint32_t block = first + i < blocks ? first + i : first + i - blocks;
        StepBlock full{};
        for (const ResourceId resource : held)
            full |= table.full(resource, block);
        for (std::uint32_t word = 0; word < block_words; ++word)
            if (full[word] != ~std::uint64_t{0})
                return (block * static_cast<std::uint32_t>(block_words) + word) * 64 +
                       static_cast<std::uint32_t>(std::countr_one(full[word]));
    }
    return no_step;
}

void BlockedSteps::clear(const HolderTable& table, std::size_t paths)
{
    steps.resize(most_blocked * paths * table.blocks() * block_words);
    count = {};
}

void BlockedSteps::add(const HolderTable& table, std::span<const ResourceId> held, std::size_t path)
{
    const std::size_t words = table.blocks() * block_words;
    const std::size_t stride = steps.size() / most_blocked;
    for (std::size_t block = 0; block < table.blocks(); ++block) {
        // Blocked in at most 0, 1, 2, ... places.
        std::array<StepBlock, most_blocked + 1> at_most;
        at_most.fill(~StepBlock{});
        for (const ResourceId resource : held) {
            const StepBlock full = table.full(resource, block);
            for (std::size_t places = most_blocked; places > 0; --places)
                at_most[places] = (at_most[places] & ~full) | at_most[places - 1];
            at_most[0] &= ~full;
        }
        const StepBlock inside = table.inside(block);
        for (std::size_t places = 1; places <= most_blocked; ++places) {
            const StepBlock exactly = at_most[places] & ~at_most[places - 1] & inside;
            std::memcpy(&steps[(places - 1) * stride + path * words + block * block_words], &exactly,
                        sizeof exactly);
            for (std::size_t word = 0; word < block_words; ++word)
                count[places - 1] += static_cast<unsigned>(std::popcount(exactly[word]));
        }
    }
}

} // namespace nocturne
