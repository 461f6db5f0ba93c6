#include "schedules/schedule/contribution_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne {

ContributionChecks::ContributionChecks(const Schedule& schedule, bool is_of_messages, Names names,
                                       Report report)
    : schedule_(schedule), chunks_(schedule.collective.chunks), is_of_messages_(is_of_messages),
      name_(std::move(names)), report_(std::move(report)),
      alone_(std::make_shared<const ContributionBits>(1, 1))
{
    for (const ChunkPlacement& input : schedule.inputs)
        input_of_[place_key(input.processor, input.chunk)] = input.place;
}

void ContributionChecks::begin()
{
    values_.reserve(chunks_.size() + count_transfers(schedule_));
    for (ChunkId chunk = 0; chunk < chunks_.size(); ++chunk)
        load(chunk);
}

void ContributionChecks::begin(std::span<const ChunkId> chunks)
{
    constexpr std::size_t most_buckets = 1024; // to be emptied millions of times
    if (values_.bucket_count() > most_buckets)
        values_ = {};
    values_.clear();
    for (const ChunkId chunk : chunks)
        load(chunk);
}

void ContributionChecks::load(ChunkId chunk)
{
    const ProcessorList& contributors = chunks_[chunk].contributors;
    for (const std::uint32_t processor : contributors) {
        const auto elsewhere = input_of_.find(place_key(processor, chunk));
        values_[place_key(processor, elsewhere == input_of_.end() ? chunk : elsewhere->second)] = {
            chunk, contributors.size() == 1
                       ? alone_
                       : std::make_shared<const ContributionBits>(bits_of(chunks_[chunk], {processor}))};
    }
}

void ContributionChecks::run_step(std::span<const Place> transfers)
{
    std::vector<std::pair<Place, PlaceValue>> carried;
    std::vector<Place> writers;
    for (const Place place : transfers)
        if (!at(place).is_local()) {
            carried.emplace_back(place, read(place));
            writers.push_back(place);
        }
    judge_conflicts(writers);
    for (auto& [place, came] : carried)
        write(place, std::move(came));
    for (const Place place : transfers)
        if (at(place).is_local())
            write(place, read(place));
}

void ContributionChecks::judge_conflicts(std::span<const Place> writers)
{
    std::unordered_map<std::uint64_t, Place> last;
    for (const Place place : writers) {
        const Transfer& transfer = at(place);
        const auto [other, is_first] = last.try_emplace(place_key(transfer.destination, transfer.to), place);
        if (is_first)
            continue;
        if (transfer.operation == Operation::copy || at(other->second).operation == Operation::copy)
            report_(
                {Rule::write_conflict, place, transfer.destination,
                 fmt::format("transfer {} of the same step writes there too", other->second.transfer + 1)});
        other->second = place;
    }
}

/// Unknown, and reported, if nothing is there.
PlaceValue ContributionChecks::read(Place place)
{
    const Transfer& transfer = at(place);
    if (const PlaceValue* const value = find(transfer.source, transfer.message))
        return *value;
    const std::string node = name_(transfer.source), what = describe(transfer.message);
    if (is_of_messages_)
        report_({Rule::sender_lacks_message, place, transfer.source,
                 fmt::format("{} has nothing of {} yet", node, what)});
    else
        report_({Rule::nothing_there, place, transfer.source,
                 fmt::format("{} has nothing in the place of {}", node, what)});
    return {};
}

void ContributionChecks::write(Place place, PlaceValue came)
{
    const Transfer& transfer = at(place);
    PlaceValue& there = values_[place_key(transfer.destination, transfer.to)];
    const bool is_empty = !there.is_known() && !there.has_come;
    if (transfer.operation == Operation::copy) {
        if (is_of_messages_ && there.is_known() && came.is_known() &&
            !first_beyond(*came.contributions, *there.contributions)) {
            report_({Rule::redundant_delivery, place, transfer.destination,
                     fmt::format("{} has all of it already", name_(transfer.destination))});
            came = there;
        }
    } else if (is_empty) {
        const std::string node = name_(transfer.destination), what = describe(transfer.to);
        report_({Rule::nothing_there, place, transfer.destination,
                 is_of_messages_ ? fmt::format("{} has nothing of {} to add to", node, what)
                                 : fmt::format("{} has nothing to add to in the place of {}", node, what)});
    } else {
        came = sum_of(there, came, place);
    }
    there = std::move(came);
    there.has_come = true;
}

