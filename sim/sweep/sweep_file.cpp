#include "models/text/ini_lines.hpp"
#include "models/text/json_text.hpp"
#include "models/text/number_range.hpp"
#include "models/text/unknown_name.hpp"
#include "models/text/utf8.hpp"
#include "models/topology/files.hpp"
#include "sim/sweep/sweep_plan.hpp"

#include <boost/algorithm/string/replace.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

/// Stands in an INI file for an option that a point leaves out.
constexpr std::string_view left_out = "-";

/// Of the first range in a word; npos if it has none.
std::pair<std::size_t, std::size_t> braces_of_range(std::string_view word)
{
    for (std::size_t open = word.find('{'); open != word.npos; open = word.find('{', open + 1)) {
        const std::size_t close = word.find_first_of("{}", open + 1);
        if (close == word.npos || word[close] != '}')
            continue;
        const std::string_view range = word.substr(open + 1, close - open - 1);
        if (range.find("..") != range.npos) {
            std::string now(range);
            boost::replace_all(now, "..", ":");
            throw std::invalid_argument(fmt::format("'{{{}}}': ranges are written with colons: {{{}}}",
                                                    shortened(range), shortened(now)));
        }
        if (range.find(':') != range.npos)
            return {open, close};
    }
    return {word.npos, word.npos};
}

/// The words that a word with ranges stands for. They are counted before they are spelled out.
std::vector<std::string> with_ranges(const std::string& word, std::size_t most = most_sweep_points)
{
    const auto [open, close] = braces_of_range(word);
    if (close == std::string::npos)
        return {word};
    const NumberRange range(std::string_view(word).substr(open + 1, close - open - 1), plain_decimal, "1",
                            most_sweep_points);
    if (range.size() > most)
        throw std::invalid_argument(
            fmt::format("'{}': more than {} values", shortened(word), most_sweep_points));
    const std::vector<std::string> ends = with_ranges(word.substr(close + 1), most / range.size());
    std::vector<std::string> words;
    for (std::size_t i = 0; i < range.size(); ++i)
        for (const std::string& end : ends)
            words.push_back(fmt::format("{}{}{}", word.substr(0, open), range[i], end));
    return words;
}

/// The option of this name among those of a list, which gets it if it is new.
SweptOption& option_of(std::vector<SweptOption>& options, const std::string& name)
{
    const auto found = std::find_if(options.begin(), options.end(),
                                    [&](const SweptOption& option) { return option.option == name; });
    return found != options.end() ? *found : options.emplace_back(SweptOption{name, {}});
}

/// Adds a line of an INI file to the plan; `blocks` are the places of those with a name.
void add_line(SweepPlan& plan, std::map<std::string, std::size_t>& blocks, const IniLine& line)
{
    const auto& [section, name, value] = line;
    if (section == "options") {
        SweptOption& option = option_of(plan.fixed, name);
        option.choices.resize(1);
        option.choices.front().push_back(value);
    } else if (section == "sweep" || section.starts_with("sweep ")) {
        const auto [block, is_new] = blocks.emplace(section, plan.blocks.size());
        if (is_new)
            plan.blocks.emplace_back();
        SweptOption& option = option_of(plan.blocks[block->second].options, name);
        for (const std::string& word : sweep_words(value))
            option.choices.push_back(word == left_out ? OptionOccurrences{} : OptionOccurrences{word});
    } else if (section.empty() && name == "command" && plan.command.empty()) {
        plan.command = value;
    } else if (section.empty() && name == "columns") {
        for (std::string& word : sweep_words(value))
            plan.columns.push_back(std::move(word));
    } else if (section.empty() && name == "command") {
        throw std::invalid_argument("command: appears twice");
    } else {
        throw std::invalid_argument(fmt::format(
            "'{}': expected command, columns, [options] with options of all points, and [sweep] or [sweep "
            "NAME] with values",
            shortened(section.empty() ? name : fmt::format("{}.{}", section, name))));
    }
}

SweepPlan plan_of_ini(std::string_view text)
{
    SweepPlan plan;
    std::map<std::string, std::size_t> blocks;
    for (const IniLine& line : ini_lines(text))
        add_line(plan, blocks, line);
    return plan;
}

std::string text_of(const nlohmann::ordered_json& value, const std::string& option)
{
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_number() || value.is_boolean())
        return json_text(value);
    throw std::invalid_argument(fmt::format("{}: expected a text, a number, true or false, not {}", option,
                                            shortened(json_text(value))));
}

