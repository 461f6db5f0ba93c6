#include "route_checks.hpp"

#include "models/routing/distances.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <map>

namespace nocturne::test {

Path path_of(const Route& route)
{
    Path path;
    for (const Hop& hop : route)
        path.push_back(hop.channel);
    return path;
}

void require_sound(const Topology& topology, const Routing& routing)
{
    std::uint32_t highest = 0;
    for_all_pairs(topology, [&](ProcessorId source, ProcessorId destination) {
        const Route route = routing.route(source, destination);
        const Path path = path_of(route);
        std::vector<RouterId> routers = routers_of(topology, source, path);
        std::sort(routers.begin(), routers.end());
        const bool simple = std::adjacent_find(routers.begin(), routers.end()) == routers.end();
        if (!connects(topology, source, destination, path) || route != routing.route(source, destination) ||
            !simple)
            FAIL(topology.name() << ", " << routing.name << ": bad route " << source << " -> "
                                 << destination);
        for (const Hop& hop : route)
            highest = std::max(highest, hop.vc_class);
    });
    INFO(topology.name() << ", " << routing.name);
    REQUIRE(routing.vc_classes == highest + 1);
}

void require_minimal(const Topology& topology, const Routing& routing)
{
    for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination) {
        const auto distance = distances_to(topology, topology.processor(destination).ejection);
        for (ProcessorId source = 0; source < topology.processor_count(); ++source)
            if (routing.route(source, destination).size() != distance[topology.processor(source).injection])
                FAIL(topology.name() << ", " << routing.name << ": detour " << source << " -> "
                                     << destination);
    }
}

void insert_dependencies(Dependencies& dependencies, const Route& route)
{
    for (std::size_t i = 1; i < route.size(); ++i)
        dependencies.insert(
            {{route[i - 1].channel, route[i - 1].vc_class}, {route[i].channel, route[i].vc_class}});
}

Dependencies dependencies_of(const Topology& topology, const Routing& routing)
{
    Dependencies result;
    for_all_pairs(topology, [&](ProcessorId source, ProcessorId destination) {
        insert_dependencies(result, routing.route(source, destination));
    });
    return result;
}

bool has_cycle(const Dependencies& dependencies)
{
    std::map<VirtualChannel, int> entering;
    for (const auto& [from, to] : dependencies) {
        entering.try_emplace(from, 0);
        ++entering[to];
    }
    std::vector<VirtualChannel> free;
    for (const auto& [vertex, count] : entering)
        if (count == 0)
            free.push_back(vertex);
    std::size_t ordered = 0;
    for (; ordered < free.size(); ++ordered) {
        const VirtualChannel from = free[ordered];
        for (auto edge = dependencies.lower_bound({from, {0, 0}});
             edge != dependencies.end() && edge->first == from; ++edge)
            if (--entering[edge->second] == 0)
                free.push_back(edge->second);
    }
    return ordered < entering.size();
}

void require_cycle_of(const Dependencies& dependencies, const std::vector<Hop>& cycle)
{
    REQUIRE(cycle.size() >= 2);
    std::set<VirtualChannel> vertices;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
        const Hop& next = cycle[(i + 1) % cycle.size()];
        vertices.emplace(cycle[i].channel, cycle[i].vc_class);
        REQUIRE(dependencies.count({{cycle[i].channel, cycle[i].vc_class}, {next.channel, next.vc_class}}) ==
                1);
    }
    REQUIRE(vertices.size() == cycle.size());
}

void require_dependencies(const DependencyCheck& check, const Dependencies& expected)
{
    REQUIRE_FALSE(has_cycle(expected));
    REQUIRE(check.deadlock_free());
    REQUIRE(check.dependencies.size() == expected.size());
    for (const auto& [from, to] : expected)
        REQUIRE(check.dependencies.contains({from.first, from.second}, {to.first, to.second}));
}

void require_known_draws(const Topology& topology, const Routing& routing, const DependencyCheck& check,
                         int draws, bool is_all)
{
    Dependencies drawn;
    for_all_pairs(topology, [&](ProcessorId source, ProcessorId destination) {
        for (int draw = 0; draw < draws; ++draw) {
            const Route route = routing.route(source, destination);
            if (!connects(topology, source, destination, path_of(route)))
                FAIL(topology.name() << ", " << routing.name << ": bad route " << source << " -> "
                                     << destination);
            insert_dependencies(drawn, route);
        }
    });
    if (is_all)
        REQUIRE(check.dependencies.size() == drawn.size());
    if (check.deadlock_free())
        REQUIRE_FALSE(has_cycle(drawn));
    for (const auto& [from, to] : drawn)
        REQUIRE(check.dependencies.contains({from.first, from.second}, {to.first, to.second}));
}

std::vector<std::vector<std::uint64_t>>
least_costs(const Topology& topology, const std::function<std::uint64_t(const Channel&)>& cost_of)
{
    const std::size_t routers = topology.router_count();
    std::vector<std::vector<std::uint64_t>> least(routers, std::vector<std::uint64_t>(routers, far));
    for (std::size_t id = 0; id < routers; ++id)
        least[id][id] = 0;
    for (const Channel& channel : topology.channels()) {
        std::uint64_t& cost = least[channel.source][channel.target];
        cost = std::min(cost, cost_of(channel));
    }
    for (std::size_t over = 0; over < routers; ++over)
        for (std::size_t from = 0; from < routers; ++from)
            for (std::size_t to = 0; to < routers; ++to)
                least[from][to] = std::min(least[from][to], least[from][over] + least[over][to]);
    return least;
}

void require_deadlock_free(const Topology& topology, const Routing& routing)
{
    INFO(topology.name() << ", " << routing.name);
    const DependencyCheck check = check_deadlock(topology, routing);
    INFO(describe(topology, check.cycle));
    REQUIRE(check.deadlock_free());
    const Dependencies dependencies = dependencies_of(topology, routing);
    REQUIRE(check.dependencies.size() == dependencies.size());
    REQUIRE_FALSE(has_cycle(dependencies));
}

void require_deadlock(const Topology& topology, const Routing& routing)
{
    INFO(topology.name() << ", " << routing.name);
    const DependencyCheck check = check_deadlock(topology, routing);
    REQUIRE_FALSE(check.deadlock_free());
    require_cycle_of(dependencies_of(topology, routing), check.cycle);
}

} // namespace nocturne::test
