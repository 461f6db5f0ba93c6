#include "models/network/zero_load.hpp"
#include "models/routing/random.hpp"
#include "models/routing/shortest_path.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/messenger.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <algorithm>
#include <map>

namespace nocturne::router_test {

namespace {

/// A network with one-port processors and messages over shortest paths.
struct Bench {
    Bench(const std::string& spec, const HardwareConfig& config)
        : topology(make_topology(spec)), routing(shortest_path(topology)),
          network("network", topology, config, one_port), messenger(network)
    {
    }
    std::uint32_t send(const test::Message& message)
    {
        return messenger.send(message, routing.route(message.source, message.destination));
    }
    Cycle zero_load(const test::Message& message) const
    {
        return zero_load_cycles(topology, network.config(),
                                routing.route(message.source, message.destination), message.flits);
    }
    ProcessorId source_of(const test::Arrival& arrival) const
    {
        return messenger.messages()[arrival.message].source;
    }

    test::Simulation simulation;
    Topology topology;
    Routing routing;
    Network network;
    test::Messenger messenger;
};

/// Fails the test when a virtual channel takes the head of a packet before the tail of the last one.
class WormholeWatch final : public LinkObserver {
public:
    explicit WormholeWatch(Network& network)
    {
        for (const auto& link : network.links())
            link->observe(*this);
    }
    void head_enters(std::uint32_t link, unsigned vc, PacketId packet, Cycle) override
    {
        if (!holder_.emplace(std::pair(link, vc), packet).second)
            FAIL_CHECK("link " << link << " vc " << vc << " takes two packets at a time");
        ++heads;
    }
    void tail_enters(std::uint32_t link, unsigned vc, PacketId packet, Cycle) override
    {
        const auto found = holder_.find({link, vc});
        if (found == holder_.end() || found->second != packet)
            FAIL_CHECK("link " << link << " vc " << vc << " gets the tail of a packet that does not hold it");
        else
            holder_.erase(found);
    }
    std::size_t held() const { return holder_.size(); }
    std::size_t heads = 0;

private:
    std::map<std::pair<std::uint32_t, unsigned>, PacketId> holder_;
};

} // namespace

TEST_CASE("each of k inputs gets its share of a contended output", "[hardware][router]")
{
    const unsigned leaves = GENERATE(3u, 4u, 9u, 70u);
    const std::uint32_t flits = GENERATE(1u, 5u, 20u);
    HardwareConfig config;
    config.vcs = GENERATE(1u, 2u);
    config.allocation.vc_allocator = GENERATE(AllocatorKind::rotating, AllocatorKind::islip);
    Bench star("star:" + std::to_string(leaves), config);
    constexpr unsigned packets = 12;
    for (unsigned i = 0; i < packets; ++i)
        for (ProcessorId source = 1; source < leaves; ++source)
            star.send({source, 0, flits});
    test::run_to_end();
    REQUIRE(star.messenger.arrivals().size() == packets * (leaves - 1));
    std::vector<unsigned> served(leaves);
    for (const test::Arrival& arrival : star.messenger.arrivals()) {
        ++served[star.source_of(arrival)];
        const auto [least, most] = std::minmax_element(served.begin() + 1, served.end());
        // As many as are on the link at once; where each virtual channel has its own turns, one more each.
        const bool has_one_turn =
            config.vcs == 1 || config.allocation.vc_allocator == AllocatorKind::rotating;
        REQUIRE(*most - *least <= (has_one_turn ? 1 : 2) * config.vcs);
    }
}

TEST_CASE("a contended output is idle for a cycle between packets, with two virtual channels never",
          "[hardware][router]")
{
    // The cycle after the tail has won the switch gives the virtual channel to the next packet. With two, the
    // other one's flits use it.
    HardwareConfig config;
    config.vcs = GENERATE(1u, 2u);
    Bench tree("fbtree:3", config); // the two leaves send to the root
    constexpr unsigned packets = 40;
    constexpr std::uint32_t flits = 10;
    for (unsigned i = 0; i < packets / 2; ++i)
        for (const ProcessorId leaf : {1u, 2u})
            tree.send({leaf, 0, flits});
    test::run_to_end();
    const Cycle bubbles = config.vcs == 1 ? packets - 1 : 0;
    CHECK(tree.messenger.last_arrival() == tree.zero_load({1, 0, flits}) + (packets - 1) * flits + bubbles);
}

TEST_CASE("a head behind a tail in its virtual channel begins when the tail has gone", "[hardware][router]")
{
    HardwareConfig config;
    config.router = GENERATE(Pipeline{}, Pipeline{0, 1, 0, 0}, Pipeline{2, 1, 3, 1}, Pipeline{0, 3, 0, 2});
    config.buffer_flits = 0;
    const std::uint32_t flits = GENERATE(1u, 2u, 9u, 40u);
    Bench line("mesh:3", config);
    constexpr unsigned packets = 10;
    for (unsigned i = 0; i < packets; ++i)
        line.send({0, 2, flits});
    test::run_to_end();
    const unsigned period = flits + config.router.head_cycles();
    CHECK(line.messenger.last_arrival() == line.zero_load({0, 2, flits}) + (packets - 1) * period);
}

TEST_CASE("flits of two packets never mix on a virtual channel", "[hardware][router]")
{
    HardwareConfig config;
    config.vcs = GENERATE(1u, 2u, 3u);
    Bench star("star:6", config);
    WormholeWatch watch(star.network);
    SplitMix64 random(config.vcs);
    for (int i = 0; i < 300; ++i)
        star.send({random.below(6), random.below(6), 1 + random.below(20), random.below(500)});
    test::run_to_end();
    CHECK(star.messenger.arrivals().size() == 300);
    CHECK(watch.held() == 0);
    CHECK(watch.heads > 600);
}

TEST_CASE("with one virtual channel, messages of a pair arrive in the order of sending", "[hardware][router]")
{
    Bench star("star:5", HardwareConfig{});
    SplitMix64 random(1);
    for (int i = 0; i < 300; ++i)
        star.send({random.below(5), random.below(5), 1 + random.below(9)});
    test::run_to_end();
    std::map<std::pair<ProcessorId, ProcessorId>, std::uint32_t> last;
    for (const test::Arrival& arrival : star.messenger.arrivals()) {
        const test::Message& message = star.messenger.messages()[arrival.message];
        const auto [place, is_first] =
            last.emplace(std::pair(message.source, message.destination), arrival.message);
        REQUIRE((is_first || place->second < arrival.message));
        place->second = arrival.message;
    }
}

TEST_CASE("a second virtual channel lets a packet pass a blocked one", "[hardware][router]")
{
    HardwareConfig config;
    config.vcs = GENERATE(1u, 2u);
    config.allocation.vc_allocator = AllocatorKind::rotating; // leaf 3 uses both in turn
    Bench star("star:6", config);
    // Long packets hold every virtual channel to leaf 0; a short one behind them is blocked in the hub.
    for (ProcessorId source = 1; source <= config.vcs; ++source)
        star.send({source, 0, 200});
    const std::uint32_t blocked = star.send({3, 0, 4, 20});
    const test::Message passing{3, 4, 4, 60};
    const std::uint32_t passes = star.send(passing);
    test::run_to_end();
    const Cycle arrival = *star.messenger.arrival_of(passes);
    if (config.vcs == 2) {
        CHECK(arrival == passing.at + star.zero_load(passing));
        CHECK(arrival < *star.messenger.arrival_of(blocked));
    } else {
        CHECK(arrival > 200);
        CHECK(arrival + 20 > *star.messenger.arrival_of(blocked));
    }
}

TEST_CASE("the packet that comes second waits until the tail of the first has gone", "[hardware][router]")
{
    // Both heads reach the root together; one wins the virtual channel in cycle t, its head the switch in
    // t + 1, its tail in t + P; the channel is free in t + P + 1, which is when the other head wins it.
    const std::uint32_t flits = GENERATE(range(1u, 9u)); // a whole packet fits the buffer
    Bench tree("fbtree:3", HardwareConfig{});
    tree.send({1, 0, flits});
    tree.send({2, 0, flits});
    test::run_to_end();
    const Cycle alone = tree.zero_load({1, 0, flits});
    REQUIRE(tree.messenger.arrivals().size() == 2);
    CHECK(tree.messenger.arrivals()[0].at == alone);
    CHECK(tree.messenger.arrivals()[1].at == alone + flits + 1);
    CHECK(tree.network.blocked_cycles() == flits + 1);
}

TEST_CASE("two packets on virtual channels of their own take turns on the link", "[hardware][router]")
{
    // Their heads win virtual channels together, and the switch one after the other, as do all flits: each
    // waits a cycle but the first.
    const std::uint32_t flits = GENERATE(range(1u, 9u));
    HardwareConfig config;
    config.vcs = 2;
    Bench tree("fbtree:3", config);
    tree.send({1, 0, flits});
    tree.send({2, 0, flits});
    test::run_to_end();
    const Cycle alone = tree.zero_load({1, 0, flits});
    REQUIRE(tree.messenger.arrivals().size() == 2);
    CHECK(tree.messenger.arrivals()[0].at == alone + flits - 1);
    CHECK(tree.messenger.arrivals()[1].at == alone + flits);
    CHECK(tree.network.blocked_cycles() == 2 * flits - 1);
}

TEST_CASE("messages that share nothing never wait", "[hardware][router]")
{
    Bench star("star:8", HardwareConfig{});
    for (ProcessorId source = 0; source < 8; ++source)
        star.send({source, (source + 3) % 8, 100});
    test::run_to_end();
    CHECK(star.messenger.arrivals().size() == 8);
    for (const test::Arrival& arrival : star.messenger.arrivals())
        CHECK(arrival.at == star.zero_load({0, 3, 100}));
    CHECK(star.network.blocked_cycles() == 0);
}

TEST_CASE("a processor with k ports sends, and receives, k messages at once", "[hardware][interface]")
{
    const unsigned ports = GENERATE(1u, 2u, 3u);
    test::Simulation simulation;
    const Topology complete = make_topology("complete:4");
    const Routing routing = shortest_path(complete);
    Network network("network", complete, HardwareConfig{}, PortModel{ports});
    test::Messenger messenger(network);
    constexpr std::uint32_t flits = 50;
    const bool sends = GENERATE(true, false);
    for (ProcessorId other = 1; other < 4; ++other) {
        const test::Message message{sends ? 0 : other, sends ? other : 0, flits};
        messenger.send(message, routing.route(message.source, message.destination));
    }
    const Cycle alone = zero_load_cycles(complete, network.config(), routing.route(0, 1), flits);
    test::run_through(network.domain(), alone);
    CHECK(messenger.arrivals().size() == ports);
    test::run_to_end();
    // Between two messages lies what a head needs: behind a tail in its input buffer its route and a virtual
    // channel, at a contended output the virtual channel only.
    const unsigned rounds = (3 + ports - 1) / ports;
    CHECK(messenger.last_arrival() == alone + (rounds - 1) * (flits + (sends ? 2 : 1)));
    CHECK(network.interface(0).queued() == 0);
}

} // namespace nocturne::router_test
