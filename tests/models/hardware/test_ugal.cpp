#include "models/network/zero_load.hpp"
#include "models/routing/deadlock.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/path_watch.hpp"

namespace nocturne::ugal_test {

namespace {

struct Run {
    Cycle end = 0;
    unsigned detours = 0; ///< messages with more hops than the minimal route has
};

Run run(const Topology& topology, const Routing& routing, const std::vector<test::Message>& messages)
{
    HardwareConfig config;
    config.vcs = routing.vc_classes;
    const test::Delivery delivery = test::deliver(topology, routing, config, messages);
    Run result{delivery.end, 0};
    const Routing minimal = make_routing(topology, topology.routers_per_group() == 0 ? "auto" : "lgl");
    for (std::uint32_t i = 0; i < messages.size(); ++i)
        if (delivery.paths[i].size() > minimal.route(messages[i].source, messages[i].destination).size())
            ++result.detours;
    return result;
}

/// To the processor that is so much further on, all at once and again and again.
std::vector<test::Message> shift(const Topology& topology, std::uint32_t by)
{
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    std::vector<test::Message> messages;
    for (std::uint32_t i = 0; i < 30 * processors; ++i)
        messages.push_back({i % processors, (i + by) % processors, 8});
    return messages;
}

} // namespace

TEST_CASE("UGAL takes the minimal route where nothing waits", "[hardware][ugal]")
{
    const Topology torus = make_topology("torus:4x4");
    const Routing routing = make_routing(torus, "ugal");
    CHECK(routing.name == "ugal:dor_even+balanced");
    CHECK(check_deadlock(torus, routing).deadlock_free());
    std::vector<test::Message> sparse;
    for (std::uint32_t i = 0; i < 50; ++i)
        sparse.push_back({i % 16, (i * 7 + 3) % 16, 5, 200 * i});
    CHECK(run(torus, routing, sparse).detours == 0);
    HardwareConfig config;
    config.vcs = routing.vc_classes;
    CHECK(run(torus, routing, {{0, 10, 9}}).end ==
          zero_load_cycles(torus, config, make_routing(torus, "auto").route(0, 10), 9));
}

TEST_CASE("UGAL goes round about what minimal routes crowd", "[hardware][ugal]")
{
    // One channel for each pair, but detours over six others.
    const Topology complete = make_topology("complete:8");
    const auto messages = shift(complete, 1);
    const Run minimal = run(complete, make_routing(complete, "shortest"), messages);
    const Run either = run(complete, make_routing(complete, "ugal:shortest"), messages);
    CHECK(minimal.detours == 0);
    CHECK(either.detours > messages.size() / 10);
    CHECK(either.detours < messages.size());
    // Half-way shifts on a ring use it in one direction only.
    const Topology ring = make_topology("ring:8");
    const auto across = shift(ring, 3);
    CHECK(run(ring, make_routing(ring, "ugal"), across).end <
          run(ring, make_routing(ring, "auto"), across).end);
}

TEST_CASE("UGAL goes over a third group where one channel joins two, as far as its threshold lets it",
          "[hardware][ugal]")
{
    // All of a group to the next one, over the one channel between them.
    const Topology dragonfly = make_topology("dragonfly:2,4,2");
    const auto messages = shift(dragonfly, 8);
    const auto of = [&](const char* routing) {
        return run(dragonfly, make_routing(dragonfly, routing), messages);
    };
    const Run minimal = of("lgl"), local = of("ugal:lgl"), global = of("ugal_global:lgl");
    CHECK(minimal.detours == 0);
    for (const Run& either : {local, global}) {
        CHECK(either.detours > messages.size() / 4);
        CHECK(5 * either.end < 4 * minimal.end);
    }
    const unsigned held = of("ugal:20:lgl").detours;
    CHECK(held > 0);
    CHECK(held < local.detours);
    CHECK(of("ugal:1000000:lgl").detours == 0);
}

TEST_CASE("the same seed chooses the same routes", "[hardware][ugal]")
{
    const Topology torus = make_topology("torus:4x4");
    const auto messages = shift(torus, 5);
    const auto end = [&](std::uint64_t seed, const char* routing = "ugal") {
        return run(torus, make_routing(torus, routing, seed), messages).end;
    };
    CHECK(end(1) == end(1));
    CHECK(end(1) != end(2));
    CHECK(end(1, "ugal_global") == end(1, "ugal_global"));
    CHECK(end(1, "ugal_global") != end(1));
}

TEST_CASE("UGAL has no routes to give, and a network is made for it", "[hardware][ugal]")
{
    const Topology mesh = make_topology("mesh:3x3");
    const Routing routing = make_routing(mesh, "ugal");
    CHECK_THROWS_WITH(routing.route(0, 1),
                      "routing ugal:dor is decided where messages enter the network: it has "
                      "no routes to give beforehand");
    test::Simulation simulation;
    HardwareConfig config;
    config.vcs = 2;
    Network plain("plain", mesh, config, one_port, routing.vc_classes);
    CHECK_THROWS_WITH(plain.make_packet(0, 1, 1, routing),
                      "mesh:3x3: a choice of routes is not what the network was made with");
    CHECK_THROWS_WITH(make_routing(make_topology("omega:8"), "ugal"),
                      Catch::Contains("no message can pass through a processor"));
}

} // namespace nocturne::ugal_test
