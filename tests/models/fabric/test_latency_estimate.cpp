#include "models/fabric/latency_estimate.hpp"
#include "models/hardware/zero_load.hpp"
#include "models/topology/make_topology.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace nocturne::latency_estimate_test {

namespace {

/// An initiator at each of the processors but the last, where the target is.
FabricPlan plan_of(const Topology& topology, const FabricConfig& config)
{
    FabricPorts ports;
    const auto last = static_cast<ProcessorId>(topology.processor_count() - 1);
    for (ProcessorId id = 0; id < last; ++id)
        ports.initiators.push_back({fmt::format("i{}", id), id});
    ports.targets.push_back({"t", last});
    return plan_fabric(topology, ports, config);
}

} // namespace

TEST_CASE("before the use of the links is known a message takes the cycles of the zero-load formula",
          "[fabric][estimate]")
{
    Topology topology = make_topology("mesh:2x3");
    if (GENERATE(false, true)) { // a narrow link beside the others
        const Channel channel = topology.channel(0);
        topology.add_channel({channel.source, 5, 1, 1});
    }
    FabricConfig config;
    config.routing = "shortest";
    const FabricPlan plan = plan_of(topology, config);
    LatencyEstimate estimate(plan, config.hardware);
    for (FlowId flow = 0; flow < plan.requests.size(); ++flow)
        for (const Leg leg : {Leg::request, Leg::response})
            for (const std::uint32_t flits : {1u, 2u, 17u})
                CHECK(estimate.cycles(leg, flow, flits) ==
                      zero_load_cycles(plan.network, config.hardware, plan.route(leg, flow), flits));
}

TEST_CASE("a flow that is alone waits for nobody when its initiator has one transaction under way",
          "[fabric][estimate]")
{
    const Topology topology = make_topology("mesh:1x3");
    const FabricConfig config;
    const FabricPlan plan = plan_of(topology, config);
    LatencyEstimate estimate(plan, config.hardware);
    const std::uint32_t others = GENERATE(0u, 1u);
    for (int i = 0; i < 10; ++i) {
        estimate.begin_transaction(0, others);
        estimate.cycles(Leg::request, 0, 10);
    }
    estimate.refresh(500);
    CHECK((estimate.wait_cycles(Leg::request, 0) > 0) == (others > 0));
}

TEST_CASE("messages wait where they meet others, the longer the more of those there are",
          "[fabric][estimate]")
{
    const Topology topology =
        make_topology("mesh:1x3"); // requests of both initiators meet on the last channel
    const FabricConfig config;
    const FabricPlan plan = plan_of(topology, config);
    LatencyEstimate estimate(plan, config.hardware);
    double before = 0;
    for (const unsigned messages : {10u, 20u, 40u}) {
        for (unsigned i = 0; i < messages; ++i)
            estimate.cycles(Leg::request, 1, 10);
        estimate.refresh(1000);
        const double wait = estimate.wait_cycles(Leg::request, 0);
        CHECK(wait > before);
        before = wait;
    }
    // Of the formula: half of the last load, and a quarter of each before, in a cycle.
    const double flits = (0.5 * 40 + 0.25 * 20 + 0.25 * 10) * 10 / 1000;
    const double idle = 1 - flits;
    const double at_channel = flits * 10 / (2 * idle * idle);
    CHECK(before == Approx(at_channel));

    // The wait is given out in whole cycles that are right on average.
    const std::uint64_t zero_load = zero_load_cycles(plan.network, config.hardware, plan.requests[0], 4);
    std::uint64_t sum = 0;
    for (int i = 0; i < 1000; ++i)
        sum += estimate.cycles(Leg::request, 0, 4) - zero_load;
    CHECK(static_cast<double>(sum) == Approx(1000 * before).margin(1));
}

} // namespace nocturne::latency_estimate_test
