#include "models/hardware/network_memory.hpp"
#include "models/hardware/network_plan.hpp"
#include "models/routing/adaptive.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/path_watch.hpp"
#include "tests/models/topology/direct_network.hpp"

#include <set>
#include <tuple>

namespace nocturne::selection_test {

using test::deliver;
using test::path_over;

namespace {

HardwareConfig with(Selection selection, unsigned vcs = 1)
{
    HardwareConfig config;
    config.selection = selection;
    config.vcs = vcs;
    return config;
}

/// Is each hop one that the routing allows there, after the one before?
bool is_allowed(const AdaptiveRouting& routing, RouterId source, RouterId destination, const Path& path)
{
    std::set<std::tuple<RouterId, unsigned, ChannelId>> allowed;
    routing.visit_allowed(destination, [&](RouterId at, unsigned arrival, const auto& channels) {
        for (const ChannelId id : channels)
            allowed.emplace(at, arrival, id);
    });
    RouterId at = source;
    unsigned arrival = 0;
    for (const ChannelId id : path) {
        if (!allowed.contains({at, arrival, id}))
            return false;
        at = routing.topology().channel(id).target;
        arrival = routing.arrival_by(id);
    }
    return at == destination;
}

std::vector<test::Message> heavy_traffic(const Topology& topology, std::uint64_t seed)
{
    SplitMix64 random(seed);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    return test::random_messages(topology, {15 * processors, 30, 50}, random);
}

constexpr Selection selections[] = {Selection::in_turn, Selection::credits, Selection::random,
                                    Selection::neighbours, Selection::dyad};

} // namespace

TEST_CASE("heavy traffic by turn models drains with one virtual channel, over allowed paths only",
          "[hardware][selection]")
{
    std::uint64_t seed = 0;
    for (const char* name : {"west_first", "north_last", "negative_first", "odd_even"})
        for (const Selection selection : selections) {
            const Topology mesh = make_topology(++seed % 2 == 0 ? "mesh:4x4" : "mesh:3x5");
            CAPTURE(name, to_string(selection), mesh.name());
            const Routing routing = make_routing(mesh, name);
            HardwareConfig config = with(selection);
            config.buffer_flits = seed % 3 == 0 ? 2 : 5;
            const auto messages = heavy_traffic(mesh, seed);
            const test::Delivery result = deliver(mesh, routing, config, messages);
            for (std::size_t i = 0; i < messages.size(); ++i)
                REQUIRE(is_allowed(*routing.adaptive(), messages[i].source, messages[i].destination,
                                   result.paths[i]));
        }
}

TEST_CASE("random selection follows the seed of the routing", "[hardware][selection]")
{
    const Topology mesh = make_topology("mesh:4x4");
    const auto paths = [&](std::uint64_t seed) {
        return deliver(mesh, make_routing(mesh, "odd_even", seed), with(Selection::random),
                       heavy_traffic(mesh, 3))
            .paths;
    };
    const auto once = paths(1);
    CHECK(paths(1) == once);
    CHECK(paths(2) != once);
    // A message alone: both of its outputs are free.
    std::set<Path> used;
    for (std::uint64_t seed = 1; seed <= 40; ++seed)
        used.insert(deliver(mesh, make_routing(mesh, "odd_even", seed), with(Selection::random), {{0, 5, 2}})
                        .paths.front());
    CHECK(used == std::set<Path>{path_over(mesh, {0, 1, 5}), path_over(mesh, {0, 4, 5})});
}

TEST_CASE("credits tell of the buffer behind an output that is full", "[hardware][selection]")
{
    // The ejection link at 1 is shared by three, so that the buffer behind 0 -> 1 fills; a second virtual
    // channel is free there. The message from 0 to 4 can go by 1 or by 3.
    const Topology mesh = make_topology("mesh:3x3");
    const std::vector<test::Message> messages{{2, 1, 200}, {4, 1, 200}, {0, 1, 60}, {0, 4, 4, 30}};
    const Routing routing = make_routing(mesh, "odd_even");
    CHECK(deliver(mesh, routing, with(Selection::credits, 2), messages).paths.back() ==
          path_over(mesh, {0, 3, 4}));
}

TEST_CASE("neighbours tell of what is busy one hop further on", "[hardware][selection]")
{
    // The ejection link at 5 is shared by three, so that 3 -> 4 is taken, and its buffer full; from 0 both
    // outputs look the same.
    const Topology mesh = make_topology("mesh:3x3");
    const std::vector<test::Message> messages{{2, 5, 300}, {8, 5, 300}, {3, 5, 300}, {0, 4, 4, 100}};
    const Routing routing = make_routing(mesh, "west_first");
    CHECK(deliver(mesh, routing, with(Selection::neighbours, 2), messages).paths.back() ==
          path_over(mesh, {0, 1, 4}));
    CHECK(deliver(mesh, routing, with(Selection::credits, 2), messages).paths.back() ==
          path_over(mesh, {0, 3, 4})); // the first port
}

TEST_CASE("DyAD goes by the first output until buffers fill", "[hardware][selection]")
{
    const Topology mesh = make_topology("mesh:4x4");
    const Routing routing = make_routing(mesh, "odd_even");
    const Path row_first = path_over(mesh, {0, 1, 2, 3, 7, 11, 15});
    std::vector<test::Message> sparse;
    for (Cycle i = 0; i < 20; ++i)
        sparse.push_back({0, 15, 4, 100 * i});
    for (const Path& path : deliver(mesh, routing, with(Selection::dyad), sparse).paths)
        CHECK(path == row_first);
    auto dense = heavy_traffic(mesh, 5);
    dense.insert(dense.end(), 50, {0, 15, 4});
    const auto paths = deliver(mesh, routing, with(Selection::dyad), dense).paths;
    CHECK(std::set<Path>(paths.end() - 50, paths.end()).size() > 1);
}

TEST_CASE("without a selection the routing decides, and one for routes is refused", "[hardware][selection]")
{
    const auto selected = [](const char* spec, const char* name) {
        const Topology topology = make_topology(spec);
        return selection_of(*make_routing(topology, name).adaptive(), {});
    };
    CHECK(selected("mesh:4x4", "odd_even") == Selection::credits);
    CHECK(selected("mesh:4x4", "adaptive") == Selection::credits);
    CHECK(selected("fattree:8", "adaptive") == Selection::in_turn); // no escape channels
    const Topology mesh = make_topology("mesh:4x4");
    CHECK_NOTHROW(check_selection(mesh, make_routing(mesh, "odd_even"), with(Selection::random)));
    CHECK_NOTHROW(check_selection(mesh, make_routing(mesh, "xy"), {}));
    CHECK_THROWS_WITH(check_selection(mesh, make_routing(mesh, "xy"), with(Selection::random)),
                      "mesh:4x4: selection random: routing xy is not adaptive, and leaves routers nothing to "
                      "select");
}

TEST_CASE("what a network takes of memory counts the tables of adaptive routing", "[hardware][selection]")
{
    const Topology mesh = make_topology("mesh:8x8");
    const HardwareConfig config;
    const auto tables = [&](const char* name) {
        return network_bytes(mesh, config, one_port, make_routing(mesh, name)) -
               network_bytes(mesh, config, one_port);
    };
    CHECK(tables("xy") == 0);
    CHECK(tables("west_first") == 64 * 64 * 8); // a word for each router and destination
    CHECK(tables("odd_even") == 2 * 64 * 64 * 8);
    CHECK(tables("adaptive") == 64 * 64 * (8 + 4 + 8)); // and the escape channels
}

} // namespace nocturne::selection_test
