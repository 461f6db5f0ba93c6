#include "sim/imports/machine_text.hpp"
#include "tests/catch.hpp"
#include "tests/sim/imports/imported.hpp"
#include "tests/sim/imports/machine_helpers.hpp"

#include <fmt/format.h>

namespace nocturne::nccl_topology_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

std::string link_to(const std::string& target, unsigned count, const std::string& target_class = "0x030200")
{
    return fmt::format("<nvlink target=\"{}\" count=\"{}\" tclass=\"{}\"/>\n", target, count, target_class);
}

/// A GPU on PCIe 4.0 x16.
std::string gpu_at(const std::string& bus, int rank, const std::string& links,
                   const std::string& type = "sm=\"80\"")
{
    return fmt::format(
        "<pci busid=\"{0}\" class=\"0x030200\" link_speed=\"16.0 GT/s PCIe\" link_width=\"16\">\n"
        "<gpu dev=\"{1}\" {2} rank=\"{1}\" gdr=\"1\">\n{3}</gpu></pci>\n",
        bus, rank, type, links);
}

std::string nic_at(const std::string& bus, const std::string& name, unsigned megabits,
                   const std::string& speed = "16.0 GT/s PCIe")
{
    return fmt::format("<pci busid=\"{}\" class=\"0x020700\" link_speed=\"{}\" link_width=\"16\"><nic>\n"
                       "<net name=\"{}\" speed=\"{}\"/></nic></pci>\n",
                       bus, speed, name, megabits);
}

std::string switch_with(const std::string& bus, const std::string& inside)
{
    return fmt::format(
        "<pci busid=\"{}\" class=\"0x060400\" link_speed=\"16 GT/s\" link_width=\"16\">{}</pci>", bus,
        inside);
}

std::string cpu_with(const std::string& inside)
{
    return "<cpu numaid=\"0\">\n" + inside + "</cpu>\n";
}

std::string system_with(const std::string& inside)
{
    return "<system version=\"1\">\n" + inside + "</system>\n";
}

GpuBox read(const std::string& text, const std::optional<std::string>& gpu = {})
{
    return box_of_nccl_xml(text, "topo.xml", gpu);
}

std::string refusal(const std::string& text, const std::optional<std::string>& gpu = {})
{
    return refusal_of([&] { read(text, gpu); });
}

const std::string pair_text = system_with(cpu_with(gpu_at("0000:01:00.0", 0, link_to("0000:02:00.0", 4)) +
                                                   gpu_at("0000:02:00.0", 1, link_to("0000:01:00.0", 4))));

} // namespace

TEST_CASE("links between GPUs have the rate of the architecture", "[imports][nccl]")
{
    const GpuBox box = read(pair_text);
    CHECK(box.gpus == 2);
    CHECK(box.fabric == "NVLink");
    CHECK(box.pairs.size() == 1);
    CHECK(pair_rate(box, 0, 1) == 100); // 4 x 25
    CHECK(box.switched.empty());
    CHECK(box.pcie == std::vector<LinkRate>{31'500'000, 31'500'000});
    CHECK(has_note(box.notes, "25 GB/s one way (sm 80)"));
}

TEST_CASE("GPUs are in the order of their ranks", "[imports][nccl]")
{
    const std::string text = system_with(
        cpu_with(gpu_at("0000:01:00.0", 2, link_to("0000:02:00.0", 1)) +
                 gpu_at("0000:02:00.0", 0, link_to("0000:01:00.0", 1) + link_to("0000:03:00.0", 2)) +
                 gpu_at("0000:03:00.0", 1, link_to("0000:02:00.0", 2))));
    const GpuBox box = read(text);
    CHECK(pair_rate(box, 0, 1) == 50);
    CHECK(pair_rate(box, 0, 2) == 25);
    CHECK(pair_rate(box, 1, 2) == 0);
}

TEST_CASE("all NVSwitches are one switch", "[imports][nccl]")
{
    const std::string links = link_to("0000:07:00.0", 5, "0x068000") +
                              link_to("0000:08:00.0", 4, "0x068000") +
                              link_to("0000:09:00.0", 4, "0x068000") + link_to("0000:0a:00.0", 5, "0x068000");
    std::string gpus;
    for (int gpu = 0; gpu < 4; ++gpu)
        gpus += gpu_at(fmt::format("0000:4{}:00.0", gpu), gpu, links, "sm=\"90\"");
    const GpuBox box = read(system_with(cpu_with(gpus)));
    CHECK(box.pairs.empty());
    CHECK(box.switched == std::vector<LinkRate>(4, 450 * gb_per_s));
    CHECK(has_note(box.notes, "18 links"));
}

