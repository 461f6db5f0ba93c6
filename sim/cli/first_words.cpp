#include "sim/cli/first_words.hpp"

#include "models/text/foreign_configuration.hpp"
#include "models/text/neighbour_words.hpp"
#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/make_topology.hpp"
#include "sim/cli/advice_text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/file_kind.hpp"
#include "sim/cli/first_word_rows.hpp"
#include "sim/cli/installed.hpp"
#include "sim/cli/meaning.hpp"
#include "sim/cli/plain_words.hpp"
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

/// The row of a word, or what follows from the contents, that says most of what is meant. What is asked for
/// by name counts more than a word that says little, and the first of several.
std::pair<std::string_view, const FirstWords*> best_advice(const std::vector<std::string>& arguments,
                                                           const Meaning& meaning)
{
    constexpr std::size_t of_special = 5, of_part = 2;
    std::pair<std::string_view, const FirstWords*> best;
    std::size_t most = 0;
    for (const std::string& argument : arguments) {
        std::vector<std::string> words;
        boost::split(words, argument, boost::is_any_of(" "));
        for (const std::string& word : words) {
            const FirstWords* const row = find_row(word);
            if (row == nullptr)
                continue;
            const std::size_t score =
                1 + of_part * used_parts(row->advice, meaning) + (row->is_general ? 0 : of_special);
            if (score > most)
                best = {row->advice, row};
            most = std::max(most, score);
        }
    }
    const std::string_view content = advice_by_content(meaning);
    return content.empty() || of_part * used_parts(content, meaning) <= most
               ? best
               : std::pair{content, best.second};
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
    Meaning meaning = meaning_of(arguments);
    const auto [best, row] = best_advice(arguments, meaning);
    std::erase_if(meaning.left_out, [&, chosen = row](const std::string& word) {
        const FirstWords* const of_word = find_row(word);
        return of_word != nullptr && (of_word->is_general || of_word == chosen);
    });
    if (!meaning.file.empty())
        if (std::string advice = advice_on_foreign_file(meaning, arguments); !advice.empty())
            return advice;
    if (is_of_tests(arguments, meaning))
        return filled(on_gpus, arguments, meaning);
    if (row != nullptr)
        return filled(best, arguments, meaning);
    if (is_file_name(first) && meaning.collective.empty())
        return advice_on_file(first);
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
