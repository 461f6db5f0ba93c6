#include "schedules/schedule/step_staging.hpp"

#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace nocturne {

namespace {

class StepStager {
public:
    explicit StepStager(const Schedule& schedule) : staged_{schedule, {}}
    {
        staged_.schedule.steps.clear();
        staged_.position.resize(count_transfers(schedule));
        for (const Step& step : schedule.steps)
            for (const Transfer& transfer : step)
                used_.insert({transfer.message, transfer.to});
        for (const auto* placements : {&schedule.inputs, &schedule.outputs})
            for (const ChunkPlacement& placement : *placements)
                used_.insert(placement.place);
    }

    void add_step(const Step& in_step)
    {
        staged_.schedule.steps.emplace_back();
        std::unordered_set<std::uint64_t> sent;
        for (const Transfer& transfer : in_step)
            if (!transfer.is_local())
                sent.insert(place_key(transfer.source, transfer.message));
        std::vector<Transfer> written_later;
        std::unordered_map<NodeId, std::size_t> staged_at;
        const std::uint32_t first = count_;
        for (const Transfer& transfer : in_step) {
            const std::uint32_t id = count_++;
            if (transfer.is_local())
                continue;
            append(id, transfer);
            if (!sent.contains(place_key(transfer.destination, transfer.to)))
                continue;
            const PlaceId scratch = scratch_place(staged_at[transfer.destination]++);
            written_later.push_back({{scratch, transfer.to},
                                     transfer.destination,
                                     transfer.destination,
                                     Path{},
                                     transfer.operation});
            Transfer& staged = staged_.schedule.steps.back().back();
            staged.to = scratch % place_limit;
            staged.operation = Operation::copy;
        }
        for (Transfer& transfer : written_later)
            append(std::move(transfer));
        for (std::uint32_t id = first; id < count_; ++id)
            if (in_step[id - first].is_local())
                append(id, in_step[id - first]);
    }

    StagedSchedule staged() && { return std::move(staged_); }

private:
    void append(std::uint32_t id, const Transfer& transfer)
    {
        staged_.position[id] = written_;
        append(transfer);
    }

    void append(Transfer transfer)
    {
        staged_.schedule.steps.back().push_back(std::move(transfer));
        ++written_;
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
    std::uint32_t count_ = 0;   ///< of the transfers so far
    std::uint32_t written_ = 0; ///< of those that they have become
    std::unordered_set<PlaceId> used_;
    std::vector<PlaceId> scratch_;
};

} // namespace

StagedSchedule stage_steps(const Schedule& schedule)
{
    if (!is_in_steps(schedule)) {
        StagedSchedule same{schedule, std::vector<std::uint32_t>(count_transfers(schedule))};
        std::iota(same.position.begin(), same.position.end(), 0U);
        return same;
    }
    StepStager stager{schedule};
    for (const Step& step : schedule.steps)
        stager.add_step(step);
    return std::move(stager).staged();
}

} // namespace nocturne
