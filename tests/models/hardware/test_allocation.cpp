#include "models/network/zero_load.hpp"
#include "models/routing/shortest_path.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/messenger.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <algorithm>

namespace nocturne::allocation_test {

namespace {

/// When each of the messages has come.
std::vector<Cycle> arrivals(const std::string& spec, const HardwareConfig& config,
                            const std::vector<test::Message>& messages)
{
    test::Simulation simulation;
    const Topology topology = make_topology(spec);
    const Routing routing = shortest_path(topology);
    Network network("network", topology, config, one_port);
    test::Messenger messenger(network);
    for (const test::Message& message : messages)
        messenger.send(message, routing.route(message.source, message.destination));
    test::run_to_end();
    std::vector<Cycle> result;
    for (std::uint32_t i = 0; i < messages.size(); ++i)
        result.push_back(messenger.arrival_of(i).value());
    return result;
}

Cycle alone(const std::string& spec, const HardwareConfig& config, const test::Message& message)
{
    return arrivals(spec, config, {message}).front();
}

} // namespace

TEST_CASE("each named pipeline takes its own number of cycles a router", "[hardware][zero_load]")
{
    const auto [pipeline, cycles] = GENERATE(table<Pipeline, unsigned>({{wormhole_router_pipeline, 4},
                                                                        {lookahead_pipeline, 3},
                                                                        {speculative_pipeline, 3},
                                                                        {lookahead_speculative_pipeline, 2},
                                                                        {crossbar_switch_pipeline, 2}}));
    HardwareConfig config;
    config.router = pipeline;
    config.vcs = GENERATE(1u, 4u);
    const std::uint32_t flits = GENERATE(1u, 8u);
    const std::uint32_t routers = GENERATE(1u, 2u, 5u);
    const Cycle at = alone("mesh:5", config, {0, routers - 1, flits});
    CHECK(at == (cycles + 1) * routers + 2 + (flits - 1));
}

TEST_CASE("a speculation that fails costs the head of a packet a cycle", "[hardware][allocation]")
{
    // Two heads come to the root together, with one virtual channel each to win: one speculates well. The
    // other gets its channel in the same cycle, but the switch only behind the first.
    HardwareConfig config;
    config.router = speculative_pipeline;
    config.vcs = 2;
    config.allocation.vc_allocator = AllocatorKind::rotating; // serves both heads at once
    const test::Message first{1, 0, 1};
    const test::Message second{2, 0, 1};
    const Cycle unhindered = alone("fbtree:3", config, first);
    const std::vector<Cycle> together = arrivals("fbtree:3", config, {first, second});
    CHECK(std::min(together[0], together[1]) == unhindered);
    CHECK(std::max(together[0], together[1]) == unhindered + 1);

    // With pointers both are granted the same virtual channel: who loses has to ask for both once more, and
    // its switch grant, if it had one, was in vain.
    config.allocation.vc_allocator = AllocatorKind::islip;
    const std::vector<Cycle> again = arrivals("fbtree:3", config, {first, second});
    CHECK(std::min(again[0], again[1]) >= unhindered);
    CHECK(std::max(again[0], again[1]) >= unhindered + 1);
}

TEST_CASE("a head that only speculates never delays a flit that has its virtual channel",
          "[hardware][allocation]")
{
    HardwareConfig config;
    config.router = speculative_pipeline;
    config.vcs = 2;
    const test::Message stream{1, 0, 60};
    const Cycle unhindered = alone("fbtree:3", config, stream);
    const Cycle starts = GENERATE(range(20u, 30u));
    const std::vector<Cycle> together = arrivals("fbtree:3", config, {stream, {2, 0, 1, starts}});
    CHECK(together[0] == unhindered + 1); // by the one flit, once it has its virtual channel
}

TEST_CASE("with input speed-up, two virtual channels of an input send at once", "[hardware][allocation]")
{
    // Leaf 3's two packets of 30 flits come to the hub on a virtual channel each and fill its buffers there
    // while their outputs are taken; then both outputs become free.
    HardwareConfig config;
    config.vcs = 2;
    config.buffer_flits = 40;
    config.allocation.vc_allocator = AllocatorKind::rotating; // a virtual channel each
    const std::vector<test::Message> messages{{1, 0, 200}, {2, 0, 200},    {4, 5, 200},
                                              {6, 5, 200}, {3, 0, 30, 20}, {3, 5, 30, 20}};
    const auto last = [&](unsigned speedup) {
        config.allocation.input_speedup = speedup;
        const std::vector<Cycle> at = arrivals("star:8", config, messages);
        return std::max(at[4], at[5]);
    };
    CHECK(last(2) + 20 < last(1));
}

TEST_CASE("the priority arbiter lets a message of higher priority through first, age the oldest one",
          "[hardware][allocation]")
{
    // Five leaves send to the sixth. What all wait for is its only virtual channel.
    HardwareConfig config;
    std::vector<test::Message> messages;
    for (ProcessorId source = 1; source <= 5; ++source)
        messages.push_back({source, 0, 20, source == 1 ? 1u : 12u - source});
    messages[2].priority = 1; // from source 3
    const auto order = [&](ArbiterKind arbiter) {
        config.allocation.arbiter = arbiter;
        const std::vector<Cycle> at = arrivals("star:6", config, messages);
        std::vector<std::size_t> sequence{0, 1, 2, 3, 4};
        std::sort(sequence.begin(), sequence.end(), [&](auto a, auto b) { return at[a] < at[b]; });
        return sequence;
    };
    CHECK(order(ArbiterKind::round_robin) == std::vector<std::size_t>{0, 1, 2, 3, 4});
    CHECK(order(ArbiterKind::age) == std::vector<std::size_t>{0, 4, 3, 2, 1});
    const std::vector<std::size_t> by_priority = order(ArbiterKind::priority);
    CHECK(by_priority[0] == 0); // it was there alone
    CHECK(by_priority[1] == 2);
}

TEST_CASE("packets that lose virtual-channel allocation although a channel is free get it in the next cycle",
          "[hardware][allocation]")
{
    // Both heads at the root want one of two free channels, and both channels point at the same head.
    HardwareConfig config;
    config.vcs = 2;
    const std::vector<test::Message> messages{{1, 0, 1}, {2, 0, 1}};
    const Cycle unhindered = alone("fbtree:3", config, messages[0]);
    const std::vector<Cycle> at = arrivals("fbtree:3", config, messages);
    CHECK(std::min(at[0], at[1]) == unhindered);
    CHECK(std::max(at[0], at[1]) == unhindered + 1);
}

TEST_CASE("settings of the allocators that contradict each other are refused by name",
          "[hardware][configuration]")
{
    const auto refused = [](auto change) {
        HardwareConfig config;
        config.vcs = 4;
        change(config);
        try {
            config.validate();
        } catch (const std::invalid_argument& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    using Config = HardwareConfig;
    CHECK(refused([](Config&) {}) == "accepted");
    CHECK(refused([](Config& c) { c.allocation.input_speedup = 4; }) == "accepted");
    CHECK_THAT(refused([](Config& c) { c.allocation.input_speedup = 5; }),
               Catch::Contains("input_speedup = 5"));
    CHECK_THAT(refused([](Config& c) { c.allocation.input_speedup = 0; }),
               Catch::Contains("input_speedup = 0"));
    CHECK_THAT(refused([](Config& c) { c.allocation.iterations = 0; }), Catch::Contains("iterations = 0"));
    CHECK_THAT(refused([](Config& c) {
                   c.allocation.iterations = 2;
                   c.allocation.switch_allocator = AllocatorKind::wavefront;
               }),
               Catch::Contains("iterations = 2"));
    CHECK_THAT(refused([](Config& c) { c.allocation.switch_allocator = AllocatorKind::rotating; }),
               Catch::Contains("switch_allocator = rotating"));
    CHECK_THAT(refused([](Config& c) {
                   c.allocation.vc_allocator = AllocatorKind::rotating;
                   c.allocation.arbiter = ArbiterKind::age;
               }),
               Catch::Contains("arbiter = age"));
    CHECK_THAT(refused([](Config& c) { c.router.speculation = Speculation::before_vc; }),
               Catch::Contains("switch_allocation = 1"));
}

} // namespace nocturne::allocation_test
