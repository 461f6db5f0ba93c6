// Messages without a schedule: who sends what when, that it all arrives, and what a deadlock looks like.
#include "models/routing/deadlock.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/workers/workers.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/sim/execution/runs.hpp"

#include <algorithm>
#include <set>

namespace nocturne::unscheduled_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

/// The destinations of a processor's sends, by step.
std::vector<std::vector<ProcessorId>> destinations(const Workload& workload, ProcessorId id)
{
    std::vector<std::vector<ProcessorId>> result;
    for (const EngineStep& step : workload.engines[id]) {
        result.emplace_back();
        for (const Sending& send : step.sends)
            result.back().push_back(send.destination);
    }
    return result;
}

Workload workload_on_ring(const Collective& collective, PortModel ports, const UnscheduledTraffic& traffic)
{
    const Topology topology = make_topology("ring:5");
    return unscheduled(topology, collective, ports, make_routing(topology, "auto"), traffic);
}

std::vector<UnscheduledTraffic> all_traffic(const Collective& collective)
{
    std::vector<UnscheduledTraffic> result = usual_baselines(collective, 3);
    result.push_back({SendOrder::random, StartUp::once, 9});
    return result;
}

/// Both ends of the channel that a result calls `a->b`; the network must have one such channel.
ChannelId channel_called(const Topology& topology, const std::string& name)
{
    for (ChannelId id = 0; id < topology.channel_count(); ++id) {
        const Channel& channel = topology.channel(id);
        if (topology.router_name(channel.source) + "->" + topology.router_name(channel.target) == name)
            return id;
    }
    FAIL("no channel " << name);
    return 0;
}

UnscheduledCase shifted_on_ring(const std::string& routing, PortModel ports)
{
    return {"ring:8", routing, alltoall({8}), ports, {SendOrder::shifted}, 4096};
}

} // namespace

TEST_CASE("an order is the order in which each processor sends, as many at once as it has ports",
          "[simulation][unscheduled]")
{
    using Steps = std::vector<std::vector<ProcessorId>>;
    const Collective scatter = alltoall({5});
    CHECK(destinations(workload_on_ring(scatter, one_port, {SendOrder::in_order}), 2) ==
          Steps{{0}, {1}, {3}, {4}});
    CHECK(destinations(workload_on_ring(scatter, one_port, {SendOrder::shifted}), 3) ==
          Steps{{4}, {0}, {1}, {2}});
    CHECK(destinations(workload_on_ring(scatter, all_port, {SendOrder::shifted}), 3) ==
          Steps{{4, 0}, {1, 2}});
    CHECK(destinations(workload_on_ring(scatter, PortModel{3}, {SendOrder::in_order}), 0) ==
          Steps{{1, 2, 3}, {4}});
}

TEST_CASE("a random order is a permutation, by processor and by seed", "[simulation][unscheduled]")
{
    const Collective scatter = alltoall({5});
    std::set<std::vector<std::vector<ProcessorId>>> seen;
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
        const auto workload =
            workload_on_ring(scatter, one_port, {SendOrder::random, StartUp::every_step, seed});
        const auto again =
            workload_on_ring(scatter, one_port, {SendOrder::random, StartUp::every_step, seed});
        for (ProcessorId id = 0; id < 5; ++id) {
            const auto order = destinations(workload, id);
            CHECK(order == destinations(again, id));
            std::set<ProcessorId> all{id};
            for (const auto& step : order)
                all.insert(step.begin(), step.end());
            CHECK(all.size() == 5);
        }
        seen.insert(destinations(workload, 0));
    }
    CHECK(seen.size() > 1);
}

TEST_CASE("a binomial tree doubles who is informed in each round", "[simulation][unscheduled]")
{
    const Topology topology = make_topology("hypercube:3");
    const Collective owed = broadcast({8}, 3);
    const Workload workload =
        unscheduled(topology, owed, one_port, make_routing(topology, "auto"), {SendOrder::binomial});
    std::set<ProcessorId> informed{3};
    for (std::size_t round = 0; round < 3; ++round) {
        std::set<ProcessorId> next = informed;
        for (ProcessorId id = 0; id < 8; ++id) {
            const auto sends = destinations(workload, id);
            for (const ProcessorId to : sends.at(round)) {
                CHECK(informed.count(id) == 1);
                CHECK(next.insert(to).second);
            }
        }
        CHECK(next.size() == 2 * informed.size());
        informed = next;
    }
}

