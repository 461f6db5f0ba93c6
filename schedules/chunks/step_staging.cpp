#include "schedules/chunks/step_staging.hpp"

#include <numeric>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace nocturne {

namespace {

class StepStager {
public:
    explicit StepStager(const ChunkedSchedule& schedule) : staged_{schedule, {}}
    {
        staged_.schedule.transfers.clear();
        staged_.position.resize(schedule.transfers.size());
        for (const ChunkTransfer& transfer : schedule.transfers)
            used_.insert({transfer.from, transfer.to});
        for (const auto* placements : {&schedule.inputs, &schedule.outputs})
            for (const ChunkPlacement& placement : *placements)
                used_.insert(placement.place);
    }

    void add_step(std::span<const ChunkTransfer> in_step)
    {
        std::unordered_set<std::uint64_t> sent;
        for (const ChunkTransfer& transfer : in_step)
            if (!transfer.path.empty())
                sent.insert(key(transfer.source, transfer.from));
        std::vector<ChunkTransfer> written_later;
        std::unordered_map<NodeId, std::size_t> staged_at;
        const std::uint32_t first = count_;
        for (const ChunkTransfer& transfer : in_step) {
            const std::uint32_t id = count_++;
            if (transfer.path.empty())
                continue;
            append(id, transfer);
            if (!sent.contains(key(transfer.destination, transfer.to)))
                continue;
            const PlaceId scratch = scratch_place(staged_at[transfer.destination]++);
            written_later.push_back({.source = transfer.destination,
                                     .destination = transfer.destination,
                                     .from = scratch,
                                     .to = transfer.to,
                                     .operation = transfer.operation,
                                     .path = {},
                                     .step = transfer.step});
            ChunkTransfer& staged = staged_.schedule.transfers.back();
            staged.to = scratch;
            staged.operation = Operation::copy;
        }
        auto& transfers = staged_.schedule.transfers;
        transfers.insert(transfers.end(), written_later.begin(), written_later.end());
        for (std::uint32_t id = first; id < count_; ++id)
            if (in_step[id - first].path.empty())
                append(id, in_step[id - first]);
    }

    StagedSchedule staged() && { return std::move(staged_); }

private:
    static std::uint64_t key(NodeId node, PlaceId place) { return std::uint64_t{node} << 32 | place; }

    void append(std::uint32_t id, const ChunkTransfer& transfer)
    {
        staged_.position[id] = static_cast<std::uint32_t>(staged_.schedule.transfers.size());
        staged_.schedule.transfers.push_back(transfer);
    }

    /// The same ones at every node and in every step: they are free again when a step is over.
    PlaceId scratch_place(std::size_t index)
    {
        while (scratch_.size() <= index) {
            auto place = scratch_.empty() ? static_cast<PlaceId>(staged_.schedule.collective.chunks.size())
                                          : scratch_.back() + 1;
            while (used_.contains(place))
                ++place;
            scratch_.push_back(place);
        }
        return scratch_[index];
    }

    StagedSchedule staged_;
    std::uint32_t count_ = 0; ///< of the transfers so far
    std::unordered_set<PlaceId> used_;
    std::vector<PlaceId> scratch_;
};

} // namespace

StagedSchedule stage_steps(const ChunkedSchedule& schedule)
{
    const std::span<const ChunkTransfer> transfers(schedule.transfers);
    if (schedule.synchronization == ChunkSynchronization::dependencies) {
        StagedSchedule same{schedule, std::vector<std::uint32_t>(transfers.size())};
        std::iota(same.position.begin(), same.position.end(), 0U);
        return same;
    }
    StepStager stager{schedule};
    for (std::size_t begin = 0, end = 0; begin < transfers.size(); begin = end) {
        while (end < transfers.size() && transfers[end].step == transfers[begin].step)
            ++end;
        stager.add_step(transfers.subspan(begin, end - begin));
    }
    return std::move(stager).staged();
}

} // namespace nocturne
