#include "models/text/foreign_configuration.hpp"
#include "models/topology/files.hpp"
#include "models/topology/json_format.hpp"
#include "sim/imports/machine_text.hpp"
#include "tests/catch.hpp"
#include "tests/sim/imports/imported.hpp"
#include "tests/sim/imports/machine_helpers.hpp"

#include <random>

namespace nocturne::machine_text_test {

using namespace nocturne::test;
using Catch::Contains;

namespace {

struct Example {
    std::string file;
    std::string gpu; ///< empty: the text says it
    std::string kind;
};

const std::vector<Example>& examples()
{
    static const std::vector<Example> all{{"nccl_v100.xml", "", "a topology of NCCL or RCCL"},
                                          {"smi_h100.txt", "H100", "a matrix of nvidia-smi topo"},
                                          {"rocm_mi300x.txt", "MI300X", "a matrix of rocm-smi"},
                                          {"simai_rails", "", "a SimAI topology"}};
    return all;
}

std::string text_of(const Example& example)
{
    return read_file(std::string(PROJECT_FOLDER "/examples/imports/") + example.file);
}

MachineOptions options_for(const Example& example)
{
    MachineOptions options;
    if (!example.gpu.empty())
        options.gpu = example.gpu;
    return options;
}

ImportedCommand import(const Example& example, const MachineOptions& options)
{
    return import_machine(example.kind, {text_of(example), example.file}, options, "net.json");
}

/// Bytes overwritten, left out, repeated and inserted, and the end cut off.
std::string damaged(std::string text, std::mt19937& random)
{
    for (unsigned changes = 1 + random() % 4; changes > 0 && !text.empty(); --changes) {
        const std::size_t at = random() % text.size();
        switch (random() % 5) {
        case 0:
            text[at] = static_cast<char>(random());
            break;
        case 1:
            text.erase(at, random() % 20);
            break;
        case 2:
            text.insert(at, text.substr(random() % text.size(), random() % 60));
            break;
        case 3:
            text.insert(at, std::string(1 + random() % 12, "0919-"[random() % 5]));
            break;
        default:
            text.resize(at);
        }
    }
    return text;
}

} // namespace

TEST_CASE("each example is known, and becomes a network and a command", "[imports][machines]")
{
    for (const Example& example : examples()) {
        INFO(example.file);
        CHECK(foreign_configuration(text_of(example)) == example.kind);
        CHECK(is_machine_kind(example.kind));
        const ImportedCommand imported = import(example, options_for(example));
        CHECK(imported.from == example.kind);
        CHECK(imported.arguments == std::vector<std::string>{"schedule", "net.json", "--collective",
                                                             "allreduce", "--bytes", "64MiB", "--cycle-ns",
                                                             value_of(imported, "--cycle-ns")});
        CHECK(imported.keys.empty());
        CHECK(has_note(imported.notes, "nocturne audit LOG --topology net.json"));
        CHECK(topology_from_json(imported.network, "net.json").processor_count() >= 4);
    }
    CHECK_FALSE(is_machine_kind("a BookSim2 configuration"));
    CHECK_FALSE(is_machine_kind(""));
}

TEST_CASE("the examples have the links that they show", "[imports][machines]")
{
    const auto network = [](const ImportedCommand& imported) {
        return topology_from_json(imported.network, "net.json");
    };
    // Four V100: 2, 1, 2, 1 links around, 2 across; PCIe 3.0; a NIC of 100 Gb/s for each two GPUs.
    const Topology v100 = network(import(examples()[0], {}));
    CHECK(v100.channel_count() == 12);
    CHECK(width_between(v100, "gpu0", "gpu1") == 50);
    CHECK(width_between(v100, "gpu1", "gpu2") == 25);
    CHECK(width_between(v100, "gpu3", "gpu1") == 50);
    MachineOptions two;
    two.boxes = 2;
    const Topology two_v100 = network(import(examples()[0], two)); // in 4 ns: 12.5 and 15.75 GB/s
    CHECK(width_between(two_v100, "b1g2", "b1nics") == 63);
    CHECK(width_between(two_v100, "b1nics", "fabric") == 100);
    CHECK(width_between(two_v100, "b0g0", "b0g1") == 200);

    // Eight H100, four NICs, each nearest to one GPU of two.
    MachineOptions four = options_for(examples()[1]);
    four.boxes = 4;
    four.nic = parse_nic_option("400Gb/s");
    const ImportedCommand imported = import(examples()[1], four);
    const Topology h100 = network(imported);
    CHECK(h100.processor_count() == 32);
    CHECK(width_between(h100, "b3g7", "b3nvswitch") == 450);
    CHECK(width_between(h100, "b3nics", "fabric") == 200);
    CHECK(has_note(imported.notes, "nearer to GPUs: NIC4"));

    const Topology mi300x = network(import(examples()[2], options_for(examples()[2])));
    CHECK(mi300x.channel_count() == 12);
    CHECK(width_between(mi300x, "gpu3", "gpu0") == 64);

    const Topology rails = network(import(examples()[3], {}));
    CHECK(width_between(rails, "b1g1", "nvswitch1") == 450);
    CHECK(width_between(rails, "b1g1", "switch1") == 50);
    CHECK(width_between(rails, "switch0", "switch2") == 100);
}

TEST_CASE("options that do not apply are refused by name", "[imports][machines]")
{
    MachineOptions boxes, gpu, nic;
    boxes.boxes = 2;
    gpu.gpu = "H100";
    nic.nic = parse_nic_option("50GB/s");
    const Example& simai = examples()[3];
    CHECK_THAT(refusal_of([&] { import(simai, boxes); }),
               Contains("--boxes: simai_rails is a SimAI topology"));
    CHECK_THAT(refusal_of([&] { import(simai, gpu); }), Contains("--gpu: simai_rails is a SimAI topology"));
    CHECK_THAT(refusal_of([&] { import(simai, nic); }), Contains("--nic: simai_rails is a SimAI topology"));
    CHECK_THAT(refusal_of([&] { refuse_machine_options(gpu, "a Noxim configuration", "a.yaml"); }),
               Contains("--gpu: only for topologies of GPU machines, and a.yaml is a Noxim configuration"));
    CHECK_NOTHROW(refuse_machine_options({}, "a Noxim configuration", "a.yaml"));
}

TEST_CASE("names with line breaks stay in one comment", "[imports][machines]")
{
    const Example& xml = examples()[0];
    std::string text = text_of(xml);
    text.replace(text.find("mlx5_0"), 6, "a&#10;rm -r b");
    const std::size_t nic = text.find("<pci busid=\"0000:1c:00.0\"");
    const std::size_t end = text.find("</pci>", nic) + 6;
    const std::string device = text.substr(nic, end - nic);
    text.erase(nic, end - nic);
    text.insert(text.find("</system>"), "<cpu>" + device + "</cpu>"); // far from all GPUs: named as left out
    MachineOptions options;
    options.boxes = 2;
    const ImportedCommand imported = import_machine(xml.kind, {text, "t"}, options, "net.json");
    CHECK(has_note(imported.notes, "nearer to GPUs: a rm -r b"));
    for (const std::string& note : imported.notes)
        CHECK(note.find('\n') == std::string::npos);
}

TEST_CASE("damaged texts are read or refused in one line", "[imports][machines]")
{
    std::mt19937 random(7);
    unsigned refused = 0;
    for (const Example& example : examples()) {
        const std::string text = text_of(example);
        for (unsigned i = 0; i < 300; ++i) {
            const std::string changed = damaged(text, random);
            const std::string refusal = refusal_of([&] {
                const ImportedCommand imported =
                    import_machine(example.kind, {changed, "t"}, options_for(example), "net.json");
                topology_from_json(imported.network, "net.json");
            });
            if (refusal.empty())
                continue;
            ++refused;
            INFO(changed);
            CHECK(refusal.find('\n') == std::string::npos);
            CHECK(refusal.size() < 700);
        }
    }
    CHECK(refused > 300);
}

TEST_CASE("arbitrary bytes are refused", "[imports][machines]")
{
    std::mt19937 random(3);
    for (const Example& example : examples())
        for (unsigned i = 0; i < 50; ++i) {
            std::string bytes(random() % 3000, ' ');
            for (char& byte : bytes)
                byte = static_cast<char>(random());
            const std::string refusal = refusal_of(
                [&] { import_machine(example.kind, {bytes, "t"}, options_for(example), "net.json"); });
            CHECK_THAT(refusal, Catch::StartsWith("t: "));
        }
}

} // namespace nocturne::machine_text_test
