#include "models/hardware/stall.hpp"

#include <algorithm>
#include <map>

namespace nocturne {

namespace {

using VirtualChannel = std::pair<std::uint32_t, unsigned>; ///< link and virtual channel

struct Waiting {
    PacketId packet;
    std::vector<VirtualChannel> wanted;
    enum class Mark { fresh, on_path, done } mark = Mark::fresh;
};

using WaitGraph = std::map<VirtualChannel, Waiting>;

WaitGraph wait_graph(const Network& network)
{
    const unsigned vcs = network.config().vcs;
    WaitGraph graph;
    for (RouterId router = 0; router < network.routers().size(); ++router)
        for (const Router::Wait& wait : network.routers()[router]->waits()) {
            Waiting& waiting = graph[{network.link_into(router, wait.input), wait.vc}];
            waiting.packet = wait.packet;
            for (std::uint32_t i = wait.wanted.first; i < wait.wanted.first + wait.wanted.count; ++i)
                waiting.wanted.emplace_back(network.link_out_of(router, i / vcs), i % vcs);
        }
    return graph;
}

/// Depth first along `wanted` until the path meets itself; the path is explicit, since it can be as long as
/// the network.
std::vector<VirtualChannel> find_cycle_from(WaitGraph& graph, VirtualChannel start)
{
    std::vector<std::pair<VirtualChannel, std::size_t>> path; ///< and how many of its wanted have been tried
    const auto enter = [&](VirtualChannel at) {
        graph.at(at).mark = Waiting::Mark::on_path;
        path.emplace_back(at, 0);
    };
    enter(start);
    while (!path.empty()) {
        Waiting& waiting = graph.at(path.back().first);
        if (path.back().second == waiting.wanted.size()) {
            waiting.mark = Waiting::Mark::done;
            path.pop_back();
            continue;
        }
        const VirtualChannel next = waiting.wanted[path.back().second++];
        const auto found = graph.find(next);
        if (found == graph.end() || found->second.mark == Waiting::Mark::done)
            continue;
        if (found->second.mark == Waiting::Mark::fresh) {
            enter(next);
            continue;
        }
        std::vector<VirtualChannel> cycle;
        const auto begin =
            std::find_if(path.begin(), path.end(), [&](const auto& at) { return at.first == next; });
        std::transform(begin, path.end(), std::back_inserter(cycle), [](const auto& at) { return at.first; });
        return cycle;
    }
    return {};
}

} // namespace

std::vector<WaitEdge> find_waiting_cycle(const Network& network)
{
    WaitGraph graph = wait_graph(network);
    for (auto& [start, waiting] : graph) {
        if (waiting.mark != Waiting::Mark::fresh)
            continue;
        const std::vector<VirtualChannel> cycle = find_cycle_from(graph, start);
        std::vector<WaitEdge> edges;
        for (std::size_t i = 0; i < cycle.size(); ++i) {
            const VirtualChannel next = cycle[(i + 1) % cycle.size()];
            edges.push_back(
                {cycle[i].first, cycle[i].second, graph.at(cycle[i]).packet, next.first, next.second});
        }
        if (!edges.empty())
            return edges;
    }
    return {};
}

} // namespace nocturne
