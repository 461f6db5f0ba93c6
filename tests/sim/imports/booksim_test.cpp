#include "models/topology/json_format.hpp"
#include "sim/imports/simulators.hpp"
#include "tests/catch.hpp"
#include "tests/sim/imports/imported.hpp"

#include <fmt/format.h>

#include <set>

namespace nocturne::booksim_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

ImportedCommand import(const std::string& text, const std::vector<std::string>& changes = {})
{
    return import_booksim(text, changes, "net.cfg", "net.json");
}

std::string refusal(const std::string& text, const std::vector<std::string>& changes = {})
{
    return refusal_of([&] { import(text, changes); });
}

const std::string mesh = "topology = mesh; routing_function = dor;\n";

/// The router that a processor injects into.
RouterId router_of(const Topology& network, std::string_view processor)
{
    return network.processor(network.find_processor(processor).value()).injection;
}

} // namespace

TEST_CASE("a rate in packets becomes a load in flits", "[imports][booksim]")
{
    const ImportedCommand imported = import(mesh + "packet_size = 20; injection_rate = 0.005;");
    CHECK(value_of(imported, "--load") == "0.1");
    CHECK(value_of(imported, "--packet-flits") == "20");
    CHECK_THAT(key_of(imported, "injection_rate").remark, Contains("packets per node and cycle there"));
    CHECK(value_of(import(mesh + "packet_size=20; injection_rate=0.005; injection_rate_uses_flits=1;"),
                   "--load") == "0.005");
    const ImportedCommand mixed =
        import(mesh + "packet_size = {{1,5}}; packet_size_rate = {{3,1}}; injection_rate = 0.1;");
    CHECK(value_of(mixed, "--packet-flits") == "1:3,5:1");
    CHECK(value_of(mixed, "--load") == "0.2");
    const auto says_too_much = [&](const char* rate) {
        const auto notes = import(mesh + "packet_size = 20; injection_rate = " + rate + ";").notes;
        return std::ranges::any_of(notes, [](const std::string& note) {
            return note.starts_with("A load of 3 flits per node and cycle is more than a node's link takes");
        });
    };
    CHECK(says_too_much("0.15"));
    CHECK_FALSE(says_too_much("0.05"));
}

TEST_CASE("defaults of BookSim2 are said where they differ from ours", "[imports][booksim]")
{
    const ImportedCommand imported = import(mesh);
    CHECK(imported.arguments[0] == "traffic");
    CHECK(imported.arguments[1] == "mesh:8x8");
    CHECK(value_of(imported, "--vcs") == "16");
    CHECK(value_of(imported, "--buffer-flits") == "8");
    CHECK(value_of(imported, "--credit-cycles") == "0");
    CHECK(value_of(imported, "--router-stages") == "1,1,1,1");
    CHECK(value_of(imported, "--warm-up") == "3000");
    CHECK(value_of(imported, "--window") == "7000");
    CHECK_FALSE(key_of(imported, "num_vcs").is_given);
    CHECK(imported.network.empty());
}

TEST_CASE("changes behind the file win, also over keys that it gives", "[imports][booksim]")
{
    const ImportedCommand imported = import(mesh + "num_vcs = 2;", {"num_vcs=4", "k=5"});
    CHECK(value_of(imported, "--vcs") == "4");
    CHECK(imported.arguments[1] == "mesh:5x5");
    CHECK_THAT(refusal(mesh, {"nun_vcs=4"}), Contains("unknown key 'nun_vcs': did you mean 'num_vcs'?"));
    CHECK_THAT(refusal(mesh, {"k="}), Contains("'k='") && Contains("expected key = value"));
}

