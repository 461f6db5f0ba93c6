#include "models/routing/random.hpp"
#include "schedules/problem/step_table.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <map>

using namespace nocturne;

namespace {

const std::vector<std::uint32_t> capacity{1, 3, 2};
constexpr std::uint32_t steps = 5;

std::vector<StepTable::Holder> holders(const StepTable& table, ResourceId resource, std::uint32_t step)
{
    const auto held = table.holders(resource, step);
    return {held.begin(), held.end()};
}

} // namespace

TEST_CASE("a step table holds what plain lists hold, in the same order", "[problem]")
{
    const auto seed = GENERATE(range(1u, 11u));
    SplitMix64 random(seed);
    StepTable table(capacity, steps);
    std::map<std::pair<ResourceId, std::uint32_t>, std::vector<StepTable::Holder>> lists;
    for (StepTable::Holder next = 0; next < 2000; ++next) {
        const ResourceId resource = random.below(3);
        const std::uint32_t step = random.below(steps);
        auto& list = lists[{resource, step}];
        const auto room = static_cast<std::uint32_t>(capacity[resource] - list.size());
        REQUIRE(table.is_full(resource, step) == (room == 0));
        if (room == 0 || random.below(3) == 0) {
            if (list.empty())
                continue;
            const StepTable::Holder gone = list[random.below(static_cast<std::uint32_t>(list.size()))];
            if (random.below(2) == 0) {
                std::erase(list, gone);
                table.remove(resource, step, gone);
            } else if (std::ranges::count(list, gone) == 1) {
                *std::ranges::find(list, gone) = list.back();
                list.pop_back();
                table.swap_out(resource, step, gone);
            }
        } else if (random.below(2) == 0) {
            list.push_back(next);
            table.put(resource, step, next);
        } else {
            // Before another holder, not between the units of one.
            auto position = random.below(static_cast<std::uint32_t>(list.size()) + 1);
            while (position > 0 && position < list.size() && list[position - 1] == list[position])
                --position;
            const std::uint32_t units = 1 + random.below(room);
            list.insert(list.begin() + position, units, next);
            table.insert(resource, step, position, next, units);
        }
        for (ResourceId r = 0; r < capacity.size(); ++r)
            for (std::uint32_t s = 0; s < steps; ++s)
                REQUIRE(holders(table, r, s) == lists[{r, s}]);
    }
}

TEST_CASE("a resource without units is full at once", "[problem]")
{
    const StepTable table(std::vector<std::uint32_t>{0, 1}, 2);
    CHECK(table.is_full(0, 1));
    CHECK(table.holders(0, 1).empty());
    CHECK_FALSE(table.is_full(1, 1));
}
