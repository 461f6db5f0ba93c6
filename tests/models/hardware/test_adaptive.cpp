#include "models/hardware/deadlock_watch.hpp"
#include "models/network/zero_load.hpp"
#include "models/routing/adaptive.hpp"
#include "models/routing/make_routing.hpp"
#include "models/routing/shortest_path.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/path.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/messenger.hpp"
#include "tests/models/hardware/path_watch.hpp"
#include "tests/models/hardware/random_hardware.hpp"
#include "tests/models/hardware/simulation.hpp"
#include "tests/models/routing/random_networks.hpp"
#include "tests/models/topology/all_networks.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace nocturne::adaptive_test {

namespace {

/// Follows messages through the channels, and fails the test where one does what an adaptive one must not.
class WayWatch final : public LinkObserver {
public:
    WayWatch(Network& network, unsigned vc_classes)
        : network_(network), first_escape_vc_(network.config().vcs - (vc_classes - 1))
    {
        for (const auto& link : network.links())
            link->observe(*this);
    }

    void head_enters(std::uint32_t link, unsigned vc, PacketId packet, Cycle) override
    {
        if (link >= network_.topology().channel_count())
            return;
        const Packet& message = network_.packets()[packet];
        check_room(link, vc, message);
        inside_[{link, vc}].insert(message.step);
        ways_[message.step].emplace_back(link, vc);
    }
    void tail_enters(std::uint32_t link, unsigned, PacketId packet, Cycle) override
    {
        const std::uint32_t message = network_.packets()[packet].step;
        const CandidatePath& way = ways_[message];
        const auto next =
            std::find_if(way.begin(), way.end(), [&](const auto& step) { return step.first == link; });
        if (next != way.begin())
            inside_[*std::prev(next)].erase(message);
    }

    Path path_of(std::uint32_t message) const
    {
        Path path;
        for (const auto& [link, vc] : way_of(message))
            path.push_back(link);
        return path;
    }
    /// Hops of a message on escape channels.
    unsigned escapes(std::uint32_t message) const
    {
        unsigned count = 0;
        for (const auto& [link, vc] : way_of(message)) {
            if (vc < first_escape_vc_ && count > 0)
                FAIL_CHECK("message " << message << " comes back from the escape channels");
            count += vc >= first_escape_vc_ ? 1 : 0;
        }
        return count;
    }

private:
    using Step = std::pair<std::uint32_t, unsigned>; ///< link and virtual channel
    using CandidatePath = std::vector<Step>;

    CandidatePath way_of(std::uint32_t message) const
    {
        const auto found = ways_.find(message);
        return found == ways_.end() ? CandidatePath() : found->second;
    }

    /// In the buffer of an adaptive channel a message stands behind another only if there is room for all of
    /// it.
    void check_room(std::uint32_t link, unsigned vc, const Packet& message)
    {
        const bool has_escape = first_escape_vc_ < network_.config().vcs;
        if (has_escape && vc < first_escape_vc_ && !inside_[{link, vc}].empty() &&
            message.flits >= network_.config().buffer_flits)
            FAIL_CHECK("message " << message.step << " of " << message.flits << " flits is behind another");
    }

