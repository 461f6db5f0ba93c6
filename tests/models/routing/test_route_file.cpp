#include "models/routing/deadlock.hpp"
#include "models/routing/dimension_order.hpp"
#include "models/routing/make_routing.hpp"
#include "models/routing/random.hpp"
#include "models/routing/route_file.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/path.hpp"
#include "route_checks.hpp"
#include "tests/catch.hpp"
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

class Files {
public:
    std::string write(const std::string& name, const std::string& text) const
    {
        return folder_.file(name, text);
    }
    std::string path(const std::string& name) const { return folder_ / name; }

private:
    test::TemporaryFolder folder_;
};

/// A ring of four with the routes clockwise, as lines of a CSV file.
std::vector<std::string> clockwise()
{
    std::vector<std::string> lines{"source,destination,path,classes"};
    for (int source = 0; source < 4; ++source)
        for (int hops = 1; hops < 4; ++hops) {
            std::string path = std::to_string(source);
            for (int hop = 1; hop <= hops; ++hop)
                path += "->" + std::to_string((source + hop) % 4);
            lines.push_back(fmt::format("{},{},{},0", source, (source + hops) % 4, path));
        }
    return lines;
}

std::string joined(const std::vector<std::string>& lines)
{
    return fmt::format("{}\n", fmt::join(lines, "\n"));
}

} // namespace

