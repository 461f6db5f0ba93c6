#include "models/topology/faults.hpp"
#include "models/topology/files.hpp"
#include "models/topology/gpu_networks.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/imports/gpu_models.hpp"
#include "tests/catch.hpp"
#include "tests/sim/imports/imported.hpp"

#include <map>
#include <set>

namespace nocturne::gpu_models_test {

using namespace nocturne::test;
using Catch::Contains;

TEST_CASE("all links of a GPU together are what its vendor states", "[imports][gpus]")
{
    const std::map<std::string, double> both_ways{
        {"P100", 160}, {"V100", 300}, {"A100", 600},  {"A800", 400},   {"H100", 900},   {"H800", 400},
        {"H20", 900},  {"H200", 900}, {"B200", 1800}, {"GB200", 1800}, {"MI300X", 896}, {"MI350X", 1075.2}};
    for (const auto& [name, sum] : both_ways) {
        const GpuModel& model = gpu_model(name);
        CHECK(2.0 * static_cast<double>(model.link) * model.links / gb_per_s == Approx(sum));
    }
}

TEST_CASE("the links of a machine that has a name are those of its GPUs", "[imports][gpus]")
{
    for (const char* network : {"dgx1", "dgx2", "dgx_a100", "dgx_h100"}) {
        CAPTURE(network);
        const GpuMachine* const machine = gpu_machine(network);
        REQUIRE(machine != nullptr);
        const GpuModel& model = gpu_model(machine->model);
        CHECK(machine->gb_per_s * gb_per_s == model.link);
        const Topology topology = make_topology(network);
        CHECK(topology.channels_from(topology.processor(0).injection).size() == model.links);
        CHECK(gpu_machine(topology.name()) == machine);
        const std::string lost[] = {"node:gpu0"};
        CHECK(gpu_machine(with_faults(topology, lost).name()) == machine);
    }
    for (const char* other : {"rail:2,8", "dgx_cloud", "dgx", "", " without node:gpu0"})
        CHECK(gpu_machine(other) == nullptr);
}

TEST_CASE("models have one name, and one rate within an architecture", "[imports][gpus]")
{
    std::set<std::string_view> names;
    std::map<std::string_view, LinkRate> rates;
    for (const GpuModel& model : gpu_models()) {
        INFO(model.name);
        CHECK(names.insert(model.name).second);
        CHECK(rates.emplace(model.architecture, model.link).first->second == model.link);
        CHECK((model.links > 0) == (model.link > 0));
        CHECK(model.pcie > 0);
        CHECK((model.fabric == "NVLink" || model.fabric == "xGMI"));
        CHECK(model.architecture.starts_with("gfx") == (model.fabric == "xGMI"));
        CHECK(model_of_architecture(model.architecture)->links >= model.links);
    }
    CHECK(gpu_model_names().size() == gpu_models().size());
    CHECK(model_of_architecture("90")->links == 18); // not the 8 of an H800
    CHECK(model_of_architecture("12") == nullptr);
}

TEST_CASE("each model is in the documentation", "[imports][gpus]")
{
    const std::string page = read_file(PROJECT_FOLDER "/docs/other_tools.md");
    for (const GpuModel& model : gpu_models()) {
        INFO(model.name);
        const std::size_t row = page.find(std::string(model.name), page.find("| `--gpu` |"));
        REQUIRE(row != page.npos);
        const std::string line = page.substr(row, page.find('\n', row) - row);
        const std::string links =
            model.links == 0 ? "none" : std::to_string(model.links) + " " + std::string(model.fabric);
        CHECK_THAT(line, Contains("| " + links + " |"));
        if (model.links > 0)
            CHECK_THAT(
                line,
                Contains("| " + shown_rate(model.link).substr(0, shown_rate(model.link).find(' ')) + " |"));
        CHECK_THAT(
            line, Contains("| " + shown_rate(model.pcie).substr(0, shown_rate(model.pcie).find(' ')) + " |"));
    }
}

TEST_CASE("an unknown model is refused with the known ones", "[imports][gpus]")
{
    CHECK_THAT(refusal_of([] { gpu_model("H10"); }), Contains("--gpu: unknown GPU 'H10'"));
    CHECK_THAT(refusal_of([] { gpu_model(""); }), Contains("V100"));
}

} // namespace nocturne::gpu_models_test
