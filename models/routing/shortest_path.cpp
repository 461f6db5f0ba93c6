#include "models/routing/shortest_path.hpp"

#include "models/routing/destination_tables.hpp"
#include "models/routing/distances.hpp"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>

namespace nocturne {

Routing shortest_path(const Topology& topology)
{
    require_room_for_tables(topology, "shortest");
    const auto tables =
        std::make_shared<DestinationTables>(topology.router_count(), [&topology](RouterId destination) {
            return distances_to(topology, destination);
        });

    auto route = [&topology, tables](ProcessorId source, ProcessorId destination) {
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
                if (distance[topology.channel(id).target] == distance[at] - 1)
                    nearer.push_back(id);
            result.push_back({nearer[spread.pick(nearer.size())]});
            at = topology.channel(result.back().channel).target;
        }
        return result;
    };
    return {"shortest", 1, ObliviousRoutes{route}};
}

} // namespace nocturne