TEST_CASE("routes written to a file are read back, with their classes", "[routing][route_file]")
{
    const Files files;
    for (const char* spec : {"oneway_torus:3x4", "torus:4x5", "mesh:2x12", "fbtree:7"}) {
        const Topology topology = make_topology(spec);
        const Routing written = make_routing(topology, "auto");
        INFO(spec);
        const std::string path = files.write("routes.csv", csv_of_routes(topology, written));
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
    const Files files;
    for (const char* spec : {"oneway_torus:4x4", "mesh:3x12", "torus:5x3"}) {
        const Topology topology = make_topology(spec);
        const NextHop next_hop = dimension_order_hops(topology);
        INFO(spec);
        const Routing read =
            read_routes(topology, files.write("hops.json", json_of_next_hops(topology, next_hop)));
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
    const Files files;
    const Topology ring = make_topology("ring:4");
    const std::string path = files.write("clock+wise.csv", joined(clockwise()));
    const Routing routing = make_routing(ring, "file:" + path);
    test::require_deadlock(ring, routing);
    for (const char* assignment : {"+layers", "+datelines"}) {
        const Routing safe = make_routing(ring, "file:" + path + assignment);
        test::require_deadlock_free(ring, safe);
        CHECK(safe.vc_classes == 2);
    }
}

TEST_CASE("of both formats each part may be left out that says nothing", "[routing][route_file]")
{
    const Files files;
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
        const Routing routing = read_routes(pair, files.write(name, text));
        CHECK(routing.vc_classes == 1);
        CHECK(routing.route(0, 1).size() == 1);
        CHECK(routing.route(0, 0).empty());
    }
    const Topology line = make_topology("mesh:3");
    const Routing all_hops = read_routes(
        line, files.write("f.csv", "source,destination,path,classes\n0,1,0->1,1\n0,2,0->1->2,1\n1,2,1->2,0\n"
                                   "1,0,1->0,0\n2,0,2->1->0,0 1\n2,1,2->1,\n"));
    CHECK(all_hops.vc_classes == 2);
    CHECK((all_hops.route(0, 2) == Route{{0, 1}, {2, 1}}));
}

TEST_CASE("what a table of routes has wrong is said in one line with file and line", "[routing][route_file]")
{
    const Files files;
    const Topology ring = make_topology("ring:4");
    const auto refused = [&](std::size_t line, const std::string& text, const std::string& reason) {
        auto lines = clockwise();
        lines[line] = text;
        const std::string path = files.write("bad.csv", joined(lines));
        const std::string where = reason.starts_with(":") ? "" : fmt::format(":{}: ", line + 1);
        CHECK_THROWS_WITH(read_routes(ring, path), path + where + reason);
    };
    refused(0, "from,to",
            "expected the header source,destination,path,classes or "
            "router,destination,next,class");
    refused(2, "0,2,0->1->2", "3 fields; expected source,destination,path,classes");
    refused(2, "0,9,0->1->2,0", "ring:4 has no processor '9'");
    refused(2, "0,2,0->7->2,0", "ring:4 has no router '7'");
    refused(2, "0,2,0->->2,0", "ring:4 has no router ''");
    refused(2, "0,2,0->2,0", "ring:4 has no channel 0->2");
    refused(2, "0,2,1->2,0", "the path from 0 to 2 begins with router 1, not 0");
    refused(2, "0,2,0->1,0", "the path from 0 to 2 ends with router 1, not 2");
    refused(2, "0,2,0->1->0->1->2,0", "the path from 0 to 2 visits router 0 twice");
    refused(2, "0,2,0->1->2,0 1 2", "3 classes for 2 hops");
    refused(2, "0,2,0->1->2,32", "class 32 of virtual channels: 0 to 31");
    refused(2, "0,2,0->1->2,-1", "class '-1' is no whole number");
    refused(2, "0,2,\"0->1->2,0", "a double quote without its end");
    refused(2, "", ": no route from 0 to 2");
    refused(3, "0,2,0->3->2,0",
            "a second route from 0 to 2: the first is at " + files.path("bad.csv") + ":3");
    CHECK_THROWS_WITH(read_routes(ring, files.write("empty.csv", "# nothing\n")),
                      Catch::Contains("empty.csv: expected the header"));
    CHECK_THROWS_WITH(make_routing(ring, "file:/no/such.csv"), Catch::Contains("/no/such.csv: cannot read"));
}

TEST_CASE("loops and gaps of next hops are found before anything is sent", "[routing][route_file]")
{
    const Files files;
    const Topology ring = make_topology("ring:4");
    const auto refused = [&](const std::string& rows, const std::string& reason) {
        std::string text = "router,destination,next\n" + rows;
        for (int destination = 1; destination < 4; ++destination)
            for (int router = 0; router < 4; ++router)
                if (router != destination)
                    text += fmt::format("{},{},{}\n", router, destination, (router + 1) % 4);
        const std::string path = files.write("hops.csv", text);
        CHECK_THROWS_WITH(read_routes(ring, path), path + reason);
    };
    refused("1,0,0\n2,0,1\n3,0,2\n0,0,1\n",
            ":5: messages to 0 leave the network at router 0, and go no further");
    refused("1,0,2\n2,0,1\n3,0,0\n", ":2: messages from 1 to 0 go round in a circle: 1->2->1");
    refused("1,0,0\n3,0,2\n", ": no entry for router 2, destination 0, which messages from 2 need");
    refused("1,0,0\n2,0,1\n3,0,1\n", ":4: ring:4 has no channel 3->1");
    refused("1,0,0\n2,0,1\n2,0,3\n3,0,0\n",
            ":4: a second entry for router 2, destination 0: the first is at " + files.path("hops.csv") +
                ":3");
}

TEST_CASE("in JSON errors name the place", "[routing][route_file]")
{
    const Files files;
    const Topology pair = make_topology("complete:2");
    const auto refused = [&](const std::string& text, const std::string& reason) {
        CHECK_THROWS_WITH(read_routes(pair, files.write("bad.json", text)), files.path("bad.json") + reason);
    };
    refused("[]", ": /: expected an object");
    refused("{}", ": /: expected either routes or next_hops");
    refused(R"({"routes": 1})", ": /routes: expected an array");
    refused(R"({"routes": [{"source": 0}]})", ": /routes/0: member 'destination' is missing");
    refused(R"({"routes": [{"source": 0, "destination": 5}]})",
            ": /routes/0/destination: complete:2 has no processor 5");
    refused(R"({"routes": [{"source": 0, "destination": 1, "path": [0, 1], "classes": [0, 1]}]})",
            ": /routes/0: 2 classes for 1 hops");
    refused(
        R"({"next_hops": [{"router": 0, "destination": 1, "next": 1, "clas": 1}]})",
        ": /next_hops/0: unknown member 'clas': did you mean 'class'? Known are router, destination, next, "
        "class");
}

TEST_CASE("damaged files of routes end in one line, or in sound routes", "[routing][route_file]")
{
    const Files files;
    const Topology ring = make_topology("ring:4");
    const std::string whole = joined(clockwise());
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
            test::require_sound(ring, read_routes(ring, files.write("damaged.csv", text)));
        } catch (const std::runtime_error& error) {
            ++refused;
            REQUIRE(std::string(error.what()).find('\n') == std::string::npos);
        }
    }
    CHECK(refused > 200);
    CHECK(refused < 300);
}

} // namespace nocturne::route_file_test
