#include "models/routing/deadlock.hpp"
#include "models/routing/make_routing.hpp"
#include "models/routing/random.hpp"
#include "models/routing/routings.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/path.hpp"
#include "route_checks.hpp"
#include "tests/catch.hpp"
#include "tests/models/routing/route_texts.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace nocturne::route_file_test {

namespace {

/// `"0,11"`: a name in a CSV file.
std::string in_quotes(const std::string& name)
{
    return '"' + name + '"';
}

std::string csv_of_routes(const Topology& topology, const Routing& routing)
{
    std::string text = "source,destination,path,classes\n";
    for (ProcessorId source = 0; source < topology.processor_count(); ++source)
        for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination) {
            const Route route = routing.route(source, destination);
            std::string path, classes;
            for (const RouterId router : routers_of(topology, source, test::path_of(route)))
                path += (path.empty() ? "" : "->") + topology.router_name(router);
            for (const Hop& hop : route)
                classes += fmt::format("{} ", hop.vc_class);
            text += fmt::format("{},{},{},{}\n", in_quotes(topology.processor(source).name),
                                in_quotes(topology.processor(destination).name), in_quotes(path), classes);
        }
    return text;
}

std::string json_of_next_hops(const Topology& topology, const NextHop& next_hop)
{
    nlohmann::json entries = nlohmann::json::array();
    for (RouterId router = 0; router < topology.router_count(); ++router)
        for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination) {
            if (topology.processor(destination).ejection == router)
                continue;
            const Hop hop = next_hop(router, topology.processor(destination).ejection);
            entries.push_back({{"router", topology.router_name(router)},
                               {"destination", topology.processor(destination).name},
                               {"next", topology.router_name(topology.channel(hop.channel).target)},
                               {"class", hop.vc_class}});
        }
    return nlohmann::json{{"next_hops", entries}}.dump();
}

void require_same_routes(const Topology& topology, const Routing& one, const Routing& other)
{
    REQUIRE(one.vc_classes == other.vc_classes);
    for (ProcessorId source = 0; source < topology.processor_count(); ++source)
        for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination)
            REQUIRE((one.route(source, destination) == other.route(source, destination)));
}

} // namespace

TEST_CASE("routes written to a file are read back, with their classes", "[routing][route_file]")
{
    const test::TemporaryFolder folder;
    for (const char* spec : {"oneway_torus:3x4", "torus:4x5", "mesh:2x12", "fbtree:7"}) {
        const Topology topology = make_topology(spec);
        const Routing written = make_routing(topology, "auto");
        INFO(spec);
        const std::string path = folder.file("routes.csv", csv_of_routes(topology, written));
        const Routing read = make_routing(topology, "file:" + path);
        require_same_routes(topology, written, read);
        CHECK(read.name == "file:" + path);
        CHECK(read.in_order());
        test::require_sound(topology, read);
        test::require_deadlock_free(topology, read);
    }
}

TEST_CASE("next hops make the routes that follow them", "[routing][route_file]")
{
    const test::TemporaryFolder folder;
    for (const char* spec : {"oneway_torus:4x4", "mesh:3x12", "torus:5x3"}) {
        const Topology topology = make_topology(spec);
        const NextHop next_hop = dimension_order_hops(topology);
        INFO(spec);
        const Routing read =
            read_routes(topology, folder.file("hops.json", json_of_next_hops(topology, next_hop)));
        test::require_sound(topology, read);
        test::require_minimal(topology, read);
        test::require_deadlock_free(topology, read);
        for (ProcessorId source = 0; source < topology.processor_count(); ++source)
            for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination) {
                Route expected;
                for (RouterId at = source; at != destination;) {
                    expected.push_back(next_hop(at, destination));
                    at = topology.channel(expected.back().channel).target;
                }
                REQUIRE((read.route(source, destination) == expected));
            }
    }
}

TEST_CASE("the check for deadlock judges what a file says, and classes can be assigned to it",
          "[routing][route_file]")
{
    const test::TemporaryFolder folder;
    const Topology ring = make_topology("ring:4");
    const std::string path = folder.file("clock+wise.csv", test::clockwise_routes());
    const Routing routing = make_routing(ring, "file:" + path);
    test::require_deadlock(ring, routing);
    CHECK_THROWS_WITH(make_routing(ring, "file:/no/such.csv"), Catch::Contains("/no/such.csv: cannot read"));
    for (const char* assignment : {"+layers", "+datelines"}) {
        const Routing safe = make_routing(ring, "file:" + path + assignment);
        test::require_deadlock_free(ring, safe);
        CHECK(safe.vc_classes == 2);
    }
}

TEST_CASE("of both formats each part may be left out that says nothing", "[routing][route_file]")
{
    const test::TemporaryFolder folder;
    const Topology pair = make_topology("complete:2");
    for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
             {"a.csv", "# routes\n\nsource,destination,path\n0,1,0->1\n1,0, 1 -> 0 \n"},
             {"b.csv", "router,destination,next\n0,1,1\n1,0,0\n"},
             {"n.csv", "source,destination,path\n#0,#1,\"#0->#1\"\n#1,#0,#1->#0\n"},
             {"c.csv", "router,destination,next,class\n0,1,1,\n1,0,0,0\n"},
             {"d.json", R"({"routes": [{"source": 0, "destination": "1", "path": ["0", 1]},
                                       {"source": "1", "destination": "0", "path": ["1", "0"]}]})"},
             {"e.json", R"({"next_hops": [{"router": 0, "destination": 1, "next": 1},
                                          {"router": 1, "destination": 0, "next": 0}]})"}}) {
        INFO(name);
        const Routing routing = read_routes(pair, folder.file(name, text));
        CHECK(routing.vc_classes == 1);
        CHECK(routing.route(0, 1).size() == 1);
        CHECK(routing.route(0, 0).empty());
    }
    const Topology line = make_topology("mesh:3");
    const Routing all_hops = read_routes(
        line, folder.file("f.csv", "source,destination,path,classes\n0,1,0->1,1\n0,2,0->1->2,1\n1,2,1->2,0\n"
                                   "1,0,1->0,0\n2,0,2->1->0,0 1\n2,1,2->1,\n"));
    CHECK(all_hops.vc_classes == 2);
    CHECK((all_hops.route(0, 2) == Route{{0, 1}, {2, 1}}));
}

TEST_CASE("damaged files of routes end in one line, or in sound routes", "[routing][route_file]")
{
    const test::TemporaryFolder folder;
    const Topology ring = make_topology("ring:4");
    const std::string whole = test::clockwise_routes();
    SplitMix64 random(1);
    int refused = 0;
    for (int i = 0; i < 300; ++i) {
        std::string text = whole;
        for (std::uint32_t damage = 1 + random.below(3); damage > 0; --damage) {
            const std::uint32_t at = random.below(static_cast<std::uint32_t>(text.size()));
            if (random.below(2) == 0)
                text.erase(at, 1 + random.below(5));
            else
                text[at] = "0123,->\n\" x"[random.below(11)];
        }
        try {
            test::require_sound(ring, read_routes(ring, folder.file("damaged.csv", text)));
        } catch (const std::runtime_error& error) {
            ++refused;
            REQUIRE(std::string(error.what()).find('\n') == std::string::npos);
        }
    }
    CHECK(refused > 200);
    CHECK(refused < 300);
}

} // namespace nocturne::route_file_test
