#include "sim/cli/first_words.hpp"

#include "models/text/foreign_configuration.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/file_kind.hpp"
#include "sim/cli/first_word_rows.hpp"
#include "sim/cli/installed.hpp"
#include "sim/cli/meaning.hpp"
#include "sim/cli/problem_options.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace nocturne::cli {

namespace {

/// The options among the arguments that a command has, with their values, but for those of a Meaning.
std::vector<std::string> other_options(const std::vector<std::string>& arguments, std::string_view command)
{
    constexpr std::array meant{"topology", "collective", "bytes", "pattern", "routing", "load", "vcs"};
    const OptionTable options = options_of(find_command(command));
    std::vector<std::string> found;
    bool is_value = false;
    for (const std::string& argument : arguments) {
        if (argument.starts_with("--")) {
            const OptionRow* const row = options.find(argument.substr(2, argument.find('=') - 2));
            const bool is_taken = row != nullptr && std::ranges::find(meant, row->long_name()) == meant.end();
            is_value = is_taken && row->value.takes_value() && argument.find('=') == argument.npos;
            if (is_taken)
                found.push_back(argument);
        } else if (std::exchange(is_value, false)) {
            found.back() += ' ' + argument;
        }
    }
    return found;
}

/// `injection_rate=0.15`
bool is_option_value(std::string_view word)
{
    return !word.starts_with('-') && word.find('=') != std::string_view::npos;
}

std::string replaced(std::string text, std::string_view place, std::string_view value)
{
    for (std::size_t at = 0; (at = text.find(place, at)) != std::string::npos; at += value.size())
        text.replace(at, place.size(), value);
    return text;
}

/// A file that exists, or else the first word behind the first one that looks like one.
std::string file_among(const std::vector<std::string>& arguments, std::string_view otherwise)
{
    const auto is_name = [](std::string_view word) {
        return word.find('.') != std::string_view::npos && !word.starts_with('-') && !is_option_value(word);
    };
    auto found = std::ranges::find_if(arguments, is_file_name);
    if (found == arguments.end())
        found = std::find_if(arguments.begin() + 1, arguments.end(), is_name);
    return found == arguments.end() ? std::string(otherwise) : *found;
}

/// ` injection_rate=0.15`, as BookSim2's configurations are followed by.
std::string settings_among(const std::vector<std::string>& arguments)
{
    std::string settings;
    for (const std::string& argument : arguments)
        if (is_option_value(argument))
            settings += ' ' + argument;
    return settings;
}

/// A file of a network to be written: the last of such a name among the arguments, or of an ending that they
/// name.
std::string network_file(const std::vector<std::string>& arguments, std::string usual)
{
    constexpr std::array endings{"svg", "dot", "graphml", "json", "anynet"};
    for (const std::string& argument : arguments)
        for (const std::string_view ending : endings) {
            const std::string word = lower_case(argument);
            if (argument.ends_with(fmt::format(".{}", ending)) && !is_file_name(argument))
                usual = argument;
            else if (word.substr(std::min(word.find_first_not_of('-'), word.size())) == ending ||
                     word == fmt::format("--format={}", ending))
                usual = fmt::format("network.{}", ending);
        }
    return usual;
}

/// `; left out: 'alpha=1us'`
std::string left_out_text(const Meaning& meaning)
{
    return meaning.left_out.empty() ? ""
                                    : fmt::format("; left out: '{}'", fmt::join(meaning.left_out, "', '"));
}

std::string or_else(const std::string& text, std::string_view otherwise)
{
    return text.empty() ? std::string(otherwise) : text;
}

/// With what the arguments mean in their places, and what is left out at the end.
std::string filled(std::string_view advice, const std::vector<std::string>& arguments, Meaning meaning)
{
    const auto others = [&](std::string_view command, std::string_view place) {
        std::string line;
        if (advice.find(place) != advice.npos)
            for (const std::string& option : other_options(arguments, command)) {
                line += ' ' + option;
                std::erase(meaning.left_out, boost::replace_first_copy(option, "=", " "));
            }
        return line;
    };
    const bool lacks_schedule = meaning.file.empty() && !meaning.collective.empty() &&
                                advice.find("{file}") != advice.npos && advice.find("{kind}") == advice.npos;
    const bool has_bytes = advice.find("{bytes}") != advice.npos || advice.find("{size}") != advice.npos;
    const std::string timing = has_bytes ? meaning.timing_options() : "";
    if (timing.empty())
        meaning.left_out.insert(meaning.left_out.end(), meaning.timing_said.begin(),
                                meaning.timing_said.end());
    const std::string of_traffic = others("traffic", "{traffic}"),
                      of_schedule = others("schedule", "{bytes}");
    const auto option = [](const char* name, const std::string& value) {
        return value.empty() ? "" : fmt::format(" --{} {}", name, value);
    };
    std::string text(advice);
    const std::string file = or_else(meaning.file, "schedule.json");
    constexpr std::string_view table = "examples/energy/router_45nm.json";
    const std::string place = place_of_example(table);
    const bool is_network_file = is_file_name(meaning.network);
    for (const auto& [name, value] : std::initializer_list<std::pair<const char*, std::string>>{
             {"{net}", or_else(meaning.network, "mesh:4x4")},
             {"{gpus}", or_else(meaning.network, "dgx_h100")},
             {"{kind}", or_else(meaning.collective, "allreduce")},
             {"{size}", or_else(meaning.bytes, "64MiB") + timing},
             {"{bytes}", option("bytes", meaning.bytes) + timing + of_schedule},
             {"{traffic}", meaning.traffic_options() + of_traffic},
             {"{load}", option("load", meaning.load)},
             {"{busy}", or_else(meaning.load, "0.1")},
             {"{routing}", or_else(meaning.routing, "auto")},
             {"{config}", file_among(arguments, "sim.cfg")},
             {"{settings}", settings_among(arguments)},
             {"{trace}", file_among(arguments, "trace.csv")},
             {"{network.svg}", network_file(arguments, "network.svg")},
             {"{network.json}", network_file(arguments, "network.json")},
             {"{network.graphml}", network_file(arguments, "network.graphml")},
             {"{energy}", place.empty() ? std::string(table) : place},
             {"{places}", place.empty() ? "; " + places_of_examples() : ""},
             {"{schedule}",
              is_network_file ? "" : ", 'nocturne export {file} --msccl-xml schedule.xml' a schedule"},
             {"{file}", file}})
        text = replaced(std::move(text), name, value);
    if (lacks_schedule)
        text = fmt::format("'nocturne schedule {} {}{} -o schedule.json' makes a schedule, {}",
                           or_else(meaning.network, "mesh:4x4"), meaning.collective,
                           option("bytes", meaning.bytes), text);
    if (!meaning.advice.empty())
        text = fmt::format("{}; for example on another network: {}", meaning.advice, text);
    if (!meaning.file.empty() && text.find(meaning.file) == text.npos)
        meaning.left_out.push_back(meaning.file);
    if (has_bytes && !meaning.bytes_said.empty())
        text += fmt::format("; {} is taken as {}", meaning.bytes_said, meaning.bytes);
    if (meaning.network.empty() && advice.find("{net}") != advice.npos && !meaning.left_out.empty())
        text += "; mesh:4x4 stands for your network";
    // Names of files and of endings are in the lines, if anything is.
    std::erase_if(meaning.left_out, [&](const std::string& left) {
        const std::string last = left.substr(left.rfind(' ') + 1);
        const std::string name = last.substr(std::min(last.find_first_not_of('-'), last.size()));
        return (left.starts_with('-') || name.find('.') != name.npos) && name.size() > 2 &&
               text.find(name) != text.npos;
    });
    return text + left_out_text(meaning);
}

/// `this is a matrix of nvidia-smi topo; 'nocturne import …' …`, with what follows the file; empty for other
/// files.
std::string import_hint_of(const std::string& path, const std::string& settings)
{
    const std::string shown = path + settings, hint = import_hint(shown, beginning_of(path));
    return hint.empty() ? hint : hint.substr(shown.size() + std::string_view(": ").size());
}

std::string advice_on_file(const std::string& path, const std::string& settings)
{
    const FileKind kind = kind_of_file(path);
    if (kind == FileKind::topology || kind == FileKind::other || kind == FileKind::xml) {
        if (const std::string hint = import_hint_of(path, settings); !hint.empty())
            return hint;
        if (const std::string text = beginning_of(path); text.find("busbw") != std::string::npos)
            return fmt::format("it is a log of nccl-tests: 'nocturne audit {} --topology {}' says how near "
                               "its times are to the least",
                               path, text.find("A100") != text.npos ? "dgx_a100" : "dgx_h100");
    }
    switch (kind) {
    case FileKind::topology:
        return fmt::format(
            "it is a network: 'nocturne topology {0}' describes it, 'nocturne traffic {0}' sends "
            "traffic, 'nocturne schedule {0} allreduce' searches a schedule",
            path);
    case FileKind::schedule:
    case FileKind::chunks:
        return fmt::format(
            "it is a schedule: 'nocturne validate {0}' checks it, 'nocturne replay {0}' runs it, "
            "'nocturne report {0} -o page.html' shows it",
            path);
    case FileKind::foreign: {
        const std::string text = beginning_of(path), attribute = "ngpus=\"";
        const std::size_t at = text.find(attribute), begin = at + attribute.size();
        const std::string gpus = at == text.npos ? "8" : text.substr(begin, text.find('"', begin) - begin);
        return fmt::format(
            "it is a schedule that names no network: 'nocturne validate {0} --topology ring:{1}' checks it, "
            "'nocturne replay {0} --topology ring:{1}' runs it; ring:{1} stands for your network",
            path, gpus);
    }
    default:
        return fmt::format("it is a file: 'nocturne report {} -o page.html' shows it", path);
    }
}

constexpr std::string_view on_gpus =
    "'nocturne schedule {gpus} {kind} --bytes {size}' searches a schedule and prints its time and bandwidth, "
    "'nocturne bound {gpus} {kind} --bytes {size}' the least time possible";
constexpr std::string_view on_a_network = "'nocturne topology {net}' describes it, 'nocturne traffic "
                                          "{net}{traffic}{load}' sends synthetic traffic, "
                                          "'nocturne schedule {net} {kind}{bytes}' searches a schedule";

/// What the words are about, where none of them says what to do; empty if that is not known.
std::string_view advice_by_content(const Meaning& meaning)
{
    if (!meaning.collective.empty())
        return "'nocturne schedule {net} {kind}{bytes}' searches a schedule for it";
    if (!meaning.pattern.empty() || !meaning.routing.empty() || !meaning.load.empty())
        return "'nocturne traffic {net}{traffic}{load}' sends synthetic traffic";
    return meaning.network.empty() && meaning.advice.empty() ? std::string_view() : on_a_network;
}

/// `--topology mesh:4x4 --load 0.1`: commands that have the option.
std::string advice_on_first_option(const std::vector<std::string>& arguments)
{
    const std::string& option = arguments.front();
    const std::string name = option.substr(0, option.find('='));
    constexpr std::array of_others{"--config", "-config", "--cfg", "-c"}; // Noxim
    if (std::ranges::find(of_others, name) != of_others.end())
        return filled("a command comes first; 'nocturne import {config}' gives the command that does what a "
                      "configuration of another simulator says",
                      arguments, meaning_of(arguments));
    std::vector<std::string_view> having;
    for (const Command& command : commands())
        if (name.starts_with("--") && options_of(command).find(name.substr(2)) != nullptr)
            having.push_back(command.usage.command);
    if (name.find("list") != name.npos)
        return "'nocturne topology --list' lists the networks, 'nocturne schedule --help' the collectives, "
               "'nocturne traffic --help' patterns and routings";
    if (name.ends_with("-configuration"))
        return "of ASTRA-sim: 'nocturne import network.yml system.json' gives the network and the command";
    if (having.empty() || having.size() == commands().size()) {
        const Meaning meaning = meaning_of(arguments);
        const std::string_view advice = advice_by_content(meaning);
        return "a command comes first: " + (advice.empty() ? "'nocturne traffic mesh:4x4 --load 0.1'"
                                                           : filled(advice, arguments, meaning));
    }
    return fmt::format("a command comes first; {} {} it: 'nocturne {} --help'",
                       fmt::join(having, having.size() == 2 ? " and " : ", "),
                       having.size() == 1 ? "has" : "have", having.front());
}

/// Of nccl-tests: the first size, the number of iterations, of GPUs.
bool is_option_of_tests(std::string_view word)
{
    constexpr std::array options{"-b", "-e", "-n", "-g", "-f", "-w"};
    return std::ranges::find(options, word) != options.end();
}

/// `all_reduce_perf -b 1G`, `bench allreduce` or `-b 1G -n 8`
bool is_of_tests(const std::vector<std::string>& arguments, const Meaning& meaning)
{
    const std::string first = lower_case(arguments.front());
    return is_option_of_tests(first) || first.ends_with("-perf") || first.starts_with("osu-") ||
           (find_row(first) == find_row("bench") && !meaning.collective.empty() && meaning.file.empty());
}

/// The row of the first word that has one, or of a later word where that only asks for something to be made.
const FirstWords* row_of(const std::vector<std::string>& arguments)
{
    std::vector<std::string> words;
    for (const std::string& argument : arguments) {
        std::vector<std::string> parts;
        boost::split(parts, argument, boost::is_any_of(" "));
        words.insert(words.end(), parts.begin(), parts.end());
    }
    const auto found = std::ranges::find_if(words, [](const std::string& word) { return find_row(word); });
    const FirstWords* const first = found == words.end() ? nullptr : find_row(*found);
    for (const auto& [general, special] :
         {std::pair{"generate", "verilog"}, std::pair{"topo", "list"}, std::pair{"generate", "xml"},
          std::pair{"simulate", "saturation"}, std::pair{"find", "xml"}})
        if (first != nullptr && first == find_row(general))
            for (const std::string& word : words)
                if (find_row(word) == find_row(special))
                    return find_row(special);
    return first;
}

} // namespace

