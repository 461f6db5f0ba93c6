#include "sim/cli/first_words.hpp"

#include "models/text/foreign_configuration.hpp"
#include "models/topology/files.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/file_kind.hpp"
#include "sim/cli/installed.hpp"
#include "sim/cli/near_network.hpp"
#include "sim/cli/problem_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace nocturne::cli {

namespace {

/// Words that mean the same, between spaces, and what to type: {net}, {kind} and the like stand for arguments,
/// and {network.svg} for a file of that ending or of one that the arguments name.
struct FirstWords {
    std::string_view words;
    std::string_view advice;
};

constexpr std::array first_words{
    FirstWords{
        "saturation saturate throughput load-latency sweep-load curve curves",
        "'nocturne traffic {net} --saturation' finds the load at which it saturates, 'nocturne traffic "
        "{net} --load 0.1:0.9:0.1' measures a curve"},
    FirstWords{
        "simulate simulation simulator sim run measure inject latency bench benchmark load packets noc",
        "'nocturne traffic {net}' sends synthetic traffic, 'nocturne replay {file}' runs a schedule"},
    FirstWords{
        "draw plot picture image diagram graph visualize visualise visualization svg show view display open "
        "animate movie gui html page",
        "'nocturne topology {net} -o {network.svg}' draws a network, 'nocturne report {file} -o page.html' "
        "makes a page of a network, a schedule or results"},
    FirstWords{"list ls topologies networks kinds generators",
               "'nocturne topology --list' lists the networks, 'nocturne schedule --help' the collectives"},
    FirstWords{
        "collectives patterns routings engines algorithms",
        "'nocturne schedule --help' lists collectives and engines, 'nocturne traffic --help' patterns and "
        "routings"},
    FirstWords{"info describe description properties stats metrics diameter bisection network net topo",
               "'nocturne topology {net} --measure' describes a network"},
    FirstWords{
        "shortest-path shortest-paths path paths distance distances hops hop-count average-distance",
        "'nocturne topology {net}' prints the hops of shortest paths, '--measure' more of them; in Python "
        "nocturne.Topology('{net}').hop_distances() has those of all pairs"},
    FirstWords{"generate create make build new save write",
               "'nocturne topology {net} -o {network.json}' writes a network"},
    FirstWords{
        "find search solve synthesize synthesise synth plan collective scheduler algorithm best compute",
        "'nocturne schedule {net} {kind}' searches a schedule"},
    FirstWords{
        "optimize optimise optimizer optimiser",
        "'nocturne schedule {net} {kind}' searches a schedule, 'nocturne design 64 --links 4' a network"},
    FirstWords{"nccl nccl-tests nccl-test rccl rccl-tests msccl mscclpp xml",
               "'nocturne schedule {gpus} {kind} --bytes {size} -o schedule.json' searches a schedule, "
               "'nocturne export schedule.json --msccl-xml schedule.xml' writes it for MSCCL"},
    FirstWords{
        "bandwidth busbw perf measured benchmark-log osu",
        "'nocturne audit all_reduce.log --topology dgx_h100' says how near measured times are to the least"},
    FirstWords{"booksim booksim2 noxim garnet gem5 astra-sim astrasim",
               "'nocturne import {config}{settings}' gives the command that does what a configuration of "
               "BookSim2, Noxim, "
               "Garnet or ASTRA-sim says"},
    FirstWords{
        "nvidia-smi rocm-smi simai",
        "'nocturne import topo.txt --gpu H100 -o network.json' makes a network of what nvidia-smi topo -m "
        "or rocm-smi --showtopo printed, 'nocturne import topo.xml -o network.json' of NCCL's topology"},
    FirstWords{"verilog systemverilog sv rtl hdl synthesis",
               "'nocturne export {net} --rtl folder' writes a network in SystemVerilog"},
    FirstWords{
        "check verify lint test judge",
        "'nocturne validate {file}' checks a schedule, 'nocturne topology {net} --routing auto' a routing"},
    FirstWords{"deadlock route routing routes cdg vcs",
               "'nocturne topology {net} --routing {routing}' checks a routing for deadlock"},
    FirstWords{"prove proof optimal", "'nocturne certify {file}' checks the proof in a schedule's file"},
    FirstWords{"bounds limit limits ideal optimum lower-bound lowerbound minimum cost estimate",
               "'nocturne bound {net} {kind}' computes lower bounds"},
    FirstWords{"repair fix reroute fault faults failure failures resilience",
               "'nocturne reschedule {file} --fault link:00-01' repairs a schedule, 'nocturne recover {file} "
               "--fault "
               "link:00-01 --at-step 1' runs it through the fault"},
    FirstWords{"convert translate",
               "'nocturne topology {net} -o {network.graphml}' converts a network{schedule}"},
    FirstWords{"power energy",
               "'nocturne traffic {net} --energy {energy}' counts energy with such a table{places}"},
    FirstWords{"trace workload netrace", "'nocturne traffic {net} --trace {trace}' replays a trace"},
    FirstWords{"examples example tutorial demo quickstart start getting-started docs documentation manual",
               "'nocturne topology {net}', 'nocturne traffic {net}' and 'nocturne schedule {net} {kind}' are "
               "first steps; 'nocturne schedule --help' and the others end with examples"},
    FirstWords{
        "options settings configuration",
        "'nocturne traffic --help' lists the options of a command; '--config FILE' reads them from a file"},
};

std::string lower_case(std::string_view text)
{
    std::string lower;
    for (const char c : text)
        lower += c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
}

const FirstWords* find_row(std::string_view text)
{
    const std::string word = ' ' + lower_case(text) + ' ';
    const auto row = std::ranges::find_if(first_words, [&](const FirstWords& words) {
        return (' ' + std::string(words.words) + ' ').find(word) != std::string::npos;
    });
    return row == first_words.end() ? nullptr : &*row;
}

/// The options among the arguments that a command has, with their values.
std::string options_among(const std::vector<std::string>& arguments, std::string_view command)
{
    const OptionTable options = options_of(find_command(command));
    std::string line;
    bool is_value = false;
    for (const std::string& argument : arguments) {
        if (argument.starts_with("--")) {
            const OptionRow* const row = options.find(argument.substr(2, argument.find('=') - 2));
            const bool is_taken = row != nullptr && row->long_name() != "topology";
            is_value = is_taken && row->value.takes_value() && argument.find('=') == argument.npos;
            if (is_taken)
                line += ' ' + argument;
        } else if (std::exchange(is_value, false))
            line += ' ' + argument;
    }
    return line;
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

/// A file that exists, or else the first word that looks like one.
std::string file_among(const std::vector<std::string>& arguments, std::string_view otherwise)
{
    const auto is_name = [](std::string_view word) {
        return word.find('.') != std::string_view::npos && !word.starts_with('-') && !is_option_value(word);
    };
    return first_of(arguments, is_file_name)
        .value_or(
            first_of({arguments.begin() + 1, arguments.end()}, is_name).value_or(std::string(otherwise)));
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

std::string filled(std::string_view advice, const std::vector<std::string>& arguments)
{
    std::string text = replaced(std::string(advice), "{net}", network_in(arguments));
    text = replaced(std::move(text), "{gpus}", network_in(arguments, "dgx_h100"));
    text = replaced(std::move(text), "{kind}", first_of(arguments, is_collective).value_or("allreduce"));
    text = replaced(std::move(text), "{size}", first_of(arguments, is_size).value_or("64MiB"));
    text = replaced(std::move(text), "{config}", file_among(arguments, "sim.cfg"));
    text = replaced(std::move(text), "{settings}", settings_among(arguments));
    text = replaced(std::move(text), "{trace}", file_among(arguments, "trace.csv"));
    const std::string routing = value_of(arguments, "routing");
    text = replaced(std::move(text), "{routing}", routing.empty() ? "auto" : routing);
    for (const std::string usual : {"network.svg", "network.json", "network.graphml"})
        text = replaced(std::move(text), fmt::format("{{{}}}", usual), network_file(arguments, usual));
    constexpr std::string_view table = "examples/energy/router_45nm.json";
    const std::string place = place_of_example(table);
    text = replaced(std::move(text), "{energy}", place.empty() ? table : place);
    text = replaced(std::move(text), "{places}", place.empty() ? "; " + places_of_examples() : "");
    const std::string file = first_of(arguments, is_file_name).value_or("schedule.json");
    const bool is_network = file == network_in(arguments);
    text = replaced(std::move(text), "{schedule}",
                    is_network ? "" : ", 'nocturne export {file} --msccl-xml schedule.xml' a schedule");
    return replaced(std::move(text), "{file}", file);
}

/// `this is a matrix of nvidia-smi topo; 'nocturne import …' …`, with what follows the file; empty for other
/// files.
std::string import_hint_of(const std::string& path, const std::string& settings)
{
    const std::string shown = path + settings, hint = import_hint(shown, read_file(path));
    return hint.empty() ? hint : hint.substr(shown.size() + std::string_view(": ").size());
}

std::string advice_on_file(const std::string& path, const std::string& settings)
{
    switch (kind_of_file(path)) {
    case FileKind::topology:
        return fmt::format(
            "it is a network: 'nocturne topology {0}' describes it, 'nocturne traffic {0}' sends "
            "traffic, 'nocturne schedule {0} allreduce' searches a schedule",
            path);
    case FileKind::schedule:
    case FileKind::chunks:
    case FileKind::foreign:
        return fmt::format(
            "it is a schedule: 'nocturne validate {0}' checks it, 'nocturne replay {0}' runs it, "
            "'nocturne report {0} -o page.html' shows it",
            path);
    default:
        if (const std::string hint = import_hint_of(path, settings); !hint.empty())
            return hint;
        return fmt::format("it is a file: 'nocturne report {} -o page.html' shows it", path);
    }
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
                      arguments);
    std::vector<std::string_view> having;
    for (const Command& command : commands())
        if (name.starts_with("--") && options_of(command).find(name.substr(2)) != nullptr)
            having.push_back(command.usage.command);
    if (having.empty() || having.size() == commands().size())
        return "a command comes first: 'nocturne traffic mesh:4x4 --load 0.1'";
    return fmt::format("a command comes first; {} {} it: 'nocturne {} --help'",
                       fmt::join(having, having.size() == 2 ? " and " : ", "),
                       having.size() == 1 ? "has" : "have", having.front());
}

/// Without words of options and what stands behind them, which may be their values.
std::vector<std::string> without_options(const std::vector<std::string>& arguments)
{
    std::vector<std::string> words;
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (!arguments[i].starts_with('-') && (i == 0 || !arguments[i - 1].starts_with('-')))
            words.push_back(arguments[i]);
    return words;
}

/// Of nccl-tests: the first size, the number of iterations, of GPUs.
bool is_option_of_tests(std::string_view word)
{
    constexpr std::array options{"-b", "-e", "-n", "-g", "-f", "-w"};
    return std::ranges::find(options, word) != options.end();
}

/// The collective of `all_reduce_perf -b 1G`, `bench allreduce` or `-b 1G -n 8`; empty for other lines.
std::string collective_of_tests(const std::vector<std::string>& arguments)
{
    const std::string first = lower_case(arguments.front());
    std::string collective = first_of(arguments, is_collective).value_or("allreduce");
    if (is_option_of_tests(first))
        return collective;
    constexpr std::string_view perf = "-perf";
    if (first.ends_with(perf))
        if (const std::string stem = first.substr(0, first.size() - perf.size()); is_collective(stem))
            return stem;
    const FirstWords* const row = find_row("bench");
    return find_row(first) == row && first_of(arguments, is_collective) && !first_of(arguments, is_file_name)
               ? collective
               : "";
}

/// The row of the first word, or of a later one where the first only asks for something to be made.
const FirstWords* row_of(const std::vector<std::string>& arguments)
{
    const FirstWords* const first = find_row(arguments.front());
    for (const auto& [general, special] :
         {std::pair{"generate", "verilog"}, std::pair{"topo", "list"}, std::pair{"generate", "xml"}})
        if (first != nullptr && first == find_row(general))
            for (const std::string& argument : arguments)
                if (find_row(argument) == find_row(special))
                    return find_row(special);
    return first;
}

} // namespace

std::string advice_on(const std::vector<std::string>& arguments)
{
    const std::string& first = arguments.front();
    if (const std::string_view garnet = "--network=garnet";
        std::ranges::find(arguments, garnet) != arguments.end()) {
        const auto begin = std::ranges::find_if(arguments, [](auto& word) { return word.starts_with('-'); });
        return fmt::format("'nocturne import --garnet \"{}\"' gives the command for a command line of Garnet",
                           fmt::join(begin, arguments.end(), " "));
    }
    if (first.starts_with('-') && !is_option_of_tests(first))
        return advice_on_first_option(arguments);
    constexpr std::string_view of_collective =
        "'nocturne schedule {gpus} {kind} --bytes {size}' searches a schedule and prints its time and "
        "bandwidth, 'nocturne bound {gpus} {kind} --bytes {size}' the least time possible";
    const std::vector<std::string> others(arguments.begin() + 1, arguments.end());
    if (const std::string of_tests = collective_of_tests(arguments); !of_tests.empty())
        return filled(replaced(replaced(std::string(of_collective), "{gpus}",
                                        network_in(without_options(arguments), "dgx_h100")),
                               "{kind}", of_tests),
                      arguments);
    if (const FirstWords* const row = row_of(arguments))
        return filled(row->advice, arguments);
    if (is_collective(first)) {
        std::string options = options_among(arguments, "schedule");
        if (const auto size = first_of(others, is_size); size && options.find("--bytes") == options.npos)
            options += " --bytes " + *size;
        return fmt::format("'nocturne schedule {} {}{}' searches a schedule for it", network_in(others),
                           first, options);
    }
    if (is_specification(first))
        return filled(
            "it is a network: 'nocturne topology {net}' describes it, 'nocturne traffic {net}' sends "
            "synthetic traffic, 'nocturne schedule {net} {kind}' searches a schedule",
            arguments);
    if (is_file_name(first))
        return advice_on_file(first, settings_among(arguments));
    if (const auto meant = meant_specifications(first); !meant.empty())
        return filled(
            "a command comes first: 'nocturne topology {net}', 'nocturne traffic {net}', 'nocturne schedule "
            "{net} {kind}'",
            arguments);
    return {};
}

} // namespace nocturne::cli