TEST_CASE("RCCL's links and architectures are read", "[imports][nccl]")
{
    const auto text = [](const char* type) {
        const auto link = [](const char* target) {
            return fmt::format("<xgmi target=\"{}\" count=\"1\" tclass=\"0x120000\"/>", target);
        };
        return system_with(cpu_with(gpu_at("0000:0C:00.0", 0, link("0000:2f:00.0"), type) +
                                    gpu_at("0000:2f:00.0", 1, link("0000:0c:00.0"), type)));
    };
    const GpuBox box = read(text("sm=\"94\" gcn=\"gfx942\" arch=\"38911\""));
    CHECK(box.fabric == "xGMI");
    CHECK(pair_rate(box, 0, 1) == 64);
    CHECK(pair_rate(read(text("gcn=\"gfx90a:sramecc+:xnack-\"")), 0, 1) == 50);
    CHECK(pair_rate(read(text("gcn=\"910\"")), 0, 1) == 50);
    CHECK(pair_rate(read(text("gcn=\"908\"")), 0, 1) == 46);
    CHECK_THAT(refusal(text("gcn=\"gfx9999\"")), Contains("'gfx9999'") && Contains("--gpu MODEL"));
    CHECK(pair_rate(read(text("gcn=\"gfx9999\""), "MI350X"), 0, 1) == 76.8);
}