    Network& network_;
    unsigned first_escape_vc_;
    std::map<std::uint32_t, CandidatePath> ways_; ///< by message
    std::map<Step, std::set<std::uint32_t>>
        inside_; ///< messages whose tails have not left the buffer behind the link
};

struct Run {
    Cycle end = 0;
    unsigned escapes = 0; ///< hops on escape channels
    std::vector<Path> paths;
};

/// Sends the messages adaptively; requires that all arrive over minimal paths and nothing is left.
Run run(const Topology& topology, const HardwareConfig& config, const std::vector<test::Message>& messages)
{
    CAPTURE(topology.name(), config.vcs, config.buffer_flits);
    const Routing routing = adaptive_routing(topology);
    test::Simulation simulation;
    Network network("network", topology, config, all_port, routing);
    test::Messenger messenger(network);
    WayWatch watch(network, routing.vc_classes);
    test::deliver(network, messenger, messages, routing);
    Run result{messenger.last_arrival(), 0, {}};
    const Routing shortest = shortest_path(topology);
    for (std::uint32_t i = 0; i < messages.size(); ++i) {
        const Path path = watch.path_of(i);
        REQUIRE(connects(topology, messages[i].source, messages[i].destination, path));
        REQUIRE(path.size() == shortest.route(messages[i].source, messages[i].destination).size());
        result.escapes += watch.escapes(i);
        result.paths.push_back(path);
    }
    return result;
}

/// Virtual channels for the routing, and up to three more.
HardwareConfig with_vcs(HardwareConfig config, const Topology& topology, SplitMix64& random)
{
    config.vcs = adaptive_routing(topology).vc_classes + random.below(4);
    return config;
}

std::vector<test::Message> heavy_traffic(const Topology& topology, SplitMix64& random)
{
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    const std::uint32_t longest = random.below(2) == 0 ? 4 : 40;
    std::vector<test::Message> messages;
    for (std::uint32_t i = 0; i < 20 * processors; ++i)
        messages.push_back({random.below(processors), random.below(processors), 1 + random.below(longest),
                            random.below(50)});
    return messages;
}

} // namespace

TEST_CASE("alone in the network an adaptive message takes exactly the formula's cycles",
          "[hardware][adaptive]")
{
    std::uint64_t seed = 0;
    for (const std::string& spec : test::small_networks()) {
        SplitMix64 random(++seed);
        const Topology topology = make_topology(spec);
        for (const bool usual : {true, false}) {
            const HardwareConfig config =
                with_vcs(usual ? HardwareConfig{} : test::random_config(random), topology, random);
            CAPTURE(spec, config.vcs);
            const Routing routing = adaptive_routing(topology);
            const Routing shortest = shortest_path(topology);
            test::Simulation simulation;
            Network network("network", topology, config, one_port, routing);
            test::Messenger messenger(network);
            const auto processors = static_cast<std::uint32_t>(topology.processor_count());
            for (const std::uint32_t flits : {1u, 2u, 1 + random.below(20), 50 + random.below(100)}) {
                const test::Message message{random.below(processors), random.below(processors), flits,
                                            network.domain().now()};
                const Cycle there =
                    message.at + zero_load_cycles(topology, config,
                                                  shortest.route(message.source, message.destination), flits);
                const std::uint32_t number = messenger.send(message, routing);
                test::run_before(network.domain(), there);
                REQUIRE_FALSE(messenger.arrival_of(number).has_value());
                test::run_through(network.domain(), there);
                REQUIRE(messenger.arrival_of(number) == there);
                test::run_to_end();
            }
            // Nothing is in its way. Behind longer channels a buffer may be too small for the time that a
            // credit takes, which the formula knows.
            REQUIRE(network.blocked_cycles() == network.credit_wait_cycles());
            if (std::ranges::all_of(topology.channels(),
                                    [](const Channel& channel) { return channel.latency_cycles == 1; }))
                REQUIRE(network.blocked_cycles() == 0);
        }
    }
}

TEST_CASE("heavy adaptive traffic drains on every kind of network, over minimal paths",
          "[hardware][adaptive]")
{
    std::uint64_t seed = 0;
    for (const std::string& spec : test::small_networks())
        for (int i = 0; i < 2; ++i) {
            SplitMix64 random(++seed);
            const Topology topology = make_topology(spec);
            HardwareConfig config = with_vcs({}, topology, random);
            config.buffer_flits = 1 + random.below(10);
            run(topology, config, heavy_traffic(topology, random));
        }
}

