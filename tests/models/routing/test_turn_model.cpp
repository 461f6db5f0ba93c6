#include "models/routing/adaptive.hpp"
#include "models/routing/deadlock.hpp"
#include "models/routing/make_routing.hpp"
#include "models/routing/paths.hpp"
#include "models/routing/routings.hpp"
#include "models/topology/make_topology.hpp"
#include "route_checks.hpp"
#include "tests/catch.hpp"

#include <map>
#include <set>

namespace nocturne::turn_model_test {

namespace {

/// Of a hop: the dimension, and whether the coordinate grows.
struct HopDirection {
    std::size_t dimension;
    bool grows;
};

HopDirection direction_of(const Topology& topology, ChannelId id)
{
    const auto from = topology.coordinates(topology.channel(id).source);
    const auto to = topology.coordinates(topology.channel(id).target);
    for (std::size_t d = 0; d < from.size(); ++d)
        if (from[d] != to[d])
            return {d, to[d] > from[d]};
    FAIL("not a hop of the grid");
    return {};
}

/// The papers' lists of forbidden turns, read off literally: no rule of the code under test.
bool is_forbidden(const Topology& topology, TurnModel model, ChannelId in, ChannelId out)
{
    const HopDirection before = direction_of(topology, in);
    const HopDirection after = direction_of(topology, out);
    if (model == TurnModel::negative_first)
        return before.grows && !after.grows;
    const bool was_in_row = before.dimension == 1;
    const bool is_in_row = after.dimension == 1;
    if (was_in_row == is_in_row)
        return false;
    const bool to_west = is_in_row && !after.grows;
    if (model == TurnModel::west_first)
        return to_west;
    if (model == TurnModel::north_last)
        return !was_in_row && !before.grows;
    const bool is_even = topology.coordinates(topology.channel(in).target)[1] % 2 == 0;
    const bool from_east_bound = was_in_row && before.grows;
    return is_even ? from_east_bound : to_west;
}

using Paths = std::set<Path>;

Paths paths_without_forbidden_turns(const Topology& topology, TurnModel model, ProcessorId source,
                                    ProcessorId destination)
{
    Paths result;
    PathEnumerator paths(topology, source, destination);
    while (const auto path = paths.next()) {
        bool is_allowed = true;
        for (std::size_t hop = 1; hop < path->size(); ++hop)
            is_allowed = is_allowed && !is_forbidden(topology, model, (*path)[hop - 1], (*path)[hop]);
        if (is_allowed)
            result.insert(*path);
    }
    return result;
}

/// By what the routing lets routers choose.
void follow(const AdaptiveRouting& routing, const std::map<std::pair<RouterId, unsigned>, Path>& allowed,
            std::pair<RouterId, unsigned> at, RouterId destination, const Path& path, Paths& found)
{
    if (at.first == destination) {
        found.insert(path);
        return;
    }
    REQUIRE_FALSE(allowed.at(at).empty()); // none is led into a dead end
    for (const ChannelId id : allowed.at(at)) {
        Path longer = path;
        longer.push_back(id);
        follow(routing, allowed, {routing.topology().channel(id).target, routing.arrival_by(id)}, destination,
               longer, found);
    }
}

Paths paths_of(const AdaptiveRouting& routing, RouterId source, RouterId destination)
{
    std::map<std::pair<RouterId, unsigned>, Path> allowed;
    routing.visit_allowed(destination, [&](RouterId at, unsigned arrival, const auto& channels) {
        REQUIRE(allowed.emplace(std::pair(at, arrival), Path(channels.begin(), channels.end())).second);
    });
    Paths found;
    follow(routing, allowed, {source, 0}, destination, {}, found);
    return found;
}

/// Requires that the paths are the minimal ones without a forbidden turn, all of them, and that the check for
/// deadlock sees their dependencies, and no cycle.
void require_model(const Topology& topology, TurnModel model)
{
    const Routing routing = turn_model(topology, model);
    INFO(topology.name() << ", " << routing.name);
    REQUIRE(routing.vc_classes == 1);
    REQUIRE_FALSE(routing.in_order());
    REQUIRE_FALSE(routing.adaptive()->has_escape());
    test::Dependencies expected;
    for (ProcessorId source = 0; source < topology.processor_count(); ++source)
        for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination) {
            const Paths paths = paths_of(*routing.adaptive(), source, destination);
            REQUIRE_FALSE(paths.empty());
            REQUIRE((paths == paths_without_forbidden_turns(topology, model, source, destination)));
            for (const Path& path : paths) {
                Route route;
                for (const ChannelId id : path)
                    route.push_back({id});
                test::insert_dependencies(expected, route);
            }
        }
    test::require_dependencies(check_deadlock(topology, routing), expected);
}

constexpr TurnModel models[] = {TurnModel::west_first, TurnModel::north_last, TurnModel::negative_first,
                                TurnModel::odd_even};

} // namespace

TEST_CASE("a turn model allows all minimal paths without its forbidden turns, each of parallel links, and no "
          "others",
          "[routing][turn_model]")
{
    Topology parallel = make_topology("mesh:3x3");
    parallel.add_link(0, 1);
    for (const TurnModel model : models) {
        require_model(parallel, model);
        for (const char* spec : {"mesh:4x5", "mesh:5x4", "mesh:2x6", "mesh:1x5", "mesh:5x1", "mesh:1x1"})
            require_model(make_topology(spec), model);
    }
    // Negative-first is for meshes of any number of dimensions, hypercubes among them.
    for (const char* spec : {"mesh:6", "mesh:3x2x3", "mesh:2x3x2x2", "hypercube:4"})
        require_model(make_topology(spec), TurnModel::negative_first);
}

TEST_CASE("turn models are deadlock-free on larger meshes", "[routing][turn_model]")
{
    for (const char* spec : {"mesh:8x8", "mesh:13x7"})
        for (const char* name : {"west_first", "north_last", "negative_first", "odd_even"}) {
            const Topology mesh = make_topology(spec);
            const Routing routing = make_routing(mesh, name);
            CAPTURE(spec, name);
            CHECK(routing.name == name);
            CHECK(check_deadlock(mesh, routing).deadlock_free());
        }
}

TEST_CASE("turn models are refused on a mesh with one more link", "[routing][turn_model]")
{
    Topology shortcut = make_topology("mesh:3x3");
    shortcut.add_link(0, 8);
    for (const std::string name : {"west_first", "north_last", "negative_first", "odd_even"})
        CHECK_THROWS_WITH(make_routing(shortcut, name),
                          "mesh:3x3: " + name + " routing is for complete meshes");
}

} // namespace nocturne::turn_model_test
