#include "models/topology/part_patterns.hpp"

#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fnmatch.h>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

namespace nocturne {

namespace {

constexpr std::string_view range_mark = "..";

struct IndexRange {
    unsigned first = 0;
    unsigned last = std::numeric_limits<unsigned>::max();

    bool has(unsigned number) const { return first <= number && number <= last; }
};

/// `*`, `3` or `3..5`.
IndexRange parse_range(std::string_view text)
{
    if (text == "*")
        return {};
    const std::size_t dots = text.find(range_mark);
    const auto first = number_of<unsigned>(text.substr(0, dots));
    const auto last = dots == text.npos ? first : number_of<unsigned>(text.substr(dots + range_mark.size()));
    if (!first || !last || *first > *last)
        throw std::invalid_argument(
            fmt::format("'{}': expected a number, a range as 3..5, or *", shortened(text)));
    return {*first, *last};
}

std::vector<IndexRange> coordinate_ranges(const Topology& topology, std::string_view pattern)
{
    std::vector<std::string> parts;
    boost::algorithm::split(parts, pattern, [](char c) { return c == ','; });
    if (!topology.grid())
        throw std::invalid_argument(
            fmt::format("'{}': {} is no grid, its routers have no coordinates", pattern, topology.name()));
    if (parts.size() != topology.grid()->extent.size())
        throw std::invalid_argument(fmt::format("'{}': {} coordinates, the grid has {} dimensions", pattern,
                                                parts.size(), topology.grid()->extent.size()));
    std::vector<IndexRange> ranges;
    for (const std::string& part : parts)
        ranges.push_back(parse_range(part));
    return ranges;
}

/// Do the two have the same coordinates but for one dimension? Which?
std::optional<std::size_t> dimension_between(const Topology& topology, const Channel& channel)
{
    const auto from = topology.coordinates(channel.source), to = topology.coordinates(channel.target);
    const auto [first, there] = std::mismatch(from.begin(), from.end(), to.begin());
    if (first == from.end() || !std::equal(first + 1, from.end(), there + 1))
        return std::nullopt;
    return static_cast<std::size_t>(first - from.begin());
}

bool closes_ring(const Topology& topology, const Channel& channel)
{
    const auto dimension = dimension_between(topology, channel);
    if (!dimension)
        return false;
    const unsigned last = topology.grid()->extent[*dimension] - 1;
    const unsigned from = topology.coordinates(channel.source)[*dimension];
    const unsigned to = topology.coordinates(channel.target)[*dimension];
    return last > 1 && std::min(from, to) == 0 && std::max(from, to) == last;
}

std::string_view part_of(std::string_view router)
{
    return router.substr(0, std::min(router.find('/'), router.size()));
}

using IsLink = std::function<bool(const Channel&)>;

IsLink kind_of_links(const Topology& topology, std::string_view kind)
{
    constexpr std::string_view along = "dim";
    const auto require = [&](bool holds, std::string_view what) {
        if (!holds)
            throw std::invalid_argument(fmt::format("links '{}': {} has no {}", kind, topology.name(), what));
    };
    if (kind == "wrap") {
        require(topology.grid() && topology.grid()->wraps, "grid that wraps");
        return [&](const Channel& channel) { return closes_ring(topology, channel); };
    }
    if (kind == "local" || kind == "global") {
        require(topology.routers_per_group() != 0, "groups");
        return [&topology, is_local = kind == "local"](const Channel& channel) {
            const unsigned size = topology.routers_per_group();
            return (channel.source / size == channel.target / size) == is_local;
        };
    }
    if (kind == "joint")
        return [&](const Channel& channel) {
            return part_of(topology.router_name(channel.source)) !=
                       part_of(topology.router_name(channel.target)) &&
                   topology.router_name(channel.source).find('/') != std::string::npos;
        };
    if (kind.starts_with(along))
        if (const auto dimension = number_of<std::size_t>(kind.substr(along.size()))) {
            require(topology.grid().has_value(), "grid");
            require(*dimension < topology.grid()->extent.size(), "such dimension");
            return [&topology, wanted = *dimension](const Channel& channel) {
                return dimension_between(topology, channel) == wanted;
            };
        }
    for (std::size_t dash = kind.find('-'); dash != kind.npos; dash = kind.find('-', dash + 1))
        if (topology.find_router(kind.substr(0, dash)) && topology.find_router(kind.substr(dash + 1)))
            throw std::invalid_argument(
                fmt::format("unknown kind of links '{0}-{1}': did you mean '{0}--{1}'?", kind.substr(0, dash),
                            kind.substr(dash + 1)));
    throw std::invalid_argument(
        unknown_name("kind of links", kind,
                     std::array<std::string, 5>{"wrap", "local", "global", "joint", "dim0"}) +
        "; or FROM->TO, FROM--TO");
}

} // namespace

std::vector<bool> routers_matching(const Topology& topology, std::string_view pattern)
{
    std::vector<bool> result(topology.router_count());
    const bool is_range = pattern.find(range_mark) != pattern.npos;
    // Names of routers have commas, too: "chip0/3,*".
    const bool has_comma =
        pattern.find(',') != pattern.npos && pattern.find_first_not_of("0123456789,*.") == pattern.npos;
    if (is_range && !has_comma && !(topology.grid() && topology.grid()->extent.size() == 1)) {
        const IndexRange range = parse_range(pattern);
        for (RouterId id = 0; id < result.size(); ++id)
            result[id] = range.has(id);
        return result;
    }
    if (is_range || (has_comma && !topology.find_router(pattern))) {
        const std::vector<IndexRange> ranges = coordinate_ranges(topology, pattern);
        for (RouterId id = 0; id < result.size(); ++id) {
            const std::vector<unsigned> at = topology.coordinates(id);
            result[id] = std::equal(ranges.begin(), ranges.end(), at.begin(),
                                    [](const IndexRange& range, unsigned place) { return range.has(place); });
        }
        return result;
    }
    if (const auto router = topology.find_router(pattern)) {
        result[*router] = true;
        return result;
    }
    for (RouterId id = 0; id < result.size(); ++id)
        result[id] = fnmatch(std::string(pattern).c_str(), topology.router_name(id).c_str(), 0) == 0;
    return result;
}

std::vector<ChannelId> links_matching(const Topology& topology, std::string_view pattern)
{
    std::vector<ChannelId> result;
    const auto take = [&](const auto& is_one) {
        for (ChannelId id = 0; id < topology.channel_count(); ++id)
            if (is_one(topology.channel(id)))
                result.push_back(id);
    };
    for (const std::string_view arrow : {"->", "--"}) {
        const std::size_t at = pattern.find(arrow);
        if (at == pattern.npos)
            continue;
        const auto from = routers_matching(topology, pattern.substr(0, at));
        const auto to = routers_matching(topology, pattern.substr(at + arrow.size()));
        take([&, both = arrow == "--"](const Channel& channel) {
            return (from[channel.source] && to[channel.target]) ||
                   (both && from[channel.target] && to[channel.source]);
        });
        return result;
    }
    take(kind_of_links(topology, pattern));
    return result;
}

} // namespace nocturne
