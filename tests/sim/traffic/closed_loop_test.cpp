#include "models/network/zero_load.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/traffic/closed_loop.hpp"
#include "tests/catch.hpp"
#include "tests/sim/in_workers.hpp"

#include <string>
#include <vector>

namespace nocturne::closed_loop_test {

namespace {

struct Case {
    std::string topology = "mesh:4x4";
    std::uint32_t outstanding = 1;
    MessageClasses classes = MessageClasses::separate;
    std::string pattern = "uniform";
    std::string routing = "auto";
    std::uint32_t request_flits = 1;
    std::uint32_t reply_flits = 8;
    std::uint32_t reply_queue = 4;
    std::uint64_t seed = 1;
    NetworkModel model = NetworkModel::flit;
    unsigned vcs = 0; ///< 0: as many as are needed
    MeasurementPlan plan = {1000, 5000, 20, 0};
};

ClosedLoopResult measure_here(const Case& each)
{
    const Topology topology = make_topology(each.topology);
    const Routing routing = make_routing(topology, each.routing, each.seed);
    MeasuredNetwork network;
    network.hardware.vcs = each.vcs == 0 ? vc_classes_of(routing, each.classes).count() : each.vcs;
    network.model = each.model;
    const ClosedLoop loop{make_pattern(topology, each.pattern, each.seed),
                          each.outstanding,
                          make_message_sizes(std::to_string(each.request_flits)),
                          make_message_sizes(std::to_string(each.reply_flits)),
                          5,
                          each.reply_queue,
                          each.seed};
    return measure_closed_loop(topology, routing, network, loop, each.classes, each.plan);
}

std::vector<ClosedLoopResult> measure_each(const std::vector<Case>& cases)
{
    return test::in_workers(cases, measure_here);
}

} // namespace

TEST_CASE("a single request takes the way there, the service and the way back", "[traffic][closed-loop]")
{
    // Everybody asks a neighbour of its own: nobody meets anybody.
    Case alone{"complete:4", 1, MessageClasses::separate, "neighbour"};
    alone.model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    alone.vcs = GENERATE(2u, 4u);
    const ClosedLoopResult result = measure_each({alone}).front();
    CHECK(result.model == to_string(alone.model));
    const Topology topology = make_topology("complete:4");
    const Routing routing = make_routing(topology, "auto");
    const HardwareConfig hardware;
    const std::uint64_t cycles = zero_load_cycles(topology, hardware, routing.route(0, 1), 1) + 5 +
                                 zero_load_cycles(topology, hardware, routing.route(1, 0), 8);
    CHECK(result.average_round_trip_cycles == static_cast<double>(cycles));
    CHECK(result.maximum_round_trip_cycles == cycles);
    CHECK(result.answered_rate == Approx(1.0 / static_cast<double>(cycles)).epsilon(0.02));
    CHECK(result.accepted_flit_rate == Approx(9 * result.answered_rate).epsilon(0.02));
    CHECK_FALSE(result.stall);
}

TEST_CASE("Little's law holds, and more outstanding requests are answered at a higher rate up to a limit",
          "[traffic][closed-loop]")
{
    std::vector<Case> cases;
    for (const std::uint32_t outstanding : {1u, 4u, 16u})
        for (const char* topology : {"mesh:4x4", "omega:16"})
            cases.push_back({topology, outstanding});
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    for (Case& each : cases) {
        each.model = model;
        each.plan = {4000, 12'000, 20, 0}; // many times the longest round trip
    }
    const auto results = measure_each(cases);
    for (std::size_t i = 0; i < results.size(); ++i) {
        CAPTURE(cases[i].topology, cases[i].outstanding);
        CHECK_FALSE(results[i].stall);
        CHECK(results[i].outstanding == cases[i].outstanding);
        CHECK(results[i].answered_rate * *results[i].average_round_trip_cycles ==
              Approx(cases[i].outstanding).epsilon(0.05));
    }
    for (std::size_t i : {0u, 1u}) {
        CHECK(results[2 + i].answered_rate > 1.5 * results[i].answered_rate);
        CHECK(results[4 + i].answered_rate < 2 * results[2 + i].answered_rate); // the network is full
    }
}

TEST_CASE("requests and replies that share a class of virtual channels deadlock with finite ejection buffers",
          "[traffic][closed-loop]")
{
    const NetworkModel model = GENERATE(NetworkModel::flit, NetworkModel::worm);
    std::vector<Case> cases;
    for (const MessageClasses classes : {MessageClasses::shared, MessageClasses::separate})
        for (const char* topology : {"mesh:4x4", "omega:16"})
            cases.push_back({topology, 64, classes, "uniform", "auto", 8, 8, 1, 1, model});
    const auto results = measure_each(cases);
    for (std::size_t i = 0; i < results.size(); ++i) {
        CAPTURE(cases[i].topology, i);
        CHECK(results[i].stall.has_value() == (cases[i].classes == MessageClasses::shared));
        if (results[i].stall)
            CHECK_THAT(results[i].stall->reason, Catch::StartsWith("protocol deadlock: "));
        else
            CHECK(results[i].answered_rate > 0.01);
    }
}

TEST_CASE("under moderate load requests and replies take the flit level's round trips within 5 %",
          "[traffic][closed-loop][worm]")
{
    std::vector<Case> cases;
    for (const char* topology : {"mesh:4x4", "torus:4x4", "fattree:2,3"})
        for (const std::uint32_t outstanding : {1u, 2u})
            for (const std::uint32_t flits : {16u, 32u})
                for (const unsigned vcs : {0u, 4u})
                    for (const NetworkModel model : {NetworkModel::flit, NetworkModel::worm}) {
                        Case each{topology, outstanding};
                        each.request_flits = 2;
                        each.reply_flits = flits;
                        each.reply_queue = 1;
                        each.model = model;
                        each.vcs = vcs;
                        each.plan = {2000, 40'000, 20, 0};
                        cases.push_back(each);
                    }
    const auto results = measure_each(cases);
    for (std::size_t i = 0; i < cases.size(); i += 2) {
        CAPTURE(cases[i].topology, cases[i].outstanding, cases[i].reply_flits, cases[i].vcs);
        CHECK(*results[i + 1].average_round_trip_cycles ==
              Approx(*results[i].average_round_trip_cycles).epsilon(0.05));
        CHECK(results[i + 1].answered_rate == Approx(results[i].answered_rate).epsilon(0.05));
    }
}

} // namespace nocturne::closed_loop_test
