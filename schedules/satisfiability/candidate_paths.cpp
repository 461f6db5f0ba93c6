#include "schedules/satisfiability/candidate_paths.hpp"

#include "models/routing/paths.hpp"

#include <algorithm>

namespace nocturne {
namespace {

std::vector<Path> one_hop_paths(const Topology& topology, Pair pair)
{
    const auto [from, to] = endpoints(topology, pair.source, pair.destination);
    if (from == to)
        return {Path{}};
    std::vector<Path> paths;
    for (const ChannelId channel : topology.channels_from(from))
        if (topology.channel(channel).target == to)
            paths.push_back({channel});
    return paths;
}

} // namespace

std::optional<CandidatePaths>
list_candidate_paths(const Problem& problem, std::span<const Pair> pairs,
                     const std::function<std::uint64_t(const CandidatePath&)>& cost, std::uint64_t most)
{
    const Topology& topology = problem.topology;
    CandidatePaths paths;
    std::uint64_t total = 0;
    const auto add = [&](Pair pair, Path path) {
        paths.all.push_back({pair.source, pair.destination, std::move(path)});
        total += cost(paths.all.back());
        return total <= most;
    };
    for (const Pair pair : pairs) {
        paths.first.push_back(static_cast<std::uint32_t>(paths.all.size()));
        if (problem.switching == Switching::store_and_forward) {
            for (Path& path : one_hop_paths(topology, pair))
                if (!add(pair, std::move(path)))
                    return std::nullopt;
            continue;
        }
        const auto any_slack = static_cast<unsigned>(topology.router_count());
        PathEnumerator enumerator(topology, pair.source, pair.destination,
                                  std::min(problem.slack.value_or(any_slack), any_slack));
        while (std::optional<Path> path = enumerator.next())
            if (!add(pair, std::move(*path)))
                return std::nullopt;
    }
    paths.first.push_back(static_cast<std::uint32_t>(paths.all.size()));
    return paths;
}

} // namespace nocturne
