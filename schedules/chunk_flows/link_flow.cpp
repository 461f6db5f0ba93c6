#include "schedules/chunk_flows/link_flow.hpp"

#include "schedules/chunk_search/turned_network.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace nocturne {
namespace {

/// What is too little to be a path's, for each unit of what is owed: what the program leaves where nothing
/// flows.
constexpr double least_part = 1e-7;

/// Demands of a source are routed together, or in several groups where there would be fewer than that.
constexpr std::size_t enough_groups = 256;

bool has_fewer_receivers(std::span<const PairDemand> demands)
{
    std::set<std::uint32_t> sources, receivers;
    for (const PairDemand& demand : demands) {
        sources.insert(demand.source);
        receivers.insert(demand.receiver);
    }
    return receivers.size() < sources.size();
}

/// A way back from the receiver to the source where something flows, as links in the order of travel; empty
/// if there is none. Where the flow goes round in a cycle, the cycle is taken out of it first.
std::vector<LinkId> flowing_path(const LinkNetwork& network, std::vector<double>& flow, NodeId source,
                                 NodeId receiver, double too_little)
{
    std::vector<LinkId> path; // backwards
    NodeId at = receiver;
    while (at != source) {
        const auto into = network.links_to(at);
        const auto most =
            std::max_element(into.begin(), into.end(), [&](LinkId a, LinkId b) { return flow[a] < flow[b]; });
        if (most == into.end() || flow[*most] < too_little)
            return {};
        path.push_back(*most);
        at = network.link(*most).source;
        const auto cycle =
            std::find_if(path.begin(), path.end(), [&](LinkId id) { return network.link(id).target == at; });
        if (cycle == path.end())
            continue;
        double least = flow[*cycle];
        for (auto link = cycle; link != path.end(); ++link)
            least = std::min(least, flow[*link]);
        for (auto link = cycle; link != path.end(); ++link)
            flow[*link] -= least;
        path.clear();
        at = receiver;
    }
    std::reverse(path.begin(), path.end());
    return path;
}

std::vector<PathShare> take_apart(const LinkNetwork& network, std::vector<double>& flow,
                                  const PairDemand& demand)
{
    std::vector<PathShare> shares;
    double open = static_cast<double>(demand.weight);
    const double too_little = least_part * open;
    while (open > too_little) {
        std::vector<LinkId> path = flowing_path(network, flow, demand.source, demand.receiver, too_little);
        if (path.empty())
            break;
        double share = open;
        for (const LinkId id : path)
            share = std::min(share, flow[id]);
        for (const LinkId id : path)
            flow[id] -= share;
        open -= share;
        shares.push_back({std::move(path), share});
    }
    std::stable_sort(shares.begin(), shares.end(),
                     [](const PathShare& a, const PathShare& b) { return a.weight > b.weight; });
    return shares;
}

} // namespace

PairFlow::PairFlow(const LinkNetwork& network, std::span<const PairDemand> demands, const SearchEnd& end)
    : is_turned_(has_fewer_receivers(demands)), network_(is_turned_ ? turned(network) : network),
      graph_(network_), demands_(demands.begin(), demands.end()), places_(demands.size()),
      congestion_(graph_, make_groups(), LeastCongestion::Goal::exact, end)
{
    ShortestWalks walks(graph_);
    const Lengths lengths(network_.link_count(), 1);
    for (std::size_t i = 0; i < demands_.size(); ++i) {
        if (i == 0 || demands_[i].source != demands_[i - 1].source)
            walks.search(demands_[i].source, lengths);
        is_possible_ = is_possible_ && walks.reaches(demands_[i].receiver);
    }
}

std::vector<FlowGroup> PairFlow::make_groups()
{
    if (is_turned_)
        for (PairDemand& demand : demands_)
            std::swap(demand.source, demand.receiver);
    std::iota(places_.begin(), places_.end(), std::size_t{0});
    std::stable_sort(places_.begin(), places_.end(),
                     [&](std::size_t a, std::size_t b) { return demands_[a].source < demands_[b].source; });
    std::stable_sort(demands_.begin(), demands_.end(),
                     [](const PairDemand& a, const PairDemand& b) { return a.source < b.source; });
    const std::size_t most = (demands_.size() + enough_groups - 1) / enough_groups;
    std::vector<FlowGroup> groups;
    for (std::size_t i = 0; i < demands_.size(); ++i) {
        if (i == 0 || demands_[i].source != groups.back().source || groups.back().demands.size() == most) {
            groups.push_back({demands_[i].source, {}});
            first_.push_back(i);
        }
        groups.back().demands.push_back({demands_[i].receiver, demands_[i].weight});
    }
    first_.push_back(demands_.size());
    return groups;
}

LinkFlow PairFlow::flow() const
{
    LinkFlow result{congestion_.congestion(), std::vector<std::vector<PathShare>>(demands_.size()),
                    congestion_.bound()};
    for (std::size_t group = 0; group + 1 < first_.size(); ++group) {
        std::vector<double> flow = congestion_.flow(group);
        for (std::size_t i = first_[group]; i < first_[group + 1]; ++i) {
            std::vector<PathShare>& shares = result.shares[places_[i]];
            shares = take_apart(network_, flow, demands_[i]);
            if (is_turned_)
                for (PathShare& share : shares)
                    std::reverse(share.path.begin(), share.path.end());
        }
    }
    return result;
}

void PairFlow::concentrate(LinkFlow& flow, const SearchEnd& end) const
{
    CongestionProgram program(graph_, demands_.size(), end);
    std::vector<Load> loads;
    for (std::size_t i = 0; i < demands_.size(); ++i)
        for (const PathShare& share : flow.shares[places_[i]]) {
            loads.clear();
            for (const LinkId id : share.path)
                loads.push_back({id, static_cast<double>(demands_[i].weight)});
            program.add(i, loads);
        }
    const auto mixture = program.solve();
    if (!mixture)
        return;
    std::size_t next = 0;
    for (std::size_t i = 0; i < demands_.size(); ++i) {
        for (PathShare& share : flow.shares[places_[i]])
            share.weight = static_cast<double>(demands_[i].weight) * std::max(0.0, mixture->shares[next++]);
        std::stable_sort(flow.shares[places_[i]].begin(), flow.shares[places_[i]].end(),
                         [](const PathShare& a, const PathShare& b) { return a.weight > b.weight; });
    }
    flow.rounds = mixture->congestion;
}

std::optional<LinkFlow> link_flow(const LinkNetwork& network, std::span<const PairDemand> demands,
                                  FlowEffort effort, const SearchEnd& end)
{
    if (demands.empty() || network.link_count() == 0)
        return std::nullopt;
    PairFlow pairs(network, demands, end);
    if (!pairs.is_possible() || end.has_come())
        return std::nullopt;
    LeastCongestion& congestion = pairs.congestion();
    if (effort == FlowEffort::shortest)
        congestion.route_once();
    else
        congestion.search();
    if (!congestion.has_flow())
        return std::nullopt;
    LinkFlow flow = pairs.flow();
    if (effort == FlowEffort::full && congestion.is_small())
        pairs.concentrate(flow, end);
    return flow;
}

} // namespace nocturne
