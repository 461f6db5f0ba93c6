// Networks in which links and routers fail while messages are under way.
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/messenger.hpp"
#include "tests/models/hardware/random_hardware.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <algorithm>
#include <set>

namespace nocturne::faults_test {

namespace {

/// A network with messages in it.
struct Run {
    Run(const Topology& topology, const HardwareConfig& config, const Routing& routing)
        : network("network", topology, config, all_port, routing), messenger(network)
    {
    }
    test::Simulation simulation;
    Network network;
    test::Messenger messenger;
};

std::uint64_t flits_injected(const Network& network)
{
    std::uint64_t flits = 0;
    for (std::uint32_t link = 0; link < network.links().size(); ++link)
        if (network.link_name(link).starts_with("P"))
            flits += network.links()[link]->flits();
    return flits;
}

/// What holds however a run with faults went: it is over, nothing is left anywhere, every flit is accounted
/// for, each message was delivered whole, or discarded if some of it came, or did not come at all.
void check_conservation(const Run& run)
{
    const Network& network = run.network;
    CHECK(const_cast<Network&>(network).packets().in_flight() == 0);
    CHECK(network.credits_under_way() == 0);
    const std::vector<test::Message>& messages = run.messenger.messages();
    std::uint64_t flits = 0;
    for (const test::Message& message : messages)
        flits += message.flits;
    CHECK(flits_injected(network) == flits);
    CHECK(run.messenger.flits_arrived() + network.flits_lost() == flits);
    std::set<std::uint32_t> ended;
    for (const test::Arrival& arrival : run.messenger.arrivals())
        CHECK(ended.insert(arrival.message).second);
    for (const std::uint32_t message : run.messenger.discarded())
        CHECK(ended.insert(message).second);
    for (std::uint32_t id = 0; id < messages.size(); ++id)
        CHECK(ended.contains(id) == (run.messenger.flits_arrived(id) > 0));
}

Topology random_topology(SplitMix64& random)
{
    const char* const specifications[] = {"mesh:3x3",  "torus:4x4", "ring:6",  "hypercube:3",
                                          "kautz:3,2", "omega:8",   "btree:8", "fat_octagon:8",
                                          "octagon:8", "mesh:2"};
    Topology topology = test::with_random_channels(make_topology(specifications[random.below(10)]), random);
    if (random.below(2) == 0)
        return topology;
    return test::with_random_parts(std::move(topology), random, {.pipelines = false, .rates = true});
}

Faults random_faults(const Topology& topology, SplitMix64& random)
{
    const auto routers = static_cast<std::uint32_t>(topology.router_count());
    const auto channels = static_cast<std::uint32_t>(topology.channel_count());
    Faults faults;
    for (std::uint32_t i = random.below(3); i > 0; --i)
        faults.channels.push_back(random.below(channels));
    for (std::uint32_t i = random.below(2); i > 0; --i)
        faults.routers.push_back(random.below(routers));
    return faults;
}

/// Up to four times of failure, some for good: the parts that stay down.
Faults plan_random_faults(Run& run, SplitMix64& random)
{
    Faults dead;
    for (unsigned fault = 1 + random.below(4); fault > 0; --fault) {
        const Cycle from = random.below(400);
        const bool for_good = random.below(3) == 0;
        const Faults faults = random_faults(run.network.topology(), random);
        run.network.plan_faults(faults, {from, for_good ? DownTime::for_good : from + 1 + random.below(60)});
        if (for_good) {
            dead.channels.insert(dead.channels.end(), faults.channels.begin(), faults.channels.end());
            dead.routers.insert(dead.routers.end(), faults.routers.begin(), faults.routers.end());
        }
    }
    return dead;
}

HardwareConfig random_config(const Routing& routing, SplitMix64& random)
{
    HardwareConfig config = test::random_config(random);
    config.vcs = routing.vc_classes + random.below(3);
    config.buffer_flits = random.below(3) == 0 ? 1 + random.below(4) : 0; // slow ones, too
    return config;
}

bool has(const std::vector<std::uint32_t>& list, std::uint32_t one)
{
    return std::find(list.begin(), list.end(), one) != list.end();
}

/// Does the message meet one of the parts?
bool crosses(const Topology& topology, const test::Message& message, const Route& route, const Faults& parts)
{
    return has(parts.routers, topology.processor(message.source).injection) ||
           std::any_of(route.begin(), route.end(), [&](const Hop& hop) {
               return has(parts.channels, hop.channel) ||
                      has(parts.routers, topology.channel(hop.channel).target);
           });
}

} // namespace

TEST_CASE("every flit is delivered or lost in one place, every credit comes back, nothing hangs",
          "[hardware][fault]")
{
    const auto seed = GENERATE(range(0, 150));
    CAPTURE(seed);
    SplitMix64 random(static_cast<std::uint64_t>(seed));
    const Topology topology = random_topology(random);
    const Routing routing = make_routing(topology, "shortest+layers");
    const HardwareConfig config = random_config(routing, random);
    CAPTURE(topology.name(), config.vcs, config.buffer_flits);
    Run run(topology, config, routing);
    const Faults dead = plan_random_faults(run, random);
    for (const test::Message& message : test::random_messages(topology, {120, 50, 400}, random))
        run.messenger.send(message, routing);
    test::run_to_end();
    check_conservation(run);

    // What comes later suffers only from what is still down.
    const Cycle later = run.network.domain().now() + 1000;
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    for (ProcessorId source = 0; source < processors; ++source)
        for (ProcessorId destination = 0; destination < processors; ++destination)
            run.messenger.send({source, destination, 20, later}, routing);
    test::run_to_end();
    check_conservation(run);
    const auto& messages = run.messenger.messages();
    for (std::uint32_t id = 120; id < messages.size(); ++id) {
        const bool is_hit = crosses(topology, messages[id],
                                    routing.route(messages[id].source, messages[id].destination), dead);
        CHECK(run.messenger.arrival_of(id).has_value() == !is_hit);
    }
}

TEST_CASE("the same holds where routers decide the way", "[hardware][fault][adaptive]")
{
    std::size_t discarded = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        CAPTURE(seed);
        SplitMix64 random(seed);
        const Topology topology = random_topology(random);
        const Routing routing = make_routing(topology, "adaptive");
        Run run(topology, random_config(routing, random), routing);
        plan_random_faults(run, random);
        for (const test::Message& message : test::random_messages(topology, {200, 50, 400}, random))
            run.messenger.send(message, routing);
        test::run_to_end();
        check_conservation(run);
        discarded += run.messenger.discarded().size();
    }
    CHECK(discarded > 100);
}

