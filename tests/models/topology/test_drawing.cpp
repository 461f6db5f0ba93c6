#include "models/topology/dot_format.hpp"
#include "models/topology/drawing.hpp"
#include "models/topology/drawing_layout.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/all_networks.hpp"
#include "tests/models/topology/direct_network.hpp"

#include <cmath>
#include <cstdlib>

namespace nocturne::drawing_test {

using Catch::Contains;
using Catch::StartsWith;

namespace {

double distance(Position a, Position b)
{
    return std::hypot(a.x - b.x, a.y - b.y);
}

bool graphviz_is_installed()
{
    return std::system("neato -V >/dev/null 2>&1") == 0;
}

} // namespace

TEST_CASE("a drawing says latency and width of channels where they differ", "[topology][drawing]")
{
    Topology topology = test::direct_network("t", 3, {{0, 1, 5, 16}, {1, 2, 1, 16}, {2, 0, 5, 16}});
    const std::string latencies = to_dot(topology);
    CHECK_THAT(latencies,
               Contains("label=\"5 cycles\"") && Contains("label=\"1 cycle\"") && !Contains("16 B"));
    topology.add_channel({0, 2, 5, 4});
    CHECK_THAT(to_dot(topology), Contains("label=\"5 cycles, 16 B\"") && Contains("label=\"5 cycles, 4 B\""));
    CHECK_THAT(to_dot(make_topology("mesh:2x2")), !Contains("cycle"));
    CHECK_THAT(to_dot(test::direct_network("all the same", 2, {{0, 1, 7}, {1, 0, 7}})), !Contains("cycles"));
}

TEST_CASE("no router or processor of a drawing covers another one", "[topology][drawing]")
{
    for (const std::string& spec : test::all_networks()) {
        INFO(spec);
        const Topology topology = make_topology(spec);
        if (topology.router_count() > 130)
            continue;
        const auto layout = lay_out(topology);
        REQUIRE(layout);
        std::size_t overlaps = 0;
        const auto check = [&](const std::vector<Position>& a, const std::vector<Position>& b, double apart) {
            for (std::size_t i = 0; i < a.size(); ++i)
                for (std::size_t j = 0; j < b.size(); ++j)
                    overlaps += (&a != &b || i != j) && distance(a[i], b[j]) < apart;
        };
        const bool labelled = !is_routers_own(topology, 0);
        const double side = labelled ? processor_side : unlabelled_side;
        check(layout->routers, layout->routers, 2 * router_radius);
        check(layout->routers, layout->sources, router_radius + side / 2);
        check(layout->routers, layout->sinks, router_radius + side / 2);
        check(layout->sources, layout->sources, side);
        check(layout->sinks, layout->sinks, side);
        CHECK(overlaps == 0);
    }
}

TEST_CASE("sources are left of a multistage network and sinks right of it, in order from the top",
          "[topology][drawing]")
{
    const std::string spec =
        GENERATE(as<std::string>{}, "omega:8", "butterfly:16", "clos:3,3,4", "benes:2,3", "benes:2,1");
    const Topology topology = make_topology(spec);
    const auto layout = lay_out(topology).value();
    for (ProcessorId p = 0; p < topology.processor_count(); ++p) {
        for (const Position router : layout.routers) {
            CHECK(layout.sources[p].x < router.x);
            CHECK(layout.sinks[p].x > router.x);
        }
        CHECK(layout.sources[p].y == layout.sinks[p].y);
        if (p > 0)
            CHECK(layout.sinks[p].y > layout.sinks[p - 1].y);
    }
}

TEST_CASE("the processors of a tree are in order below it", "[topology][drawing]")
{
    const std::string spec = GENERATE(as<std::string>{}, "btree:16", "fattree:8", "fattree:3,3");
    const Topology topology = make_topology(spec);
    const auto layout = lay_out(topology).value();
    for (ProcessorId p = 1; p < topology.processor_count(); ++p) {
        CHECK(layout.sources[p].x > layout.sources[p - 1].x);
        CHECK(layout.sources[p].y == layout.sources[0].y);
    }
}

TEST_CASE("no line of a drawing runs over a router between its ends", "[topology][drawing]")
{
    for (const std::string spec : {"torus:4x4", "torus:5x5", "torus:4x4x4", "mesh:4x4", "octagon:8",
                                   "kautz:3,2", "hypercube:4", "fattree:8", "fattree:4,3"}) {
        INFO(spec);
        const Topology topology = make_topology(spec);
        const auto layout = lay_out(topology).value();
        const std::vector<BezierCurve> curves = draw_channels(topology, layout.routers);
        std::size_t hits = 0;
        for (ChannelId id = 0; id < topology.channel_count(); ++id)
            for (int step = 1; step < 20; ++step) {
                const double t = step / 20.0, u = 1 - t;
                const auto& c = curves[id];
                const auto at = [&](double Position::* axis) {
                    return u * u * u * c[0].*axis + 3 * u * u * t * c[1].*axis + 3 * u * t * t * c[2].*axis +
                           t * t * t * c[3].*axis;
                };
                for (RouterId r = 0; r < topology.router_count(); ++r)
                    hits += r != topology.channel(id).source && r != topology.channel(id).target &&
                            distance(layout.routers[r], {at(&Position::x), at(&Position::y)}) < router_radius;
            }
        CHECK(hits == 0);
    }
}

TEST_CASE("Graphviz draws every kind of network", "[topology][drawing]")
{
    if (!graphviz_is_installed()) {
        WARN("Graphviz is not installed: nothing drawn");
        return;
    }
    for (const TopologyKind& kind : topology_kinds()) {
        INFO(kind.name);
        const std::string svg = draw_topology(make_topology(kind.example), "svg");
        CHECK_THAT(svg, Contains("<svg"));
        CHECK_THAT(svg, Contains("</svg>"));
    }
    CHECK_THAT(draw_topology(make_topology("mesh:2x2"), "png"), StartsWith("\x89PNG"));
    Topology unplaced("; touch /tmp/no \"$(injection)`");
    unplaced.add_link(unplaced.add_router("a"), unplaced.add_router("b"));
    unplaced.add_processor(0);
    CHECK_THAT(draw_topology(unplaced, "svg"), Contains("</svg>"));
}

TEST_CASE("what cannot be drawn is one clear line", "[topology][drawing]")
{
    const Topology topology = make_topology("mesh:2x2");
    CHECK_THROWS_WITH(draw_topology(topology, "jpeg"), "picture format 'jpeg': known are svg, png, pdf, dot");
    CHECK_THROWS_WITH(draw_topology(topology, "svg -o /tmp/x"), Contains("known are"));
    CHECK_THROWS_WITH(draw_topology(make_topology("ring:2000"), "svg"),
                      "ring:2000: 2000 routers, a drawing holds at most 1024");
    CHECK(draw_topology(topology, "dot") == to_dot(topology));
    const char* path = std::getenv("PATH");
    const std::string saved = path == nullptr ? "" : path;
    ::setenv("PATH", "/nonexistent", 1);
    CHECK_THROWS_WITH(draw_topology(topology, "svg"),
                      "cannot draw: the program 'neato' of Graphviz is not installed");
    ::setenv("PATH", saved.c_str(), 1);
}

TEST_CASE("marks colour and label what they mark, and nothing else", "[topology][drawing]")
{
    const Topology mesh = make_topology("mesh:2x2");
    CHECK(to_dot(mesh, {}) == to_dot(mesh));
    DrawingMarks marks;
    marks.title = "steps <after> a fault";
    marks.legend = {{"#e31a1c", "22"}, {"#a6bddb", "16"}};
    marks.channels.resize(mesh.channel_count());
    marks.channels[0] = marks.channels[1] = {"#e31a1c", "22"}; // both directions of one link
    marks.channels[2] = {"#a6bddb", ""};                       // one of another
    marks.routers.resize(mesh.router_count());
    marks.routers[3] = {"#00ff00", "lost"};
    const std::string dot = to_dot(mesh, marks);
    CHECK_THAT(dot, Contains("steps &lt;after&gt; a fault"));
    CHECK_THAT(dot, Contains("color=\"#e31a1c\"") && Contains("label=\"22\""));
    CHECK_THAT(dot, Contains("color=\"#a6bddb;0.5:gray30\""));
    CHECK_THAT(dot, Contains("fillcolor=\"#00ff00\"") && Contains("11\\nlost"));
    std::size_t thick = 0;
    for (std::size_t at = dot.find("penwidth=3"); at != std::string::npos;
         at = dot.find("penwidth=3", at + 1))
        ++thick;
    CHECK(thick == 2);
    if (graphviz_is_installed())
        CHECK_THAT(draw_topology(mesh, "svg", marks), Contains("#e31a1c") && Contains(">22<"));

    marks.channels.pop_back();
    CHECK_THROWS_WITH(to_dot(mesh, marks), Contains("mesh:2x2") && Contains("channels"));
}

} // namespace nocturne::drawing_test