TEST_CASE("what is not carried of BookSim2 is named", "[imports][booksim]")
{
    for (const char* setting :
         {"subnets = 2", "internal_speedup = 2.0", "wait_for_tail_credit = 1", "router = event",
          "output_buffer_size = 4", "use_read_write = 1", "classes = 2", "link_failures = 3",
          "sim_type = batch", "hold_switch_for_packet = 1", "sw_allocator = max_size",
          "routing_function = planar_adapt", "seed = time", "buffer_policy = shared",
          "priority = sequence"}) {
        INFO(setting);
        const std::string text(setting);
        const ImportedCommand imported = import(mesh + text + ";");
        const ImportedKey& one = key_of(imported, text.substr(0, text.find(' ')));
        CHECK(one.fate == key_not_carried);
        CHECK_FALSE(one.remark.empty());
        CHECK(one.here.empty());
    }
}

TEST_CASE("routings and patterns have our names", "[imports][booksim]")
{
    const auto routing = [](const std::string& text) { return value_of(import(text), "--routing"); };
    CHECK(routing("topology = mesh; routing_function = xy_yx;") == "o1turn");
    CHECK(routing("topology = torus; routing_function = dim_order;") == "dor_random+crossing");
    CHECK(routing("topology = fattree; k = 2; n = 3; routing_function = nca;") == "nca");
    CHECK(routing("topology = dragonflynew; k = 2; n = 1; routing_function = ugal;") == "ugal:30:lgl");
    CHECK(routing(mesh) == "dor");
    const auto pattern = [](const std::string& name) {
        return value_of(import(mesh + "traffic = " + name + ";"), "--pattern");
    };
    CHECK(pattern("bitcomp") == "complement");
    CHECK(pattern("bitrev") == "reversal");
    CHECK(pattern("tornado") == "tornado");
    // As BookSim2 takes parameters apart: of {3,7} the first is the node, the second its rate.
    CHECK(pattern("hotspot(3)") == "hotspot:#3,1");
    CHECK(pattern("hotspot({3,7})") == "hotspot:#3,1");
    CHECK(pattern("hotspot({{3,7}})") == "hotspot:#3+#7,1");
    CHECK(pattern("hotspot({{3,7},{2,2}})") == "hotspot:#3+#7,1");
    // Another pattern would be simulated in its place.
    for (const char* other : {"hotspot", "hotspot(-1)", "hotspot({{3,7},{1,2}})", "diagonal", "background"})
        CHECK_THAT(refusal(fmt::format("{}traffic = {};", mesh, other), {}),
                   Contains(other) && Contains("import with traffic=uniform"));
}

TEST_CASE("speculation needs stages of one cycle", "[imports][booksim]")
{
    CHECK(value_of(import(mesh + "speculative = 1;"), "--router-stages") == "speculative");
    CHECK(value_of(import(mesh + "speculative = 1; routing_delay = 0;"), "--router-stages") ==
          "lookahead_speculative");
    const ImportedCommand slow = import(mesh + "speculative = 1; vc_alloc_delay = 2;");
    CHECK(value_of(slow, "--router-stages") == "1,2,1,1");
    CHECK(key_of(slow, "speculative").fate == key_not_carried);
}

TEST_CASE("bursts have their mean length and peak", "[imports][booksim]")
{
    // On with 0.01, off with 0.04: a fifth of the time on, at 0.5 packets of 4 flits.
    const ImportedCommand imported =
        import(mesh + "packet_size = 4; injection_rate = 0.1; injection_process = on_off;"
                      "burst_alpha = 0.01; burst_beta = 0.04; burst_r1 = 0.5;");
    CHECK(value_of(imported, "--arrivals") == "bursty:25,2");
    CHECK(value_of(imported, "--load") == "0.4");
    CHECK(value_of(import(mesh + "packet_size = 4; injection_rate = 0.1; "
                                 "injection_process = on_off({0.01,0.04,0.5});"),
                   "--arrivals") == "bursty:25,2");
    CHECK_THAT(refusal(mesh + "injection_process = on_off; burst_alpha = 0; burst_beta = 0;"),
               Contains("on_off"));
}

