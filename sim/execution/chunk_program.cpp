#include "models/network/zero_load.hpp"
#include "schedules/schedule/transfer_weights.hpp"
#include "sim/execution/chunk_times.hpp"
#include "sim/execution/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

class ChunkCompiler {
public:
    ChunkCompiler(const Schedule& schedule, const Topology& topology, const LinkNetwork& network,
                  const HardwareConfig& hardware, ChunkSizes sizes, const Memories& memories)
        : schedule_(schedule), transfers_(schedule), weights_(transfer_weights(schedule)),
          topology_(topology), network_(network), hardware_(hardware), sizes_(sizes), memories_(memories)
    {
    }

    Program compile()
    {
        program_.task_of_transfer.resize(transfers_.size());
        if (is_in_steps(schedule_))
            add_steps();
        else
            add_transfers();
        program_.close(ends_);
        program_.after_hold = Followers(program_.task_count(), holds_);
        program_.after_begin = Followers(program_.task_count(), begins_);
        program_.network = &network_;
        program_.links.resize(program_.task_count());
        program_.hold_cycles.resize(program_.task_count(), 0);
        find_releases();
        return std::move(program_);
    }

private:
    void find_releases()
    {
        const std::vector<std::uint64_t> releases = transfer_releases(schedule_);
        program_.release_cycles.resize(releases.empty() ? 0 : program_.task_count(), 0);
        for (std::uint32_t id = 0; id < releases.size(); ++id) {
            std::uint64_t& release = program_.release_cycles[program_.task_of_transfer[id]];
            release = std::max(release, releases[id]);
        }
    }

    void wait_for_end(TaskId before, TaskId after)
    {
        ends_.emplace_back(before, after);
        ++program_.tasks[after].waits;
    }

    LocalOperation local_operation(std::uint32_t id) const
    {
        const Transfer& transfer = transfers_[id];
        return {memories_.slot(transfer.source, transfer.message),
                memories_.slot(transfer.destination, transfer.to), weights_[id] * sizes_.bytes_per_weight,
                transfer.operation};
    }

    /// A task for a transfer over links.
    TaskId add_task(std::uint32_t id, std::uint32_t step)
    {
        const Transfer& transfer = transfers_[id];
        const auto number = static_cast<TaskId>(program_.tasks.size());
        ProgramTask task = program_.next_task();
        task.starts_up = true;
        task.expected = 1;
        task.step = step;
        program_.tasks.push_back(task);
        program_.routes.push_back(route_of(transfer, network_));
        program_.messages.push_back({.source = transfer.source,
                                     .destination = transfer.destination,
                                     .route = &program_.routes.back(),
                                     .bytes = weights_[id] * sizes_.bytes_per_weight,
                                     .from = memories_.slot(transfer.source, transfer.message),
                                     .to = memories_.slot(transfer.destination, transfer.to),
                                     .operation = transfer.operation,
                                     .sender = number,
                                     .awaited_by = number});
        program_.task_of_transfer[id] = number;
        return number;
    }

    bool fills(LinkId link, std::uint32_t id) const
    {
        return rate_of(transfers_[id].links(), network_) == network_.link(link).bytes_per_cycle;
    }

    /// A link takes transfers in the order of the list. Where two may share it, it is enough for the later
    /// one that the earlier one has begun.
    void keep_order_on_links(std::uint32_t id, TaskId task)
    {
        last_on_.resize(network_.link_count(), no_number);
        for (const LinkId link : transfers_[id].links()) {
            if (const std::uint32_t before = last_on_[link]; before != no_number) {
                const bool may_share = !fills(link, before) && !fills(link, id);
                (may_share ? begins_ : holds_).emplace_back(program_.task_of_transfer[before], task);
                ++program_.tasks[task].waits;
            }
            last_on_[link] = id;
        }
        program_.links.resize(program_.tasks.size());
        program_.links[task] = transfers_[id].links();
        program_.hold_cycles.resize(program_.tasks.size(), 0);
        program_.hold_cycles[task] =
            chunk_transfer_time(transfers_[id], weights_[id] * sizes_.bytes_per_weight, topology_, network_,
                                hardware_)
                .hold;
    }

