#include "sim/cli/option_words.hpp"

#include "models/text/neighbour_words.hpp"
#include "models/text/unknown_name.hpp"
#include "sim/cli/command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

namespace nocturne::cli {

namespace {

/// Stands the word in the text, with no letter before or behind it?
bool has_word(std::string_view text, std::string_view word)
{
    const auto is_letter = [&](std::size_t at) {
        return at < text.size() && std::isalpha(static_cast<unsigned char>(text[at])) != 0;
    };
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
        if ((at == 0 || !is_letter(at - 1)) && !is_letter(at + word.size()))
            return true;
    return false;
}

/// Of a name that resembles none: the options that begin so, or else those whose help has it as a word.
/// Empty if there are none, or many.
std::string hint_at(std::string_view word, const OptionTable& options)
{
    constexpr std::size_t fewest_letters = 2, most_named = 3;
    std::vector<std::string> begin_so, say_so;
    for (const OptionRow& option : options.rows()) {
        if (option.long_name().starts_with(word))
            begin_so.push_back("--" + option.long_name());
        if (has_word(option.help, word))
            say_so.push_back("--" + option.long_name());
    }
    const std::vector<std::string>& found = begin_so.empty() ? say_so : begin_so;
    if (word.size() < fewest_letters || found.empty() || found.size() > most_named)
        return {};
    const std::string names = fmt::format("{}", fmt::join(found, " or "));
    return begin_so.empty() ? fmt::format("{} may be meant: its help mentions '{}'", names, word)
                            : fmt::format("did you mean {}?", names);
}

/// `'nocturne traffic', 'nocturne compare' have it`; empty if none has an option of that name.
std::string commands_with(std::string_view word)
{
    constexpr std::size_t most_named = 4;
    std::vector<std::string_view> having;
    for (const Command& command : commands())
        if (word.starts_with("--") && options_of(command).find(std::string(word.substr(2))) != nullptr)
            having.push_back(command.usage.command);
    if (having.empty())
        return {};
    const bool are_many = having.size() > most_named;
    having.resize(std::min(having.size(), most_named));
    return fmt::format("'nocturne {}'{} {} it", fmt::join(having, "', 'nocturne "),
                       are_many ? " and others" : "", having.size() == 1 ? "has" : "have");
}

/// `'nocturne traffic' has '--load' for it`; empty if no command has.
std::string command_with_meant(std::string_view word)
{
    for (const Command& command : commands()) {
        const OptionTable options = options_of(command);
        std::vector<std::string> names;
        for (const OptionRow& option : options.rows())
            names.push_back("--" + option.long_name());
        if (const NeighbourWord* const known = find_neighbour_word(word, names))
            return fmt::format("'nocturne {}' has '{}' for it", command.usage.command, known->here);
    }
    return {};
}

/// `8x8`, or several numbers that are joined so.
bool is_grid_size(std::string_view text)
{
    return text.find('x') != std::string_view::npos &&
           text.find_first_not_of("0123456789x") == std::string_view::npos;
}

/// Of textbooks, and of NCCL.
bool is_algorithm(std::string_view text)
{
    constexpr std::array names{"tree",         "double_tree",      "double-tree",        "binomial", "bruck",
                               "rabenseifner", "halving-doubling", "recursive-doubling", "nvls",     "pat"};
    return std::ranges::find(names, text) != names.end();
}

/// Of a command that has results, but not in one file of --output.
std::string writers_among(const OptionTable& options)
{
    std::vector<std::string> names;
    for (const OptionRow& row : options.rows())
        if (row.value.written == Written::file)
            names.push_back("--" + row.long_name());
    if (names.empty())
        return "it writes no file; --json prints all figures";
    return fmt::format("results are written by {}; --json prints all figures", fmt::join(names, ", "));
}

/// What a name means that is no option here, and no other word for one.
std::string advice_on_option(std::string_view word, const std::string& value, const OptionTable& options)
{
    const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
        return std::ranges::find(names, word) != names.end();
    };
    const bool has_topology = options.find("topology") != nullptr;
    if (is_one_of({"--algo", "--algorithm", "--alg"}) && value == "ring" && options.find("engine") != nullptr)
        return "a ring is a network here, such as ring:8; on another network engines find what takes least";
    if (is_one_of({"--algo", "--algorithm", "--alg"}) && is_algorithm(value) &&
        options.find("engine") != nullptr)
        return fmt::format(
            "{} is not chosen by name here: engines find what takes least, whatever it is called", value);
    if (is_one_of({"--size", "--dims", "--dim", "--shape", "--dimensions", "--grid"}) && has_topology &&
        is_grid_size(value))
        return fmt::format("sizes are part of the network: '--topology mesh:{}'", value);
    if (is_one_of({"-o", "--output", "--out", "--save"}) && options.find("output") == nullptr)
        return writers_among(options);
    if (is_one_of({"--proto", "--protocol"}) && options.find("start-cycles") != nullptr)
        return "protocols of NCCL are not modelled: --start-cycles is the start-up of a transfer";
    if (word.starts_with("-j") && word.find_first_not_of("0123456789", 2) == std::string_view::npos &&
        options.find("workers") != nullptr)
        return fmt::format("here it is '--workers{}{}'", word.size() > 2 ? " " : "", word.substr(2));
    if (is_one_of({"--verbose", "--debug", "-v", "-vv"}))
        return "'--json' prints all figures";
    if (word.starts_with("--list-"))
        return "'nocturne traffic --help' lists patterns and routings, 'nocturne schedule --help' "
               "collectives and "
               "engines, 'nocturne topology --list' networks";
    if (is_one_of({"--quiet", "--silent", "-q"}))
        return "there is none: what is printed goes to standard output, remarks to standard error";
    if (is_one_of({"-b", "-e", "-n", "-w", "-g", "-m"}) && options.find("bytes") != nullptr)
        return "of measuring tools: sizes are '--bytes 1MiB' here, and a time is computed once, not measured";
    return {};
}

} // namespace

std::string unrecognised_option(const std::string& name, const OptionTable& options, const std::string& value)
{
    std::vector<std::string> names;
    for (const OptionRow& option : options.rows())
        names.push_back("--" + option.long_name());
    const std::size_t equals = std::min(name.find('='), name.size());
    const std::string word = name.substr(0, equals);
    std::string meant =
        advice_on_option(word, equals < name.size() ? name.substr(equals + 1) : value, options);
    if (meant.empty())
        meant = meant_name(word.starts_with('-') ? word : "--" + word, names);
    if (meant.empty())
        meant = commands_with(word);
    if (meant.empty())
        meant = hint_at(word.substr(std::min(word.find_first_not_of('-'), word.size())), options);
    if (meant.empty())
        meant = command_with_meant(word);
    return fmt::format("unrecognised option '{}'{}{}", shortened(name), meant.empty() ? "" : ": ", meant);
}

} // namespace nocturne::cli
