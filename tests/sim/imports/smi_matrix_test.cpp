#include "sim/imports/machine_text.hpp"
#include "tests/catch.hpp"
#include "tests/sim/imports/imported.hpp"
#include "tests/sim/imports/machine_helpers.hpp"
#include "tests/sim/imports/machine_texts.hpp"

#include <fmt/format.h>

namespace nocturne::smi_matrix_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

/// Each pair of GPUs has this cell.
std::string uniform_matrix(unsigned gpus, const std::string& cell)
{
    std::string text;
    for (unsigned i = 0; i < gpus; ++i)
        text += fmt::format("\tGPU{}", i);
    text += "\tCPU Affinity\tNUMA Affinity\n";
    for (unsigned i = 0; i < gpus; ++i) {
        text += fmt::format("GPU{}", i);
        for (unsigned j = 0; j < gpus; ++j)
            text += "\t" + (i == j ? std::string(" X ") : cell);
        text += "\t0-63\t0\n";
    }
    return text;
}

GpuBox nvidia(const std::string& text, const std::optional<std::string>& gpu = "V100")
{
    return box_of_nvidia_smi(text, "smi.txt", gpu);
}

std::string nvidia_refusal(const std::string& text, const std::optional<std::string>& gpu = "V100")
{
    return refusal_of([&] { nvidia(text, gpu); });
}

std::string rocm_table(const std::string& title, const std::vector<std::string>& rows)
{
    std::string text = fmt::format("=========== {} ===========\n      ", title);
    for (std::size_t i = 0; i < rows.size(); ++i)
        text += fmt::format(" GPU{}", i);
    text += '\n';
    for (std::size_t i = 0; i < rows.size(); ++i)
        text += fmt::format("GPU{}   {}\n", i, rows[i]);
    return text + '\n';
}

std::string types(const std::vector<std::string>& rows)
{
    return rocm_table("Link Type between two GPUs", rows);
}

std::string hops(const std::vector<std::string>& rows)
{
    return rocm_table("Hops between two GPUs", rows);
}

GpuBox rocm(const std::string& text, const std::optional<std::string>& gpu = "MI300X")
{
    return box_of_rocm_smi(text, "rocm.txt", gpu);
}

std::string rocm_refusal(const std::string& text, const std::optional<std::string>& gpu = "MI300X")
{
    return refusal_of([&] { rocm(text, gpu); });
}

} // namespace

TEST_CASE("NV# is so many direct links where a GPU has them", "[imports][smi]")
{
    const GpuBox box = nvidia(smi_mesh);
    CHECK(box.gpus == 4);
    CHECK(box.pairs.size() == 4);
    CHECK(pair_rate(box, 0, 1) == 50);
    CHECK(pair_rate(box, 0, 2) == 25);
    CHECK(pair_rate(box, 0, 3) == 0);
    CHECK(pair_rate(box, 3, 2) == 50);
    CHECK(box.switched.empty());
    CHECK(box.pcie == std::vector<LinkRate>(4, 15'750'000));
    REQUIRE(box.nics.size() == 1);
    CHECK(box.nics[0].name == "NIC0");
    CHECK(box.nics[0].rate == 0);
    CHECK(box.nics[0].distances ==
          std::vector<unsigned>{below_one_switch, in_one_numa_node, in_one_box, in_one_numa_node + 1});
    CHECK(has_note(box.notes, "up to 3 of its 6"));
}

TEST_CASE("the same number between all pairs, all links of a GPU, is an NVSwitch", "[imports][smi]")
{
    const GpuBox h100 = nvidia(uniform_matrix(8, "NV18"), "H100");
    CHECK(h100.pairs.empty());
    CHECK(h100.switched == std::vector<LinkRate>(8, 450 * gb_per_s));
    CHECK(has_note(h100.notes, "18 x 25 GB/s = 450 GB/s"));
    CHECK(nvidia(uniform_matrix(8, "NV12"), "A100").switched == std::vector<LinkRate>(8, 300 * gb_per_s));
    CHECK(nvidia(uniform_matrix(16, "NV6"), "V100").switched == std::vector<LinkRate>(16, 150 * gb_per_s));
    CHECK(nvidia(uniform_matrix(8, "NV8"), "H800").switched == std::vector<LinkRate>(8, 200 * gb_per_s));
    CHECK(nvidia(uniform_matrix(8, "NV18"), "B200").switched == std::vector<LinkRate>(8, 900 * gb_per_s));
    // Fewer: four H100 are joined directly, six links a pair, and two by all that they have.
    const GpuBox four = nvidia(uniform_matrix(4, "NV6"), "H100");
    CHECK(four.pairs.size() == 6);
    CHECK(pair_rate(four, 1, 3) == 150);
    CHECK(pair_rate(nvidia(uniform_matrix(2, "NV12"), "A100"), 0, 1) == 300);
}

TEST_CASE("a GPU that lost some links to NVSwitches has the others", "[imports][smi]")
{
    const std::string text = "\tGPU0\tGPU1\tGPU2\tCPU Affinity\n"
                             "GPU0\t X \tNV12\tNV10\t0-7\n"
                             "GPU1\tNV12\t X \tNV10\t0-7\n"
                             "GPU2\tNV10\tNV10\t X \t0-7\n";
    CHECK(nvidia(text, "A100").switched ==
          std::vector<LinkRate>{300 * gb_per_s, 300 * gb_per_s, 250 * gb_per_s});
}

