#include "models/hardware/deadlock_watch.hpp"

#include "models/network/clocks.hpp"

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

template <typename Visit>
void visit_waits(const Network& network, Visit visit)
{
    for (RouterId router = 0; router < network.routers().size(); ++router)
        for (const WaitingInput& wait : network.routers()[router]->waits())
            visit(router, wait, VirtualChannel(network.link_into(router, wait.input), wait.vc));
}

/// A branch that has a way and no flits waits for those that another branch cannot send: `visit` is told
/// where it is, the flit that left last, and where the next one comes from; nothing if it is on its way.
template <typename Visit>
void visit_starving(const Network& network, Visit visit)
{
    if (!network.copies_multicasts())
        return;
    for (RouterId router = 0; router < network.routers().size(); ++router)
        for (const auto& [at, last] : network.routers()[router]->starving()) {
            const std::uint32_t link = network.link_into(router, at.input);
            std::optional<VirtualChannel> from;
            if (!network.plan().is_injection(link)) {
                const auto [before, port] = network.sender_of(link);
                if (const auto owner = network.routers()[before]->owner(port * network.plan().vcs() + at.vc))
                    from = VirtualChannel(network.link_into(before, owner->input), owner->vc);
            }
            visit(VirtualChannel(link, at.vc), last, from);
        }
}

VirtualChannel at_other_end(const Network& network, RouterId router, std::uint32_t output_vc)
{
    const unsigned vcs = network.plan().vcs();
    return {network.link_out_of(router, output_vc / vcs), output_vc % vcs};
}

WaitGraph wait_graph(const Network& network)
{
    WaitGraph graph;
    visit_waits(network, [&](RouterId router, const WaitingInput& wait, VirtualChannel at) {
        Waiting& waiting = graph[at];
        waiting.packet = wait.packet;
        for (std::uint32_t i = wait.wanted.first; i < wait.wanted.first + wait.wanted.count; ++i)
            waiting.wanted.push_back(at_other_end(network, router, i));
    });
    visit_starving(network, [&](VirtualChannel at, Flit last, std::optional<VirtualChannel> from) {
        Waiting& waiting = graph[at];
        waiting.packet = last.packet();
        if (from)
            waiting.wanted.push_back(*from);
    });
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

std::vector<WaitEdge> cycle_in(WaitGraph& graph)
{
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

/// A head of a virtual channel, and what could set it free.
struct Blocked {
    BlockedFlit head{};
    std::vector<VirtualChannel> by; ///< whose heads must move for it to move: any of them
    bool may_move = false;          ///< something else sets it free
};

using BlockedChannels = std::map<VirtualChannel, Blocked>;

BlockedChannels blocked_channels(const Network& network)
{
    BlockedChannels result;
    visit_waits(network, [&](RouterId router, const WaitingInput& wait, VirtualChannel at) {
        Blocked& blocked = result[at];
        blocked.head = {wait.packet, wait.sequence, wait.injected};
        if (wait.holds_output) {
            blocked.by.push_back(at_other_end(network, router, wait.wanted.first));
            return;
        }
        for (std::uint32_t i = wait.wanted.first; i < wait.wanted.first + wait.wanted.count; ++i) {
            if (const auto owner = network.routers()[router]->owner(i))
                blocked.by.emplace_back(network.link_into(router, owner->input), owner->vc);
            else
                blocked.may_move = true;
        }
    });
    visit_starving(network, [&](VirtualChannel at, Flit last, std::optional<VirtualChannel> from) {
        const auto [blocked, is_new] = result.try_emplace(at);
        if (is_new)
            blocked->second.head = {last.packet(), last.sequence(), network.packet(last.packet()).injected};
        if (from)
            blocked->second.by.push_back(*from);
        else
            blocked->second.may_move = true;
    });
    return result;
}

/// Leaves those that only others of them could set free.
void keep_stuck(BlockedChannels& channels)
{
    std::map<VirtualChannel, std::vector<VirtualChannel>> waiting_for; // by what could set them free
    std::vector<VirtualChannel> moving;
    for (const auto& [channel, blocked] : channels) {
        for (const VirtualChannel& by : blocked.by)
            waiting_for[by].push_back(channel);
        if (blocked.may_move || std::any_of(blocked.by.begin(), blocked.by.end(),
                                            [&](const VirtualChannel& by) { return !channels.contains(by); }))
            moving.push_back(channel);
    }
    while (!moving.empty()) {
        const VirtualChannel channel = moving.back();
        moving.pop_back();
        if (channels.erase(channel) != 0)
            for (const VirtualChannel& freed : waiting_for[channel])
                moving.push_back(freed);
    }
}

} // namespace

std::vector<WaitEdge> find_waiting_cycle(const Network& network)
{
    WaitGraph graph = wait_graph(network);
    return cycle_in(graph);
}

DeadlockWatch::DeadlockWatch(const Network& network) : network_(network)
{
    const Topology& topology = network.topology();
    Cycle slowest_clock = 1; // of the network's cycles in one of its own
    for (RouterId id = 0; topology.has_router_parts() && id < topology.router_count(); ++id) {
        const ClockRatio& clock = topology.part(id).clock;
        slowest_clock = std::max<Cycle>(slowest_clock, (clock.base + clock.ticks - 1) / clock.ticks);
    }
    const Cycle crossings = !has_own_clocks(topology) ? 0 : 2 * (1 + network.config().synchronizer_cycles);
    for (const auto& link : network.links()) {
        const LinkConfig& config = link->config();
        const Cycle flit =
            std::max(config.cycles_per_flit, network.plan().timing(config.index).rate.longest_gap());
        const Cycle wire = 1 + config.latency_cycles + config.credit_cycles + flit;
        settling_cycles_ = std::max(settling_cycles_,
                                    (wire + crossings) * slowest_clock + network.plan().most_router_cycles());
    }
}

std::vector<WaitEdge> DeadlockWatch::look(Cycle now)
{
    BlockedChannels channels = blocked_channels(network_);
    keep_stuck(channels);
    std::map<VirtualChannel, Stuck> stuck;
    for (const auto& [channel, blocked] : channels) {
        const auto before = stuck_.find(channel);
        const bool has_moved = before == stuck_.end() || !(before->second.head == blocked.head);
        stuck.emplace(channel, Stuck{blocked.head, has_moved ? now : before->second.since});
    }
    stuck_ = std::move(stuck);
    std::erase_if(channels,
                  [&](const auto& entry) { return now - stuck_.at(entry.first).since <= settling_cycles_; });
    keep_stuck(channels);
    if (channels.empty())
        return {};
    WaitGraph graph = wait_graph(network_);
    std::erase_if(graph, [&](const auto& entry) { return !channels.contains(entry.first); });
    return cycle_in(graph);
}

} // namespace nocturne
