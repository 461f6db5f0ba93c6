// What comes before what, against a plain search.
#include "models/routing/random.hpp"
#include "schedules/schedule/transfer_order.hpp"
#include "tests/catch.hpp"

namespace nocturne::transfer_order_test {

TEST_CASE("one transfer ends before another starts if a chain of dependencies says so", "[chunks]")
{
    const std::uint64_t seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{21}));
    SplitMix64 random(seed);
    LinkNetwork network("pair", 2);
    network.add_link({0, 1, 1, 1});
    const std::uint32_t count = 2 + random.below(60);
    Schedule schedule = empty_schedule("", "", {}, ScheduleSynchronization::dependencies);
    // before[i][j]: j ends before i starts.
    std::vector<std::vector<bool>> before(count, std::vector<bool>(count, false));
    for (std::uint32_t id = 0; id < count; ++id) {
        std::vector<std::uint32_t> after;
        for (auto named = id == 0 ? 0 : random.below(3); named > 0; --named) {
            const std::uint32_t other = random.below(id);
            after.push_back(other);
            before[id][other] = true;
            for (std::uint32_t older = 0; older < other; ++older)
                if (before[other][older])
                    before[id][older] = true;
        }
        append_transfer(schedule, {0, 0, 0, Path{}}, after);
    }
    const std::vector<std::uint32_t> order = order_of_transfers(schedule, network);
    REQUIRE(order.size() == count);
    EndsBeforeStart ends_before(schedule, order);
    for (std::uint32_t later = 0; later < count; ++later)
        for (std::uint32_t earlier = 0; earlier < count; ++earlier)
            if (earlier != later)
                REQUIRE(ends_before(earlier, later) == before[later][earlier]);
}

} // namespace nocturne::transfer_order_test
