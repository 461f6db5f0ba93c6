#include "sim/recovery/minimal_fault_set.hpp"

#include <boost/dynamic_bitset.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace nocturne {

namespace {

using Probes = std::vector<std::size_t>; ///< indices of lost probes, ascending

/// A channel or a router, and the lost probes that meet it.
struct FaultCandidate {
    std::optional<RouterId> router;
    ChannelId channel = 0;
    Probes explains;
};

using Choice = std::vector<std::size_t>;   ///< indices of candidates, ascending
using Explained = boost::dynamic_bitset<>; ///< by probe

/// Routers first: of two candidates that explain as much the router counts as one part as well.
std::vector<FaultCandidate> candidates_of(const Topology& topology,
                                          const std::vector<std::vector<ChannelId>>& lost,
                                          const std::vector<RouterId>& routers)
{
    std::map<ChannelId, Probes> by_channel;
    for (std::size_t probe = 0; probe < lost.size(); ++probe)
        for (const ChannelId id : lost[probe])
            by_channel[id].push_back(probe);
    std::vector<FaultCandidate> candidates;
    for (const RouterId router : routers) {
        std::set<std::size_t> probes;
        for (const auto channels : {topology.channels_from(router), topology.channels_to(router)})
            for (const ChannelId id : channels)
                if (const auto found = by_channel.find(id); found != by_channel.end())
                    probes.insert(found->second.begin(), found->second.end());
        if (!probes.empty())
            candidates.push_back({router, 0, {probes.begin(), probes.end()}});
    }
    for (auto& [channel, probes] : by_channel)
        candidates.push_back({std::nullopt, channel, std::move(probes)});
    return candidates;
}

/// All choices of as few candidates as possible of which every probe of a group meets one.
class SmallestChoices {
public:
    SmallestChoices(const std::vector<FaultCandidate>& candidates, std::size_t probes)
        : meets_(probes), explains_(candidates.size(), Explained(probes))
    {
        for (std::size_t i = 0; i < candidates.size(); ++i)
            for (const std::size_t probe : candidates[i].explains) {
                meets_[probe].push_back(i);
                explains_[i].set(probe);
            }
    }

    std::set<Choice> find(const Probes& group)
    {
        tries_ = 0;
        for (std::size_t size = 1; size <= group.size() && tries_ < most_tries; ++size) {
            choices_.clear();
            chosen_.clear();
            choose(group, Explained(meets_.size()), size);
            if (!choices_.empty() && tries_ < most_tries)
                return choices_;
        }
        return {choose_greedily(group)};
    }

private:
    static constexpr std::size_t most_tries = 100'000;

    /// One of those that the probe with the fewest candidates meets is among them.
    void choose(const Probes& group, const Explained& explained, std::size_t more)
    {
        if (++tries_ >= most_tries)
            return;
        std::optional<std::size_t> next;
        for (const std::size_t probe : group)
            if (!explained[probe] && (!next || meets_[probe].size() < meets_[*next].size()))
                next = probe;
        if (!next) {
            Choice choice = chosen_;
            std::sort(choice.begin(), choice.end());
            choices_.insert(std::move(choice));
            return;
        }
        if (more == 0)
            return;
        for (const std::size_t candidate : meets_[*next]) {
            chosen_.push_back(candidate);
            choose(group, explained | explains_[candidate], more - 1);
            chosen_.pop_back();
        }
    }

    Choice choose_greedily(const Probes& group)
    {
        chosen_.clear();
        Explained explained(meets_.size());
        for (;;) {
            std::map<std::size_t, std::size_t> more;
            for (const std::size_t probe : group)
                if (!explained[probe])
                    for (const std::size_t candidate : meets_[probe])
                        ++more[candidate];
            if (more.empty())
                break;
            chosen_.push_back(std::max_element(more.begin(), more.end(), [](const auto& a, const auto& b) {
                                  return a.second < b.second;
                              })->first);
            explained |= explains_[chosen_.back()];
        }
        std::sort(chosen_.begin(), chosen_.end());
        return chosen_;
    }

    std::vector<Choice> meets_;       ///< by probe
    std::vector<Explained> explains_; ///< by candidate
    std::set<Choice> choices_;
    Choice chosen_;
    std::size_t tries_ = 0;
};

/// Probes that share candidates, directly or through others.
std::vector<Probes> groups_of(const std::vector<FaultCandidate>& candidates, std::size_t probes)
{
    std::vector<std::size_t> leader(probes);
    std::iota(leader.begin(), leader.end(), std::size_t{0});
    const auto lead = [&](std::size_t probe) {
        while (leader[probe] != probe)
            probe = leader[probe] = leader[leader[probe]];
        return probe;
    };
    for (const FaultCandidate& candidate : candidates)
        for (const std::size_t probe : candidate.explains)
            leader[lead(probe)] = lead(candidate.explains.front());
    std::map<std::size_t, Probes> groups;
    for (std::size_t probe = 0; probe < probes; ++probe)
        groups[lead(probe)].push_back(probe);
    std::vector<Probes> result;
    for (auto& [leading, group] : groups)
        result.push_back(std::move(group));
    return result;
}

/// What all choices have in common, each by itself, and the rest together.
std::vector<Faults> parts_of(const std::vector<FaultCandidate>& candidates, const std::set<Choice>& choices)
{
    std::map<std::size_t, std::size_t> chosen;
    for (const Choice& choice : choices)
        for (const std::size_t candidate : choice)
            ++chosen[candidate];
    std::vector<Faults> parts;
    Faults alternatives;
    for (const auto& [index, times] : chosen) {
        Faults& part = times == choices.size() ? parts.emplace_back() : alternatives;
        const FaultCandidate& candidate = candidates[index];
        if (candidate.router)
            part.routers.push_back(*candidate.router);
        else
            part.channels.push_back(candidate.channel);
    }
    if (!alternatives.channels.empty() || !alternatives.routers.empty())
        parts.push_back(std::move(alternatives));
    return parts;
}

} // namespace

std::vector<Faults> smallest_faults(const Topology& topology, const std::vector<std::vector<ChannelId>>& lost,
                                    const std::vector<RouterId>& routers)
{
    const std::vector<FaultCandidate> candidates = candidates_of(topology, lost, routers);
    SmallestChoices smallest(candidates, lost.size());
    std::vector<Faults> parts;
    for (const Probes& group : groups_of(candidates, lost.size()))
        for (Faults& part : parts_of(candidates, smallest.find(group)))
            parts.push_back(std::move(part));
    return parts;
}

} // namespace nocturne
