// Messages that meet no other one: to the cycle as at the flit level.
#include "models/network/zero_load.hpp"
#include "models/routing/shortest_path.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/messenger.hpp"
#include "tests/models/hardware/random_hardware.hpp"
#include "tests/models/hardware/simulation.hpp"
#include "tests/models/topology/all_networks.hpp"
#include "tests/models/worm/worm_messenger.hpp"

#include <utility>

namespace nocturne::worm_exactness_test {

namespace {

struct Sent {
    test::Message message;
    Route route;
};

/// One after the other, far enough apart that the credits are back.
std::vector<Sent> lonely_messages(const Topology& topology, SplitMix64& random)
{
    const Routing routing = shortest_path(topology);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    std::vector<Sent> result;
    Cycle at = 1;
    for (const std::uint32_t flits : {1u, 2u, 1 + random.below(20), 50 + random.below(150)}) {
        test::Message message{random.below(processors), random.below(processors), flits, at};
        result.push_back({message, routing.route(message.source, message.destination)});
        at += 20'000;
    }
    return result;
}

std::vector<std::uint64_t> flit_level(const Topology& topology, const HardwareConfig& config, PortModel ports,
                                      const std::vector<Sent>& sent)
{
    test::Simulation simulation;
    Network network("network", topology, config, ports);
    test::Messenger messenger(network);
    for (const Sent& each : sent)
        messenger.send(each.message, each.route);
    test::run_to_end();
    std::vector<std::uint64_t> arrivals;
    for (std::uint32_t number = 0; number < sent.size(); ++number)
        arrivals.push_back(messenger.arrival_of(number).value());
    return arrivals;
}

std::vector<std::uint64_t> message_level(const Topology& topology, const HardwareConfig& config,
                                         PortModel ports, const std::vector<Sent>& sent)
{
    test::WormMessenger messenger(topology, config, ports);
    for (const auto& [message, route] : sent)
        messenger.send({message.source, message.destination, message.flits, message.at}, route);
    messenger.network().run_to_the_end();
    REQUIRE(messenger.network().head_wait_cycles() == 0u);
    std::vector<std::uint64_t> arrivals;
    for (const test::WormArrival& arrival : messenger.arrivals())
        arrivals.push_back(arrival.arrived);
    return arrivals;
}

HardwareConfig any_buffers(SplitMix64& random)
{
    HardwareConfig config = test::random_config(random);
    config.buffer_flits = random.below(3) == 0 ? 0 : 1 + random.below(12);
    return config;
}

} // namespace

TEST_CASE("a message alone arrives to the cycle as at the flit level, on any network, narrow and slow "
          "links and small buffers included",
          "[worm]")
{
    std::uint64_t seed = 0;
    for (const std::string& spec : test::small_networks()) {
        SplitMix64 random(++seed);
        const PortModel ports{random.below(3)};
        for (int i = 0; i < 4; ++i) {
            Topology topology =
                i == 0 ? make_topology(spec) : test::with_random_channels(make_topology(spec), random);
            if (i > 1) // buffers of their own
                topology = test::with_random_parts(std::move(topology), random,
                                                   {.pipelines = false, .buffers = true});
            const HardwareConfig config = i == 0 ? HardwareConfig{} : any_buffers(random);
            const std::vector<Sent> sent = lonely_messages(topology, random);
            CAPTURE(spec, i, config.buffer_flits, config.link_cycles, config.flit_bytes, config.vcs);
            REQUIRE(message_level(topology, config, ports, sent) ==
                    flit_level(topology, config, ports, sent));
        }
    }
}

TEST_CASE("with buffers for the full rate a message takes the closed formula's cycles", "[worm]")
{
    SplitMix64 random(GENERATE(range(1, 9)));
    const Topology topology = test::with_random_channels(make_topology("torus:4x4"), random);
    const HardwareConfig config = test::random_config(random); // its buffers are
    const std::vector<Sent> sent = lonely_messages(topology, random);
    const std::vector<std::uint64_t> arrivals = message_level(topology, config, one_port, sent);
    for (std::size_t i = 0; i < sent.size(); ++i)
        CHECK(arrivals[i] - sent[i].message.at ==
              zero_load_cycles(topology, config, sent[i].route, sent[i].message.flits));
}

TEST_CASE("messages that follow one another through one source arrive to the cycle as at the flit level",
          "[worm]")
{
    SplitMix64 random(GENERATE(range(1, 21)));
    const Topology topology = make_topology("mesh:1x6");
    const Routing routing = shortest_path(topology);
    std::vector<Sent> sent;
    for (int i = 0; i < 6; ++i) {
        const test::Message message{0, 5, 9 + random.below(40), 1 + 3ull * random.below(30) * i};
        sent.push_back({message, routing.route(0, 5)});
    }
    std::stable_sort(sent.begin(), sent.end(),
                     [](const Sent& a, const Sent& b) { return a.message.at < b.message.at; });
    const HardwareConfig config;
    test::WormMessenger messenger(topology, config, one_port);
    for (const auto& [message, route] : sent)
        messenger.send({message.source, message.destination, message.flits, message.at}, route);
    messenger.network().run_to_the_end();
    const std::vector<std::uint64_t> expected = flit_level(topology, config, one_port, sent);
    for (std::size_t i = 0; i < sent.size(); ++i)
        CHECK(messenger.arrivals()[i].arrived == expected[i]);
}

} // namespace nocturne::worm_exactness_test
