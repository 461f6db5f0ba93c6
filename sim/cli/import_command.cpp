#include "models/topology/files.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/imports/import_configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne::cli {

namespace {

const char* const import_description =
    "Prints the command that does what a configuration of another simulator says, and writes the network "
    "that it\nneeds. Says of each key what becomes of it: carried, also where it is left out and has a "
    "default "
    "there; without\neffect; or not carried. The lines behind the command are comments: the whole goes to a "
    "shell as it is. Reads\nBookSim2's configurations, Noxim's YAML, gem5's command lines of "
    "garnet_synth_traffic.py, and ASTRA-sim's\nanalytical networks (YAML) with a system (JSON).\n";

struct ImportOutput {
    std::string command;
    ImportedCommand imported;
    std::string network_file; ///< that was written
};

Fields<ImportOutput> fields_of(const ImportOutput*)
{
    using Output = ImportOutput;
    return {"import",
            "A configuration of another simulator as a command.",
            {{"command", "", "As a shell takes it.", &Output::command},
             {"arguments", "", "Of nocturne, one by one.",
              [](const Output& output) { return output.imported.arguments; }},
             {"from", "", "What was read.", [](const Output& output) { return output.imported.from; }},
             {"network_file", "", "The network that was written; null: the command needs none.",
              &Output::network_file},
             {"notes", "", "What differs, of no key of its own.",
              [](const Output& output) { return output.imported.notes; }},
             {"keys", "", "Each key of the format, in its order.",
              [](const Output& output) { return output.imported.keys; }, Shown::as_rows}}};
}

OptionTable options_of_import()
{
    return option_table(
        "Import",
        {{"what", names_value("FILE..."),
          "the configuration, or ASTRA-sim's network and system; behind it KEY=VALUE for others "
          "than the file's, as BookSim2 takes them; the argument without a name"},
         {"garnet", name_value("LINE"), "instead of a file: gem5's command line, as one word in quotes"},
         {"output,o", written_value("FILE"), "where the network goes that the command names, in JSON"}});
}

std::vector<ForeignText> texts_of(const OptionValues& given)
{
    std::vector<ForeignText> texts;
    if (given.has("garnet"))
        texts.push_back({"garnet_synth_traffic.py " + given.text("garnet"), "--garnet"});
    std::string changes;
    for (const std::string& word : given.texts("what")) {
        std::error_code error;
        if (texts.empty() || word.find('=') == word.npos || std::filesystem::exists(word, error))
            texts.push_back({read_file(word), word});
        else
            changes += '\n' + word + ';';
    }
    if (!changes.empty())
        texts.front().text += changes;
    return texts;
}

/// `  injection_rate 0.005 -> --load 0.1: packets there`, a comment.
void print_key(const ImportedKey& key)
{
    fmt::print("#   {} = {}{}{}{}{}\n", key.key, key.value, key.is_given ? "" : " (left out)",
               key.here.empty() ? "" : " -> " + key.here, key.remark.empty() ? "" : ": ", key.remark);
}

void print_imported(const ImportOutput& output)
{
    fmt::print("{}\n# From {}. Not carried:\n", output.command, output.imported.from);
    const auto print_all = [&](const char* fate, bool has_left_out) {
        std::size_t printed = 0;
        for (const ImportedKey& key : output.imported.keys)
            if (key.fate == fate && (key.is_given || has_left_out)) {
                print_key(key);
                ++printed;
            }
        if (printed == 0)
            fmt::print("#   nothing\n");
    };
    print_all(key_not_carried, true);
    fmt::print("# Carried:\n");
    print_all(key_carried, true);
    fmt::print("# No effect:\n");
    print_all(key_without_effect, false);
    for (const std::string& note : output.imported.notes)
        fmt::print("# {}\n", note);
}

int run_import(const OptionValues& given)
{
    const std::vector<ForeignText> texts = texts_of(given);
    const std::string file = given.text("output");
    ImportedCommand imported = import_configuration(texts, file);
    if (!imported.network.empty() && file.empty())
        throw std::invalid_argument(fmt::format(
            "{}: its network is a file here: say where it goes, with -o FILE", texts.front().origin));
    if (imported.network.empty() && !file.empty())
        throw std::invalid_argument(fmt::format("--output: the network of {} is '{}' here, no file",
                                                texts.front().origin, imported.arguments.at(1)));
    if (!imported.network.empty())
        write_file_atomically(file, imported.network);
    const std::vector<std::string> arguments(imported.arguments.begin() + 1, imported.arguments.end());
    ImportOutput output{command_line(imported.arguments.front(), arguments), std::move(imported), ""};
    if (!output.imported.network.empty())
        output.network_file = file;
    print_result(output, given, [&] { print_imported(output); });
    return all_is_well;
}

} // namespace

const ResultDescription& import_result()
{
    return description_of<ImportOutput>();
}

Command import_command()
{
    static constexpr std::string_view examples[]{
        "nocturne import examples/imports/mesh.booksim",
    };
    return {{.command = "import",
             .summary = "a configuration of BookSim2, Noxim, Garnet or ASTRA-sim as a command",
             .positional = "what",
             .description = import_description,
             .examples = examples,
             .alternative = "garnet"},
            options_of_import,
            run_import};
}

} // namespace nocturne::cli
