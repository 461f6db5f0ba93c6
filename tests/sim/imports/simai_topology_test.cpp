#include "sim/imports/machine_text.hpp"
#include "tests/catch.hpp"
#include "tests/sim/imports/machine_helpers.hpp"
#include "tests/sim/imports/machine_texts.hpp"

namespace nocturne::simai_topology_test {

using namespace nocturne::test;

namespace {

MachineNetwork read(const std::string& text)
{
    return network_of_simai(text, "topo");
}

} // namespace

TEST_CASE("SimAI's links have their rates and latencies in both directions", "[imports][simai]")
{
    const MachineNetwork made = read(simai_servers);
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

} // namespace nocturne::simai_topology_test