PlaceValue ContributionChecks::sum_of(const PlaceValue& there, const PlaceValue& came, Place place)
{
    const ProcessorId node = at(place).destination;
    if (!there.is_known() || !came.is_known())
        return {};
    if (there.chunk != came.chunk) {
        report_({Rule::different_chunks, place, node,
                 fmt::format("chunk {} is added to chunk {}", came.chunk, there.chunk)});
        return {};
    }
    if (const auto twice = first_common(*there.contributions, *came.contributions)) {
        const std::uint32_t contributor = chunks_[came.chunk].contributors[*twice];
        report_({Rule::added_twice, place, node,
                 is_of_messages_
                     ? fmt::format("the contribution of {} is in the sum at {} already", name_(contributor),
                                   name_(node))
                     : fmt::format("the contribution of {} to chunk {} is in the sum at {} already",
                                   name_(contributor), came.chunk, name_(node)),
                 came.chunk, contributor});
    }
    return {came.chunk,
            std::make_shared<const ContributionBits>(united(*there.contributions, *came.contributions))};
}

void ContributionChecks::judge_result(const Demand& demand, PlaceId place)
{
    const PlaceValue* const value = find(demand.receiver, place);
    const auto report = [&](Rule rule, const std::string& text) {
        report_({rule, std::nullopt, demand.receiver,
                 fmt::format("{} {} at {}: {}", is_of_messages_ ? "message" : "chunk", demand.chunk,
                             name_(demand.receiver), text),
                 demand.chunk});
    };
    if (value == nullptr || (is_of_messages_ && !value->has_come && !is_own(demand))) {
        if (is_of_messages_)
            report_({Rule::undelivered, std::nullopt, demand.receiver,
                     fmt::format("{} never receives anything of message {}", name_(demand.receiver),
                                 demand.chunk)});
        else
            report(Rule::undelivered, "it never arrives");
        return;
    }
    if (!value->is_known())
        return;
    if (value->chunk != demand.chunk) {
        report(Rule::different_chunks, fmt::format("chunk {} is in its place", value->chunk));
        return;
    }
    const Chunk& chunk = chunks_[demand.chunk];
    const ContributionBits& owed = owed_bits(chunk, demand.contributors);
    const auto report_contribution = [&](Rule rule, std::optional<std::size_t> index, std::string_view what) {
        if (!index)
            return;
        const std::uint32_t contributor = chunk.contributors[*index];
        report_({rule, std::nullopt, demand.receiver,
                 fmt::format("{} {} at {}: the contribution of {} {}", is_of_messages_ ? "message" : "chunk",
                             demand.chunk, name_(demand.receiver), name_(contributor), what),
                 demand.chunk, contributor});
    };
    report_contribution(Rule::missing_contribution, first_beyond(owed, *value->contributions), "is missing");
    report_contribution(Rule::extra_contribution, first_beyond(*value->contributions, owed), "is not owed");
}

const ContributionBits& ContributionChecks::owed_bits(const Chunk& chunk,
                                                      const std::vector<std::uint32_t>& contributors)
{
    const OwedLists lists{&static_cast<const std::vector<std::uint32_t>&>(chunk.contributors), &contributors};
    if (lists != owed_lists_) {
        owed_lists_ = lists;
        owed_ = bits_of(chunk, contributors);
    }
    return owed_;
}

const PlaceValue* ContributionChecks::find(std::uint32_t node, PlaceId place) const
{
    const auto found = values_.find(place_key(node, place));
    return found == values_.end() ? nullptr : &found->second;
}

std::string ContributionChecks::describe(PlaceId place) const
{
    return is_of_messages_ ? fmt::format("message {}", place) : describe_place(schedule_.collective, place);
}

std::string describe_place(const Collective& collective, PlaceId place)
{
    return place < collective.chunks.size() ? fmt::format("chunk {}", place)
                                            : fmt::format("scratch {}", place - collective.chunks.size());
}

} // namespace nocturne
