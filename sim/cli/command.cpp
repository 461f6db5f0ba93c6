#include "sim/cli/command.hpp"

#include "models/text/ini_lines.hpp"
#include "models/text/unknown_name.hpp"
#include "models/text/utf8.hpp"
#include "models/topology/files.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/ranks/rank_transport.hpp"
#include "sim/cli/documentation.hpp"
#include "sim/cli/file_kind.hpp"
#include "sim/cli/first_words.hpp"
#include "sim/cli/option_words.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/problem_options.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/report/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <optional>
#include <stdexcept>

namespace nocturne::cli {

namespace po = boost::program_options;

namespace {

OptionTable common_options()
{
    constexpr std::uint64_t most_workers = 1024;
    return option_table(
        "Common options",
        {{"help,h", switch_value(), "print this help"},
         {"config", name_value("FILE"),
          "configuration file of `option = value` lines; the command line takes precedence"},
         {"json", switch_value(), "print one JSON object instead of tables"},
         {"wide", switch_value(), "print tables without wrapping at 100 characters"},
         {"seed", count_value(1), "random seed"},
         {"workers", count_value(0, {0, most_workers}), "worker processes; 0: one per core"}});
}

} // namespace

std::span<const Command> commands()
{
    static const std::array table{
        topology_command(), design_command(),   bound_command(),    schedule_command(), reschedule_command(),
        evolve_command(),   certify_command(),  validate_command(), replay_command(),   recover_command(),
        traffic_command(),  contract_command(), benes_command(),    front_command(),    audit_command(),
        compare_command(),  export_command(),   import_command(),   sweep_command(),    report_command()};
    return table;
}

const Command& find_command(std::string_view name, std::initializer_list<std::string_view> others)
{
    std::vector<std::string> names;
    for (const Command& command : commands()) {
        if (command.usage.command == name)
            return command;
        names.emplace_back(command.usage.command);
    }
    names.insert(names.end(), others.begin(), others.end());
    throw std::invalid_argument(
        fmt::format("{}; see 'nocturne --help'", unknown_name("command", name, names)));
}

std::span<const StatusMeaning> statuses()
{
    static constexpr StatusMeaning table[]{
        {all_is_well, "success"},
        {check_failed, "a check failed: an invalid schedule, a deadlock, a wrong memory"},
        {bad_use, "invalid usage or input"},
        {worker_died, "a worker process was killed, or memory ran out"},
        {130, "interrupted by Ctrl-C; any other signal N: 128 + N"},
    };
    return table;
}

std::string_view version()
{
    return NOCTURNE_VERSION;
}

OptionTable options_of(const Command& command)
{
    return common_options().add(command.options());
}

namespace {

/// The name that an option has today, by any name.
std::string_view name_today(const Usage& usage, std::string_view name)
{
    for (const Renamed& option : usage.renamed)
        if (option.old_name == name)
            return option.name;
    return name;
}

/// With the names of today in the place of old ones.
std::vector<std::string> with_names_of_today(const Usage& usage, std::vector<std::string> arguments)
{
    for (std::string& argument : arguments) {
        if (argument == "--")
            break;
        if (!argument.starts_with("--"))
            continue;
        const std::size_t end = std::min(argument.find('='), argument.size());
        argument.replace(2, end - 2, name_today(usage, std::string_view(argument).substr(2, end - 2)));
    }
    return arguments;
}

/// Throws for a value that its option cannot have. One without a text that is not a mistake has none at all.
void check_values(const po::parsed_options& parsed, const OptionTable& options)
{
    for (const auto& option : parsed.options) {
        const OptionRow* const row = options.find(option.string_key);
        if (row == nullptr || !row->value.takes_value())
            continue;
        for (const std::string& text : option.value) {
            if (text.empty())
                throw std::invalid_argument(fmt::format("--{}: the value is empty", option.string_key));
            check_value(*row, text);
        }
    }
}

/// What was meant by a second argument that stands alone, where one is expected.
std::string meant_second_word(const Usage& usage, const OptionTable& options, const std::string& first,
                              const std::string& second, const std::vector<std::string>& words)
{
    const std::string near = near_network({std::ranges::find(words, first), words.end()});
    if (usage.positional == "topology" && !near.empty() && near != first && !is_specification(second))
        return fmt::format("did you mean '{}'?", near);
    std::vector<std::string> writers;
    for (const OptionRow& row : options.rows())
        if (row.value.written == Written::file)
            writers.push_back("--" + row.long_name());
    for (const std::string& word : {first, second})
        if (!is_specification(word) && !is_collective(word) && !is_file_name(word)) {
            std::vector<std::string> from_word = words;
            const auto found = std::ranges::find(from_word, word);
            std::rotate(from_word.begin(), found, found == from_word.end() ? found : found + 1);
            from_word.emplace_back(usage.command);
            if (const std::string advice = advice_on(from_word); !advice.empty())
                return advice;
        }
    std::error_code error;
    if (second.find('.') != std::string::npos && !std::filesystem::exists(second, error) && !writers.empty())
        return fmt::format("files are written by {}", fmt::join(writers, ", "));
    return fmt::format("one {} is expected; options begin with --",
                       usage.positional == "what" ? "file or network" : usage.positional);
}

/// Gives each argument that stands alone to the option that it is a value of. Throws where there are more
/// than that takes.
void sort_bare_words(const Usage& usage, const OptionTable& options, const std::vector<std::string>& words,
                     po::parsed_options& parsed)
{
    const OptionRow* const row = options.find(usage.positional);
    const bool takes_several = row != nullptr && row->value.is_repeated;
    std::string before;
    const auto give = [&](po::option& option, const std::string& name) {
        const auto other = std::ranges::find(parsed.options, name, &po::option::string_key);
        const OptionRow* const taker = options.find(name);
        if (other != parsed.options.end() && taker != nullptr && !taker->value.is_repeated)
            throw std::invalid_argument(fmt::format("{}: '{}' and '{}': one --{} is expected", usage.command,
                                                    shortened(other->value.front()),
                                                    shortened(option.value.front()), name));
        option.string_key = name;
        option.position_key = -1;
    };
    for (po::option& option : parsed.options) {
        if (option.position_key < 0)
            continue;
        const std::string& word = option.value.front();
        const auto bare =
            std::ranges::find_if(usage.bare_words, [&](const BareWord& each) { return each.is_one(word); });
        if (bare != usage.bare_words.end()) {
            give(option, std::string(bare->option));
            continue;
        }
        const bool is_one =
            usage.positional == "topology" && is_specification(fmt::format("{}:{}", before, word));
        const bool is_plain = word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_-") == std::string::npos;
        if (const std::string near = near_network({before, word});
            is_plain && usage.positional == "topology" && !before.empty() && !is_specification(before) &&
            !near.empty())
            throw std::invalid_argument(fmt::format("{}: '{}' and '{}': did you mean '{}'?", usage.command,
                                                    shortened(before), shortened(word), near));
        if (!before.empty() && !is_one && is_plain && !usage.bare_words.empty()) {
            give(option,
                 std::string(usage.bare_words.front().option)); // which says that it is none, and names them
            continue;
        }
        if (!before.empty() && (is_one || !takes_several))
            throw std::invalid_argument(fmt::format("{}: '{}' and '{}': {}", usage.command, shortened(before),
                                                    shortened(word),
                                                    meant_second_word(usage, options, before, word, words)));
        before = word;
    }
}

/// The word behind an unknown option, which may be its value; empty if there is none.
std::string value_behind(const std::vector<std::string>& words, const po::option& option)
{
    const auto at = std::ranges::find(words, option.original_tokens.front());
    return at == words.end() || at + 1 == words.end() || (at + 1)->starts_with('-') ? "" : *(at + 1);
}

po::parsed_options parse_arguments(const Usage& usage, const std::vector<std::string>& arguments,
                                   const OptionTable& options)
{
    po::positional_options_description positional;
    positional.add(std::string(usage.positional).c_str(), -1);
    // No guessing: an option that is added later must not change what an abbreviation meant.
    const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
    const std::vector<std::string> words = with_names_of_today(usage, arguments);
    po::parsed_options parsed = po::command_line_parser(words)
                                    .options(options.description())
                                    .positional(positional)
                                    .style(style)
                                    .allow_unregistered()
                                    .run();
    std::vector<std::string> unknown;
    for (const po::option& option : parsed.options)
        if (option.unregistered)
            unknown.push_back(
                unrecognised_option(option.original_tokens.front(), options, value_behind(words, option)));
    if (!unknown.empty())
        throw std::invalid_argument(fmt::format("{}: {}; see 'nocturne {} --help'", usage.command,
                                                fmt::join(unknown, "; "), usage.command));
    sort_bare_words(usage, options, words, parsed);
    return parsed;
}

/// Adds what the file says that the command line does not.
void store_file(const Usage& usage, const std::string& path, const OptionTable& options,
                po::variables_map& map)
{
    const std::string text = read_file(path);
    try {
        const std::vector<IniLine> lines = ini_lines(text);
        require_utf8(text, path);
        po::parsed_options parsed(&options.description());
        for (const IniLine& line : lines) {
            const std::string name(name_today(usage, line.name));
            if (!line.section.empty() || options.find(name) == nullptr)
                throw std::invalid_argument(unrecognised_option(
                    line.section.empty() ? name : fmt::format("{}.{}", line.section, name), options));
            if (name == "help" || name == "config")
                throw std::invalid_argument(fmt::format("'{}' is for the command line only", name));
            parsed.options.emplace_back(name, std::vector{line.value});
        }
        check_values(parsed, options);
        // Of what may be given several times, too: Boost would add the file's to those of the command line.
        std::erase_if(parsed.options, [&](const po::option& option) {
            return map.count(option.string_key) != 0 && !map[option.string_key].defaulted();
        });
        po::store(parsed, map);
    } catch (const std::logic_error& error) { // those of Boost, too
        throw std::runtime_error(fmt::format("{}: {}", path, error.what()));
    }
}

/// `engine=gappin` as it is typed.
std::string typed(std::string need)
{
    std::ranges::replace(need, '=', ' ');
    return "--" + need;
}

/// Options that say nothing without others (OptionRow::needs).
void refuse_needy(const OptionValues& values)
{
    const std::vector<std::string> given = values.given();
    const auto is_met = [&](const std::string& need) {
        const std::size_t equals = need.find('=');
        if (equals == std::string::npos)
            return std::ranges::find(given, need) != given.end();
        const OptionRow* const other = values.options().find(need.substr(0, equals));
        return other != nullptr && values.json(*other) == need.substr(equals + 1);
    };
    for (const std::string& name : given) {
        const OptionRow& row = *values.options().find(name);
        if (row.needs.empty() || std::ranges::any_of(row.needs, is_met))
            continue;
        std::vector<std::string> needs;
        std::ranges::transform(row.needs, std::back_inserter(needs), typed);
        throw std::invalid_argument(fmt::format("--{}: only with {}", name, fmt::join(needs, " or ")));
    }
}

/// Nothing if --help was given and answered.
std::optional<OptionValues> parse(const Command& command, const std::vector<std::string>& arguments)
{
    const Usage& usage = command.usage;
    const OptionTable options = options_of(command);
    for (const std::string& argument : arguments)
        if (find_invalid_utf8(argument))
            throw std::invalid_argument(
                fmt::format("{}: '{}' is not UTF-8", usage.command, shortened(argument)));
    const po::parsed_options parsed = parse_arguments(usage, arguments, options);
    po::variables_map map;
    po::store(parsed, map);
    if (map["help"].as<bool>()) {
        const auto& words = arguments;
        const bool is_all = std::ranges::find(words, "all") != words.end();
        fmt::print("{}", help_text(usage, options, is_all ? HelpLength::all : HelpLength::usual));
        return std::nullopt;
    }
    check_values(parsed, options);
    if (map.count("config") != 0)
        store_file(usage, map["config"].as<std::string>(), options, map);
    po::notify(map);
    OptionValues given(std::move(map), options, command_line(usage.command, arguments));
    refuse_needy(given);
    require_places(given);
    const bool is_superfluous = !usage.alternative.empty() && given.is_given(std::string(usage.alternative));
    if (!given.has(std::string(usage.positional)) && !is_superfluous)
        throw std::invalid_argument(fmt::format("{}: {} is missing; see 'nocturne {} --help'", usage.command,
                                                usage.positional, usage.command));
    return given;
}

} // namespace

OptionValues values_of(const Command& command, const std::vector<std::string>& arguments)
{
    const OptionTable options = options_of(command);
    const po::parsed_options parsed = parse_arguments(command.usage, arguments, options);
    po::variables_map map;
    po::store(parsed, map);
    check_values(parsed, options);
    po::notify(map);
    return OptionValues(std::move(map), options, command_line(command.usage.command, arguments));
}

int run_command(const Command& command, const std::vector<std::string>& arguments)
{
    const std::optional<OptionValues> given = parse(command, arguments);
    if (!given)
        return all_is_well;
    if (given->is_on("wide"))
        std::cout << wide_tables;
    given->workers(); // a limit, which a command that works in this process alone keeps
    const int status = command.run(*given);
    given->has("config"); // has been read
    // A check that fails ends a command before it has read what it would do next, and the first rank of a job
    // writes for all of them.
    const auto rank = rank_environment();
    const bool is_whole = status == all_is_well && (!rank || rank->rank == 0);
    if (const auto unused = given->unused(); is_whole && !unused.empty())
        throw std::logic_error(fmt::format("{}: --{} was given, and made no difference",
                                           command.usage.command, fmt::join(unused, ", --")));
    return status;
}

} // namespace nocturne::cli
