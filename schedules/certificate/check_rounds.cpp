#include "schedules/certificate/check_bound.hpp"
#include "schedules/certificate/crossings.hpp"
#include "schedules/certificate/link_need.hpp"
#include "schedules/certificate/shortest_lengths.hpp"
#include "schedules/certificate/sum_receptions.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

using Weight = boost::multiprecision::uint128_t;

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
    return shortest_lengths(network.node_count(), source, no_crossing, [&](NodeId node, const auto& visit) {
        for (const LinkId id : network.links_from(node))
            visit(network.link(id).target, lengths[id]);
    });
}

/// Each chunk travels at least its largest distance.
LinkNeed need_of(const LinkLengths& certificate, const LinkNetwork& network, const Collective& collective)
{
    const std::vector<std::uint64_t>& lengths = certificate.lengths;
    if (lengths.size() != network.link_count())
        throw std::invalid_argument(
            fmt::format("{} lengths for {} links", lengths.size(), network.link_count()));
    if (std::ranges::any_of(lengths, [](std::uint64_t length) { return length > max_length; }))
        throw std::invalid_argument(fmt::format("a length is more than {}", max_length));
    std::vector<std::vector<std::uint64_t>> from(network.processor_count());
    LinkNeed need{lengths, std::vector<std::uint64_t>(collective.chunks.size(), 0)};
    // From the farthest of a list, which demands mostly share.
    std::map<std::pair<const std::vector<std::uint32_t>*, std::uint32_t>, std::uint64_t> known;
    const auto distance = [&](std::uint32_t contributor, std::uint32_t receiver) {
        if (from[contributor].empty())
            from[contributor] = distances_from(network, contributor, lengths);
        return from[contributor][receiver];
    };
    for (const Demand& demand : collective.demands) {
        std::uint64_t& farthest = need.crossings[demand.chunk];
        const std::vector<std::uint32_t>& contributors = demand.contributors;
        if (contributors.size() == 1) {
            farthest = std::max(farthest, distance(contributors.front(), demand.receiver));
            continue;
        }
        const auto [entry, is_new] = known.try_emplace({&contributors, demand.receiver}, 0);
        if (is_new)
            for (const std::uint32_t contributor : contributors)
                entry->second = std::max(entry->second, distance(contributor, demand.receiver));
        farthest = std::max(farthest, entry->second);
    }
    return need;
}

LinkNeed need_of(const NodeCut& cut, const LinkNetwork& network, const Collective& collective)
{
    const std::vector<bool> inside = inside_of(cut, network);
    LinkNeed need;
    for (const std::uint32_t crossings : least_crossings(collective, inside))
        need.crossings.push_back(crossings);
    for (const NetworkLink& link : network.links())
        need.lengths.push_back(inside[link.source] && !inside[link.target] ? 1 : 0);
    return need;
}

/// How often what travels must come into boxes, and processors outside all boxes: each is a vertex, in which
/// it moves freely.
class BoxDistances {
public:
    BoxDistances(const LinkNetwork& network, std::vector<std::uint32_t> vertex_of,
                 const std::vector<std::uint64_t>& lengths)
        : vertex_of_(std::move(vertex_of)), edges_(1 + *std::ranges::max_element(vertex_of_)),
          from_(edges_.size())
    {
        for (LinkId id = 0; id < network.link_count(); ++id) {
            const NetworkLink& link = network.link(id);
            if (vertex_of_[link.source] != vertex_of_[link.target])
                edges_[vertex_of_[link.source]].emplace(vertex_of_[link.target], lengths[id]);
        }
    }

    std::uint64_t operator()(std::uint32_t contributor, std::uint32_t receiver)
    {
        const std::uint32_t source = vertex_of_[contributor];
        if (from_[source].empty())
            from_[source] = shortest_lengths(edges_.size(), source, no_crossing,
                                             [&](std::uint32_t at, const auto& visit) {
                                                 for (const auto& [to, length] : edges_[at])
                                                     visit(to, length);
                                             });
        return from_[source][vertex_of_[receiver]];
    }

private:
    std::vector<std::uint32_t> vertex_of_;
    std::vector<std::set<std::pair<std::uint32_t, std::uint64_t>>> edges_; ///< by vertex: to, and how long
    std::vector<std::vector<std::uint64_t>> from_;                         ///< empty: not searched yet
};

LinkNeed need_of(const Receptions& receptions, const LinkNetwork& network, const Collective& collective)
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
    LinkNeed need;
    for (ChunkId chunk = 0; chunk < collective.chunks.size(); ++chunk)
        need.crossings.push_back(receptions_of(collective, chunk, box_of));
    for (const NetworkLink& link : network.links()) {
        const std::uint32_t into = box_of[link.target];
        need.lengths.push_back(into != none && into != box_of[link.source] ? 1 : 0);
    }
    for (NodeId node = 0; node < network.node_count(); ++node)
        if (box_of[node] == none)
            box_of[node] = node;
    BoxDistances distances(network, std::move(box_of), need.lengths);
    for (ChunkId chunk = 0; chunk < collective.chunks.size(); ++chunk) {
        const auto demands = collective.demands.of(chunk);
        if (demands.size() == 1 && demands.front().contributors.size() == 1)
            need.crossings[chunk] = distances(demands.front().contributors.front(), demands.front().receiver);
    }
    return need;
}

/// What is no certificate of rounds or times.
template <class Other>
LinkNeed need_of(const Other& other, const LinkNetwork&, const Collective&)
{
    throw std::invalid_argument(
        fmt::format("a certificate of the kind {} says nothing of links", kind_of(Certificate(other))));
}

} // namespace

LinkNeed link_need(const Certificate& certificate, const LinkNetwork& network, const Collective& collective)
{
    if (collective.processors != network.processor_count())
        throw std::invalid_argument(fmt::format("the collective is for {} processors, the network has {}",
                                                collective.processors, network.processor_count()));
    return std::visit([&](const auto& each) { return need_of(each, network, collective); }, certificate);
}

std::optional<Ratio> proven_rounds(const Certificate& certificate, const LinkNetwork& network,
                                   const Collective& collective)
{
    const LinkNeed need = link_need(certificate, network, collective);
    Weight weight = 0;
    Weight units = 0;
    for (ChunkId chunk = 0; chunk < need.crossings.size(); ++chunk) {
        if (need.crossings[chunk] == no_crossing)
            return std::nullopt;
        weight += Weight{need.crossings[chunk]} * collective.chunks[chunk].weight;
    }
    for (LinkId id = 0; id < network.link_count(); ++id)
        units += Weight{need.lengths[id]} * network.units(id);
    return rounds_for(weight, units);
}

} // namespace nocturne
