#include "schedules/chunks/chunk_time.hpp"

#include "schedules/chunks/transfer_order.hpp"

#include <algorithm>

namespace nocturne {

namespace {

struct PathCost {
    double alpha = 0;
    double bytes_per_cycle = 0; ///< of the narrowest link; 0 for a local copy
};

PathCost cost_of(const ChunkTransfer& transfer, const LinkNetwork& network, const AlphaBeta& cost)
{
    PathCost result;
    for (const LinkId id : transfer.path) {
        const NetworkLink& link = network.link(id);
        const auto bandwidth = static_cast<double>(link.bytes_per_cycle);
        result.alpha += static_cast<double>(link.latency_cycles);
        if (result.bytes_per_cycle == 0 || bandwidth < result.bytes_per_cycle)
            result.bytes_per_cycle = bandwidth;
    }
    if (!transfer.path.empty())
        result.alpha += cost.start_cycles;
    return result;
}

} // namespace

double time_in_steps(const ChunkedSchedule& schedule, const LinkNetwork& network, const AlphaBeta& cost)
{
    std::vector<double> alpha(schedule.rounds.size(), 0);
    for (const ChunkTransfer& transfer : schedule.transfers)
        alpha[transfer.step] = std::max(alpha[transfer.step], cost_of(transfer, network, cost).alpha);
    const double round = cost.bytes_per_weight / static_cast<double>(network.unit_bytes_per_cycle());
    double time = 0;
    for (std::size_t step = 0; step < alpha.size(); ++step)
        time += alpha[step] + round * schedule.rounds[step];
    return time;
}

std::vector<double> end_times(const ChunkedSchedule& schedule, const LinkNetwork& network,
                              const AlphaBeta& cost)
{
    const std::size_t count = schedule.transfers.size();
    const std::vector<std::uint32_t> weights = transfer_weights(schedule);
    std::vector<double> end(count, 0);
    std::vector<double> free_from(network.link_count(), 0);
    for (const std::uint32_t id : order_of_transfers(schedule, network)) {
        const ChunkTransfer& transfer = schedule.transfers[id];
        double start = 0;
        for (const std::uint32_t before : transfer.after)
            start = std::max(start, end[before]);
        for (const LinkId link : transfer.path)
            start = std::max(start, free_from[link]);
        const PathCost path = cost_of(transfer, network, cost);
        const double stream =
            transfer.path.empty() ? 0 : weights[id] * cost.bytes_per_weight / path.bytes_per_cycle;
        end[id] = start + path.alpha + stream;
        for (const LinkId link : transfer.path)
            free_from[link] = cost.latency_holds_link ? end[id] : start + stream;
    }
    return end;
}

double time_of(const ChunkedSchedule& schedule, const LinkNetwork& network, const AlphaBeta& cost)
{
    if (schedule.synchronization == ChunkSynchronization::steps)
        return time_in_steps(schedule, network, cost);
    const std::vector<double> ends = end_times(schedule, network, cost);
    return ends.empty() ? 0 : *std::max_element(ends.begin(), ends.end());
}

} // namespace nocturne
