// What holds of routings by their names: the rows of routings.txt.
#include "models/routing/deadlock.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "random_networks.hpp"
#include "route_checks.hpp"
#include "tests/catch.hpp"
#include "tests/rows.hpp"

#include <functional>
#include <iterator>
#include <sstream>

namespace nocturne::routings_test {

namespace {

using test::Row;
using Words = std::vector<std::string>;

Words words_of(const std::string& cell)
{
    std::istringstream stream(cell);
    return {std::istream_iterator<std::string>(stream), {}};
}

bool has(const Row& row, std::size_t cell, const std::string& word)
{
    const Words words = words_of(row.cells.at(cell));
    return std::ranges::find(words, word) != words.end();
}

/// Each row of a group, with each of its networks: `random` ones, half of them of one-way channels, or
/// `connected` ones, of links, are 300.
void for_rows(const std::string& group, const std::function<void(const Row&, const Topology&)>& check)
{
    for (const Row& row : test::rows_of("models/routing/routings.txt")) {
        if (row.group != group)
            continue;
        Words specs = words_of(row.cells.at(1));
        if (specs.front() == "every") {
            specs.clear();
            for (const TopologyKind& kind : topology_kinds())
                specs.emplace_back(kind.example);
        }
        for (const std::string& spec : specs) {
            INFO(row.place << ": " << row.cells[0] << " on " << spec);
            if (spec != "random" && spec != "connected") {
                check(row, make_topology(spec));
                continue;
            }
            for (unsigned seed = 0; seed < 300; ++seed) {
                const unsigned routers = 2 + seed % 17, extra = seed % 23;
                check(row, spec == "random" && seed % 2 == 1 ? test::random_directed(seed, routers, extra)
                                                             : test::random_connected(seed, routers, extra));
            }
        }
    }
}

void check_classes(const Row& row, const Routing& routing)
{
    if (row.cells.at(3) != "-")
        CHECK(std::to_string(routing.vc_classes.count()) == row.cells[3]);
}

} // namespace

TEST_CASE("routes join their pairs, minimally and without deadlock where they should", "[routing]")
{
    int needed_help = 0;
    for_rows("routes", [&](const Row& row, const Topology& topology) {
        const Routing routing = make_routing(topology, row.cells[0]);
        const std::string name = row.cells.size() > 4 ? row.cells[4] : row.cells[0];
        CHECK((name == "*" || routing.name == name));
        CHECK(routing.in_order());
        check_classes(row, routing);
        test::require_sound(topology, routing);
        if (has(row, 2, "minimal"))
            test::require_minimal(topology, routing);
        if (has(row, 2, "free"))
            test::require_deadlock_free(topology, routing);
        if (has(row, 2, "stalls"))
            test::require_deadlock(topology, routing);
        if (row.cells[0] == "shortest+layers" && row.cells[1] == "random")
            needed_help += routing.vc_classes > 1 ? 1 : 0;
    });
    CHECK(needed_help > 50);
}

TEST_CASE("drawn routes join their pairs and follow their seed, and the check for deadlock knows them",
          "[routing]")
{
    for_rows("draws", [](const Row& row, const Topology& topology) {
        const Routing routing = make_routing(topology, row.cells[0], 3);
        const Routing again = make_routing(topology, row.cells[0], 3);
        const Routing other = make_routing(topology, row.cells[0], 4);
        CHECK_FALSE(routing.in_order());
        check_classes(row, routing);
        bool differs = false;
        for (ProcessorId source = 0; source < topology.processor_count(); ++source)
            for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination)
                for (int draw = 0; draw < 3; ++draw) {
                    const Route route = routing.route(source, destination);
                    REQUIRE(route == again.route(source, destination));
                    differs = differs || route != other.route(source, destination);
                }
        CHECK(differs);
        if (has(row, 2, "minimal"))
            test::require_minimal(topology, routing);
        const DependencyCheck check = check_deadlock(topology, routing);
        CHECK(check.deadlock_free() == !has(row, 2, "stalls"));
        test::require_known_draws(topology, routing, check, std::stoi(row.cells.at(4)), has(row, 2, "all"));
    });
}

TEST_CASE("routes take the ways that are known by hand, in the classes", "[routing]")
{
    for_rows("ways", [](const Row& row, const Topology& topology) {
        const Words names = words_of(row.cells.at(2));
        const ProcessorId source = topology.find_processor(names.front()).value();
        const Route route =
            make_routing(topology, row.cells[0]).route(source, topology.find_processor(names.back()).value());
        Words visited;
        for (const RouterId id : routers_of(topology, source, test::path_of(route)))
            visited.push_back(topology.router_name(id));
        CHECK(visited == names);
    });
    for_rows("classes", [](const Row& row, const Topology& topology) {
        const Words ends = words_of(row.cells.at(2));
        Words classes;
        for (const Hop& hop :
             make_routing(topology, row.cells[0])
                 .route(*topology.find_processor(ends[0]), *topology.find_processor(ends[1])))
            classes.push_back(std::to_string(hop.vc_class));
        CHECK(classes == words_of(row.cells.at(3)));
    });
}

} // namespace nocturne::routings_test
