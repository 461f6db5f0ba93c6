// What a step sends and receives at once, kept apart.
#include "schedules/chunks/chunk_validator.hpp"
#include "schedules/chunks/step_staging.hpp"

#include <catch2/catch.hpp>

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
    schedule.transfers = {{.source = 1, .destination = 1, .from = 0, .to = 7},
                          {.source = 0, .destination = 1, .from = 0, .to = 0, .operation = add, .path = {0}},
                          {.source = 1, .destination = 0, .from = 0, .to = 0, .operation = add, .path = {1}},
                          {.source = 1, .destination = 2, .from = 0, .to = 0, .path = {2}}};
    REQUIRE(validate(schedule, network).empty());
    const StagedSchedule staged = stage_steps(schedule);
    CHECK(validate(staged.schedule, network).empty());
    CHECK(staged.position == std::vector<std::uint32_t>{5, 0, 1, 2});
    const auto& transfers = staged.schedule.transfers;
    REQUIRE(transfers.size() == 6);
    CHECK(transfers[0] == Transfer{.source = 0, .destination = 1, .from = 0, .to = 1, .path = {0}});
    CHECK(transfers[2] == schedule.transfers[3]); // 2 sends nothing
    CHECK(transfers[3] == Transfer{.source = 1, .destination = 1, .from = 1, .to = 0, .operation = add});
    CHECK(transfers[5] == schedule.transfers[0]);
    CHECK(transfer_weights(staged.schedule) == std::vector<std::uint32_t>(6, 2));
}

} // namespace nocturne::step_staging_test
