#include "models/topology/faults.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/reschedule/schedule_changes.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"

#include <algorithm>

namespace nocturne::translate_test {

using Catch::Contains;

namespace {

Topology without(const Topology& topology, const std::vector<std::string>& faults)
{
    return with_faults(topology, faults);
}

Schedule schedule_of(const Topology& topology, const Collective& collective)
{
    PortfolioOptions options;
    options.workers = 1;
    return find_schedule(make_problem(topology, collective), options).schedule.value();
}

std::size_t transfers_through(const Schedule& schedule, const Topology& topology, RouterId a, RouterId b)
{
    std::size_t count = 0;
    for (const Step& step : schedule.steps)
        for (const Transfer& transfer : step)
            count += std::ranges::any_of(*transfer.path, [&](ChannelId id) {
                const Channel& channel = topology.channel(id);
                return (channel.source == a && channel.target == b) ||
                       (channel.source == b && channel.target == a);
            });
    return count;
}

} // namespace

TEST_CASE("a network without some parts is mapped by the names of what is left", "[reschedule][translate]")
{
    const Topology mesh = make_topology("mesh:3x3");
    const Topology rest = without(mesh, {"node:11", "link:00-01"});
    const NetworkMap map = map_network(mesh, rest);
    for (RouterId id = 0; id < mesh.router_count(); ++id) {
        REQUIRE(map.routers[id].has_value() == (mesh.router_name(id) != "11"));
        if (map.routers[id])
            CHECK(rest.router_name(*map.routers[id]) == mesh.router_name(id));
        REQUIRE(map.processors[id].has_value() == map.routers[id].has_value());
        if (map.processors[id])
            CHECK(rest.processor(*map.processors[id]).name == mesh.processor(id).name);
    }
    std::size_t there = 0;
    for (ChannelId id = 0; id < mesh.channel_count(); ++id) {
        if (!map.channels[id])
            continue;
        ++there;
        const Channel& before = mesh.channel(id);
        const Channel& after = rest.channel(*map.channels[id]);
        CHECK(map.routers[before.source] == after.source);
        CHECK(map.routers[before.target] == after.target);
    }
    CHECK(there == rest.channel_count());
}

TEST_CASE("routers named by their index are not taken for those that moved up", "[reschedule][translate]")
{
    const Topology ring = make_topology("octagon:8");
    const NetworkMap map = map_network(ring, without(ring, {"node:2"}));
    CHECK_FALSE(map.routers[2]);
    CHECK(map.routers[3] == 2U);
    CHECK(map.routers[7] == 6U);
}

TEST_CASE("every transfer is translated, broken or lost, and those on a failed link are broken",
          "[reschedule][translate]")
{
    const Topology mesh = make_topology("mesh:4x4");
    const Schedule schedule = schedule_of(mesh, GENERATE(allgather({16}), alltoall({16}), scatter({16}, 5)));
    const TranslatedSchedule link = translate(schedule, mesh, without(mesh, {"link:11-12"}));
    const std::size_t through =
        transfers_through(schedule, mesh, *mesh.find_router("11"), *mesh.find_router("12"));
    CHECK(link.met == through);
    CHECK(link.broken.size() == through);
    CHECK(link.lost == 0);
    CHECK(count_transfers(link.schedule) + through == count_transfers(schedule));
    CHECK(link.schedule.steps.size() == schedule.steps.size());

    const TranslatedSchedule node = translate(schedule, mesh, without(mesh, {"node:33"}));
    CHECK(count_transfers(node.schedule) + node.broken.size() + node.lost == count_transfers(schedule));
    CHECK(node.schedule.collective.processors == 15);
    // What is left may lack something, but there is nothing in it that does not exist.
    for (const Violation& violation : validate(node.schedule, without(mesh, {"node:33"}))) {
        INFO(violation.text);
        CHECK((violation.rule == Rule::undelivered || violation.rule == Rule::sender_lacks_message));
    }
}

TEST_CASE("a collective shrinks to the survivors", "[reschedule][translate]")
{
    const Topology mesh = make_topology("mesh:2x3");
    const Topology rest = without(mesh, {"node:01"}); // processor 1
    const auto shrunk = [&](const Collective& collective) {
        return surviving_collective(collective, mesh, rest);
    };
    CHECK(shrunk(alltoall({6})) == alltoall({5}));
    CHECK(shrunk(broadcast({6}, 4)) == broadcast({5}, 3));
    CHECK(shrunk(gather({6}, 0)) == gather({5}, 0));
    CHECK(shrunk(multicast({6}, 0, {1, 2, 5})) == multicast({5}, 0, {1, 4}));
    CHECK(shrunk(many_to_many_scatter({6}, {0, 1, 2}, {1, 3})) == many_to_many_scatter({5}, {0, 1}, {2}));
    CHECK(shrunk(permutation({5, 1, 3, 2, 4, 0})) == permutation({4, 2, 1, 3, 0}));
    CHECK_THROWS_WITH(shrunk(permutation({1, 0, 2, 3, 4, 5})), Contains("01") && Contains("permutation"));
    CHECK_THROWS_WITH(shrunk(scatter({6}, 1)), Contains("its source 01 has failed"));
    CHECK_THROWS_WITH(shrunk(gather({6}, 1)), Contains("its root 01 has failed"));
    CHECK_THROWS_WITH(shrunk(many_to_many_broadcast({6}, {1}, {3, 4})), Contains("all its senders"));
    CHECK_THROWS_WITH(shrunk(multicast({6}, 3, {1})), Contains("all its receivers"));
}

TEST_CASE("steps may be put in, taken out or exchanged: what stays is what the order allows",
          "[reschedule][changes]")
{
    const Topology ring = make_topology("octagon:8");
    const Schedule schedule = schedule_of(ring, alltoall({8}));
    const TranslatedSchedule before{schedule, {}, 0, 0};
    const std::size_t all = count_transfers(schedule);
    CHECK(compare_schedules(before, schedule) == ScheduleChanges{all, 0, 0, 0});

    Schedule after = schedule;
    after.steps.insert(after.steps.begin() + 1, Step{});
    CHECK(compare_schedules(before, after) == ScheduleChanges{all, 0, 0, 0});
    after = schedule;
    const std::size_t first = after.steps.front().size();
    after.steps.erase(after.steps.begin());
    CHECK(compare_schedules(before, after) == ScheduleChanges{all - first, 0, first, 0});
    after = schedule;
    std::swap(after.steps[0], after.steps[1]);
    const std::size_t fewer = std::min(after.steps[0].size(), after.steps[1].size());
    CHECK(compare_schedules(before, after) == ScheduleChanges{all - fewer, fewer, 0, 0});
    after = schedule;
    after.steps[0][0].path->clear();
    CHECK(compare_schedules(before, after) == ScheduleChanges{all - 1, 1, 0, 0});
}

} // namespace nocturne::translate_test