/// null: left out; a list: several times.
OptionOccurrences occurrences_of(const nlohmann::ordered_json& value, const std::string& option)
{
    if (value.is_null())
        return {};
    if (!value.is_array())
        return {text_of(value, option)};
    OptionOccurrences occurrences;
    for (const nlohmann::ordered_json& each : value)
        occurrences.push_back(text_of(each, option));
    return occurrences;
}

/// What stands alone is a list of itself.
nlohmann::ordered_json list_of(const nlohmann::ordered_json& value)
{
    return value.is_array() ? value : nlohmann::ordered_json::array({value});
}

const nlohmann::ordered_json& require_object(const nlohmann::ordered_json& json, std::string_view name)
{
    if (!json.is_object())
        throw std::invalid_argument(fmt::format("{}: expected an object of options and their values", name));
    return json;
}

SweepBlock block_of(const nlohmann::ordered_json& json)
{
    SweepBlock block;
    for (const auto& [name, values] : require_object(json, "sweep").items()) {
        SweptOption option{name, {}};
        for (const nlohmann::ordered_json& value : list_of(values)) {
            if (!value.is_string()) {
                option.choices.push_back(occurrences_of(value, name));
                continue;
            }
            for (std::string& word : with_ranges(value.get<std::string>()))
                option.choices.push_back({std::move(word)});
        }
        block.options.push_back(std::move(option));
    }
    return block;
}

SweepPlan plan_of_json(const nlohmann::ordered_json& json)
{
    SweepPlan plan;
    for (const auto& [name, value] : json.items()) {
        if (name == "command") {
            plan.command = text_of(value, name);
        } else if (name == "columns") {
            plan.columns = occurrences_of(value, name);
        } else if (name == "options") {
            for (const auto& [option, of_all] : require_object(value, name).items())
                plan.fixed.push_back({option, {occurrences_of(of_all, option)}});
        } else if (name == "sweep") {
            for (const nlohmann::ordered_json& block : list_of(value))
                plan.blocks.push_back(block_of(block));
        } else {
            throw std::invalid_argument(
                fmt::format("'{}': expected command, options, sweep and columns", shortened(name)));
        }
    }
    return plan;
}

void require_something_to_run(const SweepPlan& plan)
{
    if (plan.command.empty())
        throw std::invalid_argument("command is missing: the command of nocturne that each point runs");
    if (plan.blocks.empty())
        throw std::invalid_argument("sweep is missing: options with the values to combine");
    for (const SweepBlock& block : plan.blocks)
        for (const SweptOption& option : block.options)
            if (option.choices.empty())
                throw std::invalid_argument(fmt::format("{}: no values", shortened(option.option)));
}

} // namespace

std::vector<std::string> sweep_words(std::string_view text)
{
    std::vector<std::string> words;
    constexpr std::string_view blanks = " \t";
    for (std::size_t at = text.find_first_not_of(blanks); at < text.size();
         at = text.find_first_not_of(blanks, at)) {
        std::string word;
        bool is_quoted = false;
        while (at < text.size() && blanks.find(text[at]) == std::string_view::npos) {
            if (text[at] != '\'' && text[at] != '"') {
                word += text[at++];
                continue;
            }
            const std::size_t end = text.find(text[at], at + 1);
            if (end == std::string_view::npos)
                throw std::invalid_argument(
                    fmt::format("'{}': a quotation mark without its pair", shortened(text)));
            word += text.substr(at + 1, end - at - 1);
            is_quoted = true;
            at = end + 1;
        }
        for (std::string& each : is_quoted ? std::vector{word} : with_ranges(word))
            words.push_back(std::move(each));
    }
    return words;
}

SweepPlan parse_sweep_plan(std::string_view text, std::string_view origin)
{
    require_utf8(text, origin);
    try {
        const std::size_t begin = text.find_first_not_of(" \t\r\n");
        const bool is_json = begin != std::string_view::npos && text[begin] == '{';
        SweepPlan plan = is_json ? plan_of_json(ordered_json_of_unique_members(text)) : plan_of_ini(text);
        require_something_to_run(plan);
        count_points(plan);
        return plan;
    } catch (const nlohmann::json::exception& error) {
        throw std::runtime_error(fmt::format("{}: {}", origin, one_line(error.what())));
    } catch (const std::logic_error& error) {
        throw std::runtime_error(fmt::format("{}: {}", origin, error.what()));
    }
}

SweepPlan load_sweep_plan(const std::filesystem::path& file)
{
    return parse_sweep_plan(read_file(file), file.string());
}

} // namespace nocturne
