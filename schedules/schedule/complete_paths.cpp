#include "schedules/schedule/complete_paths.hpp"

#include "models/routing/distances.hpp"
#include "models/routing/paths.hpp"
#include "schedules/problem/transfer_rules.hpp"
#include "schedules/schedule/scratch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

using NetId = std::size_t;

/// A transfer that wants a path, as circuit routing calls it.
struct Net {
    std::size_t transfer; ///< index in its step
    ProcessorId source;
    ProcessorId destination;
};

/// The part of a step that is left to search.
struct StepProblem {
    const Topology& topology;
    std::vector<Net> nets;
    std::vector<bool> taken; ///< by channel: a given path holds it
    unsigned hop_limit;      ///< of any path: 1 under store-and-forward
};

constexpr unsigned no_hop_limit = std::numeric_limits<unsigned>::max();

/// Finds cheapest paths. A walk with at most `slack` extra hops has the states (router, extra hops so far);
/// both the distance left and the extra hops only ever move one way, so hop by hop is an order in which costs
/// are final.
class CheapestPath {
public:
    CheapestPath(const StepProblem& problem, unsigned slack)
        : problem_(problem), slack_(slack), distances_(problem.topology.router_count()),
          best_(problem.topology.router_count() * (slack + std::size_t{1}))
    {
        for (const Net& net : problem.nets) {
            ends_.push_back(endpoints(problem.topology, net.source, net.destination));
            if (auto& distances = distances_[ends_.back().destination]; distances.empty())
                distances = distances_to(problem.topology, ends_.back().destination);
        }
    }

    /// `cost` of a channel is a number of at least 1. Nothing if every walk meets a taken channel.
    template <class Cost>
    std::optional<Path> find(NetId net, const Cost& cost);

private:
    struct Arrival {
        std::uint64_t cost;
        ChannelId channel;
        std::size_t from; // state
    };
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    std::size_t state(RouterId router, std::size_t extra) const
    {
        return router * (slack_ + std::size_t{1}) + extra;
    }
    Path trace(std::size_t state) const;

    const StepProblem& problem_;
    unsigned slack_;
    std::vector<Endpoints> ends_;
    std::vector<std::vector<std::uint32_t>> distances_; // by destination, where there is one, and router
    Scratch<Arrival> best_;
};

template <class Cost>
std::optional<Path> CheapestPath::find(NetId net, const Cost& cost)
{
    const Topology& topology = problem_.topology;
    const auto [source, destination] = ends_[net];
    const std::vector<std::uint32_t>& distance = distances_[destination];
    best_.forget_all();
    if (distance[source] == unreachable || distance[source] > problem_.hop_limit)
        return std::nullopt;
    best_.set(state(source, 0), {0, 0, none});
    std::vector<std::size_t> frontier{state(source, 0)};
    std::vector<std::size_t> next;
    while (!frontier.empty()) {
        next.clear();
        for (const std::size_t from : frontier) {
            const auto router = static_cast<RouterId>(from / (slack_ + 1));
            const std::size_t extra = from % (slack_ + 1);
            if (router == destination)
                continue;
            for (const ChannelId channel : topology.channels_from(router)) {
                const RouterId to = topology.channel(channel).target;
                if (problem_.taken[channel] || distance[to] == unreachable)
                    continue;
                const std::size_t extra_there = extra + 1 + distance[to] - distance[router];
                if (extra_there > slack_ || distance[source] + extra_there > problem_.hop_limit)
                    continue;
                const std::size_t there = state(to, extra_there);
                const std::uint64_t total = best_.find(from)->cost + cost(channel);
                const Arrival* const known = best_.find(there);
                if (!known)
                    next.push_back(there);
                if (!known || total < known->cost)
                    best_.set(there, {total, channel, from});
            }
        }
        std::swap(frontier, next);
    }
    std::size_t cheapest = none;
    for (std::size_t extra = 0; extra <= slack_; ++extra) {
        const std::size_t end = state(destination, extra);
        if (best_.find(end) && (cheapest == none || best_.find(end)->cost < best_.find(cheapest)->cost))
            cheapest = end;
    }
    if (cheapest == none)
        return std::nullopt;
    return trace(cheapest);
}

/// The walk to `state`, without the loops that it may make.
Path CheapestPath::trace(std::size_t state) const
{
    Path walk;
    for (; best_.find(state)->from != none; state = best_.find(state)->from)
        walk.push_back(best_.find(state)->channel);
    std::reverse(walk.begin(), walk.end());
    return without_loops(problem_.topology, walk);
}

