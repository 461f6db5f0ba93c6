#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/messenger.hpp"
#include "tests/models/hardware/random_hardware.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <algorithm>

namespace nocturne::bursts_test {

namespace {

/// A network, and what is sent through it.
struct Experiment {
    Topology topology{""};
    Routing routing;
    HardwareConfig config;
    PortModel ports = one_port;
    std::vector<test::Message> messages;
    std::vector<Cycle> looks; ///< when the counts are taken, ascending
};

Experiment random_experiment(std::uint64_t seed, unsigned vcs)
{
    SplitMix64 random(seed);
    const char* const specifications[] = {"mesh:3x3", "mesh:4x2", "hypercube:3",
                                          "omega:8",  "star:9",   "torus:4x3"};
    Experiment result;
    result.topology = make_topology(specifications[random.below(vcs == 1 ? 5 : 6)]);
    if (random.below(2) == 0)
        result.topology = test::with_random_channels(result.topology, random);
    result.routing = make_routing(result.topology, "auto");
    result.config = test::random_config(random);
    result.config.vcs = vcs;
    if (vcs > 1 && random.below(3) == 0)
        result.config.allocation.switch_allocator = AllocatorKind::input_first;
    result.config.buffer_flits = random.below(3) == 0 ? 0 : 1 + random.below(9);
    result.ports = random.below(2) == 0 ? one_port : all_port;
    const std::uint32_t cycles =
        600 * (1 + random.below(vcs)); // so that of several some are alone for a while
    result.messages = test::random_messages(result.topology, {60, 40, cycles}, random);
    const auto others = test::random_messages(result.topology, {60, vcs > 1 ? 3u : 40u, cycles}, random);
    result.messages.insert(result.messages.end(), others.begin(), others.end()); // short ones cut in
    for (unsigned i = 0; i < 60; ++i)
        result.looks.push_back(1 + random.below(cycles + 900));
    std::sort(result.looks.begin(), result.looks.end());
    return result;
}

/// What a network has counted.
struct Counts {
    Cycle at;
    std::vector<std::uint64_t> flits;   ///< by link
    std::vector<std::uint64_t> packets; ///< by link
    std::uint64_t flit_hops;
    std::optional<std::uint64_t> blocked_cycles;
    std::optional<std::uint64_t> credit_wait_cycles;

    friend bool operator==(const Counts&, const Counts&) = default;
};

struct Outcome {
    std::vector<Counts> counts;
    std::vector<test::Arrival> arrivals; ///< by message
    std::uint64_t flits_watched = 0;
    std::uint64_t credits_under_way = 0;
};

/// A link that is watched sends one flit at a time.
struct Watcher final : LinkObserver {
    void head_enters(std::uint32_t, unsigned, PacketId, Cycle) override {}
    void tail_enters(std::uint32_t, unsigned, PacketId, Cycle) override {}
    void flit_enters(std::uint32_t, unsigned, Flit, Cycle) override { ++flits; }
    std::uint64_t flits = 0;
};

Counts counts_of(const Network& network, Cycle at)
{
    Counts counts{at, {}, {}, network.flit_hops(), network.blocked_cycles(), network.credit_wait_cycles()};
    for (const auto& link : network.links()) {
        counts.flits.push_back(link->flits());
        counts.packets.push_back(link->packets());
    }
    return counts;
}

Outcome run(const Experiment& experiment, bool is_watched)
{
    test::Simulation simulation;
    Network network("network", experiment.topology, experiment.config, experiment.ports, experiment.routing,
                    is_watched ? experiment.topology.router_count() : 0);
    test::Messenger messenger(network);
    Watcher watcher;
    for (const auto& link : network.links())
        if (is_watched)
            link->observe(watcher);
    for (const test::Message& message : experiment.messages)
        messenger.send(message, experiment.routing);
    Outcome outcome;
    for (const Cycle look : experiment.looks) {
        test::run_through(network.domain(), look);
        outcome.counts.push_back(counts_of(network, look));
    }
    test::run_to_end();
    outcome.arrivals = messenger.arrivals();
    std::sort(outcome.arrivals.begin(), outcome.arrivals.end(),
              [](const auto& a, const auto& b) { return a.message < b.message; });
    outcome.flits_watched = watcher.flits;
    outcome.credits_under_way = network.credits_under_way();
    return outcome;
}

} // namespace

TEST_CASE("a network that sends flits in bursts has at any time counted what one has that sends them singly",
          "[hardware][router]")
{
    const auto seed = GENERATE(range(0, 160));
    // With several virtual channels a burst is cut short where another packet comes between its flits.
    const unsigned vcs = seed < 60 ? 1 : 2 + static_cast<unsigned>(seed) % 4;
    CAPTURE(seed, vcs);
    const Experiment experiment = random_experiment(static_cast<std::uint64_t>(seed), vcs);
    CAPTURE(experiment.topology.name(), experiment.config.buffer_flits);
    REQUIRE(experiment.routing.vc_classes <= vcs);
    const Outcome in_bursts = run(experiment, false);
    const Outcome singly = run(experiment, true);
    REQUIRE(singly.flits_watched > 0);
    REQUIRE(in_bursts.arrivals.size() == experiment.messages.size());
    CHECK(in_bursts.arrivals == singly.arrivals);
    CHECK(in_bursts.credits_under_way == 0);
    for (std::size_t i = 0; i < in_bursts.counts.size(); ++i) {
        CAPTURE(experiment.looks[i]);
        CHECK((in_bursts.counts[i] == singly.counts[i]));
    }
}

} // namespace nocturne::bursts_test