TEST_CASE("the names of traffic are parsed back, others refused", "[simulation][unscheduled]")
{
    for (const UnscheduledTraffic& traffic : all_traffic(allgather({4}))) {
        const UnscheduledTraffic parsed = parse_unscheduled(to_string(traffic), traffic.seed);
        CHECK(parsed.order == traffic.order);
        CHECK(parsed.start_up == traffic.start_up);
        CHECK(parsed.seed == traffic.seed);
    }
    for (const char* text : {"", "shift", "+chained", "shifted+chain", "shifted+chained+chained", "Shifted"})
        CHECK_THROWS_WITH(parse_unscheduled(text, 1),
                          Contains("unknown traffic '") && Contains("in-order, shifted, random"));
}

TEST_CASE("under a deadlock-free routing every order of every collective arrives",
          "[simulation][unscheduled]")
{
    struct Network {
        const char* spec;
        const char* routing;
        PortModel ports;
    };
    const Network networks[]{
        {"omega:8", "auto", one_port},         {"benes:2,2", "auto", one_port},
        {"fattree:8", "auto", one_port},       {"btree:8", "updown", one_port},
        {"mesh:3x3", "dor", all_port},         {"torus:3x3", "auto", PortModel{2}},
        {"hypercube:3", "dor", all_port},      {"kautz:2,2", "auto", all_port},
        {"debruijn:2,3", "auto", one_port},    {"octagon:8", "shortest+layers", all_port},
        {"fat_octagon:8", "auto", one_port},   {"torus:8", "dor+datelines", all_port},
        {"coated_mesh:2x3", "auto", one_port}, {"petersen", "updown", all_port},
        {"star:6", "auto", one_port},          {"fbtree:7", "auto", all_port},
    };
    std::vector<UnscheduledCase> cases;
    std::size_t turn = 0;
    for (const Network& network : networks) {
        const auto n = static_cast<std::uint32_t>(make_topology(network.spec).processor_count());
        std::vector<std::uint32_t> reversed;
        for (std::uint32_t i = n; i > 0; --i)
            reversed.push_back(i - 1);
        const Collective collectives[]{alltoall({n}),
                                       allgather({n}),
                                       broadcast({n}, 1),
                                       scatter({n}, n - 1),
                                       gather({n}, 0),
                                       permutation(reversed),
                                       multicast({n}, 0, {1, n - 1}),
                                       many_to_many_broadcast({n}, {0, 1, 2}, {1, 2, 3}),
                                       reduce({n}, 1),
                                       reduce_scatter({n}),
                                       allreduce({n}),
                                       scan({n})};
        // Each network sees a share of what an all-to-all can be sent as, and one traffic of each other
        // collective in turn.
        for (const Collective& collective : collectives) {
            const std::vector<UnscheduledTraffic> traffic = all_traffic(collective);
            for (std::size_t i = 0; i < traffic.size(); ++i)
                if ((collective.kind == CollectiveKind::alltoall && test::is_tried(i + turn, 3)) ||
                    i == turn % traffic.size())
                    cases.push_back({network.spec, network.routing, collective, network.ports, traffic[i],
                                     collective.kind == CollectiveKind::alltoall ? 200u : 52u});
            ++turn;
        }
    }
    const std::vector<RunResult> runs = run_all(cases);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        INFO(to_string(cases[i]));
        CHECK_FALSE(runs[i].stall);
        CHECK(runs[i].memory_ok);
        CHECK(runs[i].messages_delivered == runs[i].messages_owed);
        CHECK(runs[i].messages_owed > 0);
        CHECK(runs[i].time_ns > 1000);
        CHECK(runs[i].traffic == to_string(cases[i].traffic));
    }
}

