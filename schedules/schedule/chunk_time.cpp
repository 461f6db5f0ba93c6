#include "schedules/schedule/chunk_time.hpp"

#include "schedules/schedule/transfer_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace nocturne {

PathTime path_time(std::span<const LinkId> path, const LinkNetwork& network, const AlphaBeta& cost)
{
    PathTime time;
    for (const LinkId link : path)
        time.alpha += static_cast<double>(network.link(link).latency_cycles);
    if (!path.empty())
        time.alpha += cost.start_cycles;
    time.bytes_per_cycle = static_cast<double>(rate_of(path, network));
    return time;
}

double time_in_steps(const Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost)
{
    const double round = cost.bytes_per_weight / static_cast<double>(network.unit_bytes_per_cycle());
    const std::vector<std::uint64_t> releases = transfer_releases(schedule);
    const TransferList transfers(schedule);
    double time = 0;
    for (std::size_t step = 0; step < schedule.steps.size(); ++step) {
        double alpha = 0;
        for (std::size_t id = transfers.first_of(step);
             !releases.empty() && id < transfers.first_of(step + 1); ++id)
            time = std::max(time, static_cast<double>(releases[id]));
        for (const Transfer& transfer : schedule.steps[step])
            alpha = std::max(alpha, path_time(transfer.links(), network, cost).alpha);
        time += alpha + round * (schedule.rounds.empty() ? 1 : schedule.rounds[step]);
    }
    return time;
}

TransferTime transfer_time(const Transfer& transfer, std::uint32_t weight, const LinkNetwork& network,
                           const AlphaBeta& cost)
{
    if (transfer.is_local())
        return {0, 0};
    return path_time(transfer.links(), network, cost).of(weight * cost.bytes_per_weight, cost);
}

TransferEnds transfer_ends(const Schedule& schedule, const LinkNetwork& network,
                           const std::function<TransferTime(std::uint32_t transfer)>& time_of_transfer)
{
    const TransferList transfers(schedule);
    const std::vector<std::uint64_t> releases = transfer_releases(schedule);
    std::vector<double> end(transfers.size(), 0);
    LinkShares calendar(network);
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
        const double release = releases.empty() ? 0 : static_cast<double>(releases[id]);
        if (in_steps && transfer.is_local()) {
            locals.push_back(id);
            end_of_step = std::max(end_of_step, release);
            continue;
        }
        double start = std::max(begin_of_step, release);
        for (const std::uint32_t before : schedule.after.of(id))
            start = std::max(start, end[before]);
        start = calendar.earliest_start(transfer.links(), start);
        const TransferTime time = transfer.is_local() ? TransferTime{0, 0} : time_of_transfer(id);
        end[id] = start + time.duration;
        end_of_step = std::max(end_of_step, end[id]);
        calendar.hold(transfer.links(), start, start + time.holds_links);
    }
    end_step();
    TransferEnds result{std::move(end), {}};
    for (LinkId link = 0; link < network.link_count(); ++link)
        result.most_at_once.push_back(calendar.most_at_once(link));
    return result;
}

std::vector<double> end_times(const Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost)
{
    const std::vector<std::uint32_t> weights = transfer_weights(schedule);
    const TransferList transfers(schedule);
    const auto time_of_transfer = [&](std::uint32_t id) {
        return transfer_time(transfers[id], weights[id], network, cost);
    };
    return transfer_ends(schedule, network, time_of_transfer).ends;
}

double time_of(const Schedule& schedule, const LinkNetwork& network, const AlphaBeta& cost)
{
    if (is_in_steps(schedule))
        return time_in_steps(schedule, network, cost);
    const std::vector<double> ends = end_times(schedule, network, cost);
    return ends.empty() ? 0 : *std::max_element(ends.begin(), ends.end());
}

} // namespace nocturne
