// Schedules of every collective and both switchings, made by the tests, replay right.
#include "models/routing/make_routing.hpp"
#include "models/routing/paths.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/schedule/complete_paths.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/schedule/validator.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/schedule/example_schedules.hpp"
#include "tests/sim/execution/runs.hpp"

#include <numeric>

namespace nocturne::made_schedules_test {

using namespace nocturne::test;

namespace {

Example empty_schedule(const std::string& spec, Collective collective, PortModel ports)
{
    Topology topology = make_topology(spec);
    Schedule schedule{
        std::string(paper_name(collective.kind)), "", spec, std::move(collective), ports, {}, {}};
    return {std::move(schedule), std::move(topology)};
}

Path shortest(const Topology& topology, ProcessorId source, ProcessorId destination)
{
    return *PathEnumerator(topology, source, destination, 0).next();
}

/// Each owed message from its origin, one a step.
Example one_at_a_time(const std::string& spec, Collective collective)
{
    Example example = empty_schedule(spec, std::move(collective), one_port);
    const Messages messages = example.schedule.collective.messages();
    for (MessageId id = 0; id < messages.size(); ++id)
        for (const ProcessorId receiver : messages[id].receivers)
            example.schedule.steps.push_back({{id, messages[id].origin, receiver,
                                               shortest(example.topology, messages[id].origin, receiver)}});
    return example;
}

/// Along the rows, then the columns of a mesh, doubling who is informed; node 0 is the source.
Example mesh_broadcast(unsigned side)
{
    Example example = empty_schedule("mesh:" + std::to_string(side) + "x" + std::to_string(side),
                                     broadcast({side * side}, 0), one_port);
    const auto halve = [&](unsigned stride, unsigned count, unsigned starts, unsigned between) {
        for (unsigned distance = count / 2; distance > 0; distance /= 2) {
            Step& step = example.schedule.steps.emplace_back();
            for (unsigned start = 0; start < starts; ++start)
                for (unsigned at = 0; at < count; at += 2 * distance) {
                    const ProcessorId source = start * between + at * stride;
                    const ProcessorId destination = source + distance * stride;
                    step.push_back({0, source, destination, shortest(example.topology, source, destination)});
                }
        }
    };
    halve(1, side, 1, 0);
    halve(side, side, side, 1);
    return example;
}

/// All transfers of a permutation in one step, over paths that the search finds.
Example permutation_in_one_step(const std::string& spec, std::vector<ProcessorId> image)
{
    Example example = empty_schedule(spec, permutation(std::move(image)), one_port);
    Step& step = example.schedule.steps.emplace_back();
    const Messages messages = example.schedule.collective.messages();
    for (MessageId id = 0; id < messages.size(); ++id)
        step.push_back({id, messages[id].origin, messages[id].receivers.front(), std::nullopt});
    example.schedule = complete_paths(example.schedule, example.topology);
    return example;
}

std::vector<Example> made_schedules()
{
    std::vector<Example> examples = valid_examples();
    examples.push_back(mesh_broadcast(4));
    examples.push_back(one_at_a_time("torus:3x3", many_to_many_scatter({9}, {0, 3, 4}, {3, 4, 8})));
    examples.push_back(one_at_a_time("kautz:2,2", many_to_many_broadcast({6}, {0, 1}, {1, 2, 5})));
    examples.push_back(one_at_a_time("mesh:3x3", gather({9}, 4)));
    examples.push_back(one_at_a_time("petersen", gather({10}, 9)));
    examples.push_back(one_at_a_time("fat_octagon:8", scatter({16}, 1)));
    examples.push_back(one_at_a_time("star:5", multicast({5}, 2, {0, 4})));
    examples.push_back(permutation_in_one_step("benes:2,3", {3, 7, 0, 6, 1, 5, 2, 4}));
    examples.push_back(permutation_in_one_step("benes:2,3", {0, 1, 3, 2, 4, 5, 7, 6})); // with fixed points
    return examples;
}

} // namespace

TEST_CASE("schedules of every collective replay right, self-timed never later than under a barrier",
          "[replay]")
{
    const std::vector<Example> examples = made_schedules();
    std::vector<ReplayCase> cases;
    for (const Example& example : examples)
        for (const auto mode : {Synchronization::barrier, Synchronization::self_timed}) {
            REQUIRE(validate(example.schedule, example.topology).empty());
            cases.push_back({example.schedule, example.topology, mode, {}});
            cases.back().options.message_bytes = 100;
        }
    const std::vector<ReplayResult> replays = replay_all(cases);
    for (std::size_t i = 0; i < replays.size(); i += 2) {
        INFO(replays[i].collective << " on " << replays[i].topology);
        const Schedule& schedule = cases[i].schedule;
        const ReplayResult& barrier = replays[i];
        const ReplayResult& self_timed = replays[i + 1];
        for (const ReplayResult* replay : {&barrier, &self_timed}) {
            INFO(replay->mode);
            CHECK(replay->valid);
            CHECK(replay->run.memory_ok);
            CHECK_FALSE(replay->run.stall);
            CHECK(replay->run.messages_owed == replay->run.messages_delivered);
            CHECK(replay->run.messages_owed > 0);
        }
        CHECK(barrier.run.blocked_cycles == 0);
        CHECK(barrier.run.time_ns == barrier.model_time_ns + barrier.hop_overhead_ns.value());
        CHECK(barrier.steps == schedule.steps.size());
        CHECK(self_timed.run.time_ns <= barrier.run.time_ns);
    }
}

TEST_CASE("occupancy says who held what, for how long, and no more than once a channel and step", "[replay]")
{
    const Example example = printed("octagon8_aas.json");
    SimulationOptions options;
    options.message_bytes = 256;
    options.record_occupancy = true;
    const ReplayResult replay =
        replay_all({{example.schedule, example.topology, Synchronization::barrier, options}}).front();
    std::size_t hops = 0;
    for (const Step& step : example.schedule.steps)
        for (const Transfer& transfer : step)
            hops += transfer.path->size();
    CHECK(replay.run.occupancy.size() == hops + 2 * count_transfers(example.schedule)); // and in and out
    const auto flits =
        std::accumulate(replay.run.channels.begin(), replay.run.channels.end(), std::uint64_t{0},
                        [](std::uint64_t sum, const ChannelUse& use) { return sum + use.flits; });
    CHECK(flits == replay.run.occupancy.size() * 64);
    for (const ChannelOccupancy& each : replay.run.occupancy) {
        INFO(each.channel << " step " << each.step);
        CHECK(each.end_ns - each.begin_ns == 64 * 2);
        CHECK(each.begin_ns >= (each.step - 1) * (replay.run.time_ns / 4) + 1000);
        CHECK(each.end_ns <= each.step * (replay.run.time_ns / 4));
    }
}

} // namespace nocturne::made_schedules_test