/// Paths by net, or nothing if the limit was reached or a net has no way at all.
std::optional<std::vector<Path>> repair(const StepProblem& problem, unsigned slack, unsigned long limit)
{
    constexpr NetId nobody = std::numeric_limits<NetId>::max();
    CheapestPath cheapest(problem, slack);
    std::vector<Path> paths(problem.nets.size());
    std::vector<NetId> holder(problem.topology.channel_count(), nobody);
    std::vector<std::uint64_t> weight(problem.topology.channel_count(), 1);
    std::deque<NetId> waiting; // first come, first served: serving the last first runs in circles
    for (NetId net = 0; net < problem.nets.size(); ++net)
        waiting.push_back(net);
    const unsigned long memory = 2 * problem.nets.size() * problem.nets.size();
    // A hop costs less than any eviction.
    const std::uint64_t eviction = problem.topology.router_count() + slack;
    const auto cost = [&](ChannelId channel) {
        return 1 + (holder[channel] == nobody ? 0 : eviction * weight[channel]);
    };
    for (; !waiting.empty(); --limit) {
        if (limit == 0)
            return std::nullopt;
        if (limit % memory == 0) // old fights must not outweigh new ones
            for (std::uint64_t& w : weight)
                w = (w + 1) / 2;
        const NetId net = waiting.front();
        waiting.pop_front();
        const auto path = cheapest.find(net, cost);
        if (!path)
            return std::nullopt;
        for (const ChannelId channel : *path) {
            if (const NetId loser = holder[channel]; loser != nobody) {
                ++weight[channel];
                for (const ChannelId freed : paths[loser])
                    holder[freed] = nobody;
                paths[loser].clear();
                waiting.push_back(loser);
            }
            holder[channel] = net;
        }
        paths[net] = *path;
    }
    return paths;
}

/// Backtracking over all paths of all nets, the net with the fewest remaining ones first.
class Exhaustion {
public:
    enum class Outcome { found, impossible, limit_reached };

    Exhaustion(const StepProblem& problem, unsigned slack, unsigned long limit);

    Outcome run();
    /// By net, once found.
    std::vector<Path> paths() const;

private:
    struct Candidate {
        NetId net;
        Path path;
        unsigned blocked = 0; ///< its channels that paths chosen so far hold
    };
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    /// Paths to keep in memory. Where there are more, nothing can be proven.
    static constexpr std::size_t most_candidates = 100'000;
    /// The search recurses once a net; far more than any network has processors.
    static constexpr std::size_t most_nets = 10'000;

    void add_candidates(NetId net, const StepProblem& problem, unsigned slack);
    Outcome search();
    bool block(const Path& path);
    void unblock(const Path& path);

    std::vector<Candidate> candidates_;
    std::vector<std::vector<std::size_t>> by_net_;
    std::vector<std::vector<std::size_t>> by_channel_;
    std::vector<std::size_t> open_;   // by net: candidates that are not blocked
    std::vector<std::size_t> chosen_; // by net: candidate, or none
    unsigned long limit_;
    bool all_candidates_ = true;
};

Exhaustion::Exhaustion(const StepProblem& problem, unsigned slack, unsigned long limit)
    : by_net_(problem.nets.size()), by_channel_(problem.topology.channel_count()), open_(problem.nets.size()),
      chosen_(problem.nets.size(), none), limit_(limit)
{
    for (NetId net = 0; net < problem.nets.size(); ++net)
        add_candidates(net, problem, slack);
}

void Exhaustion::add_candidates(NetId net, const StepProblem& problem, unsigned slack)
{
    PathEnumerator enumerator(problem.topology, problem.nets[net].source, problem.nets[net].destination,
                              slack);
    const std::size_t most = most_candidates / problem.nets.size();
    for (std::size_t seen = 0; const auto path = enumerator.next(); ++seen) {
        if (path->size() > problem.hop_limit) // the enumerator's paths only get longer
            break;
        if (seen == most) {
            all_candidates_ = false;
            break;
        }
        if (std::any_of(path->begin(), path->end(),
                        [&](ChannelId channel) { return problem.taken[channel]; }))
            continue;
        by_net_[net].push_back(candidates_.size());
        for (const ChannelId channel : *path)
            by_channel_[channel].push_back(candidates_.size());
        candidates_.push_back({net, *path});
    }
    open_[net] = by_net_[net].size();
}

Exhaustion::Outcome Exhaustion::run()
{
    if (chosen_.size() > most_nets)
        return Outcome::limit_reached;
    const Outcome outcome = search();
    return outcome == Outcome::impossible && !all_candidates_ ? Outcome::limit_reached : outcome;
}