TEST_CASE("heavy adaptive traffic drains on random networks, and needs its escape channels",
          "[hardware][adaptive]")
{
    unsigned escapes = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        SplitMix64 random(seed);
        const unsigned routers = 3 + random.below(12);
        const unsigned extra = random.below(2 * routers);
        const Topology topology = random.below(3) == 0 ? test::random_directed(seed, routers, extra)
                                                       : test::random_connected(seed, routers, extra);
        HardwareConfig config = with_vcs({}, topology, random);
        config.buffer_flits = 1 + random.below(8);
        escapes += run(topology, config, heavy_traffic(topology, random)).escapes;
    }
    CHECK(escapes > 1000);
}

TEST_CASE("heavy adaptive traffic drains on larger networks with the fewest virtual channels",
          "[hardware][adaptive]")
{
    for (const char* spec :
         {"mesh:6x6", "torus:5x5", "hypercube:5", "kautz:3,3", "octagon:16", "mesh:3x3x3", "debruijn:2,5"}) {
        const Topology topology = make_topology(spec);
        for (const std::uint64_t seed : {1u, 2u}) {
            SplitMix64 random(seed);
            HardwareConfig config;
            config.vcs = adaptive_routing(topology).vc_classes;
            config.buffer_flits = seed == 1 ? 2 : 8;
            CHECK(run(topology, config, heavy_traffic(topology, random)).escapes > 0);
        }
    }
}

TEST_CASE("routers of more than 64 ports choose among all of them", "[hardware][adaptive]")
{
    Topology wide("wide"); // two routers with 70 channels each way
    for (int i = 0; i < 2; ++i)
        wide.add_processor(wide.add_router());
    for (int i = 0; i < 70; ++i)
        wide.add_link(0, 1);
    std::vector<test::Message> messages(140, {0, 1, 30});
    const Run result = run(wide, HardwareConfig{}, messages);
    const std::set<Path> used(result.paths.begin(), result.paths.end());
    CHECK(used.size() == 70);
}

TEST_CASE("messages of one pair spread over all minimal paths when others are in their way",
          "[hardware][adaptive]")
{
    const Topology mesh = make_topology("mesh:3x3");
    HardwareConfig config;
    config.vcs = 4;
    SplitMix64 random(1);
    auto messages = heavy_traffic(mesh, random);
    const std::size_t others = messages.size();
    messages.insert(messages.end(), 200, {0, 8, 4});
    const Run result = run(mesh, config, messages);
    const std::set<Path> used(result.paths.begin() + static_cast<std::ptrdiff_t>(others), result.paths.end());
    CHECK(used.size() == 6);
}

TEST_CASE("the adaptive class gets the virtual channels that the escape classes leave",
          "[hardware][adaptive]")
{
    const Topology torus = make_topology("torus:4x4");
    const Routing routing = adaptive_routing(torus);
    REQUIRE(routing.vc_classes == 3);
    test::Simulation simulation;
    HardwareConfig config;
    config.vcs = 4;
    Network network("network", torus, config, all_port, routing);
    test::Messenger messenger(network);
    class Vcs final : public LinkObserver {
    public:
        void head_enters(std::uint32_t, unsigned vc, PacketId, Cycle) override { seen.insert(vc); }
        void tail_enters(std::uint32_t, unsigned, PacketId, Cycle) override {}
        std::set<unsigned> seen;
    } vcs;
    for (ChannelId id = 0; id < torus.channel_count(); ++id)
        network.links()[id]->observe(vcs);
    // One packet at a time never needs to escape; packets enough at once use every virtual channel.
    for (int i = 0; i < 50; ++i) {
        messenger.send({0, 10, 3, network.domain().now()}, routing);
        test::run_to_end();
    }
    CHECK(*vcs.seen.rbegin() < 2);
    for (ProcessorId source = 0; source < 16; ++source)
        for (int i = 0; i < 40; ++i)
            messenger.send({source, (source + 10) % 16, 20, network.domain().now()}, routing);
    test::run_to_end();
    CHECK(vcs.seen == std::set<unsigned>{0, 1, 2, 3});
}

