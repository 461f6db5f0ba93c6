#include "schedules/evolution/parameters.hpp"

#include "models/text/fnv1a.hpp"
#include "schedules/schedule/schedule_bytes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace nocturne {
namespace {

constexpr std::string_view separator = ", ";

/// `population 60`, `slots tested 8`
std::vector<std::string_view> parameters_in(std::string_view list)
{
    std::vector<std::string_view> parameters;
    for (std::size_t end = list.find(separator); end != std::string_view::npos; end = list.find(separator)) {
        parameters.push_back(list.substr(0, end));
        list.remove_prefix(end + separator.size());
    }
    parameters.push_back(list);
    return parameters;
}

/// `slots tested`
std::string_view name_of(std::string_view parameter)
{
    return parameter.substr(0, parameter.rfind(' '));
}

} // namespace

void ParameterCheck::require(bool holds, std::string_view name, double value, std::string_view demand) const
{
    if (!holds)
        throw std::invalid_argument(fmt::format("{}: {} {}: {}", engine_, name, value, demand));
}

void ParameterCheck::at_least(std::size_t least, std::string_view name, std::size_t value) const
{
    require(value >= least, name, static_cast<double>(value), fmt::format("{} or more", least));
}

void ParameterCheck::probability(std::string_view name, double value) const
{
    require(value >= 0 && value <= 1, name, value, "a probability is from 0 to 1");
}

void ParameterCheck::paths(const PathLists& lists, const Problem& problem) const
{
    at_least(1, "most paths", lists.most_paths);
    if (problem.slack && lists.slack > *problem.slack)
        throw std::invalid_argument(fmt::format("{}: paths of slack {}: the problem allows {}", engine_,
                                                lists.slack, *problem.slack));
}

std::string describe_start(const Schedule* start)
{
    if (start == nullptr)
        return "start none";
    const std::vector<std::uint8_t> bytes = to_bytes(start->steps);
    return fmt::format("start {:016x}", fnv1a({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
}

ParameterDifference difference(std::string_view one, std::string_view other)
{
    const auto ours = parameters_in(one);
    const auto theirs = parameters_in(other);
    if (!std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                    [](auto a, auto b) { return name_of(a) == name_of(b); }))
        return {std::string(one), std::string(other)};
    std::vector<std::string_view> only_ours;
    std::vector<std::string_view> only_theirs;
    for (std::size_t i = 0; i < ours.size(); ++i)
        if (ours[i] != theirs[i]) {
            only_ours.push_back(ours[i]);
            only_theirs.push_back(theirs[i]);
        }
    return {fmt::format("{}", fmt::join(only_ours, separator)),
            fmt::format("{}", fmt::join(only_theirs, separator))};
}

} // namespace nocturne
