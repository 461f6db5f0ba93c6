#include "sim/cli/report_subjects.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace nocturne::cli {

namespace {

using Json = nlohmann::ordered_json;

/// What changes nothing that is shown.
constexpr std::array<std::string_view, 8> outside{"json",    "output",     "csv",    "svg",
                                                  "workers", "checkpoint", "record", "wide"};

const Json& options_of(const Json& result)
{
    static const Json none = Json::object();
    const auto made_by = result.find("made_by");
    if (made_by == result.end() || !made_by->is_object())
        return none;
    const auto options = made_by->find("options");
    return options == made_by->end() || !options->is_object() ? none : *options;
}

std::string value_text(const Json& options, const std::string& name)
{
    const auto value = options.find(name);
    if (value == options.end())
        return "not given";
    if (value->is_array()) {
        std::vector<std::string> texts;
        for (const Json& each : *value)
            texts.push_back(each.is_string() ? each.get<std::string>() : each.dump());
        return fmt::format("{}", fmt::join(texts, " "));
    }
    return value->is_string() ? value->get<std::string>() : value->dump();
}

/// The options in which the commands of these results differ.
std::vector<std::string> differences_of(const std::vector<Json*>& results)
{
    std::set<std::string> names;
    for (const Json* const result : results)
        for (const auto& [name, value] : options_of(*result).items())
            if (std::ranges::find(outside, name) == outside.end())
                names.insert(name);
    std::vector<std::string> differing;
    for (const std::string& name : names)
        if (std::ranges::any_of(results, [&](const Json* const result) {
                return value_text(options_of(*result), name) !=
                       value_text(options_of(*results.front()), name);
            }))
            differing.push_back(name);
    return differing;
}

} // namespace

void tell_subjects_apart(Json& results)
{
    constexpr std::size_t most_options = 4;
    std::map<std::string, std::vector<Json*>> by_subject;
    for (Json& result : results)
        if (const auto summary = result.find("summary"); summary != result.end() && summary->is_object())
            by_subject[(*summary)["subject"].get<std::string>()].push_back(&result);
    for (const auto& [subject, same] : by_subject) {
        if (same.size() < 2)
            continue;
        const std::vector<std::string> differing = differences_of(same);
        for (Json* const result : same) {
            std::vector<std::string> parts;
            for (const std::string& name : differing)
                if (parts.size() < most_options)
                    parts.push_back(name + ' ' + value_text(options_of(*result), name));
            if (parts.empty())
                parts.push_back((*result)["file"].get<std::string>());
            (*result)["summary"]["subject"] = fmt::format("{} ({})", subject, fmt::join(parts, ", "));
        }
    }
}

nlohmann::ordered_json without_temporary_folders(nlohmann::ordered_json made_by)
{
    if (!made_by.is_object() || !made_by.contains("command") || !made_by["command"].is_string())
        return made_by;
    auto command = made_by["command"].get<std::string>();
    std::error_code missing; // TMPDIR may name no folder: then nothing is in it
    const std::string folder = std::filesystem::temp_directory_path(missing).string() + '/';
    if (missing)
        return made_by;
    for (const char* const option : {"--output", "--record", "--svg", "--csv", "-o"}) {
        const std::string text = fmt::format(" {} {}", option, folder);
        for (std::size_t at = command.find(text); at != std::string::npos; at = command.find(text))
            command.erase(at, command.find(' ', at + text.size()) - at);
    }
    for (std::size_t at = command.find(folder); at != std::string::npos; at = command.find(folder))
        command.erase(at, command.rfind('/', command.find(' ', at)) + 1 - at);
    made_by["command"] = command;
    const auto shorten = [&](nlohmann::ordered_json& value) {
        if (value.is_string() && value.get<std::string>().starts_with(folder))
            value = std::filesystem::path(value.get<std::string>()).filename().string();
    };
    if (made_by.contains("options"))
        for (nlohmann::ordered_json& option : made_by["options"]) {
            shorten(option);
            if (option.is_array())
                for (nlohmann::ordered_json& each : option)
                    shorten(each);
        }
    return made_by;
}

} // namespace nocturne::cli
