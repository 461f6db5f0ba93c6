#include "schedules/scatter/step_search.hpp"

#include <algorithm>
#include <bit>

namespace nocturne {

namespace {

using Lanes = std::uint16_t __attribute__((vector_size(2 * lane_count)));

Lanes load(const std::uint16_t* first)
{
    Lanes lanes;
    std::memcpy(&lanes, first, sizeof lanes);
    return lanes;
}

Lanes saturated_sum(Lanes a, Lanes b)
{
    const Lanes sum = a + b;
    return sum | static_cast<Lanes>(sum < a);
}

} // namespace

bool is_free(const HolderTable& table, std::span<const ResourceId> held, std::uint32_t step)
{
    return std::all_of(held.begin(), held.end(), [&](ResourceId resource) {
        return (table.full(resource, step / 64) >> step % 64 & 1) == 0;
    });
}

std::uint32_t free_step_from(const HolderTable& table, std::span<const ResourceId> held, std::uint32_t first)
{
    const auto words = static_cast<std::uint32_t>(table.words());
    const auto full_in = [&](std::uint32_t word) {
        std::uint64_t full = 0;
        for (const ResourceId resource : held)
            full |= table.full(resource, word);
        return full;
    };
    std::uint32_t word = first / 64;
    const std::uint64_t before = (std::uint64_t{1} << first % 64) - 1;
    std::uint64_t full = full_in(word) | before;
    for (std::uint32_t i = 0; full == ~std::uint64_t{0}; full = full_in(word)) {
        if (++i > words)
            return no_step;
        word = word + 1 == words ? 0 : word + 1;
    }
    return word * 64 + static_cast<std::uint32_t>(std::countr_one(full));
}

HolderTable::Price price_steps(const HolderTable& table, std::span<const ResourceId> held, std::size_t first,
                               std::span<HolderTable::Price> costs)
{
    const std::size_t bytes = costs.size_bytes();
    std::memcpy(costs.data(), &table.prices(held.front())[first], bytes);
    for (std::size_t place = 1; place < held.size(); ++place) {
        const HolderTable::Price* const prices = &table.prices(held[place])[first];
        const HolderTable::Tag* const tags = &table.tags(held[place])[first];
        const HolderTable::Tag* const before = &table.tags(held[place - 1])[first];
        for (std::size_t i = 0; i < costs.size(); i += lane_count) {
            const auto is_another = static_cast<Lanes>(load(tags + i) != load(before + i));
            const Lanes sum = saturated_sum(load(&costs[i]), load(prices + i) & is_another);
            std::memcpy(&costs[i], &sum, sizeof sum);
        }
    }
    Lanes least = ~Lanes{};
    for (std::size_t i = 0; i < costs.size(); i += lane_count) {
        const Lanes cost = load(&costs[i]);
        const auto is_less = static_cast<Lanes>(cost < least);
        least = (cost & is_less) | (least & ~is_less);
    }
    HolderTable::Price result = HolderTable::most_price;
    for (std::size_t lane = 0; lane < lane_count; ++lane)
        result = std::min<HolderTable::Price>(result, least[lane]);
    return result;
}

} // namespace nocturne
