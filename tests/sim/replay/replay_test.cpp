// Replays: as often as you like in one process, and where the cycles that flits wait come from.
#include "models/topology/make_topology.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/execution/unscheduled.hpp"
#include "sim/replay/replay.hpp"
#include "sim/report/results.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"
#include "tests/schedules/schedule/example_schedules.hpp"
#include "tests/sim/execution/runs.hpp"

namespace nocturne::replay_test {

using namespace nocturne::test;

namespace {

/// One message over a link of 20 cycles.
ReplayResult over_a_long_link(unsigned buffer_flits)
{
    const Topology topology = test::direct_network("long", 2, {{0, 1, 20}, {1, 0, 20}});
    Schedule schedule{.name = "one message",
                      .source = {},
                      .topology = topology.name(),
                      .collective = scatter({2}, 0),
                      .ports = one_port,
                      .switching = Switching::wormhole,
                      .steps = {{{0, 0, 1, Path{0}}}}};
    SimulationOptions options;
    options.message_bytes = 1024;
    options.hardware.buffer_flits = buffer_flits;
    return replay(schedule, topology, Synchronization::barrier, options);
}

} // namespace

TEST_CASE("a replay can be repeated in one process, and not where it has no worker of its own", "[replay]")
{
    const Example example = printed("octagon8_aas.json");
    const auto run = [&] { return replay(example.schedule, example.topology, Synchronization::barrier, {}); };
    const ReplayResult first = run();
    CHECK(first.run.memory_ok);
    CHECK(run() == first);

    const Job twice = [&] {
        for (int i = 0; i < 2; ++i)
            replay_in_this_process(example.schedule, example.topology, Synchronization::barrier, {});
        return nlohmann::json();
    };
    CHECK_THROWS_WITH(run_jobs(std::span(&twice, 1)),
                      Catch::Contains("a simulation has run in this process already"));
}

TEST_CASE("with digests a replay is the same as with bytes", "[replay][payload]")
{
    const std::uint64_t bytes = GENERATE(1u, 37u, 256u);
    const unsigned flit_bytes = GENERATE(4u, 16u);
    for (const Example& example : {printed("octagon8_aas.json"), xor_scatter(3), rotation_broadcast(5)}) {
        SimulationOptions options;
        options.message_bytes = bytes;
        options.hardware.flit_bytes = flit_bytes;
        const ReplayResult held =
            replay(example.schedule, example.topology, Synchronization::barrier, options);
        options.contents.payload = PayloadForm::digest;
        INFO(example.schedule.name << ", " << bytes << " bytes");
        REQUIRE(held.run.memory_ok);
        CHECK(replay(example.schedule, example.topology, Synchronization::barrier, options) == held);
    }
}

TEST_CASE("a message that is passed on before it has come is wrong, in bytes and in digests",
          "[replay][payload]")
{
    const PayloadForm payload = GENERATE(PayloadForm::held, PayloadForm::digest);
    const Topology mesh = make_topology("mesh:1x4");
    const auto hop = [&](ProcessorId from) {
        return Transfer{0, from, from + 1, test::path_over(mesh, {from, from + 1})};
    };
    // 1 passes it on while it comes; what 2 passes on to 3 is what it got.
    const Schedule schedule{.name = "too early",
                            .source = {},
                            .topology = mesh.name(),
                            .collective = broadcast({4}, 0),
                            .ports = one_port,
                            .steps = {{hop(0), hop(1)}, {hop(2)}}};
    SimulationOptions options;
    options.ports = one_port;
    options.contents.payload = payload;
    const RunResult run = in_worker([&] {
        return simulate(mesh, schedule.collective, workload_of(schedule, mesh, Synchronization::barrier),
                        options)
            .run;
    });
    CHECK(run.messages_owed == 3);
    CHECK(run.messages_delivered == 1);
    CHECK_FALSE(run.memory_ok);
}

TEST_CASE("buffers that are too small for a long link are told from contention", "[replay]")
{
    const ReplayResult small = over_a_long_link(8);
    CHECK(small.run.blocked_cycles > 0);
    CHECK(small.run.credit_wait_cycles == small.run.blocked_cycles);
    CHECK(small.run.missing_buffer_flits == HardwareConfig{}.full_rate_buffer_flits({}, 20) - 8);
    const ReplayResult enough = over_a_long_link(0);
    CHECK(enough.run.blocked_cycles == 0);
    CHECK(enough.run.credit_wait_cycles == 0);
    CHECK(enough.run.missing_buffer_flits == 0);
    CHECK(enough.run.time_ns < small.run.time_ns);
}

TEST_CASE("messages that meet wait for channels, not for credits alone", "[replay]")
{
    UnscheduledCase each{"mesh:3x3", "dor", alltoall({9}), all_port, {SendOrder::in_order}};
    const RunResult run = run_all({each}).front();
    CHECK(run.credit_wait_cycles > 0);
    CHECK(run.credit_wait_cycles < run.blocked_cycles);
    CHECK(run.missing_buffer_flits == 0);
}

} // namespace nocturne::replay_test
