#include "schedules/schedule/chunk_time.hpp"
#include "schedules/schedule/start_order.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/schedule/edit_transfers.hpp"
#include "tests/schedules/schedule/ring_schedules.hpp"

using namespace nocturne;

TEST_CASE("a ring's allreduce takes 2 (n-1) alphas and shares", "[chunks][time]")
{
    const std::uint32_t nodes = GENERATE(3u, 5u, 8u);
    const AlphaBeta cost{.bytes_per_weight = 400, .start_cycles = 7};
    const double expected = 2 * (nodes - 1) * (10 + 50);
    CHECK(time_of(test::ring_allreduce(nodes), test::ring(nodes), cost) == Approx(expected));
    CHECK(time_of(test::ring_allreduce_without_barriers(nodes), test::ring(nodes), cost) == Approx(expected));
}

TEST_CASE("a link takes the next transfer when the last has left it, or has arrived", "[chunks][time]")
{
    Schedule schedule;
    schedule.collective = broadcast({.processors = 3, .parts = 4, .group = {0, 1}}, 0);
    schedule.synchronization = ScheduleSynchronization::dependencies;
    for (PlaceId chunk = 0; chunk < 4; ++chunk)
        test::add_transfer(schedule, {{chunk, 0, 1, Path{0}}});
    AlphaBeta cost{.bytes_per_weight = 80};
    CHECK(time_of(schedule, test::ring(3), cost) == Approx(4 * 10 + 3));
    cost.latency_holds_link = true;
    CHECK(time_of(schedule, test::ring(3), cost) == Approx(4 * 13));
}

TEST_CASE("the order of the list decides nothing but what links carry first", "[chunks][time]")
{
    Schedule schedule;
    schedule.collective.processors = 4;
    schedule.collective.chunks = {{5, {0}}};
    schedule.collective.demands = Demands({{0, 2, {0}}});
    schedule.synchronization = ScheduleSynchronization::dependencies;
    set_transfers(schedule, {{{{0, 1}, 0, 1, Path{0}}}, {{{1, 0}, 1, 2, Path{2}}, 0, {0}}});
    const LinkNetwork network = test::ring(4);
    const AlphaBeta cost{.bytes_per_weight = 80};
    const std::vector<double> ends{53, 106};
    CHECK(end_times(schedule, network, cost) == ends);
    std::swap(schedule.steps[0][0], schedule.steps[0][1]);
    schedule.after = Dependencies(std::vector<std::vector<std::uint32_t>>{{1}});
    CHECK(end_times(schedule, network, cost) == std::vector<double>{106, 53});
}

TEST_CASE("in steps a local transfer ends when its step does", "[chunks][time]")
{
    Schedule schedule = test::ring_allreduce(3);
    const AlphaBeta cost{.bytes_per_weight = 80};
    schedule.steps[0].insert(schedule.steps[0].begin(), {{0, 9}, 0, 0, Path{}});
    CHECK(end_times(schedule, test::ring(3), cost).front() == 13);
}

TEST_CASE("nothing is read before it is released, and all that comes behind it on a link waits",
          "[chunks][time]")
{
    Schedule schedule;
    schedule.collective = broadcast({.processors = 3, .parts = 3}, 0);
    schedule.collective.chunks[0].release_cycles = 100;
    schedule.synchronization = ScheduleSynchronization::dependencies;
    const AlphaBeta cost{.bytes_per_weight = 80};
    set_transfers(schedule,
                  {{{{1, 1}, 0, 1, Path{0}}}, {{{0, 0}, 0, 1, Path{0}}}, {{{2, 2}, 0, 1, Path{0}}}});
    CHECK(end_times(schedule, test::ring(3), cost) == std::vector<double>{13, 113, 123});
    CHECK(transfer_releases(schedule) == std::vector<std::uint64_t>{0, 100, 0});
    SECTION("others start first, if a link does not wait")
    {
        const Schedule other = in_order_of_starts(schedule, test::ring(3), cost);
        CHECK(end_times(other, test::ring(3), cost) == std::vector<double>{13, 23, 113});
    }
    SECTION("a contribution in another place")
    {
        schedule.inputs = {{0, 0, 7}};
        test::transfer_at(schedule, 2).message = 7;
        CHECK(transfer_releases(schedule) == std::vector<std::uint64_t>{0, 100, 100});
    }
    SECTION("in steps, of which one begins when all that it reads is released")
    {
        schedule.synchronization = ScheduleSynchronization::steps;
        set_transfers(
            schedule,
            {{{{1, 1}, 0, 1, Path{0}}, 0}, {{{0, 0}, 0, 1, Path{0}}, 1}, {{{2, 2}, 0, 1, Path{0}}, 2}});
        CHECK(time_of(schedule, test::ring(3), cost) == 126);
        CHECK(end_times(schedule, test::ring(3), cost) == std::vector<double>{13, 113, 126});
    }
    SECTION("nothing is released")
    {
        schedule.collective.chunks[0].release_cycles = 0;
        CHECK(transfer_releases(schedule).empty());
    }
}
