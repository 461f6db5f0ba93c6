#include "schedules/formats/rank_operations.hpp"

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

class OperationLister {
public:
    OperationLister(const ChunkedSchedule& schedule, std::uint64_t bytes_per_weight)
        : schedule_(schedule), ranks_(schedule.collective.processors), ends_(schedule.transfers.size())
    {
        const std::vector<std::uint32_t> weights = transfer_weights(schedule);
        for (std::uint32_t id = 0; id < schedule.transfers.size(); ++id)
            add(id, weights[id] * bytes_per_weight);
    }

    std::vector<std::vector<RankOperation>> list()
    {
        if (schedule_.synchronization == ChunkSynchronization::steps)
            wait_by_steps();
        else
            for (std::uint32_t id = 0; id < schedule_.transfers.size(); ++id)
                for (const std::uint32_t before : schedule_.transfers[id].after)
                    wait(id, before);
        for (auto& operations : ranks_)
            for (RankOperation& operation : operations) {
                std::sort(operation.after.begin(), operation.after.end());
                operation.after.erase(std::unique(operation.after.begin(), operation.after.end()),
                                      operation.after.end());
            }
        return std::move(ranks_);
    }

private:
    /// Operations at which a transfer begins and ends; of a local one the same.
    struct Ends {
        std::uint32_t begin;
        std::uint32_t end;
    };

    bool is_local(std::uint32_t id) const { return schedule_.transfers[id].path.empty(); }

    std::uint32_t append(NodeId rank, RankOperation operation)
    {
        ranks_[rank].push_back(std::move(operation));
        return static_cast<std::uint32_t>(ranks_[rank].size() - 1);
    }

    void add(std::uint32_t id, std::uint64_t bytes)
    {
        const ChunkTransfer& transfer = schedule_.transfers[id];
        if (std::max(transfer.source, transfer.destination) >= ranks_.size())
            throw std::invalid_argument("ranks are processors: none is a switch that holds chunks");
        const bool adds = transfer.operation == ChunkOperation::add;
        using Kind = RankOperation::Kind;
        if (is_local(id)) {
            const std::uint32_t at =
                append(transfer.source, {.kind = Kind::local, .adds = adds, .bytes = bytes, .transfer = id});
            ends_[id] = {at, at};
            return;
        }
        ends_[id].begin =
            append(transfer.source,
                   {.kind = Kind::send, .peer = transfer.destination, .bytes = bytes, .transfer = id});
        ends_[id].end = append(
            transfer.destination,
            {.kind = Kind::receive, .adds = adds, .peer = transfer.source, .bytes = bytes, .transfer = id});
    }

    void wait(std::uint32_t id, std::uint32_t before)
    {
        const ChunkTransfer& transfer = schedule_.transfers[id];
        const NodeId at = schedule_.transfers[before].destination;
        if (at == transfer.source)
            ranks_[at][ends_[id].begin].after.push_back(ends_[before].end);
        else if (at == transfer.destination)
            ranks_[at][ends_[id].end].after.push_back(ends_[before].end);
    }

    void wait_by_steps()
    {
        std::vector<std::vector<std::uint32_t>> ended(ranks_.size()); // in earlier steps, by rank
        std::vector<std::uint32_t> in_step;
        for (std::uint32_t id = 0; id < schedule_.transfers.size(); ++id) {
            const ChunkTransfer& transfer = schedule_.transfers[id];
            if (!in_step.empty() && schedule_.transfers[in_step.front()].step != transfer.step) {
                for (const std::uint32_t before : in_step)
                    ended[schedule_.transfers[before].destination].push_back(before);
                in_step.clear();
            }
            for (const std::uint32_t before : ended[transfer.source])
                wait(id, before);
            if (is_local(id)) // what comes in the same step is there
                for (const std::uint32_t before : in_step)
                    wait(id, before);
            in_step.push_back(id);
        }
    }

    const ChunkedSchedule& schedule_;
    std::vector<std::vector<RankOperation>> ranks_;
    std::vector<Ends> ends_;
};

} // namespace

std::vector<std::vector<RankOperation>> rank_operations(const ChunkedSchedule& schedule,
                                                        std::uint64_t bytes_per_weight)
{
    return OperationLister(schedule, bytes_per_weight).list();
}

} // namespace nocturne
