#include "sim/imports/gpu_box.hpp"
#include "tests/catch.hpp"
#include "tests/sim/imports/imported.hpp"
#include "tests/sim/imports/machine_helpers.hpp"

namespace nocturne::gpu_box_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

/// Behind a switch, with 450 GB/s each, on PCIe 5.0.
GpuBox switched_box(unsigned gpus)
{
    GpuBox box;
    box.gpus = gpus;
    box.switched.assign(gpus, 450 * gb_per_s);
    box.pcie.assign(gpus, 63 * gb_per_s);
    return box;
}

BoxNic nic_at(const std::string& name, std::vector<unsigned> distances, LinkRate rate = 50 * gb_per_s)
{
    return {.name = name, .rate = rate, .pcie = 0, .distances = std::move(distances)};
}

MachineOptions boxes_of(unsigned boxes)
{
    MachineOptions options;
    options.boxes = boxes;
    return options;
}

MachineOptions boxes_with(unsigned boxes, const char* nic)
{
    MachineOptions options = boxes_of(boxes);
    options.nic = parse_nic_option(nic);
    return options;
}

MachineNetwork network(const GpuBox& box, const MachineOptions& options = {})
{
    return network_of_boxes(box, options, "smi.txt");
}

std::string refusal(const GpuBox& box, const MachineOptions& options = {})
{
    return refusal_of([&] { network(box, options); });
}

} // namespace

TEST_CASE("one box has its GPUs and a switch", "[imports][gpu box]")
{
    const MachineNetwork made = network(switched_box(4));
    CHECK(made.topology.processor_count() == 4);
    CHECK(made.topology.router_count() == 5);
    CHECK(made.topology.channel_count() == 8);
    CHECK(made.clock.cycle_ns == 1);
    CHECK(made.topology.processor(2).name == "gpu2");
    CHECK(width_between(made.topology, "gpu2", "nvswitch") == 450);
    CHECK(width_between(made.topology, "nvswitch", "gpu2") == 450);
    CHECK(has_note(made.notes, "a link takes 1 cycle"));
    CHECK_FALSE(has_note(made.notes, "PCIe"));
}

TEST_CASE("direct links have the rate of their pair", "[imports][gpu box]")
{
    GpuBox box;
    box.gpus = 3;
    box.pcie.assign(3, 0);
    box.pairs = {{0, 1, 50 * gb_per_s}, {1, 2, 25 * gb_per_s}};
    const MachineNetwork made = network(box);
    CHECK(made.topology.router_count() == 3);
    CHECK(made.topology.channel_count() == 4);
    CHECK(width_between(made.topology, "gpu1", "gpu0") == 50);
    CHECK(width_between(made.topology, "gpu1", "gpu2") == 25);
    CHECK(width_between(made.topology, "gpu0", "gpu2") == 0);
}

TEST_CASE("GPUs that links do not join exchange over PCIe", "[imports][gpu box]")
{
    GpuBox box;
    box.gpus = 4;
    box.pcie.assign(4, 31'500'000);
    box.pairs = {{0, 1, 300 * gb_per_s}, {2, 3, 300 * gb_per_s}};
    const MachineNetwork made = network(box);
    CHECK(made.clock.cycle_ns == 2);
    CHECK(width_between(made.topology, "gpu0", "gpu1") == 600);
    CHECK(width_between(made.topology, "gpu0", "pcie") == 63);
    CHECK(width_between(made.topology, "pcie", "gpu3") == 63);
    CHECK(has_note(made.notes, "NVLinks do not join all GPUs"));
    box.pcie[2] = 0;
    CHECK_THAT(refusal(box), Contains("smi.txt: NVLinks do not join all GPUs") && Contains("--gpu MODEL"));
}

TEST_CASE("one GPU outside of a switch is not joined", "[imports][gpu box]")
{
    GpuBox box = switched_box(3);
    box.switched[1] = 0;
    const MachineNetwork made = network(box);
    CHECK(width_between(made.topology, "gpu1", "nvswitch") == 0);
    CHECK(width_between(made.topology, "gpu1", "pcie") == 63);
}

TEST_CASE("GPUs with NICs of their own meet in rails", "[imports][gpu box]")
{
    GpuBox box = switched_box(2);
    box.nics = {nic_at("NIC0", {below_one_switch, in_one_box}),
                nic_at("NIC1", {in_one_box, below_one_switch}),
                nic_at("NIC2", {in_one_numa_node, in_one_box})};
    const MachineNetwork made = network(box, boxes_of(3));
    CHECK(made.topology.processor_count() == 6);
    CHECK(made.topology.router_count() == 6 + 3 + 2);
    CHECK(made.topology.channel_count() == 2 * (6 + 6));
    CHECK(made.topology.processor(5).name == "b2g1");
    CHECK(width_between(made.topology, "b2g1", "rail1") == 50);
    CHECK(width_between(made.topology, "rail0", "b1g0") == 50);
    CHECK(width_between(made.topology, "b1g0", "b1nvswitch") == 450);
    CHECK(has_note(made.notes, "railk"));
    CHECK(has_note(made.notes, "nearer to GPUs: NIC2"));
    CHECK(has_note(made.notes, "A box has 2 NICs, 100 GB/s together."));
}

