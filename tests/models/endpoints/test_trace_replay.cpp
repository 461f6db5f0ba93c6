#include "models/endpoints/trace_replay.hpp"
#include "models/hardware/network.hpp"
#include "models/network/zero_load.hpp"
#include "models/routing/make_routing.hpp"
#include "models/routing/random.hpp"
#include "models/topology/make_topology.hpp"
#include "models/worm/worm_network.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <algorithm>
#include <map>

namespace nocturne::trace_replay_test {

namespace {

struct Times {
    std::uint64_t created;
    std::uint64_t delivered;
};

class Recorder final : public MessageObserver {
public:
    explicit Recorder(const MessageNetwork& network) : network_(network) {}
    void message_created(const NetworkMessage& message) override { times[message.tag] = {network_.now(), 0}; }
    void message_delivered(const NetworkMessage& message, ProcessorId at) override
    {
        CHECK(message.destination == at);
        CHECK(times.at(message.tag).delivered == 0);
        times.at(message.tag).delivered = network_.now();
    }
    std::map<std::uint32_t, Times> times; ///< by message

private:
    const MessageNetwork& network_;
};

/// By message.
std::map<std::uint32_t, Times> replay_on(MessageNetwork& network, const HardwareConfig& config,
                                         const Routing& routing, const std::vector<TraceMessage>& trace)
{
    Recorder recorder(network);
    const TraceReplay replay(network, config, routing, trace, recorder);
    network.drain();
    CHECK(replay.missing() == 0);
    CHECK(network.in_flight() == 0);
    return recorder.times;
}

enum class Level { flit, worm };

std::map<std::uint32_t, Times> replay(const std::string& specification,
                                      const std::vector<TraceMessage>& trace, Level level)
{
    test::Simulation simulation;
    const Topology topology = make_topology(specification);
    const Routing routing = make_routing(topology, "auto");
    HardwareConfig config;
    config.vcs = routing.vc_classes;
    if (level == Level::flit) {
        Network network("network", topology, config, one_port, routing.vc_classes);
        return replay_on(network, config, routing, trace);
    }
    WormNetwork network(topology, config, one_port, routing.vc_classes);
    return replay_on(network, config, routing, trace);
}

std::uint64_t alone(const std::string& specification, const TraceMessage& message)
{
    const Topology topology = make_topology(specification);
    const Routing routing = make_routing(topology, "auto");
    const HardwareConfig config;
    return zero_load_cycles(topology, config, routing.route(message.source, message.destination),
                            config.flits(message.bytes));
}

} // namespace

TEST_CASE("messages of a trace are sent in their cycle", "[endpoints][trace]")
{
    const Level level = GENERATE(Level::flit, Level::worm);
    const std::vector<TraceMessage> trace{{0, 0, 5, 64}, {0, 3, 2, 4}, {7, 15, 0, 100}, {500'000, 0, 5, 8}};
    const auto times = replay("mesh:4x4", trace, level);
    CHECK(replay("mesh:4x4", {}, level).empty());
    REQUIRE(times.size() == trace.size());
    for (std::uint32_t i = 0; i < trace.size(); ++i) {
        CHECK(times.at(i).created == trace[i].cycle + 1);
        CHECK(times.at(i).delivered - times.at(i).created == alone("mesh:4x4", trace[i]));
    }
}

TEST_CASE("what waits for a multicast waits for all its destinations", "[endpoints][trace]")
{
    const Topology topology = make_topology("mesh:1x8");
    const Routing routing = make_routing(topology, "dor");
    HardwareConfig config;
    config.multicast = GENERATE(Multicast::unicasts, Multicast::tree, Multicast::reserved);
    struct Deliveries final : MessageObserver {
        void message_created(const NetworkMessage& message) override { ++created[message.tag]; }
        void message_delivered(const NetworkMessage& message, ProcessorId at) override
        {
            CHECK(message.destination == at);
            times[message.tag].push_back(network->now());
        }
        const MessageNetwork* network = nullptr;
        std::map<std::uint32_t, int> created;
        std::map<std::uint32_t, std::vector<std::uint64_t>> times;
    } deliveries;
    const std::vector<TraceMessage> trace{{0, 0, 7, 80, {}, 0, {1, 3}}, {10, 3, 0, 4, {0}}};
    test::Simulation simulation;
    Network network("network", topology, config, one_port, routing);
    deliveries.network = &network;
    const TraceReplay replay(network, config, routing, trace, deliveries);
    network.drain();
    CHECK(replay.missing() == 0);
    CHECK(replay.messages() == 2);
    CHECK(deliveries.created == std::map<std::uint32_t, int>{{0, 3}, {1, 1}});
    REQUIRE(deliveries.times[0].size() == 3);
    const std::uint64_t last = std::ranges::max(deliveries.times[0]);
    CHECK(deliveries.times[1].front() ==
          last + 10 + zero_load_cycles(topology, config, routing.route(3, 0), 1));
}

TEST_CASE("messages of different classes have virtual channels of their own", "[endpoints][trace]")
{
    const Topology topology = make_topology("mesh:1x4");
    const Routing routing = make_routing(topology, "dor");
    const std::vector<Routing> routings = routings_by_class(routing, 2);
    CHECK(routings[0].vc_classes.count() == 2);
    CHECK(routings[1].route(0, 2) ==
          Route{{topology.channels_from(0).front(), 1}, {routing.route(0, 2)[1].channel, 1}});
    HardwareConfig config;
    config.vcs = 2;
    const auto arrival_of_short = [&](std::uint32_t of_class) {
        std::vector<TraceMessage> trace{{0, 0, 3, 4000}, {100, 1, 3, 16}};
        trace[1].of_class = of_class;
        test::Simulation simulation;
        Network network("network", topology, config, one_port, routings.front());
        Recorder recorder(network);
        TraceList list(trace);
        const TraceReplay replay(network, config, routings, list, recorder);
        network.drain();
        CHECK(replay.missing() == 0);
        return recorder.times.at(1).delivered;
    };
    CHECK(arrival_of_short(0) > 1000); // behind a thousand flits
    CHECK(arrival_of_short(1) < 150);
    const Topology grid = make_topology("mesh:3x3");
    const Routing adaptive = make_routing(grid, "adaptive");
    CHECK(routings_by_class(adaptive, 1).size() == 1);
    CHECK_THROWS_WITH(routings_by_class(adaptive, 2), Catch::Contains("decided by the routers"));
}

TEST_CASE("messages that wait for others are sent when the last of them has arrived", "[endpoints][trace]")
{
    const Level level = GENERATE(Level::flit, Level::worm);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SplitMix64 random(seed);
        std::vector<TraceMessage> trace;
        std::uint64_t now = 0;
        for (std::uint32_t i = 0; i < 200; ++i) {
            TraceMessage message{now, random.below(16), random.below(16), 1 + random.below(100)};
            for (std::uint32_t j = random.below(4); i > 0 && j > 0; --j)
                message.after.push_back(random.below(i));
            std::sort(message.after.begin(), message.after.end());
            message.after.erase(std::unique(message.after.begin(), message.after.end()), message.after.end());
            if (message.after.empty())
                now += random.below(20);
            else
                message.cycle = random.below(5);
            trace.push_back(message);
        }
        const auto times = replay("torus:4x4", trace, level);
        REQUIRE(times.size() == trace.size());
        for (std::uint32_t i = 0; i < trace.size(); ++i) {
            std::uint64_t last = 0;
            for (const std::uint32_t before : trace[i].after)
                last = std::max(last, times.at(before).delivered);
            CHECK(times.at(i).created == (trace[i].after.empty() ? 1 : last) + trace[i].cycle);
        }
    }
}

TEST_CASE("messages that are too long or too late are refused", "[endpoints][trace]")
{
    const Level level = GENERATE(Level::flit, Level::worm);
    CHECK_THROWS_WITH(replay("mesh:4x4", {{0, 0, 5, 8}, {0, 0, 5, std::uint64_t{1} << 40}}, level),
                      Catch::Contains("message 1: 1099511627776 bytes"));
    CHECK_THROWS_WITH(replay("mesh:4x4", {{std::uint64_t{1} << 41, 0, 5, 8}}, level),
                      Catch::Contains("message 0: cycle"));
}

TEST_CASE("messages after the end of simulated time are refused, or told", "[endpoints][trace]")
{
    test::Simulation simulation;
    const Topology topology = make_topology("mesh:2x2");
    const Routing routing = make_routing(topology, "auto");
    HardwareConfig config;
    config.cycle_ns = 1e6;
    Network network("network", topology, config, one_port, routing);
    Recorder recorder(network);
    const std::uint64_t last = network.domain().last_cycle();
    REQUIRE(last < TraceReplay::latest_cycle);
    CHECK_THROWS_WITH(
        TraceReplay(network, config, routing, std::vector<TraceMessage>{{last, 0, 1, 4}}, recorder),
        Catch::Contains("message 0"));
    const std::vector<TraceMessage> trace{{last / 2, 0, 1, 4}, {last / 2, 1, 2, 4, {0}}};
    TraceReplay replay(network, config, routing, trace, recorder);
    test::run_to_end();
    CHECK(replay.missing() == 1);
    CHECK(replay.out_of_time() == 1u);
}

namespace {

/// As replay(), reading so many messages ahead.
std::map<std::uint32_t, Times> replay_ahead(const std::vector<TraceMessage>& trace, std::size_t window)
{
    const Topology topology = make_topology("torus:4x4");
    const Routing routing = make_routing(topology, "auto");
    HardwareConfig config;
    config.vcs = routing.vc_classes;
    WormNetwork network(topology, config, one_port, routing.vc_classes);
    Recorder recorder(network);
    TraceList list(trace);
    const TraceReplay replay(network, config, std::span(&routing, 1), list, recorder, window);
    network.drain();
    CHECK(replay.missing() == 0);
    CHECK(replay.messages() == trace.size());
    return recorder.times;
}

bool are_same(const std::map<std::uint32_t, Times>& some, const std::map<std::uint32_t, Times>& others)
{
    return std::equal(some.begin(), some.end(), others.begin(), others.end(),
                      [](const auto& a, const auto& b) {
                          return a.first == b.first && a.second.created == b.second.created &&
                                 a.second.delivered == b.second.delivered;
                      });
}

} // namespace

TEST_CASE("a trace that is read while it is replayed is replayed as if it had been read before",
          "[endpoints][trace]")
{
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        SplitMix64 random(seed);
        std::vector<TraceMessage> trace;
        std::uint64_t now = 0;
        for (std::uint32_t i = 0; i < 3000; ++i) {
            TraceMessage message{now, random.below(16), random.below(16), 1 + random.below(60)};
            // What a message waits for is near it, in the trace and in time.
            if (i > 20 && random.below(2) == 0) {
                message.after.push_back(i - 1 - random.below(10));
                message.cycle = 400 + random.below(50);
                message.earliest = random.below(2) == 0 ? now + random.below(900) : 0;
            } else {
                now += random.below(20);
            }
            trace.push_back(message);
        }
        const auto whole = replay_ahead(trace, trace.size());
        CHECK(are_same(whole, replay_ahead(trace, 200)));
        for (std::uint32_t i = 0; i < trace.size(); ++i)
            if (!trace[i].after.empty())
                REQUIRE(
                    whole.at(i).created ==
                    std::max(whole.at(trace[i].after[0]).delivered + trace[i].cycle, trace[i].earliest + 1));
    }
}

TEST_CASE("a trace all of whose messages wait for others is read on as they arrive", "[endpoints][trace]")
{
    std::vector<TraceMessage> trace{{0, 0, 5, 64}};
    for (std::uint32_t i = 1; i < 500; ++i)
        trace.push_back({3, i % 16, (i + 5) % 16, 16, {i - 1}});
    CHECK(are_same(replay_ahead(trace, 500), replay_ahead(trace, 10)));
}

TEST_CASE("what is read too late is an error, and not sent at another time", "[endpoints][trace]")
{
    std::vector<TraceMessage> trace{{0, 0, 5, 64}};
    for (std::uint32_t i = 1; i < 50; ++i)
        trace.push_back({i * 1000ull, 1, 2, 8});
    trace.push_back({10, 5, 0, 8, {0}});
    CHECK_THROWS_WITH(replay_ahead(trace, 10), Catch::Contains("message 50 could be sent before it is read"));
    CHECK(replay_ahead(trace, 100).size() == 51);
    // Likewise for what is not sorted; enough is read ahead or all of it.
    std::vector<TraceMessage> unsorted = trace;
    unsorted[49].cycle = 0;
    unsorted.pop_back();
    CHECK_THROWS_WITH(replay_ahead(unsorted, 10), Catch::Contains("not sorted by time"));
    CHECK(replay_ahead(unsorted, 100).at(49).created == 1);
}

} // namespace nocturne::trace_replay_test
