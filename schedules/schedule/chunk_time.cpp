#include "schedules/schedule/chunk_time.hpp"

#include "schedules/schedule/transfer_order.hpp"

#include <algorithm>
#include <numeric>

namespace nocturne {

namespace {

struct PathTime {
    double alpha = 0;
    double bytes_per_cycle = 0; ///< of the narrowest link; 0 for a local copy
};

PathTime cost_of(const Transfer& transfer, const LinkNetwork& network, const AlphaBeta& cost)
{
    PathTime result;
    for (const LinkId id : transfer.links()) {
        const NetworkLink& link = network.link(id);
        const auto bandwidth = static_cast<double>(link.bytes_per_cycle);
        result.alpha += static_cast<double>(link.latency_cycles);
        if (result.bytes_per_cycle == 0 || bandwidth < result.bytes_per_cycle)
            result.bytes_per_cycle = bandwidth;
    }
    if (!transfer.is_local())
        result.alpha += cost.start_cycles;
    return result;
}

} // namespace

double time_in_steps(const Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost)
{
    const double round = cost.bytes_per_weight / static_cast<double>(network.unit_bytes_per_cycle());
    double time = 0;
    for (std::size_t step = 0; step < schedule.steps.size(); ++step) {
        double alpha = 0;
        for (const Transfer& transfer : schedule.steps[step])
            alpha = std::max(alpha, cost_of(transfer, network, cost).alpha);
        time += alpha + round * (schedule.rounds.empty() ? 1 : schedule.rounds[step]);
    }
    return time;
}

TransferTime transfer_time(const Transfer& transfer, std::uint32_t weight, const LinkNetwork& network,
                           const AlphaBeta& cost)
{
    if (transfer.is_local())
        return {0, 0};
    const PathTime path = cost_of(transfer, network, cost);
    const double stream = weight * cost.bytes_per_weight / path.bytes_per_cycle;
    return {path.alpha + stream, cost.latency_holds_link ? path.alpha + stream : stream};
}

std::vector<double> end_times(const Schedule& schedule, const LinkNetwork& network,
                              const std::function<TransferTime(std::uint32_t transfer)>& time_of_transfer)
{
    const TransferList transfers(schedule);
    std::vector<double> end(transfers.size(), 0);
    std::vector<double> free_from(network.link_count(), 0);
    const bool in_steps = is_in_steps(schedule);
    std::uint32_t step = 0;
    double begin_of_step = 0, end_of_step = 0;
    std::vector<std::uint32_t> locals; // of the step
    const auto end_step = [&] {
        for (const std::uint32_t id : locals)
            end[id] = end_of_step;
        locals.clear();
        begin_of_step = end_of_step;
    };
    std::vector<std::uint32_t> order(transfers.size());
    std::iota(order.begin(), order.end(), 0U);
    for (const std::uint32_t id : in_steps ? order : order_of_transfers(schedule, network)) {
        const Transfer& transfer = transfers[id];
        for (; in_steps && id >= transfers.first_of(step + 1); ++step)
            end_step();
        if (in_steps && transfer.is_local()) {
            locals.push_back(id);
            continue;
        }
        double start = begin_of_step;
        for (const std::uint32_t before : schedule.after.of(id))
            start = std::max(start, end[before]);
        for (const LinkId link : transfer.links())
            start = std::max(start, free_from[link]);
        const TransferTime time = transfer.is_local() ? TransferTime{0, 0} : time_of_transfer(id);
        end[id] = start + time.duration;
        end_of_step = std::max(end_of_step, end[id]);
        for (const LinkId link : transfer.links())
            free_from[link] = start + time.holds_links;
    }
    end_step();
    return end;
}

std::vector<double> end_times(const Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost)
{
    const std::vector<std::uint32_t> weights = transfer_weights(schedule);
    const TransferList transfers(schedule);
    return end_times(schedule, network, [&](std::uint32_t id) {
        return transfer_time(transfers[id], weights[id], network, cost);
    });
}

double time_of(const Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost)
{
    if (is_in_steps(schedule))
        return time_in_steps(schedule, network, cost);
    const std::vector<double> ends = end_times(schedule, network, cost);
    return ends.empty() ? 0 : *std::max_element(ends.begin(), ends.end());
}

} // namespace nocturne
