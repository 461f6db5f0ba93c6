#include "models/routing/adaptive.hpp"
#include "models/routing/make_routing.hpp"
#include "models/routing/shortest_path.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/path_watch.hpp"
#include "tests/models/routing/random_networks.hpp"
#include "tests/models/topology/all_networks.hpp"
#include "tests/models/topology/direct_network.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace nocturne::adaptive_test {

namespace {

/// Fails the test where an adaptive message does what it must not.
class AdaptiveWatch final : public test::PathWatch {
public:
    AdaptiveWatch(Network& network, unsigned vc_classes)
        : PathWatch(network), first_escape_vc_(network.config().vcs - (vc_classes - 1))
    {
    }

    void head_enters(std::uint32_t link, unsigned vc, PacketId packet, Cycle at) override
    {
        if (link >= network_.topology().channel_count())
            return;
        const Packet& message = network_.packets()[packet];
        check_room(link, vc, message);
        inside_[{link, vc}].insert(message.step);
        vcs_.insert(vc);
        PathWatch::head_enters(link, vc, packet, at);
    }
    void tail_enters(std::uint32_t link, unsigned, PacketId packet, Cycle) override
    {
        const std::uint32_t message = network_.packets()[packet].step;
        const std::vector<Step>& way = steps(message);
        const auto next = std::ranges::find(way, link, &Step::first);
        if (next != way.begin())
            inside_[*std::prev(next)].erase(message);
    }

    /// Hops of a message on escape channels.
    unsigned escapes(std::uint32_t message)
    {
        unsigned count = 0;
        for (const auto& [link, vc] : steps(message)) {
            if (vc < first_escape_vc_ && count > 0)
                FAIL_CHECK("message " << message << " comes back from the escape channels");
            count += vc >= first_escape_vc_ ? 1 : 0;
        }
        return count;
    }
    /// Virtual channels that messages have had.
    const std::set<unsigned>& vcs() const { return vcs_; }

private:
    /// In the buffer of an adaptive channel a message stands behind another only if there is room for all of
    /// it.
    void check_room(std::uint32_t link, unsigned vc, const Packet& message)
    {
        const bool has_escape = first_escape_vc_ < network_.config().vcs;
        if (has_escape && vc < first_escape_vc_ && !inside_[{link, vc}].empty() &&
            message.flits >= network_.config().buffer_flits)
            FAIL_CHECK("message " << message.step << " of " << message.flits << " flits is behind another");
    }

    unsigned first_escape_vc_;
    std::map<Step, std::set<std::uint32_t>> inside_; ///< messages whose tails have not left the buffer there
    std::set<unsigned> vcs_;
};

struct Run {
    unsigned escapes = 0; ///< hops on escape channels
    std::vector<Path> paths;
    std::set<unsigned> vcs;
};

/// Sends the messages adaptively; requires that all arrive over minimal paths and nothing is left.
Run run(const Topology& topology, const HardwareConfig& config, const std::vector<test::Message>& messages)
{
    CAPTURE(topology.name(), config.vcs, config.buffer_flits);
    const Routing routing = adaptive_routing(topology);
    test::Simulation simulation;
    Network network("network", topology, config, all_port, routing);
    AdaptiveWatch watch(network, routing.vc_classes);
    Run result{0, deliver(network, watch, messages, routing).paths, watch.vcs()};
    const Routing shortest = shortest_path(topology);
    for (std::uint32_t i = 0; i < messages.size(); ++i) {
        const auto [source, destination] = std::pair(messages[i].source, messages[i].destination);
        REQUIRE(connects(topology, source, destination, result.paths[i]));
        REQUIRE(result.paths[i].size() == shortest.route(source, destination).size());
        result.escapes += watch.escapes(i);
    }
    return result;
}

/// Virtual channels for the routing and some more, and buffers of so many flits.
HardwareConfig config_for(const Topology& topology, unsigned more_vcs, unsigned buffer_flits)
{
    HardwareConfig config;
    config.vcs = adaptive_routing(topology).vc_classes + more_vcs;
    config.buffer_flits = buffer_flits;
    return config;
}

std::vector<test::Message> heavy_traffic(const Topology& topology, SplitMix64& random)
{
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    return test::random_messages(topology, {20 * processors, random.below(2) == 0 ? 4u : 40u, 50}, random);
}

} // namespace