TEST_CASE("a planned fault changes nothing before it comes", "[hardware][fault]")
{
    const auto run_with = [](bool planned) {
        const Topology topology = make_topology("torus:4x4");
        const Routing routing = make_routing(topology, "auto");
        HardwareConfig config;
        config.vcs = routing.vc_classes;
        Run run(topology, config, routing);
        if (planned) {
            run.network.plan_faults({{3, 7, 20}, {5, 6}}, {1'000'000, DownTime::for_good});
            run.network.plan_faults({{9}, {0}}, {1'000'000, 1'000'100});
        }
        SplitMix64 random(7);
        for (const test::Message& message : test::random_messages(topology, {500, 40, 2000}, random))
            run.messenger.send(message, routing);
        test::run_before(run.network.domain(), 900'000);
        CHECK(run.network.flits_lost() == 0);
        CHECK(run.messenger.arrivals().size() == 500);
        return run.messenger.arrivals();
    };
    CHECK(run_with(false) == run_with(true));
}

TEST_CASE("a router takes with it what is in it, to the cycle", "[hardware][fault]")
{
    // 0 -> 1 -> 2: a single flit enters the wire to router 1 in cycle e, is there in e + 1, enters the next
    // wire in e + 1 + pipeline and is at router 2 a cycle later.
    const Topology topology = make_topology("mesh:3");
    const Routing routing = make_routing(topology, "auto");
    const HardwareConfig config;
    constexpr Cycle sent = 50;
    const Cycle enters = sent + config.interface_cycles + 1 + config.router.cycles();
    const Cycle leaves = enters + 1 + config.router.cycles() + 1;
    const auto arrives = [&](DownTime down) {
        Run run(topology, config, routing);
        run.network.plan_faults({{}, {1}}, down);
        run.messenger.send({0, 2, 1, sent}, routing.route(0, 2));
        test::run_to_end();
        check_conservation(run);
        return !run.messenger.arrivals().empty();
    };
    const Cycle shortest = config.router.cycles() + 1;
    CHECK(arrives({enters - shortest, enters}));
    CHECK_FALSE(arrives({enters - shortest + 1, enters + 1}));
    CHECK_FALSE(arrives({enters + 1, DownTime::for_good}));
    CHECK_FALSE(arrives({leaves - 2, leaves + 10}));
    CHECK_FALSE(arrives({leaves - 1, DownTime::for_good}));
    CHECK(arrives({leaves, DownTime::for_good}));
    CHECK_FALSE(arrives({0, DownTime::for_good}));
}

TEST_CASE("a fault on what does not exist, or that ends before it begins, is refused", "[hardware][fault]")
{
    const Topology topology = make_topology("mesh:2x2");
    Run run(topology, {}, make_routing(topology, "auto"));
    CHECK_THROWS_WITH(run.network.plan_faults({{8}, {}}, {}), "mesh:2x2: channel 8 does not exist");
    CHECK_THROWS_WITH(run.network.plan_faults({{0}, {4}}, {}), "mesh:2x2: router 4 does not exist");
    CHECK_THROWS_WITH(run.network.plan_faults({{0}, {}}, {5, 5}),
                      "mesh:2x2: a fault from cycle 5 to cycle 5");
    CHECK(run.network.links()[0]->fault() == nullptr);
}

} // namespace nocturne::faults_test
