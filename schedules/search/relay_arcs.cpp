#include "schedules/search/relay_arcs.hpp"

#include "models/routing/paths.hpp"

#include <algorithm>
#include <optional>

namespace nocturne {
namespace {

/// The shortest ways of one processor to its neighbours.
class Neighbourhood {
public:
    Neighbourhood(const Problem& problem, ProcessorId source, unsigned most_paths);
    std::vector<RelayArc> arcs() &&;

private:
    bool can_pass(RouterId router) const;
    void spread();
    void trace(RouterId router);

    const Problem& problem_;
    const Topology& topology_ = problem_.topology;
    const ProcessorId source_;
    const unsigned most_paths_;
    std::vector<std::uint32_t> distance_; ///< over routers without relays
    std::vector<RouterId> reached_;
    Path backwards_;
    std::vector<Path> paths_; ///< to the router at hand
    std::vector<RelayArc> arcs_;
};

Neighbourhood::Neighbourhood(const Problem& problem, ProcessorId source, unsigned most_paths)
    : problem_(problem), source_(source), most_paths_(most_paths),
      distance_(problem.topology.router_count(), unreachable)
{
}

/// Does a path go on here? Not where a processor can take the message in and send it on.
bool Neighbourhood::can_pass(RouterId router) const
{
    if (problem_.switching == Switching::store_and_forward)
        return false;
    const auto ejected = topology_.processors_ejected_by(router);
    return std::none_of(ejected.begin(), ejected.end(),
                        [&](ProcessorId p) { return topology_.processor(p).injection == router; });
}

void Neighbourhood::spread()
{
    const RouterId origin = topology_.processor(source_).injection;
    distance_[origin] = 0;
    reached_ = {origin};
    for (std::size_t next = 0; next < reached_.size(); ++next) {
        const RouterId router = reached_[next];
        if (router != origin && !can_pass(router))
            continue;
        for (const ChannelId channel : topology_.channels_from(router)) {
            const RouterId target = topology_.channel(channel).target;
            if (distance_[target] != unreachable)
                continue;
            distance_[target] = distance_[router] + 1;
            reached_.push_back(target);
        }
    }
}

/// Extends the way back from the router at hand, now at `router`, to the source.
void Neighbourhood::trace(RouterId router)
{
    if (distance_[router] == 0) {
        paths_.emplace_back(backwards_.rbegin(), backwards_.rend());
        return;
    }
    for (const ChannelId channel : topology_.channels_to(router)) {
        const RouterId before = topology_.channel(channel).source;
        if (paths_.size() == most_paths_)
            return;
        if (distance_[before] == unreachable || distance_[before] + 1 != distance_[router] ||
            (distance_[before] > 0 && !can_pass(before)))
            continue;
        backwards_.push_back(channel);
        trace(before);
        backwards_.pop_back();
    }
}

std::vector<RelayArc> Neighbourhood::arcs() &&
{
    spread();
    std::optional<std::vector<std::uint32_t>> minimal; // what the slack is counted from
    if (problem_.slack)
        minimal = distances_from(topology_, topology_.processor(source_).injection);
    for (const RouterId router : reached_) {
        const auto receivers = topology_.processors_ejected_by(router);
        if (receivers.empty() ||
            (minimal && distance_[router] > std::uint64_t{(*minimal)[router]} + *problem_.slack))
            continue;
        paths_.clear();
        trace(router);
        for (const ProcessorId receiver : receivers)
            for (const Path& path : paths_)
                if (receiver != source_)
                    arcs_.push_back({source_, receiver, path});
    }
    return std::move(arcs_);
}

} // namespace

std::vector<RelayArc> neighbour_arcs(const Problem& problem, unsigned most_paths)
{
    std::vector<RelayArc> result;
    for (ProcessorId source = 0; source < problem.topology.processor_count(); ++source) {
        std::vector<RelayArc> arcs = Neighbourhood(problem, source, most_paths).arcs();
        std::move(arcs.begin(), arcs.end(), std::back_inserter(result));
    }
    return result;
}

std::vector<RelayArc> all_arcs(const Problem& problem, unsigned most_paths, unsigned detour)
{
    const auto processors = static_cast<ProcessorId>(problem.topology.processor_count());
    std::vector<RelayArc> result;
    for (ProcessorId source = 0; source < processors; ++source)
        for (ProcessorId destination = 0; destination < processors; ++destination) {
            if (source == destination)
                continue;
            PathEnumerator paths(problem.topology, source, destination, problem.slack.value_or(detour));
            for (unsigned count = 0; count < most_paths; ++count)
                if (auto path = paths.next())
                    result.push_back({source, destination, std::move(*path)});
                else
                    break;
        }
    return result;
}

RelayNetwork::RelayNetwork(const Problem& problem, std::vector<RelayArc> arcs)
    : problem_(&problem), arcs_(std::move(arcs)), into_(problem.topology.processor_count()),
      targets_(problem.topology.processor_count())
{
    std::stable_sort(arcs_.begin(), arcs_.end(),
                     [](const RelayArc& a, const RelayArc& b) { return a.source < b.source; });
    std::vector<std::size_t> arcs_from(processor_count(), 0);
    for (Arc id = 0; id < arc_count(); ++id) {
        into_[arcs_[id].destination].push_back(id);
        targets_[arcs_[id].source].push_back(arcs_[id].destination);
        ++arcs_from[arcs_[id].source];
    }
    const auto limit = [](unsigned ports, std::size_t arcs_there) {
        return static_cast<unsigned>(std::min<std::size_t>(ports, arcs_there));
    };
    for (ProcessorId p = 0; p < processor_count(); ++p) {
        std::vector<ProcessorId>& targets = targets_[p];
        std::sort(targets.begin(), targets.end());
        targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
        send_limit_.push_back(limit(send_ports(problem.topology, p, problem.ports), arcs_from[p]));
        receive_limit_.push_back(limit(receive_ports(problem.topology, p, problem.ports), into_[p].size()));
    }
}

} // namespace nocturne