Exhaustion::Outcome Exhaustion::search()
{
    std::size_t net = none;
    for (NetId other = 0; other < chosen_.size(); ++other)
        if (chosen_[other] == none && (net == none || open_[other] < open_[net]))
            net = other;
    if (net == none)
        return Outcome::found;
    for (const std::size_t candidate : by_net_[net]) {
        if (candidates_[candidate].blocked > 0)
            continue;
        if (limit_-- == 0)
            return Outcome::limit_reached;
        chosen_[net] = candidate;
        if (block(candidates_[candidate].path))
            if (const Outcome outcome = search(); outcome != Outcome::impossible)
                return outcome;
        unblock(candidates_[candidate].path);
        chosen_[net] = none;
    }
    return Outcome::impossible;
}

/// Takes the channels of `path`. Does everyone else still have a path?
bool Exhaustion::block(const Path& path)
{
    bool possible = true;
    for (const ChannelId channel : path)
        for (const std::size_t candidate : by_channel_[channel]) {
            auto& [net, _, blocked] = candidates_[candidate];
            if (blocked++ == 0 && --open_[net] == 0 && chosen_[net] == none)
                possible = false;
        }
    return possible;
}

void Exhaustion::unblock(const Path& path)
{
    for (const ChannelId channel : path)
        for (const std::size_t candidate : by_channel_[channel])
            if (--candidates_[candidate].blocked == 0)
                ++open_[candidates_[candidate].net];
}

std::vector<Path> Exhaustion::paths() const
{
    std::vector<Path> paths;
    for (const std::size_t candidate : chosen_)
        paths.push_back(candidates_[candidate].path);
    return paths;
}

StepProblem problem_of(const Step& step, const Topology& topology, Switching switching)
{
    StepProblem problem{topology,
                        {},
                        std::vector<bool>(topology.channel_count()),
                        switching == Switching::store_and_forward ? 1 : no_hop_limit};
    for (std::size_t transfer = 0; transfer < step.size(); ++transfer) {
        if (!step[transfer].path) {
            problem.nets.push_back({transfer, step[transfer].source, step[transfer].destination});
            continue;
        }
        for (const ChannelId channel : *step[transfer].path) {
            if (channel >= topology.channel_count())
                throw std::invalid_argument(
                    fmt::format("{}: channel {} does not exist", topology.name(), channel));
            problem.taken[channel] = true;
        }
    }
    return problem;
}

std::vector<Path> solve(const StepProblem& problem, const PathSearch& search)
{
    using Outcome = Exhaustion::Outcome;
    const auto exhaust = [&](unsigned slack, unsigned long limit) {
        Exhaustion exhaustion(problem, slack, limit);
        const Outcome outcome = exhaustion.run();
        return std::pair{outcome, outcome == Outcome::found ? exhaustion.paths() : std::vector<Path>{}};
    };
    for (unsigned slack = 0;; ++slack) {
        // Most steps are either easy or plainly impossible; a short look tells.
        if (const auto [outcome, paths] = exhaust(slack, search.search_limit / 100);
            outcome == Outcome::found)
            return paths;
        else if (outcome == Outcome::limit_reached)
            if (const auto repaired = repair(problem, slack, search.search_limit))
                return *repaired;
        if (slack == search.max_slack)
            break;
    }
    const auto [outcome, paths] = exhaust(search.max_slack, search.search_limit);
    if (outcome == Outcome::found)
        return paths;
    if (outcome == Outcome::impossible)
        throw std::runtime_error(
            fmt::format("no paths without conflict exist (proven for slack {})", search.max_slack));
    throw std::runtime_error(
        fmt::format("no paths without conflict found (slack {}, search limit {} reached: not proven)",
                    search.max_slack, search.search_limit));
}

} // namespace

Schedule complete_paths(const Schedule& schedule, const Topology& topology, const PathSearch& search)
{
    Schedule result = schedule;
    PathSearch within = search;
    within.max_slack = std::min(search.max_slack, schedule.slack.value_or(search.max_slack));
    for (std::size_t step = 0; step < result.steps.size(); ++step) {
        try {
            const StepProblem problem = problem_of(result.steps[step], topology, schedule.switching);
            if (problem.nets.empty())
                continue;
            const std::vector<Path> paths = solve(problem, within);
            for (NetId net = 0; net < paths.size(); ++net)
                result.steps[step][problem.nets[net].transfer].path = paths[net];
        } catch (const std::runtime_error& error) {
            throw std::runtime_error(fmt::format("{}: step {}: {}", schedule.name, step + 1, error.what()));
        }
    }
    return result;
}

} // namespace nocturne
