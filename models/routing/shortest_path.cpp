#include "models/routing/shortest_path.hpp"

#include "models/routing/destination_tables.hpp"
#include "models/routing/distances.hpp"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>

namespace nocturne {

Routing shortest_path(const Topology& topology, const PathCost& minimal)
{
    require_room_for_tables(topology, "shortest");
    const PathCost cost = cost_on(topology, minimal);
    const auto tables =
        std::make_shared<DestinationTables>(topology.router_count(), [&topology, cost](RouterId destination) {
            return distances_to(topology, destination, cost);
        });

    auto route = [&topology, tables, cost](ProcessorId source, ProcessorId destination) {
        auto [at, end] = endpoints(topology, source, destination);
        const DestinationTables::Table& distance = tables->of(end);
        if (distance[at] == unreachable)
            throw std::invalid_argument(fmt::format("{}: no path from processor {} to processor {}",
                                                    topology.name(), topology.processor(source).name,
                                                    topology.processor(destination).name));
        Route result;
        Spread spread(source, destination);
        boost::container::small_vector<ChannelId, 16> nearer;
        while (at != end) {
            nearer.clear();
            for (const ChannelId id : topology.channels_from(at))
                if (leads_nearer(distance, topology.channel(id), cost))
                    nearer.push_back(id);
            result.push_back({nearer[spread.pick(nearer.size())]});
            at = topology.channel(result.back().channel).target;
        }
        return result;
    };
    return {minimal.is_hops() ? "shortest_hops" : "shortest", 1, ObliviousRoutes{route}, minimal};
}

} // namespace nocturne
