#include "sim/sweep/sweep_plan.hpp"

#include "models/text/unknown_name.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

namespace nocturne {
namespace {

constexpr std::string_view point_placeholder = "{point}";

std::uint64_t count_points(const SweepBlock& block)
{
    std::uint64_t count = 1;
    for (const SweptOption& option : block.options) {
        count *= option.choices.size();
        if (count > most_sweep_points)
            throw std::invalid_argument(fmt::format("more than {} points", most_sweep_points));
    }
    return count;
}

std::string with_index(std::string value, std::uint64_t index)
{
    for (std::size_t at = value.find(point_placeholder); at != std::string::npos;
         at = value.find(point_placeholder, at))
        value.replace(at, point_placeholder.size(), std::to_string(index));
    return value;
}

std::string one_of(const OptionOccurrences& choice)
{
    return choice.empty() ? std::string("(left out)") : fmt::format("{}", fmt::join(choice, " "));
}

/// `true` and its like as Boost's switches know them; nothing for anything else.
std::optional<bool> truth_of(const OptionOccurrences& choice)
{
    static constexpr std::array yes{"true", "on", "yes", "1"};
    static constexpr std::array no{"false", "off", "no", "0"};
    if (choice.empty())
        return false;
    if (choice.size() == 1 && std::find(yes.begin(), yes.end(), choice.front()) != yes.end())
        return true;
    if (choice.size() == 1 && std::find(no.begin(), no.end(), choice.front()) != no.end())
        return false;
    return std::nullopt;
}

const CommandOption& find_option(const SweepPlan& plan, const std::string& name,
                                 std::span<const CommandOption> options)
{
    std::vector<std::string> names;
    for (const CommandOption& option : options) {
        if (option.name == name)
            return option;
        names.push_back(option.name);
    }
    const auto meant = nearest_name(name, names);
    throw std::invalid_argument(fmt::format("'nocturne {}' has no option '{}'{}", plan.command,
                                            shortened(name),
                                            meant ? fmt::format(": did you mean '{}'?", *meant) : ""));
}

void resolve(const SweepPlan& plan, SweptOption& swept, std::span<const CommandOption> options,
             std::uint64_t points)
{
    const CommandOption& option = find_option(plan, swept.option, options);
    if (option.name == "json" || option.name == "wide" || option.name == "help")
        throw std::invalid_argument(
            fmt::format("{}: not in a sweep, which asks each point for JSON", option.name));
    swept.is_switch = !option.takes_value;
    std::set<OptionOccurrences> seen;
    for (OptionOccurrences& choice : swept.choices) {
        for (const std::string& value : choice) {
            if (value.empty())
                throw std::invalid_argument(fmt::format("{}: a value is empty", option.name));
            if (option.names_place && points > 1 && value.find(point_placeholder) == std::string::npos)
                throw std::invalid_argument(
                    fmt::format("{} {}: {} points would write the same place; {} in the name stands for the "
                                "number of a point",
                                option.name, shortened(value), points, point_placeholder));
        }
        if (swept.is_switch) {
            const std::optional<bool> is_on = truth_of(choice);
            if (!is_on)
                throw std::invalid_argument(fmt::format("{} {}: it takes no value, so true or false",
                                                        option.name, shortened(one_of(choice))));
            choice = *is_on ? OptionOccurrences{"true"} : OptionOccurrences{};
        }
        if (!seen.insert(choice).second)
            throw std::invalid_argument(
                fmt::format("{}: {} appears twice", option.name, shortened(one_of(choice))));
    }
}

/// Appends `--load 0.1` to the words.
void append_words(std::vector<std::string>& words, const SweptOption& option, const OptionOccurrences& choice,
                  std::uint64_t index)
{
    for (const std::string& value : choice) {
        words.push_back("--" + option.option);
        if (!option.is_switch)
            words.push_back(with_index(value, index));
    }
}

bool has_option(const std::vector<SweptOption>& options, std::string_view name)
{
    return std::any_of(options.begin(), options.end(),
                       [&](const SweptOption& option) { return option.option == name; });
}

nlohmann::ordered_json json_of(const OptionOccurrences& choice)
{
    return choice.size() == 1 ? nlohmann::ordered_json(choice.front()) : nlohmann::ordered_json(choice);
}

} // namespace

SweepPlan resolved(SweepPlan plan, std::span<const CommandOption> options)
{
    const std::uint64_t points = count_points(plan);
    for (SweptOption& option : plan.fixed)
        resolve(plan, option, options, points);
    for (SweepBlock& block : plan.blocks)
        for (SweptOption& option : block.options) {
            resolve(plan, option, options, points);
            if (has_option(plan.fixed, option.option))
                throw std::invalid_argument(
                    fmt::format("{}: both among the options of all points and swept", option.option));
        }
    return plan;
}

std::uint64_t count_points(const SweepPlan& plan)
{
    std::uint64_t count = 0;
    for (const SweepBlock& block : plan.blocks)
        count += count_points(block);
    if (count > most_sweep_points)
        throw std::invalid_argument(fmt::format("more than {} points", most_sweep_points));
    return count;
}

std::vector<std::string> swept_options(const SweepPlan& plan)
{
    std::vector<std::string> names;
    for (const SweepBlock& block : plan.blocks)
        for (const SweptOption& option : block.options)
            if (std::find(names.begin(), names.end(), option.option) == names.end())
                names.push_back(option.option);
    return names;
}

SweepPoint point_of(const SweepPlan& plan, std::uint64_t index)
{
    std::uint64_t place = index;
    auto block = plan.blocks.begin();
    for (; count_points(*block) <= place; ++block)
        place -= count_points(*block);
    std::vector<const OptionOccurrences*> choices(block->options.size());
    for (std::size_t i = choices.size(); i-- > 0;) {
        const std::vector<OptionOccurrences>& all = block->options[i].choices;
        choices[i] = &all[place % all.size()];
        place /= all.size();
    }
    SweepPoint point{{plan.command}, {}};
    const std::vector<std::string> names = swept_options(plan);
    point.values.resize(names.size());
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const SweptOption& option = block->options[i];
        append_words(point.arguments, option, *choices[i], index);
        if (!choices[i]->empty()) {
            const auto column = std::find(names.begin(), names.end(), option.option) - names.begin();
            point.values[static_cast<std::size_t>(column)] = with_index(one_of(*choices[i]), index);
        }
    }
    for (const SweptOption& option : plan.fixed)
        append_words(point.arguments, option, option.choices.front(), index);
    if (!has_option(plan.fixed, "workers") && !has_option(block->options, "workers"))
        point.arguments.insert(point.arguments.end(), {"--workers", "1"});
    point.arguments.emplace_back("--json");
    return point;
}

nlohmann::ordered_json to_json(const SweepPlan& plan)
{
    nlohmann::ordered_json json{{"command", plan.command}};
    nlohmann::ordered_json& fixed = json["options"] = nlohmann::ordered_json::object();
    for (const SweptOption& option : plan.fixed)
        fixed[option.option] = json_of(option.choices.front());
    nlohmann::ordered_json& blocks = json["sweep"] = nlohmann::ordered_json::array();
    for (const SweepBlock& block : plan.blocks) {
        nlohmann::ordered_json options = nlohmann::ordered_json::object();
        for (const SweptOption& option : block.options)
            for (const OptionOccurrences& choice : option.choices)
                options[option.option].push_back(json_of(choice));
        blocks.push_back(std::move(options));
    }
    if (!plan.columns.empty())
        json["columns"] = plan.columns;
    return json;
}

} // namespace nocturne
