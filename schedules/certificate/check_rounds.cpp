#include "schedules/certificate/check_bound.hpp"
#include "schedules/certificate/crossings.hpp"
#include "schedules/certificate/shortest_lengths.hpp"
#include "schedules/certificate/sum_receptions.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

namespace nocturne {
namespace {

using Weight = boost::multiprecision::uint128_t;

constexpr std::uint64_t no_distance = std::numeric_limits<std::uint64_t>::max();

Ratio narrow(Weight numerator, Weight denominator)
{
    const Weight divisor = gcd(numerator, denominator);
    numerator /= divisor;
    denominator /= divisor;
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    if (numerator > most || denominator > most)
        throw std::overflow_error("the bound is a ratio of numbers that are too large");
    return {numerator.convert_to<std::uint64_t>(), denominator.convert_to<std::uint64_t>()};
}

/// What must be carried, over what a round carries.
std::optional<Ratio> rounds_for(const Weight& weight, const Weight& units)
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
    return shortest_lengths(network.node_count(), source, no_distance, [&](NodeId node, const auto& visit) {
        for (const LinkId id : network.links_from(node))
            visit(network.link(id).target, lengths[id]);
    });
}

/// Each chunk travels at least its largest distance. A distance of `no_distance` is never reached.
std::optional<Ratio> rounds_of(const LinkLengths& certificate, const LinkNetwork& network,
                               const Collective& collective)
{
    const std::vector<std::uint64_t>& lengths = certificate.lengths;
    if (lengths.size() != network.link_count())
        throw std::invalid_argument(
            fmt::format("{} lengths for {} links", lengths.size(), network.link_count()));
    if (std::ranges::any_of(lengths, [](std::uint64_t length) { return length > max_length; }))
        throw std::invalid_argument(fmt::format("a length is more than {}", max_length));
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
    Weight weight = 0;
    Weight units = 0;
    for (ChunkId chunk = 0; chunk < farthest.size(); ++chunk)
        weight += Weight{farthest[chunk]} * collective.chunks[chunk].weight;
    for (LinkId id = 0; id < network.link_count(); ++id)
        units += Weight{lengths[id]} * network.units(id);
    return rounds_for(weight, units);
}

std::optional<Ratio> rounds_of(const NodeCut& cut, const LinkNetwork& network, const Collective& collective)
{
    const std::vector<bool> inside = inside_of(cut, network);
    const std::vector<std::uint32_t> crossings = least_crossings(collective, inside);
    Weight weight = 0;
    Weight units = 0;
    for (ChunkId chunk = 0; chunk < crossings.size(); ++chunk)
        weight += Weight{crossings[chunk]} * collective.chunks[chunk].weight;
    for (LinkId id = 0; id < network.link_count(); ++id)
        if (inside[network.link(id).source] && !inside[network.link(id).target])
            units += network.units(id);
    return rounds_for(weight, units);
}

std::optional<Ratio> rounds_of(const Receptions& receptions, const LinkNetwork& network,
                               const Collective& collective)
{
    constexpr std::uint32_t none = ~0U; // of a switch outside all boxes
    std::vector<std::uint32_t> box_of(network.node_count(), none);
    for (NodeId node = 0; node < network.processor_count(); ++node)
        box_of[node] = node;
    std::vector<bool> is_in_box(network.node_count(), false);
    for (std::size_t i = 0; i < receptions.boxes.size(); ++i)
        for (const NodeId node : receptions.boxes[i]) {
            if (node >= network.node_count() || is_in_box[node])
                throw std::invalid_argument(
                    fmt::format("node {} of a box {}", node,
                                node < network.node_count() ? "is in two" : "does not exist"));
            is_in_box[node] = true;
            box_of[node] = static_cast<std::uint32_t>(network.node_count() + i);
        }
    Weight weight = 0;
    Weight units = 0;
    for (ChunkId chunk = 0; chunk < collective.chunks.size(); ++chunk)
        weight += Weight{collective.chunks[chunk].weight} * receptions_of(collective, chunk, box_of);
    for (LinkId id = 0; id < network.link_count(); ++id) {
        const std::uint32_t into = box_of[network.link(id).target];
        if (into != none && into != box_of[network.link(id).source])
            units += network.units(id);
    }
    return rounds_for(weight, units);
}

/// What is no certificate of rounds.
template <class Other>
std::optional<Ratio> rounds_of(const Other& other, const LinkNetwork&, const Collective&)
{
    throw std::invalid_argument(
        fmt::format("a certificate of the kind {} is not one of rounds", kind_of(Certificate(other))));
}

} // namespace

std::optional<Ratio> proven_rounds(const Certificate& certificate, const LinkNetwork& network,
                                   const Collective& collective)
{
    if (collective.processors != network.processor_count())
        throw std::invalid_argument(fmt::format("the collective is for {} processors, the network has {}",
                                                collective.processors, network.processor_count()));
    return std::visit([&](const auto& each) { return rounds_of(each, network, collective); }, certificate);
}

} // namespace nocturne
