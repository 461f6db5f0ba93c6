#include "models/routing/random.hpp"
#include "models/worm/calendar.hpp"
#include "tests/catch.hpp"

#include <map>
#include <memory>

namespace nocturne::calendar_test {

TEST_CASE("a calendar gives out every event once, by its cycle and then in the order of scheduling",
          "[worm][calendar]")
{
    SplitMix64 random(GENERATE(1u, 2u, 3u));
    const std::uint32_t horizon = GENERATE(10u, 5000u, 100000u);
    const auto calendar = std::make_unique<Calendar>();
    std::map<std::uint64_t, std::vector<std::uint32_t>> due; // what is to come, by cycle
    std::uint32_t number = 0;
    const auto add = [&] {
        const std::uint64_t at = calendar->now() + random.below(horizon);
        calendar->schedule(at, number);
        due[at].push_back(number++);
    };
    for (int i = 0; i < 50; ++i)
        add();
    CHECK(calendar->now() == 0);
    while (!due.empty()) {
        const auto [cycle, events] = *due.begin();
        // It tells the cycle of the first event without moving there, and gives nothing out before it.
        const std::uint64_t now = calendar->now();
        REQUIRE(calendar->next_cycle() == cycle);
        REQUIRE(calendar->now() == now);
        if (cycle > now && number % 3 == 0) {
            REQUIRE(calendar->next(cycle) == Calendar::none);
            REQUIRE(calendar->now() == cycle);
        }
        REQUIRE(calendar->next(cycle + 1) == events.front());
        REQUIRE(calendar->now() == cycle);
        due[cycle].erase(due[cycle].begin());
        if (due[cycle].empty())
            due.erase(cycle);
        if (number < 3000)
            add();
    }
    CHECK(calendar->empty());
    CHECK(calendar->next_cycle() == Calendar::never);
    CHECK(calendar->next(Calendar::never) == Calendar::none);
}

} // namespace nocturne::calendar_test
