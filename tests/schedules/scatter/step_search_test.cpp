// Who holds what in which step, and which steps are free or cheap to free, against plain lists.
#include "models/routing/random.hpp"
#include "schedules/scatter/step_search.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace nocturne::step_search_test {

namespace {

using Price = HolderTable::Price;

const std::vector<std::uint32_t> capacity{1, 2, 1, 3};

struct PlainTable {
    std::vector<Price> price_of;
    std::vector<std::vector<std::vector<MessageId>>> holders; ///< by resource and step

    bool has_room(ResourceId id, std::uint32_t step) const { return holders[id][step].size() < capacity[id]; }
    std::optional<MessageId> cheapest(ResourceId id, std::uint32_t step) const
    {
        if (has_room(id, step))
            return std::nullopt;
        return *std::ranges::min_element(holders[id][step], {}, [&](MessageId m) { return price_of[m]; });
    }
    Price cost(const std::vector<ResourceId>& held, std::uint32_t step) const
    {
        std::uint64_t sum = 0;
        std::optional<MessageId> before;
        for (const ResourceId id : held) {
            const auto goes = cheapest(id, step);
            sum += goes && goes != before ? price_of[*goes] : 0;
            before = goes;
        }
        return static_cast<Price>(std::min<std::uint64_t>(sum, HolderTable::most_price));
    }
};

} // namespace

TEST_CASE("holders, free steps and the costs of steps are those of plain lists", "[scatter][even]")
{
    const std::uint32_t steps = GENERATE(1u, 2u, 64u, 127u, 130u);
    SplitMix64 random(steps);
    PlainTable plain{{}, {capacity.size(), std::vector<std::vector<MessageId>>(steps)}};
    constexpr MessageId messages = 40;
    for (MessageId id = 0; id < messages; ++id)
        plain.price_of.push_back(static_cast<Price>(1 + (id * 7 % messages) * 1600)); // no two alike
    HolderTable table(capacity, steps, plain.price_of);
    for (std::uint32_t change = 0; change < 12 * steps + 20; ++change) {
        const ResourceId id = random.below(static_cast<std::uint32_t>(capacity.size()));
        const std::uint32_t step = random.below(steps);
        auto& holders = plain.holders[id][step];
        const MessageId message = random.below(messages);
        if (plain.has_room(id, step) && random.below(4) > 0) {
            if (std::ranges::count(holders, message) > 0)
                continue;
            holders.push_back(message);
            table.take(id, step, message);
        } else if (!holders.empty()) {
            table.release(id, step, holders.back());
            holders.pop_back();
        }
    }
    for (ResourceId id = 0; id < capacity.size(); ++id) {
        const auto is_full = [&](std::size_t step) {
            return (table.full(id, step / 64) >> step % 64 & 1) != 0;
        };
        for (std::uint32_t step = 0; step < steps; ++step) {
            const auto cheapest = plain.cheapest(id, step);
            CHECK(is_full(step) == !plain.has_room(id, step));
            CHECK(table.cheapest_holder(id, step) == cheapest.value_or(no_message));
            CHECK(table.prices(id)[step] == (cheapest ? plain.price_of[*cheapest] : 0));
            std::vector<MessageId> holders = plain.holders[id][step];
            holders.resize(capacity[id], no_message);
            CHECK(std::ranges::is_permutation(table.holders(id, step), holders));
        }
        // Behind the last step there is no room.
        for (std::size_t behind = steps; behind < 64 * table.words(); ++behind)
            CHECK(is_full(behind));
        for (std::size_t behind = steps; behind < table.prices(id).size(); ++behind)
            CHECK(table.prices(id)[behind] == HolderTable::most_price);
    }
    for (const std::vector<ResourceId>& held :
         {std::vector<ResourceId>{}, {0}, {1, 3}, {0, 1}, {0, 1, 2, 3}, {2, 0, 3}}) {
        const auto is_open = [&](std::uint32_t step) {
            return std::ranges::all_of(held, [&](ResourceId id) { return plain.has_room(id, step); });
        };
        for (std::uint32_t first = 0; first < steps; ++first) {
            CHECK(is_free(table, held, first) == is_open(first));
            std::uint32_t expected = no_step;
            for (std::uint32_t after = steps; after-- > 0;)
                if (is_open((first + after) % steps))
                    expected = (first + after) % steps;
            CHECK(free_step_from(table, held, first) == expected);
        }
        if (held.empty())
            continue;
        std::vector<Price> costs(table.prices(0).size());
        const std::size_t half = costs.size() / lane_count / 2 * lane_count;
        for (const std::size_t first : {std::size_t{0}, half}) {
            costs.resize(table.prices(0).size() - first);
            const Price least = price_steps(table, held, first, costs);
            CHECK(least == *std::ranges::min_element(costs));
            for (std::size_t i = 0; i < costs.size(); ++i)
                CHECK(costs[i] == (first + i < steps ? plain.cost(held, static_cast<std::uint32_t>(first + i))
                                                     : HolderTable::most_price));
        }
    }
}

TEST_CASE("all places of a price are visited, in their order, and no others", "[scatter][even]")
{
    // Numbers that differ from each other in a borrow or in the highest bit.
    const std::vector<Price> different{0, 1, 2, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff, 0x0100, 0x00ff};
    std::vector<Price> costs;
    for (std::size_t i = 0; i < 40 * lane_count; ++i)
        costs.push_back(different[(i * i + i / 7) % different.size()]);
    for (const Price price : different) {
        std::vector<std::size_t> expected, visited;
        for (std::size_t i = 0; i < costs.size(); ++i)
            if (costs[i] == price)
                expected.push_back(i);
        for_each_equal(costs, price, [&](std::size_t index) { visited.push_back(index); });
        CAPTURE(price);
        CHECK(visited == expected);
    }
}

} // namespace nocturne::step_search_test