TEST_CASE("a concentrated mesh has BookSim2's nodes at its routers", "[imports][booksim]")
{
    const ImportedCommand imported = import("topology = cmesh; k = 4; n = 2; c = 4; x = 4; y = 4; xr = 2; yr "
                                            "= 2; routing_function = dor_no_express;");
    const Topology network = topology_from_json(imported.network, "net.json");
    REQUIRE(network.processor_count() == 64);
    // Node (x, y) of an 8x8 grid is at router (x/2, y/2) of a 4x4 one.
    for (unsigned y = 0; y < 8; ++y)
        for (unsigned x = 0; x < 8; ++x)
            CHECK(router_of(network, fmt::format("{}", 8 * y + x)) == 4 * (y / 2) + x / 2);
    for (const Channel& channel : network.channels())
        CHECK(channel.latency_cycles == 2);
}

TEST_CASE("channels of a flattened butterfly are as long as the way between their routers",
          "[imports][booksim]")
{
    const std::string text =
        "topology = flatfly; k = 4; n = 2; c = 4; x = 4; y = 4; xr = 2; yr = 2; routing_function = ran_min;";
    const Topology network = topology_from_json(import(text).network, "net.json");
    REQUIRE(network.router_count() == 16);
    CHECK(network.channels().size() == 16 * 6);
    for (const Channel& channel : network.channels()) {
        const auto apart = [](RouterId a, RouterId b) { return a < b ? b - a : a - b; };
        CHECK(channel.latency_cycles == 2 * (apart(channel.source % 4, channel.target % 4) +
                                             apart(channel.source / 4, channel.target / 4)));
    }
    const Topology fast = topology_from_json(import(text + "use_noc_latency = 0;").network, "net.json");
    for (const Channel& channel : fast.channels())
        CHECK(channel.latency_cycles == 1);
}

TEST_CASE("the digits of a destination lead through a fly from every source", "[imports][booksim]")
{
    const auto [k, n] = GENERATE(std::pair(2u, 3u), std::pair(3u, 2u), std::pair(4u, 3u), std::pair(5u, 1u));
    const Topology network = topology_from_json(
        import(fmt::format("topology = fly; k = {}; n = {}; routing_function = dest_tag;", k, n)).network,
        "net.json");
    unsigned nodes = 1;
    for (unsigned i = 0; i < n; ++i)
        nodes *= k;
    REQUIRE(network.processor_count() == nodes);
    for (ProcessorId source = 0; source < nodes; ++source)
        for (ProcessorId destination = 0; destination < nodes; ++destination) {
            RouterId at = network.processor(source).injection;
            for (unsigned stage = 0; stage + 1 < n; ++stage) {
                const TagDigit digit = network.tag_digits()[stage];
                at = network.channel(network.channels_from(at)[destination / digit.divisor % digit.radix])
                         .target;
            }
            CHECK(at == network.processor(destination).ejection);
        }
}

TEST_CASE("texts that are not BookSim2's are refused with their line", "[imports][booksim]")
{
    CHECK_THAT(refusal("k = 8;\n\n// x\nn 2;"), Contains("net.cfg: line 4: expected key = value;"));
    CHECK_THAT(refusal("k = ;"), Contains("line 1"));
    CHECK_THAT(refusal("k = 8"), Contains("line 1"));
    CHECK_THAT(refusal("topology = gecko;"), Contains("topology 'gecko'"));
    CHECK_THAT(refusal("topology = mesh; k = 0;"), Contains("k = 0"));
    CHECK_THAT(refusal("topology = cmesh; k = 4; c = 2;"), Contains("a cmesh has"));
    CHECK_THAT(refusal("topology = anynet;"), Contains("network_file"));
    CHECK_THAT(refusal(mesh + "injection_rate = much;"), Contains("injection_rate = much"));
}

TEST_CASE("each key of BookSim2 is in the table once", "[imports][booksim]")
{
    std::set<std::string_view> names;
    for (const ForeignKey& row : booksim_keys())
        CHECK(names.insert(row.name).second);
    CHECK(names.size() > 100);
}

} // namespace nocturne::booksim_test
