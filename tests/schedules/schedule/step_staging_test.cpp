// What a step sends and receives at once, kept apart.
#include "schedules/schedule/step_staging.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"

namespace nocturne::step_staging_test {

TEST_CASE("what comes to a place that the step sends from is written when the step ends", "[chunks]")
{
    LinkNetwork network{"three", 3};
    network.add_links(0, 1, 1, 1); // links 0 and 1
    network.add_links(1, 2, 1, 1); // links 2 and 3
    Schedule schedule;
    schedule.collective.processors = 3;
    schedule.collective.chunks = {{2, {0, 1}}};
    schedule.collective.demands = Demands({{0, 0, {0, 1}}, {0, 1, {0, 1}}, {0, 2, {1}}});
    schedule.rounds = {2};
    const auto add = Operation::add;
    set_transfers(schedule, {{{{0, 7}, 1, 1, Path{}}},
                             {{0, 0, 1, Path{0}, add}},
                             {{0, 1, 0, Path{1}, add}},
                             {{0, 1, 2, Path{2}}}});
    REQUIRE(validate(schedule, network).empty());
    const StagedSchedule staged = stage_steps(schedule);
    CHECK(validate(staged.schedule, network).empty());
    CHECK(staged.position == std::vector<std::uint32_t>{5, 0, 1, 2});
    const TransferList transfers(staged.schedule);
    REQUIRE(transfers.size() == 6);
    CHECK(transfers[0] == Transfer{{0, 1}, 0, 1, Path{0}});
    CHECK(transfers[2] == schedule.steps[0][3]); // 2 sends nothing
    CHECK(transfers[3] == Transfer{{1, 0}, 1, 1, Path{}, add});
    CHECK(transfers[5] == schedule.steps[0][0]);
    CHECK(transfer_weights(staged.schedule) == std::vector<std::uint32_t>(6, 2));
}

} // namespace nocturne::step_staging_test