TEST_CASE("NICs that are as near to several GPUs are dealt out", "[imports][gpu box]")
{
    GpuBox box = switched_box(4);
    const std::vector<unsigned> first{1, 1, in_one_box, in_one_box}, second{in_one_box, in_one_box, 1, 1};
    box.nics = {nic_at("a", first, 25 * gb_per_s), nic_at("b", first, 25 * gb_per_s),
                nic_at("c", second, 25 * gb_per_s), nic_at("d", second, 25 * gb_per_s)};
    const MachineNetwork made = network(box, boxes_of(2));
    for (const char* gpu : {"0", "1", "2", "3"})
        CHECK(width_between(made.topology, std::string("b1g") + gpu, std::string("rail") + gpu) == 25);
}

TEST_CASE("the PCIe link of a GPU limits its NICs", "[imports][gpu box]")
{
    GpuBox box = switched_box(1);
    box.nics.assign(4, nic_at("NIC", {below_one_switch}));
    const MachineNetwork made = network(box, boxes_of(2));
    CHECK(width_between(made.topology, "b0g0", "rail0") == 63); // not 4 x 50
    CHECK(has_note(made.notes, "slower than its NICs"));
    box.pcie[0] = 0; // not known: no limit
    CHECK(width_between(network(box, boxes_of(2)).topology, "b0g0", "rail0") == 200);
    box.nics.assign(1, nic_at("NIC", {below_one_switch}));
    box.nics[0].pcie = 15'750'000;                                                   // of its own slot
    CHECK(width_between(network(box, boxes_of(2)).topology, "b0g0", "rail0") == 63); // in 4 ns
}

TEST_CASE("NICs without a GPU of their own are shared by the box", "[imports][gpu box]")
{
    GpuBox box = switched_box(4);
    box.nics = {nic_at("NIC0", {0, 1, in_one_box, in_one_box}),
                nic_at("NIC1", {in_one_box, in_one_box, 0, 1})};
    const MachineNetwork made = network(box, boxes_of(2));
    CHECK(made.topology.router_count() == 8 + 2 + 2 + 1);
    CHECK(width_between(made.topology, "b0g3", "b0nics") == 63);
    CHECK(width_between(made.topology, "b0nics", "fabric") == 100);
    CHECK(width_between(made.topology, "fabric", "b1nics") == 100);
    CHECK(has_note(made.notes, "b0nics"));
    box.pcie[0] = 0;
    CHECK_THAT(refusal(box, boxes_of(2)), Contains("--gpu MODEL"));
}

TEST_CASE("NICs of a box on PCIe are behind its switch", "[imports][gpu box]")
{
    GpuBox box;
    box.gpus = 2;
    box.pcie.assign(2, 32 * gb_per_s);
    box.nics = {nic_at("NIC0", {0, in_one_box}), nic_at("NIC1", {in_one_box, 0})};
    const MachineNetwork made = network(box, boxes_of(2));
    CHECK(width_between(made.topology, "b1g1", "b1pcie") == 32);
    CHECK(width_between(made.topology, "b1pcie", "fabric") == 100);
    CHECK_FALSE(made.topology.find_router("rail0").has_value());
}

TEST_CASE("--nic gives rates, or all NICs", "[imports][gpu box]")
{
    GpuBox box = switched_box(2);
    box.nics = {nic_at("NIC0", {0, in_one_box}, 0), nic_at("NIC1", {in_one_box, 0}, 0)};
    CHECK_THAT(refusal(box, boxes_of(2)),
               Contains("--boxes 2: smi.txt does not say the rate of NIC0: --nic RATE"));
    CHECK(width_between(network(box, boxes_with(2, "200Gb/s")).topology, "b0g0", "rail0") == 25);
    const MachineNetwork four = network(box, boxes_with(2, "4x200Gb/s"));
    CHECK(width_between(four.topology, "b0g0", "rail0") == 50);
    CHECK(has_note(four.notes, "the 2 of the text are left out"));
    CHECK(width_between(network(box, boxes_with(2, "1x400Gb/s")).topology, "b0nics", "fabric") == 50);
    box.nics.clear();
    CHECK_THAT(refusal(box, boxes_of(2)), Contains("smi.txt has no NICs") && Contains("--nic 8x400Gb/s"));
    CHECK_THAT(refusal(box, boxes_with(2, "400Gb/s")), Contains("--nic: smi.txt has no NICs"));
}

TEST_CASE("options without effect and machines out of range are refused", "[imports][gpu box]")
{
    MachineOptions one;
    one.nic = parse_nic_option("400Gb/s");
    CHECK_THAT(refusal(switched_box(2), one), Contains("--nic: no effect on one box"));
    CHECK_THAT(refusal(switched_box(1)), Contains("smi.txt: one GPU makes no network"));
    CHECK_THAT(refusal(switched_box(8), boxes_of(513)), Contains("--boxes 513") && Contains("4096"));
    GpuBox with_nics = switched_box(2);
    with_nics.nics = {nic_at("NIC0", {0, 0})};
    CHECK(has_note(network(with_nics).notes, "1 NIC is left out"));
}

TEST_CASE("--nic takes a rate, or a number of NICs with their rate", "[imports][gpu box]")
{
    CHECK(parse_nic_option("400Gb/s").count == 0);
    CHECK(parse_nic_option("8x50GB/s").count == 8);
    CHECK(parse_nic_option("8x50GB/s").rate == 50 * gb_per_s);
    for (const char* text :
         {"", "400", "400G", "x400Gb/s", "0x400Gb/s", "-1x400Gb/s", "8x", "99999999999x1Gb/s", "8x400Gb/sx"})
        CHECK_THROWS_WITH(parse_nic_option(text), Catch::StartsWith("--nic "));
}

} // namespace nocturne::gpu_box_test
