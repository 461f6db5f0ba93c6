#include "schedules/portfolio/message_flow.hpp"

#include "schedules/conversion/step_chunks.hpp"

#include <algorithm>
#include <utility>

namespace nocturne {

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
