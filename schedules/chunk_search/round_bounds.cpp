#include "schedules/chunk_search/round_bounds.hpp"

#include "schedules/certificate/hops.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace nocturne {
namespace {

/// Chunks with the same contributors and demands, as one.
struct ChunkClass {
    std::uint64_t weight = 0; ///< of all of them
    std::vector<std::uint32_t> contributors;
    std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> demands; ///< receiver, contributors
};

std::vector<ChunkClass> classes_of(const Collective& collective)
{
    std::map<std::pair<std::vector<std::uint32_t>, decltype(ChunkClass::demands)>, std::size_t> known;
    std::vector<ChunkClass> result;
    for (ChunkId c = 0; c < collective.chunks.size(); ++c) {
        ChunkClass one{0, collective.chunks[c].contributors, {}};
        for (const Demand& demand : collective.demands.of(c))
            if (!is_own(demand)) // which is there
                one.demands.emplace_back(demand.receiver, demand.contributors);
        const auto [found, is_new] = known.try_emplace({one.contributors, one.demands}, result.size());
        if (is_new)
            result.push_back(std::move(one));
        result[found->second].weight += collective.chunks[c].weight;
    }
    return result;
}

/// Nothing needs no rounds, whatever there is to carry it.
RoundRatio ratio_of(std::uint64_t weight, std::uint64_t units)
{
    return weight == 0 ? RoundRatio{} : RoundRatio{weight, units};
}

/// Of what must enter the set.
RoundRatio rounds_of_cut(const LinkNetwork& network, const std::vector<ChunkClass>& classes,
                         const std::vector<bool>& inside)
{
    std::uint64_t units = 0;
    for (LinkId id = 0; id < network.link_count(); ++id)
        if (inside[network.link(id).target] && !inside[network.link(id).source])
            units += network.units(id);
    std::uint64_t weight = 0;
    for (const ChunkClass& one : classes) {
        const bool enters = std::any_of(one.demands.begin(), one.demands.end(), [&](const auto& demand) {
            const auto& [receiver, contributors] = demand;
            return inside[receiver] && std::any_of(contributors.begin(), contributors.end(),
                                                   [&](std::uint32_t node) { return !inside[node]; });
        });
        weight += enters ? one.weight : 0;
    }
    return ratio_of(weight, units);
}

/// Of what must enter or leave a node.
RoundRatio rounds_of_nodes(const LinkNetwork& network, const std::vector<ChunkClass>& classes)
{
    struct Amounts {
        std::uint64_t weight = 0, units = 0;
        std::size_t last = ~std::size_t{0}; ///< the class that was counted last
    };
    std::vector<Amounts> in(network.node_count()), out(in);
    for (LinkId id = 0; id < network.link_count(); ++id) {
        in[network.link(id).target].units += network.units(id);
        out[network.link(id).source].units += network.units(id);
    }
    for (std::size_t i = 0; i < classes.size(); ++i) {
        const auto count = [&](Amounts& amounts) {
            if (std::exchange(amounts.last, i) != i)
                amounts.weight += classes[i].weight;
        };
        for (const auto& [receiver, contributors] : classes[i].demands)
            for (const std::uint32_t contributor : contributors)
                if (contributor != receiver) {
                    count(in[receiver]);
                    count(out[contributor]);
                }
    }
    RoundRatio rounds;
    for (const auto* const amounts : {&in, &out})
        for (const Amounts& one : *amounts)
            rounds = std::max(rounds, ratio_of(one.weight, one.units));
    return rounds;
}

RoundRatio rounds_of_cuts(const LinkNetwork& network, const std::vector<ChunkClass>& classes)
{
    constexpr std::size_t most_nodes = 16;
    const std::size_t nodes = network.node_count();
    RoundRatio rounds;
    std::vector<bool> inside(nodes);
    if (nodes <= most_nodes) {
        for (std::uint32_t set = 1; set + 1 < 1u << nodes; ++set) {
            for (std::size_t node = 0; node < nodes; ++node)
                inside[node] = (set >> node & 1) != 0;
            rounds = std::max(rounds, rounds_of_cut(network, classes, inside));
        }
        return rounds;
    }
    return rounds_of_nodes(network, classes);
}

RoundRatio rounds_of_receptions(const LinkNetwork& network, const std::vector<ChunkClass>& classes)
{
    std::uint64_t units = 0, weight = 0;
    for (LinkId id = 0; id < network.link_count(); ++id)
        if (network.link(id).target < network.processor_count())
            units += network.units(id);
    for (const ChunkClass& one : classes) {
        std::vector<bool> contributes(network.processor_count(), false);
        for (const std::uint32_t node : one.contributors)
            contributes[node] = true;
        bool are_whole = !one.demands.empty(), meet = false;
        for (const auto& [receiver, contributors] : one.demands) {
            are_whole = are_whole && contributors == one.contributors;
            meet = meet || contributes[receiver];
        }
        if (are_whole)
            weight += one.weight * (one.contributors.size() + one.demands.size() - (meet ? 2 : 1));
    }
    return ratio_of(weight, units);
}

} // namespace

bool operator<(const RoundRatio& a, const RoundRatio& b)
{
    using Wide = boost::multiprecision::uint128_t;
    return Wide{a.weight} * b.units < Wide{b.weight} * a.units;
}

std::optional<std::uint32_t> least_steps(const LinkNetwork& network, const Collective& collective)
{
    std::vector<std::vector<std::uint32_t>> distances(network.processor_count());
    std::uint32_t farthest = 0;
    for (const Demand& demand : collective.demands)
        for (const std::uint32_t contributor : demand.contributors) {
            auto& from = distances[contributor];
            if (from.empty())
                from = transfers_from(network, contributor);
            if (from[demand.receiver] == no_way)
                return std::nullopt;
            farthest = std::max(farthest, from[demand.receiver]);
        }
    return farthest;
}

RoundRatio least_round_ratio(const LinkNetwork& network, const Collective& collective)
{
    const std::vector<ChunkClass> classes = classes_of(collective);
    return std::max(rounds_of_cuts(network, classes), rounds_of_receptions(network, classes));
}

std::uint64_t least_rounds(const LinkNetwork& network, const Collective& collective)
{
    const auto [weight, units] = least_round_ratio(network, collective);
    return units == 0 ? ~std::uint64_t{0} : (weight + units - 1) / units;
}

} // namespace nocturne
