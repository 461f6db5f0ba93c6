#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/execution/simulate.hpp"
#include "sim/report/results.hpp"
#include "sim/simulation/background.hpp"
#include "tests/catch.hpp"

namespace nocturne::background_test {

namespace {

/// The all-to-all scatter on the 4x4 torus by its optimal schedule, in a process of its own.
RunResult run_beside(const std::optional<BackgroundTraffic>& background, Synchronization synchronization,
                     NetworkModel model = NetworkModel::flit, unsigned vcs = 3)
{
    const std::vector<Job> jobs{[=] {
        const Problem problem = make_problem(make_topology("torus:4x4"), alltoall({16}));
        PortfolioOptions options;
        options.workers = 1;
        const PortfolioResult found = find_schedule(problem, options);
        SimulationOptions simulation;
        simulation.hardware.cycle_ns = 1;
        simulation.hardware.t0_ns = 0;
        simulation.hardware.vcs = vcs;
        simulation.ports = all_port;
        simulation.message_bytes = 128;
        simulation.background = background;
        simulation.model = model;
        return nlohmann::json(simulate(problem.topology, problem.collective,
                                       workload_of(*found.schedule, problem.topology, synchronization),
                                       simulation)
                                  .run);
    }};
    return run_jobs(jobs).front().get<RunResult>();
}

} // namespace

TEST_CASE("a collective beside other traffic is right, and slower", "[simulation][background]")
{
    const auto mode = GENERATE(Synchronization::barrier, Synchronization::self_timed);
    const auto model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const RunResult alone = run_beside(std::nullopt, mode, model);
    CHECK(alone.memory_ok);
    const auto waits = model == NetworkModel::flit ? alone.blocked_cycles : alone.head_wait_cycles;
    CHECK((waits == 0u || mode == Synchronization::self_timed)); // then steps can meet
    // Each message takes its 32 flits and at most three routers.
    CHECK(alone.average_message_latency_cycles > 32);
    CHECK(alone.average_message_latency_cycles < 32 + 5 * 5 + 2);
    double before = alone.time_ns;
    for (const double load : {0.05, 0.3}) {
        const RunResult beside = run_beside(BackgroundTraffic{.load = load}, mode, model);
        CHECK(beside.memory_ok);
        CHECK_FALSE(beside.stall);
        CHECK(beside.time_ns > before);
        CHECK(beside.flit_hops > alone.flit_hops);
        CHECK(beside.average_message_latency_cycles > alone.average_message_latency_cycles);
        before = beside.time_ns;
    }
}

TEST_CASE("no load beside a collective changes nothing", "[simulation][background]")
{
    const auto model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    CHECK(run_beside(BackgroundTraffic{}, Synchronization::barrier, model) ==
          run_beside(std::nullopt, Synchronization::barrier, model));
}

TEST_CASE("classes behind others are raised on every hop", "[simulation][background]")
{
    const Topology torus = make_topology("torus:4x4");
    const Routing base = make_routing(torus, "auto");
    const Routing raised = with_vc_class_offset(base, 3);
    CHECK(raised.vc_classes == base.vc_classes + 3);
    for (ProcessorId source = 0; source < 16; ++source)
        for (ProcessorId destination = 0; destination < 16; ++destination) {
            const Route before = base.route(source, destination);
            const Route after = raised.route(source, destination);
            REQUIRE(before.size() == after.size());
            for (std::size_t i = 0; i < before.size(); ++i) {
                CHECK(after[i].channel == before[i].channel);
                CHECK(after[i].vc_class == before[i].vc_class + 3);
            }
        }
}

} // namespace nocturne::background_test
