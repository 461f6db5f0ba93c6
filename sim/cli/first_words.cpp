#include "sim/cli/first_words.hpp"

#include "models/topology/make_topology.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/file_kind.hpp"
#include "sim/cli/problem_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>
#include <string_view>

namespace nocturne::cli {

namespace {

/// Words that mean the same, between spaces, and what to type: {net}, {kind} and {file} stand for arguments.
struct FirstWords {
    std::string_view words;
    std::string_view advice;
};

constexpr std::array first_words{
    FirstWords{
        "simulate simulation simulator sim run measure inject latency throughput saturation bench benchmark "
        "load sweep-load packets noc",
        "'nocturne traffic {net}' sends synthetic traffic, 'nocturne replay {file}' runs a schedule"},
    FirstWords{
        "draw plot picture image diagram graph visualize visualise visualization svg show view display open "
        "animate movie gui html page",
        "'nocturne topology {net} -o network.svg' draws a network, 'nocturne report {file} -o page.html' "
        "makes a page of a network, a schedule or results"},
    FirstWords{"list ls topologies networks kinds generators",
               "'nocturne topology --list' lists the networks, 'nocturne schedule --help' the collectives"},
    FirstWords{
        "collectives patterns routings engines algorithms",
        "'nocturne schedule --help' lists collectives and engines, 'nocturne traffic --help' patterns and "
        "routings"},
    FirstWords{"info describe description properties stats metrics diameter bisection network net",
               "'nocturne topology {net} --measure' describes a network"},
    FirstWords{"generate create make build new save write",
               "'nocturne topology {net} -o network.json' writes a network"},
    FirstWords{
        "find search solve synthesize synthesise synth plan optimize optimise optimizer collective scheduler "
        "algorithm best compute",
        "'nocturne schedule {net} {kind}' searches a schedule"},
    FirstWords{"verilog systemverilog rtl hdl synthesis",
               "'nocturne export {net} --rtl folder' writes a network in SystemVerilog"},
    FirstWords{
        "check verify lint test judge",
        "'nocturne validate {file}' checks a schedule, 'nocturne topology {net} --routing auto' a routing"},
    FirstWords{"deadlock route routing routes",
               "'nocturne topology {net} --routing auto' checks a routing for deadlock"},
    FirstWords{"prove proof optimal", "'nocturne certify {file}' checks the proof in a schedule's file"},
    FirstWords{"bounds limit limits ideal optimum lower-bound lowerbound minimum",
               "'nocturne bound {net} {kind}' computes lower bounds"},
    FirstWords{"repair fix reroute fault faults failure failures resilience",
               "'nocturne reschedule {file} --fault link:00-01' repairs a schedule, 'nocturne recover {file} "
               "--fault "
               "link:00-01 --at-step 1' runs it through the fault"},
    FirstWords{"convert translate",
               "'nocturne topology {net} -o network.graphml' converts a network, 'nocturne export "
               "{file} --msccl-xml schedule.xml' a schedule"},
    FirstWords{"power energy",
               "'nocturne traffic {net} --energy examples/energy/router_45nm.json' counts energy"},
    FirstWords{"trace workload", "'nocturne traffic {net} --trace trace.csv' replays a trace"},
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

bool is_file(std::string_view text)
{
    std::error_code none;
    return std::filesystem::is_regular_file(text, none);
}

/// Among all arguments, the values of options too: who asks wrongly for a command may ask so for options.
std::optional<std::string> first_of(const std::vector<std::string>& arguments,
                                    bool (*is_one)(std::string_view))
{
    const auto found = std::ranges::find_if(arguments, is_one);
    return found == arguments.end() ? std::nullopt : std::optional(*found);
}

std::string replaced(std::string text, std::string_view place, std::string_view value)
{
    for (std::size_t at = 0; (at = text.find(place, at)) != std::string::npos; at += value.size())
        text.replace(at, place.size(), value);
    return text;
}

std::string filled(std::string_view advice, const std::vector<std::string>& arguments)
{
    std::string text =
        replaced(std::string(advice), "{net}", first_of(arguments, is_specification).value_or("mesh:4x4"));
    text = replaced(std::move(text), "{kind}", first_of(arguments, is_collective).value_or("allreduce"));
    return replaced(std::move(text), "{file}", first_of(arguments, is_file).value_or("schedule.json"));
}

std::string advice_on_file(const std::string& path)
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
        return fmt::format("it is a file: 'nocturne report {} -o page.html' shows it", path);
    }
}

/// `--topology mesh:4x4 --load 0.1`: commands that have the option.
std::string advice_on_option(const std::string& option)
{
    const std::string name = option.substr(0, option.find('='));
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

} // namespace

std::string advice_on(const std::vector<std::string>& arguments)
{
    const std::string& first = arguments.front();
    if (first.starts_with('-'))
        return advice_on_option(first);
    if (const FirstWords* const row = find_row(first))
        return filled(row->advice, arguments);
    if (is_collective(first)) {
        const std::vector<std::string> rest{arguments.begin() + 1, arguments.end()};
        const std::string network = first_of(rest, is_specification).value_or("mesh:4x4");
        std::string line = fmt::format("nocturne schedule {} {}", network, first);
        for (const std::string& argument : rest)
            if (argument != network && argument != "--topology")
                line += ' ' + argument;
        return fmt::format("'{}' searches a schedule for it", line);
    }
    if (is_specification(first))
        return filled(
            "it is a network: 'nocturne topology {net}' describes it, 'nocturne traffic {net}' sends "
            "synthetic traffic, 'nocturne schedule {net} {kind}' searches a schedule",
            arguments);
    if (is_file(first))
        return advice_on_file(first);
    if (const auto meant = meant_specifications(first); !meant.empty())
        return filled(
            "a command comes first: 'nocturne topology {net}', 'nocturne traffic {net}', 'nocturne schedule "
            "{net} {kind}'",
            meant);
    return {};
}

} // namespace nocturne::cli
