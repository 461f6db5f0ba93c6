#include "schedules/chunk_certificate/chunk_bound.hpp"

#include "schedules/chunk_certificate/crossings.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <stdexcept>

namespace nocturne {
namespace {

using Wide = boost::multiprecision::uint128_t;

constexpr std::array<std::string_view, 3> bound_kind_names{"cut", "lengths", "receptions"};
constexpr std::uint64_t no_distance = std::numeric_limits<std::uint64_t>::max();

Ratio narrow(Wide numerator, Wide denominator)
{
    const Wide divisor = gcd(numerator, denominator);
    numerator /= divisor;
    denominator /= divisor;
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    if (numerator > most || denominator > most)
        throw std::overflow_error("the bound is a ratio of numbers that are too large");
    return {numerator.convert_to<std::uint64_t>(), denominator.convert_to<std::uint64_t>()};
}

/// What must be carried, over what a round carries.
std::optional<Ratio> rounds_for(const Wide& weight, const Wide& units)
{
    if (weight == 0)
        return Ratio{};
    if (units == 0)
        return std::nullopt;
    return narrow(weight, units);
}

std::vector<std::uint64_t> distances_from(const LinkNetwork& network, NodeId source,
                                          const std::vector<std::uint64_t>& lengths)
{
    std::vector<std::uint64_t> distance(network.node_count(), no_distance);
    using Entry = std::pair<std::uint64_t, NodeId>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    distance[source] = 0;
    open.emplace(0, source);
    while (!open.empty()) {
        const auto [so_far, node] = open.top();
        open.pop();
        if (so_far != distance[node])
            continue;
        for (const LinkId id : network.links_from(node)) {
            const NodeId next = network.link(id).target;
            if (so_far + lengths[id] < distance[next]) {
                distance[next] = so_far + lengths[id];
                open.emplace(distance[next], next);
            }
        }
    }
    return distance;
}

/// Each chunk travels at least its largest distance. A distance of `no_distance` is never reached.
std::optional<Ratio> rounds_of_lengths(const LinkNetwork& network, const Collective& collective,
                                       const std::vector<std::uint64_t>& lengths)
{
    std::vector<std::vector<std::uint64_t>> from(network.processor_count());
    std::vector<std::uint64_t> farthest(collective.chunks.size(), 0);
    // From the farthest of a list, which demands mostly share.
    std::map<std::pair<const std::vector<std::uint32_t>*, std::uint32_t>, std::uint64_t> known;
    for (const Demand& demand : collective.demands) {
        const std::vector<std::uint32_t>& contributors = demand.contributors;
        const auto [entry, is_new] = known.try_emplace({&contributors, demand.receiver}, 0);
        if (is_new)
            for (const std::uint32_t contributor : contributors) {
                if (from[contributor].empty())
                    from[contributor] = distances_from(network, contributor, lengths);
                entry->second = std::max(entry->second, from[contributor][demand.receiver]);
            }
        if (entry->second == no_distance)
            return std::nullopt;
        farthest[demand.chunk] = std::max(farthest[demand.chunk], entry->second);
    }
    Wide weight = 0;
    Wide units = 0;
    for (ChunkId chunk = 0; chunk < farthest.size(); ++chunk)
        weight += Wide{farthest[chunk]} * collective.chunks[chunk].weight;
    for (LinkId id = 0; id < network.link_count(); ++id)
        units += Wide{lengths[id]} * network.units(id);
    return rounds_for(weight, units);
}

std::optional<Ratio> rounds_of_cut(const LinkNetwork& network, const Collective& collective,
                                   const std::vector<NodeId>& cut)
{
    std::vector<bool> inside(network.node_count(), false);
    for (const NodeId node : cut) {
        if (node >= network.node_count())
            throw std::invalid_argument(fmt::format("node {} of the cut does not exist", node));
        inside[node] = true;
    }
    const std::vector<std::uint32_t> crossings = least_crossings(collective, inside);
    Wide weight = 0;
    Wide units = 0;
    for (ChunkId chunk = 0; chunk < crossings.size(); ++chunk)
        weight += Wide{crossings[chunk]} * collective.chunks[chunk].weight;
    for (LinkId id = 0; id < network.link_count(); ++id)
        if (inside[network.link(id).source] && !inside[network.link(id).target])
            units += network.units(id);
    return rounds_for(weight, units);
}

std::optional<Ratio> rounds_of_receptions(const LinkNetwork& network, const Collective& collective)
{
    struct Count {
        std::uint64_t receivers = 0;
        bool has_whole_sums = true;
        bool meets = false; // some receiver contributes: the last sum may be made there
    };
    std::vector<Count> counts(collective.chunks.size());
    for (const Demand& demand : collective.demands) {
        const auto& contributors = collective.chunks[demand.chunk].contributors;
        Count& count = counts[demand.chunk];
        ++count.receivers;
        count.has_whole_sums = count.has_whole_sums && demand.contributors == contributors;
        count.meets =
            count.meets || std::binary_search(contributors.begin(), contributors.end(), demand.receiver);
    }
    Wide weight = 0;
    Wide units = 0;
    for (ChunkId chunk = 0; chunk < counts.size(); ++chunk) {
        const auto& [weight_of_one, contributors] = collective.chunks[chunk];
        if (counts[chunk].receivers > 0 && counts[chunk].has_whole_sums)
            weight += Wide{weight_of_one} *
                      (contributors.size() + counts[chunk].receivers - (counts[chunk].meets ? 2 : 1));
    }
    for (LinkId id = 0; id < network.link_count(); ++id)
        if (network.kind(network.link(id).target) == NodeKind::processor)
            units += network.units(id);
    return rounds_for(weight, units);
}

} // namespace

Ratio make_ratio(std::uint64_t numerator, std::uint64_t denominator)
{
    if (denominator == 0)
        throw std::invalid_argument("a ratio has a denominator of 1 or more");
    return narrow(numerator, denominator);
}

bool operator<(const Ratio& a, const Ratio& b)
{
    return Wide{a.numerator} * b.denominator < Wide{b.numerator} * a.denominator;
}

std::string to_string(const Ratio& ratio)
{
    return ratio.denominator == 1 ? fmt::format("{}", ratio.numerator)
                                  : fmt::format("{}/{}", ratio.numerator, ratio.denominator);
}

std::optional<Ratio> proven_rounds(const ChunkBound& bound, const LinkNetwork& network,
                                   const Collective& collective)
{
    if (collective.processors != network.processor_count())
        throw std::invalid_argument(fmt::format("the collective is for {} processors, the network has {}",
                                                collective.processors, network.processor_count()));
    switch (bound.kind) {
    case ChunkBoundKind::cut:
        return rounds_of_cut(network, collective, bound.cut);
    case ChunkBoundKind::lengths:
        if (bound.lengths.size() != network.link_count())
            throw std::invalid_argument(
                fmt::format("{} lengths for {} links", bound.lengths.size(), network.link_count()));
        if (std::any_of(bound.lengths.begin(), bound.lengths.end(),
                        [](std::uint64_t length) { return length > max_length; }))
            throw std::invalid_argument(fmt::format("a length is more than {}", max_length));
        return rounds_of_lengths(network, collective, bound.lengths);
    case ChunkBoundKind::receptions:
        return rounds_of_receptions(network, collective);
    }
    throw std::logic_error("unknown kind of bound");
}

std::optional<std::string> refute(const ChunkBound& bound, const LinkNetwork& network,
                                  const Collective& collective)
{
    try {
        const std::optional<Ratio> proven = proven_rounds(bound, network, collective);
        if (!proven || !(*proven < bound.rounds))
            return std::nullopt;
        return fmt::format("the {} prove {} rounds, not {}", to_string(bound.kind), to_string(*proven),
                           to_string(bound.rounds));
    } catch (const std::exception& error) {
        return error.what();
    }
}

std::string describe_nodes(const std::vector<NodeId>& nodes, const LinkNetwork& network)
{
    constexpr std::size_t most_names = 32;
    const auto names_of = [&](const std::vector<NodeId>& named) {
        std::vector<std::string> names;
        for (const NodeId node : named)
            names.push_back(network.node_name(node));
        return fmt::format("{{{}}}", fmt::join(names, ", "));
    };
    if (nodes.size() <= std::max(most_names, network.node_count() / 2))
        return nodes.size() <= most_names ? names_of(nodes) : fmt::format("{} nodes", nodes.size());
    std::vector<NodeId> others;
    for (NodeId node = 0; node < network.node_count(); ++node)
        if (std::find(nodes.begin(), nodes.end(), node) == nodes.end())
            others.push_back(node);
    return others.size() <= most_names ? "all but " + names_of(others)
                                       : fmt::format("{} nodes", nodes.size());
}

std::string describe(const ChunkBound& bound, const LinkNetwork& network)
{
    switch (bound.kind) {
    case ChunkBoundKind::cut:
        return "what must leave " + describe_nodes(bound.cut, network);
    case ChunkBoundKind::lengths:
        return "how far all must travel";
    case ChunkBoundKind::receptions:
        return "what must be received to be added and spread";
    }
    throw std::logic_error("unknown kind of bound");
}

std::string_view to_string(ChunkBoundKind kind)
{
    return bound_kind_names[static_cast<std::size_t>(kind)];
}

} // namespace nocturne
