#include "models/topology/files.hpp"
#include "models/topology/input_log.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/imports/gpu_models.hpp"
#include "sim/imports/import_configuration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <optional>
#include <stdexcept>

namespace nocturne::cli {

namespace {

constexpr std::string_view example_of_astra =
    "nocturne import examples/imports/boxes_astra.yml examples/imports/system_astra.json -o boxes.json";
constexpr std::string_view example_of_boxes =
    "nocturne import examples/imports/smi_h100.txt --gpu H100 --boxes 4 --nic 400Gb/s -o boxes.json";

const char* const import_description =
    "Reads a configuration of another simulator and prints the command that simulates the same network and\n"
    "traffic. If the command needs a network file, -o writes it. Each key of the configuration is listed:\n"
    "carried over, without effect, or not carried over, with the reason. A key that the file leaves out has\n"
    "the simulator's default. Networks and patterns that Nocturne does not have are refused. All\n"
    "lines after the command are comments, so a shell can run the output as it is.\n"
    "Reads BookSim2 configurations, Noxim YAML files, gem5 command lines of garnet_synth_traffic.py, and\n"
    "ASTRA-sim analytical networks (YAML), with or without a system (JSON).\n"
    "Topologies of GPU machines become a network file (-o): the XML of NCCL and RCCL, the matrices of\n"
    "nvidia-smi topo -m and rocm-smi --showtopo, and SimAI's topologies. --gpu and --nic say rates that are\n"
    "not in the text; --boxes joins several such machines by their NICs. Comments say what was assumed.\n";

struct ImportOutput {
    std::string command;
    ImportedCommand imported;
    std::optional<std::string> network_file; ///< that was written
};

Fields<ImportOutput> fields_of(const ImportOutput*)
{
    using Output = ImportOutput;
    return {"import",
            "A configuration of another simulator, or the topology of a GPU machine, as a command.",
            {{"command", "", "The command, quoted for a shell.", &Output::command},
             {"arguments", "", "The arguments of nocturne, one by one.",
              [](const Output& output) { return output.imported.arguments; }},
             {"source", "", "The kind of configuration that was read.",
              [](const Output& output) { return output.imported.from; }},
             {"network_file", "", "The network file that was written; null: the command needs none.",
              &Output::network_file},
             {"notes", "", "Differences that belong to no single key, and what was assumed.",
              [](const Output& output) { return output.imported.notes; }},
             {"settings", "", "Each key of the format, in its order; topologies have none.",
              [](const Output& output) { return output.imported.keys; }, Shown::as_rows}}};
}

OptionTable options_of_import()
{
    return option_table(
        "Import",
        {{"what", names_value("FILE..."),
          "the configuration (the positional argument); ASTRA-sim: network and system; BookSim2: KEY=VALUE "
          "after "
          "the file overrides a key"},
         {"garnet", name_value("LINE"), "gem5's command line as one quoted word, instead of a file"},
         {"gpu", choice_value("MODEL", gpu_model_names()),
          fmt::format(
              "model of the GPUs of a machine, for number and rate of their links, and their PCIe: {}",
              fmt::join(gpu_model_names(), ", "))},
         {"nic", text_value("RATE").parsed_by(parse_nic_option),
          "rate of each NIC of a machine, 400Gb/s or 50GB/s, or so many a box: 8x400Gb/s"},
         {"boxes", count_value(1, {1, most_machine_gpus}),
          "so many equal machines, joined by their NICs: by a switch for each GPU's NICs, or by one switch"},
         {"output,o", written_value("FILE"), "write the network file that the command reads, in JSON"}});
}

struct ImportInput {
    std::vector<ForeignText> texts;
    std::vector<std::string> changes; ///< KEY=VALUE
};

ImportInput input_of(const OptionValues& given)
{
    ImportInput input;
    if (given.has("garnet"))
        input.texts.push_back({"garnet_synth_traffic.py " + given.text("garnet"), "--garnet"});
    for (const std::string& word : given.texts("what")) {
        std::error_code error;
        if (input.texts.empty() || word.find('=') == word.npos || std::filesystem::exists(word, error))
            input.texts.push_back({read_file(word), word});
        else
            input.changes.push_back(word);
    }
    return input;
}

MachineOptions machine_options_of(const OptionValues& given)
{
    MachineOptions options;
    if (given.has("gpu"))
        options.gpu = given.text("gpu");
    if (given.has("nic"))
        options.nic = parse_nic_option(given.text("nic"));
    if (given.is_given("boxes"))
        options.boxes = given.small_count("boxes");
    return options;
}

/// `#   injection_rate = 0.005 -> --load 0.1: packets there`
void print_key(const ImportedKey& key)
{
    fmt::print("#   {} = {}{}{}{}{}\n", key.key, key.value, key.is_given ? "" : " (default)",
               key.here.empty() ? "" : " -> " + key.here, key.remark.empty() ? "" : ": ", key.remark);
}

void print_keys(const ImportOutput& output)
{
    const auto print_all = [&](const char* title, const char* fate, bool has_left_out) {
        std::size_t printed = 0;
        for (const ImportedKey& key : output.imported.keys)
            if (key.fate == fate && (key.is_given || has_left_out)) {
                if (printed++ == 0)
                    fmt::print("# {}:\n", title);
                print_key(key);
            }
        return printed;
    };
    if (print_all("Not carried", key_not_carried, true) == 0)
        fmt::print("# Nothing is left out.\n");
    print_all("Carried", key_carried, true);
    print_all("No effect", key_without_effect, false);
}

void print_imported(const ImportOutput& output)
{
    fmt::print("{}\n# From {}.\n", output.command, output.imported.from);
    if (!output.imported.keys.empty())
        print_keys(output);
    for (const std::string& note : output.imported.notes)
        fmt::print("# {}\n", note);
}

/// Who hands the output to a shell does not see its comments.
void remark_not_carried(const std::string& origin, const ImportedCommand& imported)
{
    std::vector<std::string> keys;
    for (const ImportedKey& key : imported.keys)
        if (key.is_given && key.fate == key_not_carried)
            keys.push_back(fmt::format("{} = {}", key.key, key.value));
    if (!keys.empty())
        InputLog::remark(fmt::format("{}: not carried: {}", origin, fmt::join(keys, ", ")));
}

int run_import(const OptionValues& given)
{
    const ImportInput input = input_of(given);
    const std::string file = given.text("output"), &origin = input.texts.front().origin;
    ImportedCommand imported =
        import_configuration(input.texts, input.changes, file, machine_options_of(given));
    if (!imported.network.empty() && file.empty())
        throw std::invalid_argument(
            fmt::format("{}: the command needs a network file: name it with -o FILE", origin));
    if (imported.network.empty() && !file.empty())
        throw std::invalid_argument(
            fmt::format("--output: no network file is needed: the network of {} is '{}'", origin,
                        imported.arguments.at(1)));
    ImportOutput output{.command = {}, .imported = std::move(imported), .network_file = {}};
    if (!output.imported.network.empty()) {
        write_file_atomically(file, output.imported.network);
        output.network_file = file;
    }
    const std::vector<std::string>& arguments = output.imported.arguments;
    output.command = command_line(arguments.front(), {arguments.begin() + 1, arguments.end()});
    remark_not_carried(origin, output.imported);
    print_result(output, given, [&] { print_imported(output); });
    return all_is_well;
}

} // namespace

Command import_command()
{
    return {{.command = "import",
             .summary = "a configuration of another simulator as a command, a GPU machine as a network",
             .positional = "what",
             .description = import_description,
             .examples = {"nocturne import examples/imports/mesh.booksim",
                          "nocturne import examples/imports/mesh.booksim injection_rate=0.01",
                          "nocturne import examples/imports/mesh_noxim.yaml", example_of_astra,
                          "nocturne import examples/imports/smi_h100.txt --gpu H100 -o h100.json",
                          example_of_boxes, "nocturne import examples/imports/nccl_v100.xml -o v100.json"},
             .alternative = "garnet"},
            options_of_import,
            run_import,
            {description_of<ImportOutput>}};
}

} // namespace nocturne::cli