TEST_CASE("heavy adaptive traffic drains on every network, over minimal paths, and needs its escape channels",
          "[hardware][adaptive]")
{
    std::uint64_t seed = 0;
    const auto escapes_on = [&](const Topology& topology, unsigned most_more_vcs) {
        SplitMix64 random(++seed);
        HardwareConfig config = config_for(topology, random.below(most_more_vcs + 1), 1 + random.below(10));
        config.selection = static_cast<Selection>(random.below(5));
        return run(topology, config, heavy_traffic(topology, random)).escapes;
    };
    for (const std::string& spec : test::small_networks())
        for (int i = 0; i < 2; ++i)
            escapes_on(make_topology(spec), 3);
    unsigned escapes = 0;
    for (int i = 0; i < 150; ++i) {
        SplitMix64 random(seed);
        const unsigned routers = 3 + random.below(12);
        const unsigned extra = random.below(2 * routers);
        escapes += escapes_on(random.below(3) == 0 ? test::random_directed(seed, routers, extra)
                                                   : test::random_connected(seed, routers, extra),
                              3);
    }
    CHECK(escapes > 1000);
    for (const char* spec :
         {"mesh:6x6", "torus:5x5", "hypercube:5", "kautz:3,3", "octagon:16", "mesh:3x3x3", "debruijn:2,5"})
        for (int i = 0; i < 2; ++i)
            CHECK(escapes_on(make_topology(spec), 0) > 0);
}

TEST_CASE("messages of one pair spread over all minimal paths when others are in their way",
          "[hardware][adaptive]")
{
    const auto used = [](const Run& result, std::size_t others) {
        return std::set(result.paths.begin() + static_cast<std::ptrdiff_t>(others), result.paths.end())
            .size();
    };
    const Topology mesh = make_topology("mesh:3x3");
    SplitMix64 random(1);
    auto messages = heavy_traffic(mesh, random);
    const std::size_t others = messages.size();
    messages.insert(messages.end(), 200, {0, 8, 4});
    CHECK(used(run(mesh, config_for(mesh, 2, 8), messages), others) == 6);
    Topology wide = test::direct_network("wide", 2); // 70 channels each way: more than the bits of a word
    for (int i = 0; i < 70; ++i)
        wide.add_link(0, 1);
    CHECK(used(run(wide, {}, std::vector<test::Message>(140, {0, 1, 30})), 0) == 70);
}

TEST_CASE("the adaptive class gets the virtual channels that the escape classes leave",
          "[hardware][adaptive]")
{
    const Topology torus = make_topology("torus:4x4");
    REQUIRE(adaptive_routing(torus).vc_classes == 3);
    const HardwareConfig config = config_for(torus, 1, 8);
    // One packet at a time never needs to escape; packets enough at once use every virtual channel.
    std::vector<test::Message> messages;
    for (Cycle i = 0; i < 50; ++i)
        messages.push_back({0, 10, 3, 1000 * i});
    const std::set<unsigned> alone = run(torus, config, messages).vcs;
    CHECK(*alone.rbegin() < 2);
    for (ProcessorId source = 0; source < 16; ++source)
        messages.insert(messages.end(), 40, {source, (source + 10) % 16, 20});
    CHECK(run(torus, config, messages).vcs == std::set<unsigned>{0, 1, 2, 3});
}

TEST_CASE("adaptive routing beats dimension order where that uses half of the channels",
          "[hardware][adaptive]")
{
    const Topology mesh = make_topology("mesh:8x8");
    HardwareConfig config;
    config.vcs = 4;
    std::vector<test::Message> transpose;
    for (ProcessorId id = 0; id < 64; ++id)
        transpose.insert(transpose.end(), 60, {id, id % 8 * 8 + id / 8, 4});
    const auto cycles = [&](const char* name) {
        return test::deliver(mesh, make_routing(mesh, name), config, transpose).end;
    };
    CHECK(10 * cycles("adaptive") < 8 * cycles("dor"));
}

TEST_CASE("a head that may go several ways waits for all of them", "[hardware][adaptive]")
{
    const Topology mesh = make_topology("mesh:3x3");
    const Routing routing = adaptive_routing(mesh);
    test::Simulation simulation;
    Network network("network", mesh, config_for(mesh, 0, 8), PortModel{4}, routing);
    test::Messenger messenger(network);
    // Long messages hold the ways out of router 0, adaptive and escape channels: both by row, one by column.
    for (int i = 0; i < 4; ++i)
        messenger.send({0, 8, 2000}, routing);
    test::run_through(network.domain(), 200);
    std::map<std::pair<unsigned, unsigned>, std::set<std::uint32_t>> wanted;
    for (const WaitingInput& wait : network.routers()[0]->waits())
        wanted[{wait.input, wait.vc}].insert(wait.wanted.first);
    CHECK(std::ranges::any_of(wanted, [](const auto& of_head) { return of_head.second.size() == 3; }));
    test::run_to_end();
    CHECK(messenger.arrivals().size() == 4);
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