namespace {

/// When the last message of a transpose permutation of several messages each has come.
Cycle transpose_cycles(const Topology& mesh, const std::string& name, unsigned side)
{
    const Routing routing = make_routing(mesh, name);
    test::Simulation simulation;
    HardwareConfig config;
    config.vcs = 4;
    Network network("network", mesh, config, one_port, routing);
    test::Messenger messenger(network);
    for (unsigned row = 0; row < side; ++row)
        for (unsigned column = 0; column < side; ++column)
            for (unsigned i = 0; i < 60; ++i)
                messenger.send({row * side + column, column * side + row, 4}, routing);
    test::run_to_end();
    REQUIRE(messenger.arrivals().size() == 60 * side * side);
    return messenger.last_arrival();
}

} // namespace

TEST_CASE("adaptive routing beats dimension order where that uses half of the channels",
          "[hardware][adaptive]")
{
    const Topology mesh = make_topology("mesh:8x8");
    const Cycle dor = transpose_cycles(mesh, "dor", 8);
    const Cycle adaptive = transpose_cycles(mesh, "adaptive", 8);
    CAPTURE(dor, adaptive);
    CHECK(10 * adaptive < 8 * dor);
}

TEST_CASE("a head that may go several ways waits for all of them", "[hardware][adaptive]")
{
    const Topology mesh = make_topology("mesh:3x3");
    const Routing routing = adaptive_routing(mesh);
    test::Simulation simulation;
    HardwareConfig config;
    config.vcs = 2;
    Network network("network", mesh, config, PortModel{4}, routing);
    test::Messenger messenger(network);
    // Long messages hold the ways out of router 0, adaptive and escape channels: both by row, one by column.
    for (int i = 0; i < 4; ++i)
        messenger.send({0, 8, 2000}, routing);
    test::run_through(network.domain(), 200);
    std::vector<Router::Wait> waits;
    for (const Router::Wait& wait : network.routers()[0]->waits())
        waits.push_back(wait);
    std::map<std::pair<unsigned, unsigned>, std::set<std::uint32_t>> wanted;
    for (const Router::Wait& wait : waits)
        wanted[{wait.input, wait.vc}].insert(wait.wanted.first);
    CHECK(std::any_of(wanted.begin(), wanted.end(),
                      [](const auto& of_head) { return of_head.second.size() == 3; }));
    test::run_to_end();
    CHECK(messenger.arrivals().size() == 4);
}

TEST_CASE("the same adaptive traffic makes the same run", "[hardware][adaptive]")
{
    const Topology topology = make_topology("kautz:3,2");
    SplitMix64 random(4);
    HardwareConfig config;
    config.vcs = 4;
    const auto messages = heavy_traffic(topology, random);
    const Run first = run(topology, config, messages);
    const Run second = run(topology, config, messages);
    CHECK(first.end == second.end);
    CHECK(first.paths == second.paths);
}

TEST_CASE("a network refuses packets of an adaptive routing that it does not know", "[hardware][adaptive]")
{
    const Topology mesh = make_topology("mesh:3x3");
    const Topology same = make_topology("mesh:3x3");
    const Routing routing = adaptive_routing(mesh);
    test::Simulation simulation;
    HardwareConfig config;
    CHECK_THROWS_WITH(Network("a", mesh, config, one_port, routing),
                      "mesh:3x3: the routing needs 2 virtual channels, the hardware has 1");
    config.vcs = 2;
    CHECK_THROWS_WITH(Network("b", same, config, one_port, routing),
                      "mesh:3x3: routing adaptive is made for another topology");
    Network plain("c", mesh, config, one_port, routing.vc_classes);
    CHECK_THROWS_WITH(plain.make_packet(0, 1, 1, routing),
                      "mesh:3x3: routing adaptive is not the one that the network was made with");
    Network network("d", mesh, config, one_port, routing);
    CHECK_THROWS_WITH(network.make_packet(0, 9, 1, routing), "mesh:3x3: processor 9 does not exist");
    const Routing copy = routing;
    CHECK_NOTHROW(network.make_packet(0, 8, 1, copy));
}

} // namespace nocturne::adaptive_test
