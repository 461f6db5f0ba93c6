#include "schedules/chunk_flows/link_flow.hpp"

#include "models/topology/indices_by.hpp"
#include "schedules/flows/least_congestion.hpp"

#include <algorithm>

namespace nocturne {
namespace {

constexpr double least_flow = 1e-7; // what the program may leave where nothing flows

/// Arcs that shortest paths look at, and work of the program: some five seconds of each.
constexpr std::uint64_t work_of_weights = 40'000'000;
constexpr std::uint64_t work_of_evening = 60'000'000;
constexpr std::uint64_t most_program_work = 4'000'000;
constexpr std::uint64_t work_of_program = 300'000; ///< the most of one pass for which the program is solved
constexpr std::uint64_t most_rounds = 40;

/// More groups mix routings more freely, fewer make a smaller program.
constexpr std::size_t most_single_demands = 256;

/// The demands in the order of their sources, and what is routed together.
struct GroupedDemands {
    std::vector<std::size_t> order;
    std::vector<WalkGroup> groups;
};

GroupedDemands grouped(std::span<const PairDemand> demands)
{
    GroupedDemands result{
        indices_by<std::size_t>(demands.size(), [&](std::size_t i) { return demands[i].source; }), {}};
    for (const std::size_t i : result.order) {
        const bool alone = demands.size() <= most_single_demands;
        if (alone || result.groups.empty() || result.groups.back().source != demands[i].source)
            result.groups.push_back({demands[i].source, {}});
        result.groups.back().demands.push_back({demands[i].receiver, demands[i].weight});
    }
    return result;
}

bool reaches_all(const WalkGraph& graph, const GroupedDemands& demands)
{
    ShortestWalks walks(graph);
    const LeastCongestion::Lengths ones(graph.resource_count(), 1);
    return std::all_of(demands.groups.begin(), demands.groups.end(), [&](const WalkGroup& group) {
        walks.search(group.source, ones);
        return std::all_of(group.demands.begin(), group.demands.end(),
                           [&](const WalkDemand& demand) { return walks.reaches(demand.receiver); });
    });
}

/// A way back from the receiver to the source where something flows, as links in the order of travel; empty
/// if there is none. Where the flow goes round in a cycle, the cycle is taken out of it first.
std::vector<LinkId> flowing_path(const LinkNetwork& network, std::vector<double>& flow, NodeId source,
                                 NodeId receiver)
{
    std::vector<LinkId> path; // backwards
    NodeId at = receiver;
    while (at != source) {
        const auto into = network.links_to(at);
        const auto most =
            std::max_element(into.begin(), into.end(), [&](LinkId a, LinkId b) { return flow[a] < flow[b]; });
        if (most == into.end() || flow[*most] < least_flow)
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
    while (open > least_flow) {
        std::vector<LinkId> path = flowing_path(network, flow, demand.source, demand.receiver);
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

/// What the search has found, as paths; nothing if there is no flow.
std::optional<LinkFlow> as_paths(const LeastCongestion& search, const LinkNetwork& network,
                                 std::span<const PairDemand> demands, const GroupedDemands& grouped)
{
    if (search.congestion() == std::numeric_limits<double>::infinity())
        return std::nullopt;
    LinkFlow result{search.congestion(), std::vector<std::vector<PathShare>>(demands.size()),
                    search.proof().lengths, search.proof().congestion()};
    std::vector<double> flow(network.link_count(), 0);
    auto next = grouped.order.begin();
    const auto flows = search.flows();
    for (std::size_t group = 0; group < flows.size(); ++group) {
        for (const Load& load : flows[group])
            flow[load.resource] += load.messages;
        for (std::size_t i = 0; i < grouped.groups[group].demands.size(); ++i, ++next) {
            result.shares[*next] = take_apart(network, flow, demands[*next]);
            if (result.shares[*next].empty())
                return std::nullopt;
        }
        for (const Load& load : flows[group])
            flow[load.resource] = 0;
    }
    return result;
}

} // namespace

std::optional<LinkFlow> least_congested_flow(const LinkNetwork& network, std::span<const PairDemand> demands,
                                             FlowEffort effort, const SearchEnd& end)
{
    if (demands.empty() || network.link_count() == 0)
        return std::nullopt;
    const WalkGraph graph(network);
    const GroupedDemands by_source = grouped(demands);
    if (!reaches_all(graph, by_source))
        return std::nullopt;
    LeastCongestion search(graph, by_source.groups, CongestionPrecision::exact, end);
    const auto rounds = std::clamp<std::uint64_t>(work_of_weights / search.work(), 1, most_rounds);
    search.follow_weights(effort == FlowEffort::shortest ? 1 : static_cast<unsigned>(rounds));
    if (effort == FlowEffort::least && !search.is_settled() && search.work() <= work_of_program)
        search.solve_program(most_program_work);
    else if (effort == FlowEffort::least && !search.is_settled())
        search.even_out(work_of_evening);
    return as_paths(search, network, demands, by_source);
}

} // namespace nocturne
