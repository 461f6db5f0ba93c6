#include "schedules/formats/rank_operations.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

class OperationLister {
public:
    OperationLister(const Schedule& schedule, std::uint64_t bytes_per_weight)
        : schedule_(schedule), transfers_(schedule), ranks_(schedule.collective.processors),
          ends_(transfers_.size())
    {
        if (!transfer_releases(schedule).empty())
            throw std::invalid_argument("ranks have no clock: a schedule whose chunks are released at some "
                                        "time cannot be written for them");
        const std::vector<std::uint32_t> weights = transfer_weights(schedule);
        for (std::uint32_t id = 0; id < transfers_.size(); ++id)
            add(id, weights[id] * bytes_per_weight);
    }

    std::vector<std::vector<RankOperation>> list()
    {
        if (is_in_steps(schedule_))
            wait_by_steps();
        else
            for (std::uint32_t id = 0; id < transfers_.size(); ++id)
                for (const std::uint32_t before : schedule_.after.of(id))
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

    bool is_local(std::uint32_t id) const { return transfers_[id].is_local(); }

    std::uint32_t append(NodeId rank, RankOperation operation)
    {
        ranks_[rank].push_back(std::move(operation));
        return static_cast<std::uint32_t>(ranks_[rank].size() - 1);
    }

    void add(std::uint32_t id, std::uint64_t bytes)
    {
        const Transfer& transfer = transfers_[id];
        if (std::max(transfer.source, transfer.destination) >= ranks_.size())
            throw std::invalid_argument("ranks are processors: none is a switch that holds chunks");
        const bool adds = transfer.operation == Operation::add;
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

    /// For what comes, or at a rank that only sends, for what has left: it may be overwritten then.
    void wait(std::uint32_t id, std::uint32_t before)
    {
        const Transfer& transfer = transfers_[id];
        const NodeId from = transfers_[before].source, at = transfers_[before].destination;
        if (at == transfer.source)
            ranks_[at][ends_[id].begin].after.push_back(ends_[before].end);
        else if (at == transfer.destination)
            ranks_[at][ends_[id].end].after.push_back(ends_[before].end);
        else if (from == transfer.source)
            ranks_[from][ends_[id].begin].after.push_back(ends_[before].begin);
        else if (from == transfer.destination)
            ranks_[from][ends_[id].end].after.push_back(ends_[before].begin);
    }

    /// What is local follows all that comes in its step, wherever it is listed, and what is local before it.
    void wait_by_steps()
    {
        std::vector<std::vector<std::uint32_t>> ended(ranks_.size());             // so far, by rank
        std::map<std::pair<NodeId, PlaceId>, std::vector<std::uint32_t>> readers; // so far, of a rank's place
        for (std::size_t step = 0; step < schedule_.steps.size(); ++step) {
            const std::uint32_t begin = transfers_.first_of(step), end = transfers_.first_of(step + 1);
            for (std::uint32_t id = begin; id < end; ++id)
                readers[{transfers_[id].source, transfers_[id].message % place_limit}].push_back(id);
            for (std::uint32_t id = begin; id < end; ++id)
                for (const std::uint32_t reader : readers[{transfers_[id].destination, transfers_[id].to}])
                    if (reader != id && !is_local(reader))
                        ranks_[transfers_[id].destination][ends_[id].end].after.push_back(
                            ends_[reader].begin);
            for (std::uint32_t id = begin; id < end; ++id)
                if (!is_local(id))
                    wait_for_all(id, ended[transfers_[id].source]);
            for (std::uint32_t id = begin; id < end; ++id)
                if (!is_local(id))
                    ended[transfers_[id].destination].push_back(id);
            for (std::uint32_t id = begin; id < end; ++id)
                if (is_local(id)) {
                    wait_for_all(id, ended[transfers_[id].source]);
                    ended[transfers_[id].source].push_back(id);
                }
        }
    }

    void wait_for_all(std::uint32_t id, const std::vector<std::uint32_t>& ended)
    {
        for (const std::uint32_t before : ended)
            wait(id, before);
    }

    const Schedule& schedule_;
    const TransferList transfers_;
    std::vector<std::vector<RankOperation>> ranks_;
    std::vector<Ends> ends_;
};

} // namespace

std::vector<std::vector<RankOperation>> rank_operations(const Schedule& schedule,
                                                        std::uint64_t bytes_per_weight)
{
    return OperationLister(schedule, bytes_per_weight).list();
}

} // namespace nocturne
