#include "schedules/chunk_flows/path_rounding.hpp"

#include <algorithm>
#include <map>

namespace nocturne {
namespace {

/// Chooses one of its pair's paths for each chunk.
class PathRounding {
public:
    PathRounding(const LinkNetwork& network, const Collective& collective, const OwedPairs& owed,
                 const LinkFlow& flow)
        : network_(network), collective_(collective), owed_(owed), flow_(flow),
          load_(network.link_count(), 0), choice_(collective.chunks.size(), 0)
    {
    }

    /// By chunk; empty of what is not owed.
    std::vector<LinkPath> run()
    {
        deal_out();
        constexpr std::uint64_t most_passes = 50, most_links = 100'000'000;
        std::uint64_t links = 1; // that a pass looks at
        for (std::size_t i = 0; i < owed_.demands.size(); ++i)
            for (const PathShare& share : flow_.shares[i])
                links += share.path.size() * owed_.chunks[i].size();
        const std::uint64_t passes = std::clamp<std::uint64_t>(most_links / links, 1, most_passes);
        for (std::uint64_t pass = 0; pass < passes && improve(); ++pass)
            continue;
        std::vector<LinkPath> paths(choice_.size());
        for (std::size_t i = 0; i < owed_.demands.size(); ++i)
            for (const ChunkId chunk : owed_.chunks[i])
                paths[chunk] = flow_.shares[i][choice_[chunk]].path;
        return paths;
    }

private:
    double weight_of(ChunkId chunk) const { return collective_.chunks[chunk].weight; }

    /// Each chunk to the path that lacks most of its share.
    void deal_out()
    {
        for (std::size_t i = 0; i < owed_.demands.size(); ++i) {
            const auto& shares = flow_.shares[i];
            std::vector<double> lacking;
            for (const PathShare& share : shares)
                lacking.push_back(share.weight);
            for (const ChunkId chunk : owed_.chunks[i]) {
                const auto most = std::max_element(lacking.begin(), lacking.end());
                *most -= weight_of(chunk);
                choice_[chunk] = static_cast<std::size_t>(most - lacking.begin());
                add(shares[choice_[chunk]].path, weight_of(chunk));
            }
        }
    }

    void add(const LinkPath& path, double weight)
    {
        for (const LinkId id : path)
            load_[id] += weight;
    }

    /// What a path costs whose links carry so much more: steep, so that full links count most.
    double cost_of(const LinkPath& path, double weight) const
    {
        double cost = 0;
        for (const LinkId id : path) {
            double power = (load_[id] + weight) / (static_cast<double>(network_.units(id)) * flow_.rounds);
            for (unsigned doubling = 0; doubling < 4; ++doubling) // to the 16th
                power *= power;
            cost += power;
        }
        return cost;
    }

    /// Moves every chunk to its cheapest path. False if all are there.
    bool improve()
    {
        bool has_moved = false;
        for (std::size_t i = 0; i < owed_.demands.size(); ++i) {
            const auto& shares = flow_.shares[i];
            for (const ChunkId chunk : owed_.chunks[i]) {
                if (shares.size() < 2)
                    break;
                std::size_t& choice = choice_[chunk];
                add(shares[choice].path, -weight_of(chunk));
                std::size_t best = choice;
                double least = cost_of(shares[choice].path, weight_of(chunk)) * (1 - 1e-9);
                for (std::size_t other = 0; other < shares.size(); ++other)
                    if (const double cost = cost_of(shares[other].path, weight_of(chunk)); cost < least) {
                        least = cost;
                        best = other;
                    }
                has_moved = has_moved || best != choice;
                choice = best;
                add(shares[choice].path, weight_of(chunk));
            }
        }
        return has_moved;
    }

    const LinkNetwork& network_;
    const Collective& collective_;
    const OwedPairs& owed_;
    const LinkFlow& flow_;
    std::vector<double> load_;
    std::vector<std::size_t> choice_;
};

} // namespace

std::optional<OwedPairs> owed_pairs(const Collective& collective)
{
    std::vector<bool> seen(collective.chunks.size(), false);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<ChunkId>> pairs;
    for (const Demand& demand : collective.demands) {
        const auto& contributors = collective.chunks[demand.chunk].contributors;
        if (seen[demand.chunk] || contributors.size() != 1 || contributors.front() == demand.receiver)
            return std::nullopt;
        seen[demand.chunk] = true;
        pairs[{contributors.front(), demand.receiver}].push_back(demand.chunk);
    }
    OwedPairs owed;
    for (auto& [pair, chunks] : pairs) {
        std::uint64_t weight = 0;
        for (const ChunkId chunk : chunks)
            weight += collective.chunks[chunk].weight;
        owed.demands.push_back({pair.first, pair.second, weight});
        owed.chunks.push_back(std::move(chunks));
    }
    return owed;
}

LinkFlow scaled(LinkFlow flow, std::uint32_t factor)
{
    flow.rounds *= factor;
    for (auto& shares : flow.shares)
        for (PathShare& share : shares)
            share.weight *= factor;
    return flow;
}

std::vector<LinkPath> round_to_paths(const LinkNetwork& network, const Collective& collective,
                                     const OwedPairs& owed, const LinkFlow& flow)
{
    return PathRounding(network, collective, owed, flow).run();
}

} // namespace nocturne
