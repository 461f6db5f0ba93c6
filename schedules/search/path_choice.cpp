#include "schedules/search/path_choice.hpp"

#include "models/routing/distances.hpp"
#include "models/routing/paths.hpp"
#include "models/routing/random.hpp"
#include "models/topology/indices_by.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace nocturne {

namespace {

/// Paths that are listed for each that is wanted.
constexpr std::size_t listed_per_path = 4;
/// Random paths that are tried for each that is wanted: some come twice.
constexpr std::size_t tries_per_path = 4;

/// Random minimal paths to one destination, each as probable as the others.
class MinimalPaths {
public:
    MinimalPaths(const Topology& topology, RouterId destination)
        : topology_(topology), distance_(distances_to(topology, destination)),
          count_(topology.router_count(), 0)
    {
        const auto near_first =
            indices_by<RouterId>(topology.router_count(), [&](RouterId router) { return distance_[router]; });
        count_[destination] = 1;
        for (const RouterId router : near_first) {
            for (const ChannelId id : topology.channels_from(router)) {
                if (is_nearer(id))
                    count_[router] += count_[topology.channel(id).target];
            }
        }
    }

    Path random(RouterId from, SplitMix64& random) const
    {
        Path path;
        while (distance_[from] != 0) {
            double left = random.uniform() * count_[from];
            ChannelId chosen = no_channel;
            for (const ChannelId id : topology_.channels_from(from)) {
                if (!is_nearer(id))
                    continue;
                chosen = id;
                left -= count_[topology_.channel(id).target];
                if (left < 0)
                    break;
            }
            path.push_back(chosen);
            from = topology_.channel(chosen).target;
        }
        return path;
    }

private:
    bool is_nearer(ChannelId id) const
    {
        const Channel& channel = topology_.channel(id);
        return distance_[channel.source] != unreachable &&
               distance_[channel.target] + 1 == distance_[channel.source];
    }

    const Topology& topology_;
    std::vector<std::uint32_t> distance_; ///< to the destination, by router
    std::vector<double> count_;           ///< of minimal paths, by router
};

} // namespace

std::vector<Path> choose_paths(const Topology& topology, ProcessorId source, ProcessorId destination,
                               const PathChoice& choice)
{
    std::vector<Path> paths;
    SplitMix64 random(choice.seed);
    if (choice.slack == 0 &&
        count_minimal_paths(topology, source, destination) > listed_per_path * choice.most_paths) {
        const Endpoints ends = endpoints(topology, source, destination);
        const MinimalPaths minimal(topology, ends.destination);
        std::set<Path> known;
        for (std::size_t i = 0; i < tries_per_path * choice.most_paths && paths.size() < choice.most_paths;
             ++i) {
            Path path = minimal.random(ends.source, random);
            if (known.insert(path).second)
                paths.push_back(std::move(path));
        }
        return paths;
    }
    PathEnumerator enumerator(topology, source, destination, choice.slack);
    while (paths.size() < listed_per_path * choice.most_paths) {
        std::optional<Path> path = enumerator.next();
        if (!path)
            break;
        paths.push_back(std::move(*path));
    }
    // Some of the list: shuffled as far as it stays.
    for (std::size_t i = 0; i < std::min(choice.most_paths, paths.size()); ++i)
        std::swap(paths[i], paths[i + random.below(static_cast<std::uint32_t>(paths.size() - i))]);
    paths.resize(std::min(choice.most_paths, paths.size()));
    return paths;
}

} // namespace nocturne