std::string near_network(const std::vector<std::string>& arguments)
{
    return meaning_of(arguments).network;
}

std::string advice_on(const std::vector<std::string>& arguments)
{
    const std::string& first = arguments.front();
    const auto is_of_garnet = [](const std::string& word) {
        return word == "--network=garnet" || word.starts_with("--num-cpus=") ||
               word.starts_with("--mesh-rows=");
    };
    if (std::ranges::any_of(arguments, is_of_garnet)) {
        const auto begin = std::ranges::find_if(arguments, [](auto& word) { return word.starts_with('-'); });
        return fmt::format("'nocturne import --garnet \"{}\"' gives the command for a command line of Garnet",
                           fmt::join(begin, arguments.end(), " "));
    }
    if (first.starts_with('-') && !is_option_of_tests(first))
        return advice_on_first_option(arguments);
    const FirstWords* const row = row_of(arguments);
    Meaning meaning = meaning_of(arguments);
    std::erase_if(meaning.left_out, [](const std::string& word) { return find_row(word) != nullptr; });
    const auto is_of_another_tool = [&](const std::string& file) {
        return !import_hint_of(file, "").empty() || beginning_of(file).find("busbw") != std::string::npos;
    };
    if (!meaning.file.empty() && is_of_another_tool(meaning.file))
        return advice_on_file(meaning.file, settings_among(arguments));
    if (is_of_tests(arguments, meaning))
        return filled(on_gpus, arguments, meaning);
    if (row != nullptr)
        return filled(row->advice, arguments, meaning);
    if (is_file_name(first) && meaning.collective.empty())
        return advice_on_file(first, settings_among(arguments));
    const std::string_view advice = advice_by_content(meaning);
    std::vector<std::string> names;
    for (const Command& command : commands())
        names.emplace_back(command.usage.command);
    const bool is_left_out = std::ranges::find(meaning.left_out, first) != meaning.left_out.end();
    if (advice.empty() || (is_left_out && nearest_name(first, names)))
        return {}; // what is said of an unknown command
    const std::string_view begin = is_specification(first)  ? "it is a network: "
                                   : advice == on_a_network ? "a command comes first: "
                                                            : "";
    return std::string(begin) + filled(advice, arguments, meaning);
}

} // namespace nocturne::cli