TEST_CASE("pairs without NVLinks have none", "[imports][smi]")
{
    const GpuBox box = nvidia(uniform_matrix(4, "SYS"), "L40S");
    CHECK(box.pairs.empty());
    CHECK(box.switched.empty());
    CHECK(box.pcie[3] == 31'500'000);
    CHECK(nvidia(uniform_matrix(4, "SOC")).pairs.empty());
}

TEST_CASE("codes of a terminal are no part of a matrix", "[imports][smi]")
{
    std::string text = smi_mesh;
    text.replace(text.find("GPU0   GPU1"), 4, "\x1b[4mGPU0");
    text.replace(text.find("CPU Affinity"), 12, "CPU Affinity\x1b[0m");
    CHECK(pair_rate(nvidia(text), 0, 1) == 50);
    std::string pasted = smi_mesh;
    pasted.replace(pasted.find("GPU0   GPU1"), 4, "[4mGPU0");
    pasted.replace(pasted.find("CPU Affinity"), 12, "CPU Affinity[0m");
    CHECK(pair_rate(nvidia(pasted), 0, 1) == 50);
}

TEST_CASE("the model of NVIDIA's GPUs must be given and fit the matrix", "[imports][smi]")
{
    CHECK_THAT(nvidia_refusal(smi_mesh, {}), Contains("smi.txt: the matrix has no rates: --gpu MODEL") &&
                                                 Contains("V100") && !Contains("MI300X"));
    CHECK_THAT(nvidia_refusal(smi_mesh, "MI300X"), Contains("--gpu MI300X: it has xGMI"));
    CHECK_THAT(nvidia_refusal(uniform_matrix(8, "NV18"), "A100"),
               Contains("--gpu A100: smi.txt has NV18, and this GPU has 12 NVLinks"));
    CHECK_THAT(nvidia_refusal(uniform_matrix(8, "NV8"), "H100"),
               Contains("56 NVLinks in all and at most NV8: too many for direct links"));
    CHECK_THAT(nvidia_refusal(uniform_matrix(2, "NV1"), "L40S"), Contains("this GPU has 0 NVLinks"));
}

TEST_CASE("several matrices, and too large ones, are refused", "[imports][smi]")
{
    CHECK_THAT(nvidia_refusal(smi_mesh + smi_mesh),
               Catch::StartsWith("smi.txt: ") && Contains("several matrices"));
    std::string wide = "GPU0 GPU1";
    for (unsigned i = 2; i < 1100; ++i)
        wide += fmt::format(" GPU{}", i);
    CHECK_THAT(nvidia_refusal(wide + "\n"), Contains("at most 1024 GPUs"));
}

TEST_CASE("XGMI is a direct link at one hop", "[imports][smi]")
{
    const std::vector<std::string> links{"0 XGMI XGMI PCIE", "XGMI 0 PCIE XGMI", "XGMI PCIE 0 XGMI",
                                         "PCIE XGMI XGMI 0"};
    const GpuBox without_hops = rocm(types(links));
    CHECK(without_hops.fabric == "xGMI");
    CHECK(without_hops.pairs.size() == 4);
    CHECK(pair_rate(without_hops, 0, 1) == 64);
    CHECK(pair_rate(without_hops, 0, 3) == 0);
    CHECK(has_note(without_hops.notes, "the text has no hops"));
    const GpuBox box = rocm(hops({"0 1 2 2", "1 0 2 1", "2 2 0 1", "2 1 1 0"}) + types(links) +
                            "==== Numa Nodes ====\nGPU[0]\t\t: (Topology) Numa Node: 0\n");
    CHECK(box.pairs.size() == 3);
    CHECK(pair_rate(box, 0, 2) == 0);
    CHECK(pair_rate(rocm(types(links), "MI355X"), 3, 2) == 76.8);
    CHECK(box.nics.empty());
}

TEST_CASE("broken matrices of rocm-smi are refused", "[imports][smi]")
{
    const std::string good = types({"0 XGMI", "XGMI 0"});
    CHECK_THAT(rocm_refusal(hops({"0 1", "1 0"})), Contains("rocm.txt: there is no matrix of link types"));
    CHECK_THAT(rocm_refusal(types({"0 XGMI", "PCIE 0"})), Contains("not symmetric: GPU1 to GPU0 is PCIE"));
    CHECK_THAT(rocm_refusal(types({"0 N/A", "N/A 0"})), Contains("GPU1 to GPU0 is 'N/A'"));
    CHECK_THAT(rocm_refusal(hops({"0"}) + good), Contains("other GPUs"));
    CHECK_THAT(rocm_refusal(good.substr(0, good.find("GPU1   "))), Contains("row GPU1 is missing"));
    CHECK_THAT(rocm_refusal(good, {}), Contains("--gpu MODEL") && Contains("MI300X") && !Contains("H100"));
    CHECK_THAT(rocm_refusal(good, "H100"), Contains("--gpu H100: it has NVLink"));
    CHECK_THAT(rocm_refusal(good, "MI250X"),
               Contains("does not say how many links") && Contains("NCCL_TOPO_DUMP_FILE"));
    std::vector<std::string> rows;
    for (unsigned i = 0; i < 9; ++i) {
        rows.emplace_back();
        for (unsigned j = 0; j < 9; ++j)
            rows.back() += i == j ? "0 " : "XGMI ";
    }
    CHECK_THAT(rocm_refusal(types(rows)),
               Contains("--gpu MI300X: it has 7 xGMI links") && Contains("linked to 8"));
}

} // namespace nocturne::smi_matrix_test
