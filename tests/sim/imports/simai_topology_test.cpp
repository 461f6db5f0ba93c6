#include "sim/imports/machine_text.hpp"
#include "tests/catch.hpp"
#include "tests/sim/imports/imported.hpp"
#include "tests/sim/imports/machine_helpers.hpp"

namespace nocturne::simai_topology_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

/// Two servers of two GPUs, and a switch for both.
const std::string servers = "7 2 2 1 8 H100\n"
                            "4 5 6 \n"
                            "0 4 2880Gbps 0.000025ms 0\n"
                            "1 4 2880Gbps 0.000025ms 0\n"
                            "2 5 2880Gbps 0.000025ms 0\n"
                            "3 5 2880Gbps 0.000025ms 0\n"
                            "0 6 400Gbps 0.0005ms 0\n"
                            "1 6 400Gbps 0.0005ms 0\n"
                            "2 6 400Gbps 0.0005ms 0\n"
                            "3 6 400Gbps 0.0005ms 0\n";

MachineNetwork read(const std::string& text)
{
    return network_of_simai(text, "topo");
}

std::string refusal(const std::string& text)
{
    return refusal_of([&] { read(text); });
}

std::string changed(std::string_view from, std::string_view to)
{
    std::string text = servers;
    text.replace(text.find(from), from.size(), to);
    return text;
}

} // namespace

TEST_CASE("SimAI's links have their rates and latencies in both directions", "[imports][simai]")
{
    const MachineNetwork made = read(servers);
    CHECK(made.topology.processor_count() == 4);
    CHECK(made.topology.router_count() == 7);
    CHECK(made.topology.channel_count() == 16);
    CHECK(made.clock.cycle_ns == 1);
    CHECK(made.topology.processor(3).name == "b1g1");
    CHECK(width_between(made.topology, "b1g1", "nvswitch1") == 360);
    CHECK(width_between(made.topology, "nvswitch0", "b0g0") == 360);
    CHECK(width_between(made.topology, "b1g1", "nvswitch0") == 0);
    CHECK(width_between(made.topology, "switch0", "b1g0") == 50);
    for (const Channel& channel : made.topology.channels())
        CHECK(channel.latency_cycles == (channel.width_bytes == 360 ? 25 : 500));
    CHECK(has_note(made.notes, "4 GPUs (H100) and 3 switches"));
    CHECK(made.notes.size() == 1);
}

TEST_CASE("switches may be any nodes, and one server has no number", "[imports][simai]")
{
    const MachineNetwork made = read("\n3 8 1 0 2 A100 8\n\n0\n\n1 0 600Gbps 1us 0\n2 0 600Gbps 1us 0\n\n");
    CHECK(made.topology.processor(0).name == "gpu0");
    CHECK(width_between(made.topology, "gpu1", "nvswitch0") == 75);
    CHECK(made.topology.channel(0).latency_cycles == 1000);
}

TEST_CASE("what a cycle cannot show is rounded, and said", "[imports][simai]")
{
    const MachineNetwork made = read("3 2 1 0 2 A100\n2\n0 2 100Gbps 0.000025ms 0\n1 2 100Gbps 0ns 0.01\n");
    CHECK(made.clock.cycle_ns == 2); // 12.5 GB/s
    CHECK(made.topology.channel(0).width_bytes == 25);
    CHECK(made.topology.channel(0).latency_cycles == 13); // 25 ns
    CHECK(made.topology.channel(2).latency_cycles == 1);  // none
    CHECK(has_note(made.notes, "rounded to whole cycles, by up to 2 ns"));
    CHECK(has_note(made.notes, "Shares of errors are left out"));
}

TEST_CASE("parallel links stay parallel", "[imports][simai]")
{
    CHECK(read("2 2 0 0 2 A100\n\n0 1 200Gbps 1ns 0\n1 0 200Gbps 1ns 0\n").topology.channel_count() == 4);
}

TEST_CASE("broken topologies of SimAI are refused by their line", "[imports][simai]")
{
    for (const auto& [text, part] : {
             std::pair<std::string, std::string>{"", "the first line has 0 words"},
             {"7 2 2 1 8\n4 5 6\n", "the first line has 5 words"},
             {"7 2 2 1 -8 H100\n4 5 6\n", "topo: line 1: '-8' is no whole number"},
             {"7 2 2 1 99999999999999999999999 H100\n", "is no whole number"},
             {"7 2 3 3 0 H100\n", "7 nodes, of which 6 are switches: expected two GPUs or more"},
             {"7 0 2 1 8 H100\n", "0 GPUs of a server"},
             {"8000000 8 1 0 0 H100\n",
              "7999999 GPUs, 8000000 nodes and 0 links: at most 4096, 65536 and 524288 are read"},
             {changed("4 5 6", "4 5 7"),
              "topo: line 2: the number of a switch is '7': expected a whole number from 0 to 6"},
             {changed("4 5 6", "4 5 5"), "switch 5 is named twice"},
             {changed("2 6 400Gbps", "2 2 400Gbps"), "topo: line 9: a link from node 2 to itself"},
             {changed("2 6 400Gbps", "2 9 400Gbps"), "an end of a link is '9'"},
             {changed("2 6 400Gbps", "2 6 400"), "rate '400': expected one such as 400Gbps"},
             {changed("2 6 400Gbps", "2 6 1e99Gbps"), "rate '1e99Gbps'"},
             {changed("2 6 400Gbps 0.0005ms", "2 6 400Gbps 5"), "latency '5'"},
             {changed("2 6 400Gbps 0.0005ms", "2 6 400Gbps 2s"), "latency '2s'"},
             {changed("2 6 400Gbps 0.0005ms", "2 6 400Gbps -1ns"), "latency '-1ns'"},
             {changed("2 6 400Gbps 0.0005ms 0", "2 6 400Gbps 0.0005ms 2"), "share of errors '2'"},
             {servers + "0 1 1Gbps 1ns 0\n", "topo: line 11: more than the 8 links"},
             {servers.substr(0, servers.find("3 6 400Gbps")),
              "the text is cut off: an end of a link is missing"},
             {servers.substr(0, servers.rfind(" 0.0005ms")),
              "the text is cut off: the latency of a link is missing"},
         }) {
        INFO(text);
        CHECK_THAT(refusal(text), Catch::StartsWith("topo: line ") && Contains(part));
    }
}

} // namespace nocturne::simai_topology_test
