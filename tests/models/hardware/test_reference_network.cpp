#include "models/routing/make_routing.hpp"
#include "models/routing/random.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/random_hardware.hpp"
#include "tests/models/hardware/reference_network.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <algorithm>

namespace nocturne::reference_network_test {

namespace {

/// Anything that the configuration allows.
Allocation random_allocation(SplitMix64& random, unsigned vcs)
{
    using enum AllocatorKind;
    const AllocatorKind of_switch[] = {islip, islip, input_first, output_first, wavefront};
    const AllocatorKind of_vcs[] = {islip, islip, input_first, output_first, wavefront, rotating};
    Allocation allocation{of_switch[random.below(5)], of_vcs[random.below(6)],
                          static_cast<ArbiterKind>(random.below(4)), 1, 1 + random.below(std::min(vcs, 3u))};
    if (allocation.switch_allocator == islip)
        allocation.iterations = 1 + random.below(3);
    if (allocation.vc_allocator == rotating)
        allocation.arbiter = ArbiterKind::round_robin;
    return allocation;
}

void require_as_plainest(const Topology& topology, const HardwareConfig& config, PortModel ports,
                         const Routing& routing, SplitMix64& random)
{
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    const std::uint32_t cycles = 1 + random.below(1500); // short: overload; long: hardly anything meets
    std::vector<test::SentMessage> messages;
    for (unsigned i = 0; i < 150; ++i) {
        const ProcessorId source = random.below(processors);
        const ProcessorId destination = random.below(processors);
        messages.push_back({{source, destination, 1 + random.below(20), 1 + random.below(cycles),
                             static_cast<std::uint8_t>(random.below(3))},
                            routing.route(source, destination)});
    }
    std::stable_sort(messages.begin(), messages.end(),
                     [](const auto& a, const auto& b) { return a.message.at < b.message.at; });

    test::Simulation simulation;
    Network network("network", topology, config, ports, routing);
    test::Messenger messenger(network);
    for (const test::SentMessage& message : messages)
        messenger.send(message.message, message.route);
    test::run_to_end();
    REQUIRE(messenger.arrivals().size() == messages.size());
    REQUIRE(network.credits_under_way() == 0);
    std::vector<Cycle> arrivals;
    for (std::uint32_t id = 0; id < messages.size(); ++id)
        arrivals.push_back(messenger.arrival_of(id).value());
    REQUIRE(arrivals == test::reference_run(topology, config, ports, routing, messages).arrivals);
}

} // namespace

TEST_CASE("every message arrives in the cycle in which the plainest model of the same network says",
          "[hardware][router]")
{
    const auto seed = GENERATE(range(0, 60));
    const bool has_default_allocation = seed % 3 == 0;
    CAPTURE(seed);
    SplitMix64 random(static_cast<std::uint64_t>(seed) + 7000);
    const char* const specifications[] = {"mesh:3x3",  "torus:4x3", "ring:6",        "hypercube:3",
                                          "kautz:3,2", "omega:8",   "fat_octagon:8", "star:70"};
    const char* const chosen = specifications[random.below(8)];
    const Topology topology = test::with_random_channels(make_topology(chosen), random);
    const Routing routing = make_routing(topology, "shortest+layers");
    HardwareConfig config = test::random_config(random);
    config.vcs = routing.vc_classes * (1 + random.below(3));
    config.buffer_flits = random.below(3) == 0 ? 0 : 1 + random.below(9);
    if (!has_default_allocation) {
        config.allocation = random_allocation(random, config.vcs);
        for (Pipeline* const stages : {&config.router, &config.crossbar})
            if (stages->switch_allocation == 0)
                stages->speculation = Speculation::before_vc;
    }
    CAPTURE(to_string(config.allocation.switch_allocator), to_string(config.allocation.vc_allocator),
            to_string(config.allocation.arbiter), config.allocation.iterations,
            config.allocation.input_speedup);
    const PortModel ports = random.below(2) == 0 ? one_port : all_port;
    CAPTURE(topology.name(), config.vcs, config.buffer_flits);

    require_as_plainest(topology, config, ports, routing, random);
}

TEST_CASE(
    "every message arrives when the plainest model says where routers and links have parts of their own",
    "[hardware][router][parts]")
{
    const auto seed = GENERATE(range(0, 80));
    CAPTURE(seed);
    SplitMix64 random(static_cast<std::uint64_t>(seed) + 9000);
    const char* const specifications[] = {"mesh:3x3",  "torus:4x3", "ring:6",        "hypercube:3",
                                          "kautz:3,2", "omega:8",   "fat_octagon:8", "star:20"};
    const Topology plain = test::with_random_channels(make_topology(specifications[random.below(8)]), random);
    const Routing routing = make_routing(plain, "shortest+layers");
    const unsigned classes = routing.vc_classes;
    const Topology topology = test::with_random_parts(plain, random,
                                                      {.clocks = seed % 2 == 1,
                                                       .buffers = true,
                                                       .arbiters = seed % 4 > 1,
                                                       .least_vcs = seed % 8 > 5 ? 0 : classes,
                                                       .most_vcs = 3 * classes});
    HardwareConfig config = test::random_config(random);
    config.cycle_ns = test::whole_cycle_ns;
    config.vcs = classes * (1 + random.below(3));
    config.buffer_flits = random.below(3) == 0 ? 0 : 1 + random.below(9);
    config.synchronizer_cycles = 1 + random.below(3);
    if (seed % 3 != 0)
        config.allocation = random_allocation(random, 1);
    if (seed % 4 > 1 && config.allocation.vc_allocator == AllocatorKind::rotating)
        config.allocation.vc_allocator = AllocatorKind::islip;
    CAPTURE(topology.name(), config.vcs, config.buffer_flits);
    require_as_plainest(topology, config, random.below(2) == 0 ? one_port : all_port, routing, random);
}

TEST_CASE(
    "the first of several heads to be served is that of the first input, whatever the allocator and the "
    "number of virtual channels",
    "[hardware][router]")
{
    using enum AllocatorKind;
    HardwareConfig config;
    config.vcs = GENERATE(1u, 2u, 4u);
    config.allocation.vc_allocator = GENERATE(islip, input_first, output_first, wavefront, rotating);
    config.allocation.switch_allocator = GENERATE(islip, input_first, output_first, wavefront);
    config.allocation.arbiter = config.allocation.vc_allocator == rotating
                                    ? ArbiterKind::round_robin
                                    : GENERATE(ArbiterKind::round_robin, ArbiterKind::matrix);
    CAPTURE(config.vcs, to_string(config.allocation.vc_allocator),
            to_string(config.allocation.switch_allocator), to_string(config.allocation.arbiter));
    const Topology topology = make_topology("omega:2"); // a switch with two inputs
    const Routing routing = make_routing(topology, "auto");
    std::vector<test::SentMessage> messages;
    for (const ProcessorId source : {0u, 1u})
        messages.push_back({{source, 0, 1, 1, 0}, routing.route(source, 0)});

    test::Simulation simulation;
    Network network("network", topology, config, one_port, routing);
    test::Messenger messenger(network);
    for (const test::SentMessage& message : messages)
        messenger.send(message.message, message.route);
    test::run_to_end();
    std::vector<Cycle> arrivals;
    for (std::uint32_t id = 0; id < messages.size(); ++id)
        arrivals.push_back(messenger.arrival_of(id).value());
    CHECK(arrivals[0] < arrivals[1]);
    CHECK(arrivals == test::reference_run(topology, config, one_port, routing, messages).arrivals);
}

} // namespace nocturne::reference_network_test
