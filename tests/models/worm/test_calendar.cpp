#include "models/routing/random.hpp"
#include "models/worm/calendar.hpp"
#include "tests/catch.hpp"

#include <map>
#include <memory>

namespace nocturne::calendar_test {

TEST_CASE("a calendar gives out every event once, by its cycle, however far ahead", "[worm][calendar]")
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
    while (!due.empty()) {
        const std::uint32_t event = calendar->next(Calendar::never);
        REQUIRE(calendar->now() == due.begin()->first);
        std::vector<std::uint32_t>& events = due.begin()->second;
        const auto found = std::find(events.begin(), events.end(), event);
        REQUIRE(found != events.end());
        events.erase(found);
        if (events.empty())
            due.erase(due.begin());
        if (number < 3000)
            add();
    }
    CHECK(calendar->empty());
    CHECK(calendar->next(Calendar::never) == Calendar::none);
}

TEST_CASE("events of one cycle come in the order in which they were scheduled", "[worm][calendar]")
{
    const auto calendar = std::make_unique<Calendar>();
    for (const std::uint32_t event : {4u, 2u, 9u})
        calendar->schedule(7, event);
    CHECK(calendar->next(8) == 4);
    calendar->schedule(7, 5); // in the present cycle
    CHECK(calendar->next(8) == 2);
    CHECK(calendar->next(8) == 9);
    CHECK(calendar->next(8) == 5);
}

TEST_CASE("a calendar tells the cycle of its first event without moving there", "[worm][calendar]")
{
    const std::uint64_t at = GENERATE(0u, 3u, 100000u);
    const auto calendar = std::make_unique<Calendar>();
    CHECK(calendar->next_cycle() == Calendar::never);
    calendar->schedule(at, 1);
    calendar->schedule(at + 1, 2);
    CHECK(calendar->next_cycle() == at);
    CHECK(calendar->now() == 0);
    CHECK(calendar->next(at + 1) == 1);
    CHECK(calendar->next_cycle() == at + 1);
    CHECK(calendar->now() == at);
}

TEST_CASE("nothing at the end of an interval or after it is given out", "[worm][calendar]")
{
    const std::uint64_t at = GENERATE(3u, 100000u);
    const auto calendar = std::make_unique<Calendar>();
    calendar->schedule(at, 1);
    CHECK(calendar->next(at) == Calendar::none);
    CHECK(calendar->now() == at);
    CHECK(calendar->next(at + 1) == 1);
    CHECK(calendar->next(at + 1) == Calendar::none);
}

} // namespace nocturne::calendar_test