    void add_transfers()
    {
        for (std::uint32_t id = 0; id < transfers_.size(); ++id) {
            if (!transfers_[id].is_local()) {
                add_task(id, no_number);
                continue;
            }
            program_.task_of_transfer[id] = static_cast<TaskId>(program_.tasks.size());
            program_.tasks.push_back(program_.next_task());
            program_.locals.push_back(local_operation(id));
        }
        for (std::uint32_t id = 0; id < transfers_.size(); ++id) {
            for (const std::uint32_t before : schedule_.after.of(id))
                wait_for_end(program_.task_of_transfer[before], program_.task_of_transfer[id]);
            keep_order_on_links(id, program_.task_of_transfer[id]);
        }
    }

    /// The tasks of a step, and one behind them for its end, with its local transfers.
    void add_steps()
    {
        program_.steps = static_cast<std::uint32_t>(schedule_.steps.size());
        program_.has_barriers = true;
        std::optional<TaskId> end_before;
        for (std::uint32_t step = 0; step < program_.steps; ++step) {
            const auto first = static_cast<TaskId>(program_.tasks.size());
            for (std::uint32_t id = transfers_.first_of(step); id < transfers_.first_of(step + 1); ++id)
                if (!transfers_[id].is_local())
                    keep_order_on_links(id, add_task(id, step));
            const auto end = static_cast<TaskId>(program_.tasks.size());
            program_.tasks.push_back(program_.next_task());
            program_.tasks.back().step = step;
            for (TaskId task = first; task < end; ++task) {
                wait_for_end(task, end);
                if (end_before)
                    wait_for_end(*end_before, task);
            }
            if (end_before && first == end)
                wait_for_end(*end_before, end);
            for (std::uint32_t id = transfers_.first_of(step); id < transfers_.first_of(step + 1); ++id)
                if (transfers_[id].is_local()) {
                    program_.locals.push_back(local_operation(id));
                    program_.task_of_transfer[id] = end;
                }
            end_before = end;
        }
    }

    const Schedule& schedule_;
    const TransferList transfers_;
    const std::vector<std::uint32_t> weights_;
    const Topology& topology_;
    const LinkNetwork& network_;
    const HardwareConfig& hardware_;
    const ChunkSizes sizes_;
    const Memories& memories_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ends_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> holds_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> begins_;
    std::vector<std::uint32_t> last_on_; ///< by link, the transfer
    Program program_;
};

} // namespace

std::vector<PlaceUse> places_of_chunks(const Schedule& schedule, ChunkSizes sizes)
{
    std::vector<PlaceUse> uses;
    const std::vector<std::uint32_t> weights = transfer_weights(schedule);
    const TransferList transfers(schedule);
    for (std::size_t id = 0; id < transfers.size(); ++id) {
        const Transfer& transfer = transfers[id];
        for (const std::uint32_t node : {transfer.source, transfer.destination})
            if (node >= schedule.collective.processors)
                throw std::invalid_argument(fmt::format(
                    "transfer {} stores a chunk in a switch: the hardware has none that does", id + 1));
        const std::uint64_t bytes = weights[id] * sizes.bytes_per_weight;
        uses.push_back({transfer.source, transfer.message, bytes});
        uses.push_back({transfer.destination, transfer.to, bytes});
    }
    return uses;
}

Program program_of_chunks(const Schedule& schedule, const Topology& topology, const LinkNetwork& network,
                          const HardwareConfig& hardware, ChunkSizes sizes, const Memories& memories)
{
    return ChunkCompiler(schedule, topology, network, hardware, sizes, memories).compile();
}

} // namespace nocturne
