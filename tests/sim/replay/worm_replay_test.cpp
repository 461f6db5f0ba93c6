// Schedules at the message level: to the cycle as at the flit level.
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/collective/collective.hpp"
#include "schedules/schedule/complete_paths.hpp"
#include "sim/replay/compare.hpp"
#include "sim/result_files/certify.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/models/hardware/random_hardware.hpp"
#include "tests/schedules/schedule/example_schedules.hpp"
#include "tests/sim/execution/runs.hpp"

#include <algorithm>
#include <filesystem>
#include <tuple>

namespace nocturne::worm_replay_test {

using namespace nocturne::test;

namespace {

/// In the order of channels and times. A processor's links have one name: which of them each of two messages
/// takes that come in the same cycle is of no consequence.
std::vector<ChannelOccupancy> sorted(std::vector<ChannelOccupancy> occupancy)
{
    std::ranges::sort(occupancy, {}, [](const ChannelOccupancy& held) {
        return std::tuple(held.channel, held.begin_ns, held.message);
    });
    return occupancy;
}

bool is_same_hold(const ChannelOccupancy& a, const ChannelOccupancy& b)
{
    return a.channel == b.channel && a.message == b.message && a.step == b.step &&
           a.begin_ns == Approx(b.begin_ns).epsilon(1e-12) && a.end_ns == Approx(b.end_ns).epsilon(1e-12);
}

/// The same cases at both levels; REQUIREs that what they measure is the same.
void require_same(std::vector<ReplayCase> cases)
{
    for (ReplayCase& each : cases)
        each.options.record_occupancy = true;
    const std::vector<ReplayResult> flit = replay_all(cases);
    std::vector<ReplayResult> worm;
    for (const ReplayCase& each : cases) {
        SimulationOptions options = each.options;
        options.model = NetworkModel::worm;
        worm.push_back(replay_in_this_process(each.schedule, each.topology, each.synchronization, options));
    }
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const SimulationOptions& options = cases[i].options;
        CAPTURE(i, cases[i].schedule.name, cases[i].topology.name(), options.message_bytes,
                options.hardware.buffer_flits, options.hardware.link_cycles, options.hardware.flit_bytes);
        REQUIRE(flit[i].valid);
        REQUIRE(flit[i].run.model == "flit");
        REQUIRE(worm[i].run.model == "worm");
        REQUIRE(flit[i].run.memory_ok);
        REQUIRE(worm[i].run.memory_ok);
        REQUIRE(worm[i].run.time_ns == Approx(flit[i].run.time_ns).epsilon(1e-12));
        REQUIRE(worm[i].step_times_ns.size() == flit[i].step_times_ns.size());
        REQUIRE(std::equal(worm[i].step_times_ns.begin(), worm[i].step_times_ns.end(),
                           flit[i].step_times_ns.begin(),
                           [](double a, double b) { return a == Approx(b).epsilon(1e-12); }));
        REQUIRE(worm[i].run.average_message_latency_cycles ==
                Approx(flit[i].run.average_message_latency_cycles).epsilon(1e-12));
        REQUIRE(worm[i].run.flit_hops == flit[i].run.flit_hops);
        REQUIRE(worm[i].run.messages_delivered == flit[i].run.messages_delivered);
        REQUIRE(worm[i].run.head_wait_cycles == 0u);
        REQUIRE(worm[i].run.channels.size() == flit[i].run.channels.size());
        REQUIRE(std::equal(
            worm[i].run.channels.begin(), worm[i].run.channels.end(), flit[i].run.channels.begin(),
            [](const auto& a, const auto& b) { return a.channel == b.channel && a.flits == b.flits; }));
        REQUIRE(
            std::ranges::equal(sorted(worm[i].run.occupancy), sorted(flit[i].run.occupancy), is_same_hold));
    }
}

/// Any hardware whose start-up outlasts the return of a credit.
SimulationOptions any_options(SplitMix64& random)
{
    SimulationOptions options;
    options.hardware = random_config(random);
    options.hardware.buffer_flits = random.below(3) == 0 ? 0 : 1 + random.below(12);
    options.hardware.t0_ns = 40 * options.hardware.cycle_ns;
    options.message_bytes = 1 + random.below(1500);
    return options;
}

std::vector<std::filesystem::path> kept_schedules()
{
    std::vector<std::filesystem::path> files;
    for (const std::filesystem::path folder : {SCHEDULE_LIBRARY, SCHEDULE_LIBRARY "/gallery"})
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.path().extension() == ".json")
                files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

const std::vector both_levels{NetworkModel::flit, NetworkModel::worm};

/// Everybody to everybody, one-port.
RunResult run_unscheduled(const std::string& network, const std::string& routing, SendOrder order,
                          std::uint64_t bytes, NetworkModel model)
{
    const Topology topology = make_topology(network);
    const Collective collective = alltoall({static_cast<std::uint32_t>(topology.processor_count())});
    SimulationOptions options;
    options.ports = one_port;
    options.message_bytes = bytes;
    options.model = model;
    const Workload workload =
        unscheduled(topology, collective, one_port, make_routing(topology, routing), {order});
    return simulate(topology, collective, workload, options).run;
}

} // namespace

