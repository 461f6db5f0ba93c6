#include "schedules/portfolio/construct.hpp"

#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/constructions/constructions.hpp"
#include "schedules/conversion/conversion.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

/// `schedule`, if it needs no more than `steps` steps.
SearchResult within(unsigned steps, std::optional<Schedule> schedule, const Problem& problem)
{
    SearchResult result;
    result.tried = 1;
    if (schedule && schedule->steps.size() <= steps) {
        result.outcome = Outcome::found;
        result.schedule = std::move(schedule);
        return result;
    }
    result.unscheduled = problem.collective.demands.size();
    return result;
}

/// As far as is seen at once: by ports, and by the channels of the network, or those in its middle.
bool is_shortest(const Schedule& schedule, const Problem& problem)
{
    constexpr auto at_once = std::chrono::steady_clock::time_point::min();
    const std::optional<Bound> flow = flow_bound(problem, at_once);
    return schedule.steps.size() <= std::max(port_bound(problem).steps, flow ? flow->steps : 0);
}

} // namespace

bool suits_construction(const Problem&)
{
    return true;
}

SearchResult search_construction(const Problem& problem, unsigned steps, const SearchControl&)
{
    return within(
        steps,
        best_construction(problem, [&](const Schedule& schedule) { return is_shortest(schedule, problem); }),
        problem);
}

bool suits_flow(const Problem& problem)
{
    return fewest_scatter_steps(problem).has_value();
}

SearchResult search_flow(const Problem& problem, unsigned steps, const SearchControl&)
{
    SearchResult result = within(steps, one_to_all_scatter(problem), problem);
    if (fewest_scatter_steps(problem) > steps)
        result.outcome = Outcome::impossible;
    return result;
}

namespace {

std::optional<Schedule> best_without_search(const Problem& problem)
{
    std::optional<Schedule> best;
    for (const Construction& construction : constructions())
        if (construction.construct != first_fit)
            if (auto schedule = construction.construct(problem);
                schedule && (!best || schedule->steps.size() < best->steps.size()))
                best = std::move(schedule);
    return best;
}

} // namespace

std::optional<Schedule> constructed_steps(const Topology& topology, const Collective& collective,
                                          Switching switching)
{
    const bool is_of_equal_messages =
        collective.parts == 1 && !collective.chunks.empty() &&
        std::ranges::all_of(collective.chunks, [](const Chunk& chunk) { return chunk.weight == 1; });
    if (!is_of_equal_messages || reduces(collective))
        return std::nullopt;
    try {
        const bool is_wormhole = switching == Switching::wormhole;
        const Problem problem{topology, collective, is_wormhole ? topology.default_ports() : all_port,
                              switching};
        check(problem);
        return best_without_search(problem);
    } catch (const std::invalid_argument&) {
        return std::nullopt; // a problem that whole messages do not have
    }
}

LinkFlow flow_of_steps(const Schedule& schedule, const LinkNetwork& network, const OwedPairs& owed)
{
    std::vector<LinkPath> paths(schedule.collective.messages().size());
    for (const Step& step : schedule.steps)
        for (const Transfer& transfer : step) {
            const std::vector<LinkId> links = links_of(transfer, network);
            LinkPath& path = paths[transfer.message];
            path.insert(path.end(), links.begin(), links.end());
        }
    LinkFlow flow;
    std::vector<double> load(network.link_count(), 0);
    for (std::size_t i = 0; i < owed.demands.size(); ++i) {
        LinkPath& path = paths[owed.chunks[i].front()];
        const auto weight = static_cast<double>(owed.demands[i].weight);
        for (const LinkId link : path)
            flow.rounds =
                std::max(flow.rounds, load[link] += weight / static_cast<double>(network.units(link)));
        flow.shares.push_back({{std::move(path), weight}});
    }
    return flow;
}

} // namespace nocturne
