#include "schedules/conversion/chunk_steps.hpp"

#include "schedules/conversion/chunk_history.hpp"
#include "schedules/conversion/message_order.hpp"
#include "schedules/conversion/step_packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

/// A message has no weight: all are of one size.
Collective of_equal_messages(Collective collective)
{
    const std::uint32_t weight = collective.chunks.empty() ? 1 : collective.chunks.front().weight;
    for (Chunk& chunk : collective.chunks)
        if (std::exchange(chunk.weight, 1) != weight)
            throw std::invalid_argument("no schedule in steps: chunks of unequal weights, where messages are "
                                        "all of one size");
    return collective;
}

/// The channels of its links, without ways round that lead back to a router.
Path path_of(const ChunkDelivery& delivery, const Topology& topology, const LinkNetwork& network)
{
    Path path;
    for (const LinkId link : delivery.path)
        if (const auto channel = network.link(link).channel)
            path.push_back(*channel);
    Path straight;
    const RouterId begin = topology.processor(delivery.source).injection;
    for (const ChannelId channel : path) {
        straight.push_back(channel);
        const RouterId router = topology.channel(channel).target;
        if (router == begin) {
            straight.clear();
            continue;
        }
        const auto before = std::find_if(straight.begin(), straight.end(), [&](ChannelId other) {
            return topology.channel(other).target == router;
        });
        straight.erase(before + 1, straight.end());
    }
    return straight;
}

} // namespace

Schedule steps_of_chunks(const Schedule& schedule, const Topology& topology, const LinkNetwork& network)
{
    Schedule result;
    result.name = schedule.name;
    result.source = schedule.source;
    result.topology = schedule.topology;
    result.collective = of_equal_messages(schedule.collective);
    result.ports = topology.default_ports();
    const ChunkHistory history = history_of(schedule, network);
    const MessageOrder order = message_order_of(history, schedule, network);
    std::vector<std::uint32_t> index(history.deliveries.size());
    std::vector<Transfer> transfers;
    for (const std::uint32_t id : history.order) {
        if (!order.operations[id])
            continue;
        const ChunkDelivery& delivery = history.deliveries[id];
        index[id] = static_cast<std::uint32_t>(transfers.size());
        transfers.emplace_back(delivery.carried.chunk, delivery.source, delivery.destination,
                               path_of(delivery, topology, network), *order.operations[id]);
    }
    std::vector<StepConstraint> constraints = order.constraints;
    for (StepConstraint& constraint : constraints) {
        constraint.before = index[constraint.before];
        constraint.after = index[constraint.after];
    }
    result.steps = pack_into_steps(std::move(transfers), constraints, topology, result.ports);
    return result;
}

} // namespace nocturne