TEST_CASE("every schedule of library and gallery takes the same time at both levels", "[replay][worm]")
{
    SplitMix64 random(1);
    std::vector<ReplayCase> cases;
    std::size_t number = 0;
    for (const std::filesystem::path& file : kept_schedules()) {
        if (!test::is_tried(number++, 3))
            continue;
        const ResultFile result = load_result(file);
        if (result.schedule->steps.empty() || result.problem.topology.processor_count() > 64)
            continue;
        const Schedule schedule = complete_paths(*result.schedule, result.problem.topology);
        if (cases.size() % 3 == 0)
            cases.push_back({schedule, result.problem.topology, Synchronization::barrier, {}});
        cases.push_back({schedule, result.problem.topology, Synchronization::barrier, any_options(random)});
    }
    REQUIRE(cases.size() > (test::is_nightly() ? 110 : 35));
    require_same(cases);
}

TEST_CASE("random schedules on random networks, narrow and slow links and small buffers included, take the "
          "same time at both levels",
          "[replay][worm]")
{
    SplitMix64 random(2);
    std::vector<ReplayCase> cases;
    for (unsigned seed = 1; seed <= 24; ++seed) {
        Example example = sequential_scatter(seed);
        if (seed % 3 == 0)
            example = xor_scatter(2 + seed % 2);
        if (seed % 4 == 0)
            example = binomial_broadcast(3);
        example.topology = with_random_channels(example.topology, random);
        cases.push_back({example.schedule, example.topology, Synchronization::barrier, any_options(random)});
    }
    require_same(cases);
}

TEST_CASE("what is sent without a schedule arrives at the message level too", "[replay][worm]")
{
    const Topology topology = make_topology("mesh:4x4");
    const Routing routing = make_routing(topology, "dor");
    SimulationOptions options;
    options.ports = one_port;
    options.message_bytes = 256;
    for (const Collective& collective : {alltoall({16}), allgather({16})})
        for (const UnscheduledTraffic& traffic : usual_baselines(collective, 3)) {
            CAPTURE(to_string(collective.kind), to_string(traffic));
            const Workload workload = unscheduled(topology, collective, one_port, routing, traffic);
            options.model = NetworkModel::worm;
            const RunResult worm = simulate(topology, collective, workload, options).run;
            CHECK_FALSE(worm.stall);
            CHECK(worm.memory_ok);
            CHECK(worm.messages_delivered == worm.messages_owed);
            CHECK(simulate(topology, collective, workload, options).run == worm);
        }
}

TEST_CASE("contention without a schedule costs about as much at both levels", "[replay][worm]")
{
    const std::vector<RunResult> runs = in_workers(both_levels, [](NetworkModel model) {
        return run_unscheduled("mesh:4x4", "dor", SendOrder::random, 1024, model);
    });
    CHECK(runs[0].blocked_cycles > 0);
    CHECK(runs[1].head_wait_cycles > 0u);
    CHECK(runs[1].time_ns == Approx(runs[0].time_ns).epsilon(0.1));
}

TEST_CASE("a deadlock is explained at the message level as at the flit level", "[replay][worm]")
{
    for (const RunResult& stalled : in_workers(both_levels, [](NetworkModel model) {
             return run_unscheduled("ring:8", "shortest", SendOrder::shifted, 1024, model);
         })) {
        CAPTURE(stalled.model);
        REQUIRE(stalled.stall);
        CHECK_FALSE(stalled.memory_ok);
        CHECK(stalled.stall->reason.starts_with("deadlock: "));
        REQUIRE(stalled.stall->cycle.size() > 1);
        for (std::size_t i = 0; i < stalled.stall->cycle.size(); ++i)
            CHECK(stalled.stall->cycle[i].waits_for ==
                  stalled.stall->cycle[(i + 1) % stalled.stall->cycle.size()].channel);
    }
}

} // namespace nocturne::worm_replay_test
