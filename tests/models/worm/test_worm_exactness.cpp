// Messages that meet no other one: to the cycle as at the flit level.
#include "models/network/zero_load.hpp"
#include "models/routing/shortest_path.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/random_hardware.hpp"
#include "tests/models/topology/all_networks.hpp"
#include "tests/models/worm/both_levels.hpp"

#include <algorithm>
#include <utility>

namespace nocturne::worm_exactness_test {

namespace {

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
            CAPTURE(spec, i, config.buffer_flits, config.link_cycles, config.flit_bytes, config.vcs);
            const test::Setting setting{topology, config, ports, 1, test::lonely_messages(topology, random)};
            const test::Fate worm = test::at_message_level(setting);
            REQUIRE(worm.head_wait_cycles == 0);
            REQUIRE(worm.arrivals == test::at_flit_level(setting).arrivals);
        }
    }
}

TEST_CASE("with buffers for the full rate a message takes the closed formula's cycles", "[worm]")
{
    SplitMix64 random(GENERATE(range(1, 9)));
    const Topology topology = test::with_random_channels(make_topology("torus:4x4"), random);
    const HardwareConfig config = test::random_config(random); // its buffers are
    const test::Setting setting{topology, config, one_port, 1, test::lonely_messages(topology, random)};
    const test::Fate worm = test::at_message_level(setting);
    for (std::size_t i = 0; i < setting.sent.size(); ++i) {
        const auto& [message, route] = setting.sent[i];
        CHECK(worm.arrivals[i] - message.at == zero_load_cycles(topology, config, route, message.flits));
    }
}

TEST_CASE("messages that follow one another through one source arrive to the cycle as at the flit level",
          "[worm]")
{
    SplitMix64 random(GENERATE(range(1, 21)));
    test::Setting setting{make_topology("mesh:1x6"), {}, one_port, 1, {}};
    const Routing routing = shortest_path(setting.topology);
    for (int i = 0; i < 6; ++i)
        setting.sent.push_back(
            {{0, 5, 9 + random.below(40), 1 + 3ull * random.below(30) * i}, routing.route(0, 5)});
    std::ranges::stable_sort(setting.sent, {}, [](const auto& each) { return each.message.at; });
    CHECK(test::at_message_level(setting).arrivals == test::at_flit_level(setting).arrivals);
}

} // namespace nocturne::worm_exactness_test
