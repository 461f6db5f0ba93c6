// Parts of a network with properties of their own: which rows match what, and what is refused.
#include "models/routing/random.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/part_patterns.hpp"
#include "models/topology/part_rows.hpp"
#include "models/topology/turned.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/composed.hpp"

#include <string>
#include <vector>

namespace nocturne::parts_test {

using namespace nocturne::test;
using Catch::Contains;
using Catch::StartsWith;
using Names = std::vector<std::string>;
using Rows = std::vector<std::string>;

namespace {

Names routers(const std::string& spec, const std::string& pattern)
{
    const Topology topology = make_topology(spec);
    const std::vector<bool> matching = routers_matching(topology, pattern);
    Names names;
    for (RouterId id = 0; id < matching.size(); ++id)
        if (matching[id])
            names.push_back(topology.router_name(id));
    return names;
}

Names links(const Topology& topology, const std::string& pattern)
{
    Names names;
    for (const ChannelId id : links_matching(topology, pattern))
        names.push_back(topology.router_name(topology.channel(id).source) + ">" +
                        topology.router_name(topology.channel(id).target));
    return names;
}

std::string refusal(const std::string& spec, const Rows& rows)
{
    try {
        with_parts(make_topology(spec), rows);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return {};
}

/// What says `*` for any letters and `?` for one, as plainly as it can be said.
bool globs(const std::string& text, const std::string& pattern, std::size_t at = 0, std::size_t in = 0)
{
    if (in == pattern.size())
        return at == text.size();
    if (pattern[in] == '*')
        return globs(text, pattern, at, in + 1) || (at < text.size() && globs(text, pattern, at + 1, in));
    return at < text.size() && (pattern[in] == '?' || pattern[in] == text[at]) &&
           globs(text, pattern, at + 1, in + 1);
}

} // namespace

TEST_CASE("routers are meant by name, index, coordinates and region", "[topology][parts]")
{
    CHECK(routers("mesh:3x3", "11") == Names{"11"});
    CHECK(routers("mesh:3x3", "#1") == Names{"01"});
    CHECK(routers("mesh:3x3", "1*") == Names{"10", "11", "12"});
    CHECK(routers("mesh:3x3", "?2") == Names{"02", "12", "22"});
    CHECK(routers("mesh:3x3", "[01]2") == Names{"02", "12"});
    CHECK(routers("mesh:3x3", "*").size() == 9);
    CHECK(routers("mesh:3x3", "1..2,0") == Names{"10", "20"});
    CHECK(routers("mesh:3x3", "*,2") == Names{"02", "12", "22"});
    CHECK(routers("mesh:3x3", "3..4") == Names{"10", "11"});
    CHECK(routers("ring:6", "4..9") == Names{"4", "5"});
    CHECK(routers("mesh:3x3", "7*").empty());
    CHECK_THROWS_WITH(routers("mesh:3x3", "1..2,0,0"),
                      "'1..2,0,0': 3 coordinates, the grid has 2 dimensions");
    CHECK_THROWS_WITH(routers("star:4", "1,0"), "'1,0': star:4 is no grid, its routers have no coordinates");
    CHECK_THROWS_WITH(routers("mesh:3x3", "2..1,*"), Contains("expected a number, a range as 3..5, or *"));
}

TEST_CASE("a name matches a pattern if it does letter by letter", "[topology][parts]")
{
    SplitMix64 random(3);
    const auto text_of = [&](const std::string& letters) {
        std::string text(1 + random.below(6), ' ');
        for (char& letter : text)
            letter = letters[random.below(static_cast<std::uint32_t>(letters.size()))];
        return text;
    };
    for (int i = 0; i < 3000; ++i) {
        const std::string name = text_of("ab"), pattern = text_of("ab*?");
        INFO(name << " " << pattern);
        Topology topology("one");
        topology.add_router(name);
        REQUIRE(routers_matching(topology, pattern).front() == globs(name, pattern));
    }
}

TEST_CASE("links are meant by their ends and by kind", "[topology][parts]")
{
    const Topology mesh = make_topology("mesh:3x3");
    CHECK(links(mesh, "00->01") == Names{"00>01"});
    CHECK(links(mesh, "00--01").size() == 2);
    CHECK(links(mesh, "0,*->1,*") == Names{"00>10", "01>11", "02>12"});
    CHECK(links(mesh, "*->*").size() == mesh.channel_count());
    CHECK(links(mesh, "dim0").size() == 12);
    CHECK(links(mesh, "dim1").size() == 12);
    const Topology torus = make_topology("torus:4x3");
    CHECK(links(torus, "wrap").size() == 2 * (4 + 3));
    const Topology dragonfly = make_topology("dragonfly:2,4,2");
    CHECK(links(dragonfly, "global").size() + links(dragonfly, "local").size() == dragonfly.channel_count());
    for (const ChannelId id : links_matching(dragonfly, "global"))
        CHECK(dragonfly.channel(id).source / 4 != dragonfly.channel(id).target / 4);
    CHECK_THROWS_WITH(links(mesh, "wrap"), "links 'wrap': mesh:3x3 has no grid that wraps");
    CHECK_THROWS_WITH(links(mesh, "dim2"), "links 'dim2': mesh:3x3 has no such dimension");
    CHECK_THROWS_WITH(links(mesh, "global"), "links 'global': mesh:3x3 has no groups");
    CHECK_THROWS_WITH(links(mesh, "wrapp"),
                      StartsWith("unknown kind of links 'wrapp': did you mean 'wrap'?"));
}

TEST_CASE("rows give routers and links properties, and the network a name that says which",
          "[topology][parts]")
{
    const Topology network =
        with_parts(make_topology("mesh:3x3"),
                   Rows{"router 0*: pipeline=2,1,1,1 buffers=16 arbiter=age", "router *,2: clock=4/6 vcs=3",
                        "link 00--01: latency=5 width=2 buffers=9 vcs=1"});
    CHECK(network.name() == "mesh:3x3 with router 0*: pipeline=2,1,1,1 buffers=16 arbiter=age (3 routers); "
                            "router *,2: clock=4/6 vcs=3 (3 routers); link 00--01: latency=5 width=2 "
                            "buffers=9 vcs=1 (2 links)");
    const RouterPart& both = network.part(2);
    CHECK(both.pipeline == Pipeline{2, 1, 1, 1});
    CHECK(both.buffer_flits == 16);
    CHECK(both.arbiter == ArbiterKind::age);
    CHECK(both.clock == ClockRatio{2, 3});
    CHECK(both.vcs == 3);
    CHECK(network.part(4) == RouterPart{});
    const Channel& channel = network.channel(links_matching(network, "01->00").front());
    CHECK(channel.latency_cycles == 5);
    CHECK(channel.width_bytes == 2);
    CHECK(channel.buffer_flits == 9);
    CHECK(channel.vcs == 1);
    // The same said twice is no contradiction; a row holds before what the network says.
    CHECK(with_parts(network, Rows{"router 02: vcs=2", "router *2: vcs=2"}).part(2).vcs == 2);
    CHECK(with_parts(make_topology("mesh:3x3"), {}) == make_topology("mesh:3x3"));
}

TEST_CASE("a row that contradicts another is refused with what both mean", "[topology][parts]")
{
    CHECK(refusal("mesh:3x3", {"link dim0: width=2", "link 00->10: width=3"}) ==
          "part 'link 00->10: width=3': contradicts 'link dim0: width=2' in width of " +
              describe_channel(make_topology("mesh:3x3"),
                               links_matching(make_topology("mesh:3x3"), "00->10").front()));
    // The command line has said which row it is.
    CHECK_THROWS_WITH(check_part_row("router a: vcs=0"), StartsWith("vcs=0: expected"));
}

TEST_CASE("rows of random letters are a network or one line", "[topology][parts][fuzz]")
{
    SplitMix64 random(17);
    const std::string pieces = "0123456789 .,*?->:=/#abcdelnprstuvxy";
    const Rows rows{"router 0..1,*: pipeline=2,1,1,1 buffers=16 arbiter=age clock=2/3 vcs=2",
                    "link 0,*->1,*: latency=5 width=2 buffers=9 vcs=1"};
    for (int i = 0; i < 3000; ++i) {
        std::string row = rows[random.below(2)];
        for (auto edits = 1 + random.below(4); edits-- > 0;) {
            const std::size_t at = random.below(static_cast<std::uint32_t>(row.size()));
            if (random.below(2) == 0)
                row.erase(at, random.below(6));
            else
                row.insert(at, 1, pieces[random.below(static_cast<std::uint32_t>(pieces.size()))]);
            if (row.empty())
                row = " ";
        }
        INFO(row);
        const std::string line = refusal("mesh:3x3", {row});
        REQUIRE((line.empty() || (line.starts_with("part '") && line.find('\n') == std::string::npos)));
    }
}

TEST_CASE("what is made of a network keeps the parts of its routers", "[topology][parts]")
{
    const Topology network =
        with_parts(make_topology("mesh:3x3"), Rows{"router 1*: clock=1/2", "link 10->11: buffers=3 vcs=2"});
    const Topology rest = with_faults(network, Names{"node:00"});
    for (RouterId id = 0; id < rest.router_count(); ++id)
        CHECK(rest.part(id).clock == ClockRatio{1, rest.router_name(id)[0] == '1' ? 2u : 1u});
    CHECK(rest.channel(links_matching(rest, "10->11").front()).buffer_flits == 3);
    CHECK(turned(network).part(4) == network.part(4));

    const std::string text = composition_of(
        R"("parts": [{"name": "chip", "count": 2, "network": "mesh:2x2", "with": ["router 1*: clock=1/2"]}],
           "joints": [{"from": "chip0/01", "to": "chip1/00", "width": 1, "buffers": 20, "vcs": 2}])");
    const Topology whole = composed(text);
    CHECK(whole.part(*whole.find_router("chip1/10")).clock == ClockRatio{1, 2});
    CHECK(whole.part(*whole.find_router("chip1/00")).clock.is_base());

    // Names with a part and commas are no coordinates.
    const std::string wide = composition_of(
        R"("parts": [{"name": "chip", "count": 2, "network": "mesh:2x11"}],
           "joints": [{"from": "chip0/0,1", "to": "chip1/0,0"}], "with": ["router chip1/*,1: vcs=2"])");
    const Topology both = composed(wide);
    for (RouterId id = 0; id < both.router_count(); ++id)
        CHECK((both.part(id).vcs == 2) ==
              (both.router_name(id).starts_with("chip1/") && both.router_name(id).ends_with(",1")));
    CHECK(links(whole, "joint") == Names{"chip0/01>chip1/00", "chip1/00>chip0/01"});
    for (const ChannelId id : links_matching(whole, "joint")) {
        CHECK(whole.channel(id).width_bytes == 1);
        CHECK(whole.channel(id).buffer_flits == 20);
        CHECK(whole.channel(id).vcs == 2);
    }
    std::string wrong = text;
    wrong.replace(wrong.find("1*:"), 2, "7*");
    CHECK_THROWS_WITH(composed(wrong),
                      "chip.json: /parts/0/with: part 'router 7*: clock=1/2': mesh:2x2 has no such router");
    CHECK_THROWS_WITH(composed(std::string(text).replace(text.find("20"), 2, "0 ")),
                      StartsWith("chip.json: /joints/0/buffers: "));
}

TEST_CASE("a router of a file has parts of its own", "[topology][files][parts]")
{
    const auto file = [](const std::string& router) {
        return topology_from_json(R"({"format": "nocturne-topology", "version": 1, "name": "x",
            "default_ports": "all", "routers": [{"name": "a", )" +
                                      router + R"(}], "processors": [], "channels": []})",
                                  "x.json");
    };
    CHECK(file(R"("clock": "2/3", "buffer_flits": 4, "vcs": 2)").part(0) ==
          RouterPart{{}, 4, 2, 0, {}, {2, 3}});
    CHECK(file(R"("buffers": "4")").part(0).buffer_flits == 4);
    CHECK(file(R"("pool": 48)").part(0).pool_flits == 48);
    CHECK(file(R"("packets": 1)").part(0).packets == 1);
    CHECK(file(R"("injection": 28.1, "ejection": "0.125")").part(0) ==
          RouterPart{.injection_rate = 28'100, .ejection_rate = 125});
}

} // namespace nocturne::parts_test