TEST_CASE("a sum without a schedule is of what its receiver is owed, its own contribution or not",
          "[simulation][unscheduled][sums]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    const Topology topology = make_topology("complete:4");
    Collective collective{.kind = CollectiveKind::custom, .processors = 4, .chunks = {{1, {0, 1, 2}}}};
    collective.demands = Demands({{0, 0, {0, 1, 2}}, {0, 1, {0, 2}}, {0, 2, {0}}, {0, 3, {1, 2}}});
    SimulationOptions options;
    options.model = model;
    const RunResult run = in_worker([&] {
        const Workload workload =
            unscheduled(topology, collective, one_port, make_routing(topology, "auto"), {SendOrder::shifted});
        return simulate(topology, collective, workload, options).run;
    });
    CHECK(run.messages_owed == 4);
    CHECK(run.memory_ok);
}

TEST_CASE("on a ring with one virtual channel long messages deadlock, and the check knows the cycle",
          "[simulation][deadlock]")
{
    const PortModel ports = GENERATE(PortModel(one_port), PortModel(all_port));
    const Topology topology = make_topology("ring:8");
    const DependencyCheck check = check_deadlock(topology, make_routing(topology, "shortest"));
    REQUIRE_FALSE(check.deadlock_free());

    const RunResult run = run_all({shifted_on_ring("shortest", ports)}).front();
    REQUIRE(run.stall);
    CHECK_FALSE(run.memory_ok);
    CHECK(run.messages_delivered < run.messages_owed);
    CHECK(run.time_ns == run.stall->time_ns);
    CHECK(run.stall->time_ns > 0);
    CHECK_THAT(run.stall->reason, Contains("deadlock"));
    const std::vector<WaitingFor>& cycle = run.stall->cycle;
    REQUIRE(cycle.size() >= 2);
    for (std::size_t i = 0; i < cycle.size(); ++i) {
        INFO(cycle[i].message << " holds " << cycle[i].channel << " and waits for " << cycle[i].waits_for);
        CHECK(cycle[i].waits_for == cycle[(i + 1) % cycle.size()].channel);
        CHECK(cycle[i].message.find('>') != std::string::npos);
        CHECK(cycle[i].vc == 0);
        CHECK(check.dependencies.contains({channel_called(topology, cycle[i].channel), 0},
                                          {channel_called(topology, cycle[i].waits_for), 0}));
    }
}

TEST_CASE("with datelines, layers or deep buffers the same messages arrive", "[simulation][deadlock]")
{
    const PortModel ports = GENERATE(PortModel(one_port), PortModel(all_port));
    std::vector<UnscheduledCase> cases;
    for (const char* routing : {"shortest+datelines", "shortest+layers", "updown"})
        cases.push_back(shifted_on_ring(routing, ports));
    cases.push_back(shifted_on_ring("shortest", ports));
    cases.back().buffer_flits = 8192; // whole messages fit: nothing waits with its tail in the way
    const std::vector<RunResult> runs = run_all(cases);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        INFO(cases[i].routing << ", buffers of " << cases[i].buffer_flits);
        CHECK_FALSE(runs[i].stall);
        CHECK(runs[i].memory_ok);
    }
}

TEST_CASE("the start-up is paid before each step, or once when descriptors are chained",
          "[simulation][unscheduled]")
{
    // Two processors, nothing in the way: 0 sends its messages one after the other.
    UnscheduledCase each{"complete:4", "auto", scatter({4}, 0), one_port, {SendOrder::in_order}, 64};
    UnscheduledCase chained = each;
    chained.traffic.start_up = StartUp::once;
    const auto runs = run_all({each, chained});
    // A message crosses two routers: 2 * 5 + 2 cycles, and 15 more for the rest of its 16 flits, 54 ns. It
    // has left 16 cycles after it was sent, and the next one is sent then.
    CHECK(runs[0].time_ns == 3 * 1000 + 2 * 32 + 54);
    // Chained ones leave directly behind each other: the router needs up to three cycles for a head behind a
    // tail.
    CHECK(runs[1].time_ns >= 1000 + 2 * 32 + 54);
    CHECK(runs[1].time_ns <= 1000 + 2 * (32 + 3 * 2) + 54);
}

} // namespace nocturne::unscheduled_test
