#include "tests/schedules/schedule/ring_schedules.hpp"

namespace nocturne::test {

LinkNetwork ring(std::uint32_t nodes)
{
    LinkNetwork network{"ring:" + std::to_string(nodes), nodes};
    for (NodeId node = 0; node < nodes; ++node)
        network.add_links(node, (node + 1) % nodes, 8, 3);
    return network;
}

Schedule ring_allreduce(std::uint32_t nodes)
{
    Schedule schedule =
        empty_schedule("ring allreduce", "ring:" + std::to_string(nodes),
                       allreduce({.processors = nodes, .parts = nodes}), ScheduleSynchronization::steps);
    for (std::uint32_t step = 0; step < 2 * (nodes - 1); ++step) {
        schedule.rounds.push_back(1);
        Step& one = schedule.steps.emplace_back();
        const bool adding = step < nodes - 1;
        for (NodeId node = 0; node < nodes; ++node) {
            // Chunk c sets out from node c, and comes to node c + step in that step.
            const PlaceId chunk = (node + 2 * nodes - step) % nodes;
            one.emplace_back(chunk, node, (node + 1) % nodes, Path{2 * node},
                             adding ? Operation::add : Operation::copy);
        }
    }
    return schedule;
}

Schedule ring_allreduce_without_barriers(std::uint32_t nodes)
{
    Schedule schedule = ring_allreduce(nodes);
    std::vector<ListedTransfer> listed = list_transfers(schedule);
    for (auto& [transfer, step, after] : listed) {
        if (step > 0)
            after = {(step - 1) * nodes + (transfer.source + nodes - 1) % nodes};
        step = 0;
    }
    schedule.synchronization = ScheduleSynchronization::dependencies;
    schedule.rounds.clear();
    set_transfers(schedule, std::move(listed));
    return schedule;
}

} // namespace nocturne::test
