#include "schedules/design/random_network.hpp"

#include <cmath>

namespace nocturne::design {

ExchangeDraw::ExchangeDraw(const HalfEdges& network)
    : is_limited_(!std::isinf(network.request().longest_wire))
{
    const Request& request = network.request();
    if (!is_limited_)
        return;
    near_.resize(request.nodes);
    for (NodeId a = 0; a < request.nodes; ++a)
        for (NodeId b = 0; b < request.nodes; ++b)
            if (a != b && request.wire_length(a, b) <= request.longest_wire)
                near_[a].push_back(b);
}

HalfEdge ExchangeDraw::ending_for(const HalfEdges& network, HalfEdge beginning, SplitMix64& random) const
{
    const auto draw = [&](const auto& list) {
        return list[random.below(static_cast<std::uint32_t>(list.size()))];
    };
    if (!is_limited_)
        return draw(network.endings());
    const std::vector<NodeId>& near = near_[network.node_of(beginning)];
    return near.empty() ? beginning : draw(network.endings_at(draw(near)));
}

Exchange ExchangeDraw::operator()(const HalfEdges& network, SplitMix64& random) const
{
    const auto draw = [&](std::span<const HalfEdge> list) {
        return list[random.below(static_cast<std::uint32_t>(list.size()))];
    };
    const HalfEdge beginning = draw(network.beginnings());
    if (random.below(4) > 0) {
        const HalfEdge beside = draw(network.beginnings_at(network.node_of(beginning)));
        const HalfEdge next = draw(network.beginnings_at(network.node_of(network.mate(beside))));
        if (!network.is_free(next)) // an empty place leads to no ending
            return {beginning, network.mate(next)};
    }
    return {beginning, ending_for(network, beginning, random)};
}

void link_at_random(HalfEdges& network, const ExchangeDraw& draw, SplitMix64& random)
{
    std::vector<HalfEdge> free_ends(network.beginnings().begin(), network.beginnings().end());
    // An end that finds no other free one takes the place of another link's end, which is then free in
    // another part of the network: free ends wander until they meet.
    const std::size_t most_tries = 200 * network.beginnings().size() + 10'000;
    for (std::size_t tries = 0; tries < most_tries && !free_ends.empty(); ++tries) {
        const std::size_t chosen = random.below(static_cast<std::uint32_t>(free_ends.size()));
        const HalfEdge beginning = free_ends[chosen];
        HalfEdge ending = draw.ending_for(network, beginning, random);
        for (unsigned more = 0; more < 8 && !network.is_free(ending); ++more)
            ending = draw.ending_for(network, beginning, random);
        const HalfEdge displaced = network.mate(ending);
        const bool was_free = displaced == ending;
        if (network.is_free(beginning) && network.rewire(beginning, ending) && !was_free &&
            network.is_free(displaced))
            free_ends.push_back(displaced);
        if (!network.is_free(beginning)) {
            free_ends[chosen] = free_ends.back();
            free_ends.pop_back();
        }
    }
}

} // namespace nocturne::design
