#include "models/topology/make_topology.hpp"
#include "sim/rtl/scheduled_plan.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"
#include "tests/schedules/schedule/sum_schedules.hpp"

namespace nocturne::scheduled_plan_test {

using namespace nocturne::test;

TEST_CASE("every transfer of a schedule is a connected path through the tables of its step", "[rtl]")
{
    for (const Example& example : valid_examples()) {
        INFO(example.schedule.name << " on " << example.topology.name());
        if (count_transfers(example.schedule) == 0)
            continue;
        const ScheduledPlan plan = plan_scheduled(example.schedule, example.topology, {});
        std::size_t found = 0;
        for (ProcessorId source = 0; source < example.topology.processor_count(); ++source)
            for (std::size_t step = 0; step < plan.durations.size(); ++step)
                for (unsigned port = 0; port < plan.sends[source][step].size(); ++port) {
                    const auto& sent = plan.sends[source][step][port];
                    if (!sent)
                        continue;
                    ++found;
                    std::uint32_t link = plan.network.numbers.first_injection_link(source) + port;
                    while (!plan.network.numbers.is_ejection(link)) {
                        const NetworkPlan::End at = plan.network.links[link].to;
                        const auto& inputs = plan.connections[at.owner][step];
                        const auto output = std::find(inputs.begin(), inputs.end(), at.port);
                        REQUIRE(output != inputs.end());
                        link =
                            plan.network.out_of[at.owner][static_cast<std::size_t>(output - inputs.begin())];
                    }
                    const NetworkPlan::End end = plan.network.links[link].to;
                    CHECK(end.owner == sent->peer);
                    const auto& received = plan.receives[end.owner][step][end.port];
                    REQUIRE(received);
                    CHECK(received->message == sent->message);
                    CHECK(received->peer == source);
                    const auto& places = plan.places[end.owner];
                    CHECK(places.at(received->address / plan.message_flits) == sent->message);
                }
        CHECK(found == count_transfers(example.schedule));
    }
}

TEST_CASE("what has no scheduled form is refused in one line", "[rtl]")
{
    Example example = xor_scatter(2);
    ScheduledOptions options;
    const auto refusal = [&] { return plan_scheduled(example.schedule, example.topology, options); };

    options.message_bytes = 0;
    CHECK_THROWS_WITH(refusal(), "message of 0 bytes: it takes at least 1");
    options.message_bytes = 8;
    options.hardware.t0_ns = 0;
    CHECK_THROWS_WITH(refusal(), Catch::Contains("start-up and interface take 1 cycle together"));
    options.hardware.interface_cycles = 2;
    CHECK(refusal().launch_cycles == 2);

    const Example sum = recursive_doubling(2);
    CHECK_THROWS_WITH(plan_scheduled(sum.schedule, sum.topology, options),
                      Catch::Contains("adds, and nothing in it does"));

    std::swap(example.schedule.steps.front().front().source,
              example.schedule.steps.front().front().destination);
    CHECK_THROWS_WITH(refusal(), Catch::Contains("is invalid: "));
    example.schedule.steps.clear();
    example.schedule.collective.chunks.clear();
    example.schedule.collective.demands = {};
    CHECK_THROWS_WITH(refusal(), Catch::Contains("has no transfer"));

    const Topology narrow = test::direct_network("narrow", 2, {{0, 1, 1, 1}});
    example.schedule.collective = scatter({2}, 0);
    example.schedule.topology = narrow.name();
    example.schedule.steps = {{{0, 0, 1, Path{0}}}};
    CHECK_THROWS_WITH(plan_scheduled(example.schedule, narrow, options),
                      Catch::Contains("is narrower than a flit"));
}

} // namespace nocturne::scheduled_plan_test