TEST_CASE("NICs have their speed, and are near to GPUs below the same switch", "[imports][nccl]")
{
    const std::string text = system_with(
        cpu_with(
            switch_with("0000:10:00.0", gpu_at("0000:11:00.0", 0, link_to("0000:21:00.0", 1)) +
                                            nic_at("0000:12:00.0", "mlx5_0", 200'000)) +
            switch_with("0000:20:00.0",
                        switch_with("0000:22:00.0", gpu_at("0000:21:00.0", 1, link_to("0000:11:00.0", 1))) +
                            nic_at("0000:23:00.0", "mlx5_1", 400'000, "8.0 GT/s PCIe"))) +
        cpu_with("<nic><net name=\"eth0\" speed=\"10000\"/></nic>"));
    const GpuBox box = read(text);
    REQUIRE(box.nics.size() == 3);
    CHECK(box.nics[0].name == "mlx5_0");
    CHECK(box.nics[0].rate == 25 * gb_per_s);
    CHECK(box.nics[0].pcie == 31'500'000);
    CHECK(box.nics[0].distances == std::vector<unsigned>{2, in_one_numa_node});
    CHECK(box.nics[1].rate == 50 * gb_per_s);
    CHECK(box.nics[1].pcie == 15'750'000);
    CHECK(box.nics[1].distances == std::vector<unsigned>{in_one_numa_node, 3});
    CHECK(box.nics[2].rate == 1'250'000);
    CHECK(box.nics[2].pcie == 0);
    CHECK(box.nics[2].distances == std::vector<unsigned>{in_one_box, in_one_box});
}

TEST_CASE("a PCIe path is as fast as its slowest link that the file knows", "[imports][nccl]")
{
    const auto text = [](const std::string& above, const std::string& own) {
        const auto pci = [](const char* bus, const std::string& link, const std::string& inside) {
            return fmt::format("<pci busid=\"{}\" {}>{}</pci>", bus, link, inside);
        };
        return system_with(cpu_with(
            pci("0000:01:00.0", above, pci("0000:02:00.0", own, "<gpu dev=\"0\" sm=\"90\" rank=\"0\"/>"))));
    };
    const std::string gen5 = "link_speed=\"32.0 GT/s PCIe\" link_width=\"16\"",
                      gen4_x8 = "link_speed=\"16 GT/s\" link_width=\"8\"",
                      none = "link_speed=\"\" link_width=\"0\"",
                      unknown = "link_speed=\"Unknown\" link_width=\"255\"";
    CHECK(read(text(gen5, gen5)).pcie[0] == 63 * gb_per_s);
    CHECK(read(text(gen4_x8, gen5)).pcie[0] == 15'750'000);
    CHECK(read(text(gen5, gen4_x8)).pcie[0] == 15'750'000);
    CHECK(read(text(none, gen5)).pcie[0] == 63 * gb_per_s);
    CHECK(read(text(none, unknown)).pcie[0] == 0);
    CHECK(read(text(none, none), "H100").pcie[0] == 63 * gb_per_s);
}

TEST_CASE("links to processors are left out", "[imports][nccl]")
{
    const std::string text =
        system_with(cpu_with(gpu_at("0000:01:00.0", 0, link_to("ffff", 3, "0x068001"), "sm=\"70\"")));
    const GpuBox box = read(text);
    CHECK(box.pairs.empty());
    CHECK(has_note(box.notes, "3 links to processors are left out"));
}

TEST_CASE("a part of a topology is refused by the GPUs that it lacks", "[imports][nccl]")
{
    const std::string text = system_with(
        cpu_with(gpu_at("0000:01:00.0", 0, link_to("0000:02:00.0", 1) + link_to("0000:c1:00.0", 2)) +
                 gpu_at("0000:02:00.0", 1, link_to("0000:01:00.0", 1) + link_to("0000:c2:00.0", 1))));
    CHECK_THAT(refusal(text), Contains("topo.xml: line ") &&
                                  Contains("a part of a topology: 3 links lead to GPUs that are not in it "
                                           "(0000:c1:00.0, 0000:c2:00.0)") &&
                                  Contains("NCCL_TOPO_DUMP_FILE"));
}

TEST_CASE("broken and contradictory topologies are refused with a line", "[imports][nccl]")
{
    const auto with_links = [](const std::string& first, const std::string& second) {
        return system_with(cpu_with(gpu_at("0000:01:00.0", 0, first) + gpu_at("0000:02:00.0", 1, second)));
    };
    const std::string to_first = link_to("0000:01:00.0", 1), to_second = link_to("0000:02:00.0", 1);
    for (const auto& [text, part] : {
             std::pair<std::string, std::string>{"", "topo.xml: line 1: no XML"},
             {"<system>", "no XML, or cut off"},
             {pair_text.substr(0, pair_text.size() / 2), "no XML, or cut off"},
             {"<graphml/>", "there is no <system>"},
             {system_with(""), "there is no <gpu>"},
             {system_with(cpu_with(switch_with("0000:01:00.0", ""))), "there is no <gpu>"},
             {with_links(to_second, ""), "0000:01:00.0 has 1 links to 0000:02:00.0, and 0000:02:00.0 has 0"},
             {with_links(to_second + to_second, to_first), "has 2 links"},
             {with_links(to_first, to_second), "a GPU has a link to itself"},
             {with_links(link_to("0000:02:00.0", 0), to_first), "line 5: count=\"0\""},
             {with_links(link_to("0000:02:00.0", 65), to_first), "no whole number from 1 to 64"},
             {with_links(link_to("0000:02:00.0", 13), link_to("0000:01:00.0", 13)),
              "a GPU has 13 links, and A100 has 12"},
             {system_with(cpu_with(gpu_at("0000:01:00.0", 0, "") + gpu_at("0000:01:00.0", 1, ""))),
              "two GPUs with the bus id"},
             {system_with(cpu_with(gpu_at("", 0, ""))), "<pci> has no busid"},
             {system_with(cpu_with(gpu_at("0000:01:00.0", -2, ""))), "rank=\"-2\""},
             {system_with(
                  cpu_with(gpu_at("0000:01:00.0", 0, "") + gpu_at("0000:02:00.0", 1, "", "sm=\"70\""))),
              "GPUs of different architectures: 80 and 70"},
             {system_with(cpu_with("<nic><net name=\"a\" speed=\"99999999999999999999\"/></nic>")),
              "speed=\""},
         }) {
        INFO(text);
        CHECK_THAT(refusal(text), Contains(part));
        CHECK(refusal(text).find('\n') == std::string::npos);
    }
    std::string deep;
    for (unsigned i = 0; i < 40'000; ++i)
        deep += "<pci busid=\"0000:01:00.0\">";
    for (unsigned i = 0; i < 40'000; ++i)
        deep += "</pci>";
    CHECK_THAT(refusal(system_with(cpu_with(deep))), Contains("<pci> in more than 32 others"));
}

TEST_CASE("--gpu must be of the file's architecture", "[imports][nccl]")
{
    CHECK(pair_rate(read(pair_text, "A100"), 0, 1) == 100);
    CHECK_THAT(refusal(pair_text, "H100"), Contains("--gpu H100") && Contains("80, such as A100"));
    CHECK_THAT(refusal(pair_text, "A8000"), Contains("--gpu: unknown GPU 'A8000'"));
}

} // namespace nocturne::nccl_topology_test
