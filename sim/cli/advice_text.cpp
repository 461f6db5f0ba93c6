#include "sim/cli/advice_text.hpp"

#include "models/text/foreign_configuration.hpp"
#include "models/text/neighbour_words.hpp"
#include "models/text/number.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/file_kind.hpp"
#include "sim/cli/first_word_rows.hpp"
#include "sim/cli/installed.hpp"
#include "sim/cli/plain_words.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <exception>
#include <initializer_list>
#include <utility>

namespace nocturne::cli {

namespace {

bool is_value_of(const OptionRow& row, const std::string& text)
{
    try {
        check_value(row, text);
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

/// The options among the arguments that a command has, with their values, but for those of a Meaning: as it
/// calls them, and as they were typed.
std::vector<std::pair<std::string, std::string>> other_options(const std::vector<std::string>& arguments,
                                                               std::string_view command)
{
    constexpr std::array meant{"topology", "collective", "bytes", "pattern", "routing", "load", "vcs"};
    const OptionTable options = options_of(find_command(command));
    std::vector<std::string> names;
    for (const OptionRow& row : options.rows())
        names.push_back("--" + row.long_name());
    std::vector<std::pair<std::string, std::string>> found;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!arguments[i].starts_with("--"))
            continue;
        std::string typed = arguments[i];
        if (i + 1 < arguments.size() && typed.find('=') == typed.npos && !arguments[i + 1].starts_with('-'))
            typed += ' ' + arguments[i + 1];
        const std::size_t end = std::min(typed.find_first_of("= "), typed.size());
        std::string name = typed.substr(0, end);
        if (const NeighbourWord* const known = find_neighbour_word(name, names);
            known != nullptr && options.find(name.substr(2)) == nullptr)
            name = known->here;
        const OptionRow* const row = options.find(name.substr(std::min<std::size_t>(2, name.size())));
        if (row == nullptr || std::ranges::find(meant, row->long_name()) != meant.end())
            continue;
        if (!row->value.takes_value())
            typed.resize(end);
        else if (end == typed.size() || !is_value_of(*row, typed.substr(end + 1)))
            continue;
        found.emplace_back(name + typed.substr(std::min(end, typed.size())), typed);
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

bool has_any(std::string_view advice, std::initializer_list<std::string_view> places)
{
    return std::ranges::any_of(places,
                               [&](std::string_view place) { return advice.find(place) != advice.npos; });
}

/// Is one made first?
bool lacks_schedule_for(std::string_view advice, const Meaning& meaning)
{
    return meaning.file.empty() && !meaning.collective.empty() && has_any(advice, {"{file}"}) &&
           !has_any(advice, {"{kind}"});
}

/// Does the advice say what these words said, a part of Meaning::said?
bool uses(std::string_view advice, std::string_view part, const Meaning& meaning)
{
    const bool is_made = lacks_schedule_for(advice, meaning);
    if (part == "collective")
        return has_any(advice, {"{kind}"}) || is_made;
    if (part == "bytes")
        return has_any(advice, {"{bytes}", "{size}"}) || is_made;
    if (part == "timing")
        return has_any(advice, {"{bytes}", "{size}"}) && !meaning.timing_options().empty();
    if (part == "load")
        return has_any(advice, {"{load}", "{busy}"});
    if (part == "routing")
        return has_any(advice, {"{traffic}", "{routing}"});
    if (part == "pattern")
        return has_any(advice, {"{traffic}"});
    return has_any(advice, {"{traffic}", "{hardware}"}); // how the hardware is made
}

/// For a network of which no more is known than how many processors it has.
std::string stand_in_of(const std::string& processors)
{
    const auto count = number_of<unsigned>(processors);
    if (!count || *count < 2)
        return "mesh:4x4";
    return or_else(network_with("mesh", *count), fmt::format("ring:{}", *count));
}

/// With the network for which a schedule of another tool is, if the file does not say it.
std::string file_of(const Meaning& meaning)
{
    if (meaning.file.empty())
        return "schedule.json";
    const bool names_none = !meaning.network.empty() && kind_of_file(meaning.file) == FileKind::foreign;
    return names_none ? fmt::format("{} --topology {}", meaning.file, meaning.network) : meaning.file;
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

/// `this is a matrix of nvidia-smi topo; 'nocturne import ...' ...`, with what follows the file; empty for
/// other files.
std::string import_hint_of(const std::string& path, const std::string& settings)
{
    const std::string shown = path + settings, hint = import_hint(shown, beginning_of(path));
    return hint.empty() ? hint : hint.substr(shown.size() + std::string_view(": ").size());
}

/// Of collectives, by a benchmark.
bool is_measured(std::string_view text)
{
    return has_any(text, {"busbw", "OSU MPI ", "MPI Benchmarks"});
}

/// What other simulators print.
std::string_view results_in(std::string_view text)
{
    if (has_any(text, {"Begin Simulation Statistics"}))
        return "the statistics of gem5";
    return has_any(text, {"Overall Traffic Statistics", "Traffic class 0"}) ? "what BookSim2 prints" : "";
}

} // namespace

std::size_t used_parts(std::string_view advice, const Meaning& meaning)
{
    std::size_t count = 0;
    for (const auto& [part, word] : meaning.said)
        count += uses(advice, part, meaning) ? 1 : 0;
    count += !meaning.network.empty() && has_any(advice, {"{net}", "{gpus}"}) ? 1 : 0;
    return count + (!meaning.file.empty() && has_any(advice, {"{file}", "{config}", "{trace}"}) ? 1 : 0);
}

std::string filled(std::string_view advice, const std::vector<std::string>& arguments, Meaning meaning)
{
    const auto others = [&](std::string_view command, std::string_view place) {
        std::string line;
        if (advice.find(place) != advice.npos)
            for (const auto& [option, typed] : other_options(arguments, command)) {
                line += ' ' + option;
                std::erase(meaning.left_out, boost::replace_first_copy(typed, "=", " "));
            }
        return line;
    };
    const bool lacks_schedule = lacks_schedule_for(advice, meaning);
    const bool has_bytes = advice.find("{bytes}") != advice.npos || advice.find("{size}") != advice.npos;
    const std::string timing = has_bytes ? meaning.timing_options() : "";
    const std::string of_traffic = others("traffic", "{traffic}"),
                      of_schedule = others("schedule", "{bytes}");
    const auto option = [](const char* name, const std::string& value) {
        return value.empty() ? "" : fmt::format(" --{} {}", name, value);
    };
    std::string text(advice);
    for (const auto& [part, word] : meaning.said)
        if (!uses(advice, part, meaning))
            meaning.left_out.push_back(word);
    const std::string stand_in = stand_in_of(meaning.processors);
    const std::string file = file_of(meaning);
    constexpr std::string_view table = "examples/energy/router_45nm.json";
    const std::string place = place_of_example(table);
    const bool is_network_file = is_file_name(meaning.network);
    for (const auto& [name, value] : std::initializer_list<std::pair<const char*, std::string>>{
             {"{net}", or_else(meaning.network, stand_in)},
             {"{gpus}", or_else(meaning.network, "dgx_h100")},
             {"{kind}", or_else(meaning.collective, "allreduce")},
             {"{size}", or_else(meaning.bytes, "64MiB") + timing},
             {"{bytes}", fmt::format("{}{}{}", option("bytes", meaning.bytes), timing, of_schedule)},
             {"{traffic}", meaning.traffic_options() + of_traffic},
             {"{hardware}", meaning.hardware_options()},
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
                           or_else(meaning.network, stand_in), meaning.collective,
                           option("bytes", meaning.bytes), text);
    if (!meaning.advice.empty())
        text = fmt::format("{}; for example on another network: {}", meaning.advice, text);
    if (!meaning.file.empty() && text.find(meaning.file) == text.npos)
        meaning.left_out.push_back(meaning.file);
    if (has_bytes && !meaning.bytes_said.empty())
        text += fmt::format("; {} is taken as {}", meaning.bytes_said, meaning.bytes);
    if (meaning.network.empty() && advice.find("{net}") != advice.npos &&
        (!meaning.left_out.empty() || !meaning.processors.empty()))
        text += fmt::format("; {} stands for your network", stand_in);
    // Names of files and of endings are in the lines, if anything is.
    std::erase_if(meaning.left_out, [&](const std::string& left) {
        const std::string last = left.substr(left.rfind(' ') + 1);
        const std::string name = last.substr(std::min(last.find_first_not_of('-'), last.size()));
        return (left.starts_with('-') || name.find('.') != name.npos) && name.size() > 2 &&
               text.find(name) != text.npos;
    });
    return text + left_out_text(meaning);
}

std::string advice_on_foreign_file(const Meaning& meaning, const std::vector<std::string>& arguments)
{
    const std::string& path = meaning.file;
    if (const std::string hint = import_hint_of(path, settings_among(arguments)); !hint.empty()) {
        const bool makes_network = hint.find("makes a network") != hint.npos && !meaning.collective.empty();
        if (makes_network)
            return filled(
                fmt::format("{}, 'nocturne schedule network.json {{kind}}{{bytes}}' a schedule", hint),
                arguments, meaning);
        return filled(hint, arguments, meaning);
    }
    const std::string text = beginning_of(path);
    if (is_measured(text))
        return filled(
            fmt::format("it is a log of measured collectives: 'nocturne audit {} --topology {}' says how "
                        "near its times are to the least",
                        path,
                        !meaning.network.empty()          ? meaning.network
                        : text.find("A100") != text.npos  ? "dgx_a100"
                        : text.find("busbw") != text.npos ? "dgx_h100"
                                                          : "star:8 --link-rate 200Gb/s"),
            arguments, meaning);
    const std::string_view results = results_in(text);
    return results.empty()
               ? ""
               : fmt::format("{} is {}; that is not read: 'nocturne import' gives the command that does "
                             "what a configuration says",
                             path, results);
}

std::string advice_on_file(const std::string& path)
{
    const FileKind kind = kind_of_file(path);
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
    case FileKind::other:
    case FileKind::xml:
        return fmt::format("{} is a file of no kind that is known here ('nocturne man files')", path);
    default:
        return fmt::format("it is a file: 'nocturne report {} -o page.html' shows it", path);
    }
}

} // namespace nocturne::cli
