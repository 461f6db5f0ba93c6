#include "schedules/constructions/translations.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace nocturne {
namespace {

/// Digits of a and b, combined modulo their modulus.
template <class Combine>
RouterId digit_by_digit(const std::vector<unsigned>& moduli, RouterId a, RouterId b, Combine combine)
{
    RouterId result = 0, weight = 1;
    for (std::size_t i = moduli.size(); i-- > 0;) {
        const unsigned modulus = moduli[i];
        result += combine(a % modulus, b % modulus, modulus) % modulus * weight;
        weight *= modulus;
        a /= modulus;
        b /= modulus;
    }
    return result;
}

std::optional<CayleyGraph> as_cayley_graph(const Topology& topology, TranslationGroup group)
{
    CayleyGraph graph{std::move(group), {}, {}};
    for (RouterId r = 0; r < topology.router_count(); ++r) {
        std::vector<std::pair<RouterId, ChannelId>> channels;
        for (const ChannelId id : topology.channels_from(r))
            channels.emplace_back(graph.group.difference(topology.channel(id).target, r), id);
        std::sort(channels.begin(), channels.end());
        if (r == 0)
            for (const auto& [difference, id] : channels)
                graph.generators.push_back(difference);
        if (!std::equal(channels.begin(), channels.end(), graph.generators.begin(), graph.generators.end(),
                        [](const auto& channel, RouterId generator) { return channel.first == generator; }))
            return std::nullopt;
        for (const auto& [difference, id] : channels)
            graph.channels.push_back(id);
    }
    return graph;
}

} // namespace

RouterId TranslationGroup::sum(RouterId a, RouterId b) const
{
    return digit_by_digit(moduli, a, b, [](unsigned x, unsigned y, unsigned) { return x + y; });
}

RouterId TranslationGroup::difference(RouterId a, RouterId b) const
{
    return digit_by_digit(moduli, a, b,
                          [](unsigned x, unsigned y, unsigned modulus) { return x + modulus - y; });
}

std::optional<CayleyGraph> find_cayley_graph(const Topology& topology)
{
    const auto routers = static_cast<unsigned>(topology.router_count());
    std::vector<TranslationGroup> candidates;
    if (topology.grid())
        candidates.push_back({topology.grid()->extent});
    candidates.push_back({{routers}});
    if (std::has_single_bit(routers))
        candidates.push_back({std::vector<unsigned>(static_cast<std::size_t>(std::countr_zero(routers)), 2)});
    for (TranslationGroup& group : candidates)
        if (auto graph = as_cayley_graph(topology, std::move(group)))
            return graph;
    return std::nullopt;
}

} // namespace nocturne
