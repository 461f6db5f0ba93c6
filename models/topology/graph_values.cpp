#include "models/topology/graph_values.hpp"

#include "models/text/json_text.hpp"
#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/files.hpp"
#include "models/topology/input_log.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

namespace nocturne::graph_document {

namespace {

/// Attributes that are none of ours, each once.
void collect_others(const Attributes& attributes, std::span<const AttributeName> known,
                    std::span<const std::string_view> passed_over, std::set<std::string>& others)
{
    for (const auto& attribute : attributes) {
        const std::string& name = attribute.first;
        if (std::ranges::none_of(
                known, [&](const AttributeName& each) { return name == each.name || name == each.longer; }) &&
            std::ranges::find(passed_over, name) == passed_over.end())
            others.insert(name);
    }
}

} // namespace

std::optional<std::string> attribute(const Attributes& attributes, std::span<const AttributeName> known,
                                     std::string_view name)
{
    const AttributeName& names = *std::ranges::find(known, name, &AttributeName::name);
    const auto value = [&](std::string_view each) -> std::optional<std::string> {
        const auto found = attributes.find(std::string(each));
        if (each.empty() || found == attributes.end() || found->second.empty())
            return std::nullopt;
        return found->second;
    };
    const auto first = value(names.name), second = value(names.longer);
    if (first && second && *first != *second)
        throw std::invalid_argument(fmt::format("{} '{}' and {} '{}' contradict each other", names.name,
                                                shortened(*first), names.longer, shortened(*second)));
    return first ? first : second;
}

RouterPart router_part_of(const Attributes& attributes)
{
    RouterPart part;
    for (const char* const name : router_properties)
        if (const auto value = attribute(attributes, router_attributes, name))
            set_property(part, name, boost::algorithm::trim_copy(*value));
    return part;
}

std::optional<bool> parse_truth(std::string_view text)
{
    for (const std::string_view yes : {"true", "1", "yes"})
        if (boost::algorithm::iequals(text, yes))
            return true;
    for (const std::string_view no : {"false", "0", "no"})
        if (boost::algorithm::iequals(text, no))
            return false;
    return std::nullopt;
}

std::optional<Position> parse_position(std::string_view text)
{
    const auto comma = std::min(text.find(','), text.size());
    const auto x = number_of<double>(text.substr(0, comma));
    const auto y = number_of<double>(text.substr(std::min(comma + 1, text.size())));
    if (!x || !y || !std::isfinite(*x) || !std::isfinite(*y))
        return std::nullopt;
    return Position{*x, *y};
}

std::vector<unsigned> numbers_of(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    boost::algorithm::split(parts, text, [=](char c) { return c == separator; });
    std::vector<unsigned> numbers;
    for (const std::string& part : parts) {
        const auto number = number_of<unsigned>(part);
        if (!number || *number == 0)
            throw std::invalid_argument(
                fmt::format("'{}': '{}' is no whole number from 1", shortened(text), shortened(part)));
        numbers.push_back(*number);
    }
    return numbers;
}

TagDigit parse_digit(std::string_view text)
{
    constexpr std::string_view free = ":free";
    const bool is_free = text.ends_with(free);
    const std::vector<unsigned> numbers =
        numbers_of(text.substr(0, text.size() - (is_free ? free.size() : 0)), ':');
    if (numbers.size() != 2)
        throw std::invalid_argument(fmt::format("'{}' is no digit radix:divisor", shortened(text)));
    return {numbers[0], numbers[1], is_free};
}

std::vector<std::string> parse_names(const std::string& text)
{
    const auto json = json_or_discarded(text);
    if (!json.is_array() || !std::ranges::all_of(json, [](const auto& name) { return name.is_string(); }))
        throw std::invalid_argument(fmt::format("'{}' is no JSON array of names", shortened(text)));
    return json.get<std::vector<std::string>>();
}

void remark_others(const Document& document, std::string_view origin,
                   std::span<const std::string_view> passed_over)
{
    std::set<std::string> of_graph, of_vertices, of_edges;
    collect_others(document.attributes, network_attributes, passed_over, of_graph);
    for (const GraphVertex& vertex : document.vertices)
        collect_others(vertex.attributes, router_attributes, passed_over, of_vertices);
    for (const GraphEdge& edge : document.edges)
        collect_others(edge.attributes, channel_attributes, passed_over, of_edges);
    std::vector<std::string> texts;
    for (const auto& [what, names] :
         {std::pair{"graph", &of_graph}, std::pair{"nodes", &of_vertices}, std::pair{"edges", &of_edges}})
        if (!names->empty())
            texts.push_back(fmt::format("of {} {}", what, fmt::join(*names, ", ")));
    if (!texts.empty())
        InputLog::remark(one_line(fmt::format("{}: attributes ignored: {}", origin, fmt::join(texts, "; "))));
}

} // namespace nocturne::graph_document
