#include "schedules/schedule/sum_checks.hpp"

#include <fmt/format.h>

#include <utility>

namespace nocturne {

SumChecks::SumChecks(const Schedule& schedule, const Topology& topology)
    : schedule_(schedule), topology_(topology), sum_of_(topology.processor_count()),
      writer_(topology.processor_count()), is_written_(topology.processor_count())
{
}

void SumChecks::check(MessageId id, std::span<const Place> places, const Report& report)
{
    report_ = &report;
    begin(id);
    for (std::size_t first = 0, end = 0; first < places.size(); first = end) {
        while (end < places.size() && places[end].step == places[first].step)
            ++end;
        carry_out(places.subspan(first, end - first));
    }
    judge_results();
}

void SumChecks::begin(MessageId id)
{
    id_ = id;
    sums_.clear();
    sum_of_.forget_all();
    is_written_.forget_all();
    for (const std::uint32_t contributor : chunk().contributors)
        set(contributor, bits_of(chunk(), {contributor}));
}

void SumChecks::carry_out(std::span<const Place> in_step)
{
    std::vector<ContributionBits> came;
    for (const Place place : in_step) {
        const ContributionBits* const sum = find(at(place).source);
        if (sum == nullptr)
            (*report_)(Rule::sender_lacks_message, place,
                       fmt::format("{} has nothing of message {} yet", name(at(place).source), id_),
                       at(place).source);
        came.push_back(sum == nullptr ? ContributionBits{} : *sum);
    }
    judge_conflicts(in_step);
    for (std::size_t i = 0; i < in_step.size(); ++i) {
        if (at(in_step[i]).operation == Operation::copy)
            copy(in_step[i], std::move(came[i]));
        else
            add(in_step[i], came[i]);
        is_written_.set(at(in_step[i]).destination, 1);
    }
}

void SumChecks::judge_conflicts(std::span<const Place> in_step)
{
    writer_.forget_all();
    for (std::size_t i = 0; i < in_step.size(); ++i) {
        const Transfer& transfer = at(in_step[i]);
        const std::size_t* const other = writer_.find(transfer.destination);
        if (other &&
            (transfer.operation == Operation::copy || at(in_step[*other]).operation == Operation::copy))
            (*report_)(
                Rule::write_conflict, in_step[i],
                fmt::format("transfer {} of the same step writes there too", in_step[*other].transfer + 1),
                transfer.destination);
        writer_.set(transfer.destination, i);
    }
}

void SumChecks::copy(Place place, ContributionBits came)
{
    const ProcessorId destination = at(place).destination;
    const ContributionBits* const there = find(destination);
    if (there && !there->empty() && !came.empty() && !first_beyond(came, *there))
        (*report_)(Rule::redundant_delivery, place,
                   fmt::format("{} has all of it already", name(destination)), destination);
    else
        set(destination, std::move(came));
}

void SumChecks::add(Place place, const ContributionBits& came)
{
    const ProcessorId destination = at(place).destination;
    ContributionBits* const there = find(destination);
    if (there == nullptr) {
        (*report_)(Rule::nothing_there, place,
                   fmt::format("{} has nothing of message {} to add to", name(destination), id_),
                   destination);
        set(destination, came);
        return;
    }
    if (there->empty() || came.empty()) {
        there->clear();
        return;
    }
    if (const auto twice = first_common(*there, came))
        (*report_)(Rule::added_twice, place,
                   fmt::format("the contribution of {} is in the sum at {} already", contributor(*twice),
                               name(destination)),
                   destination);
    *there = united(*there, came);
}

void SumChecks::judge_results()
{
    for (const Demand& demand : schedule_.collective.demands.of(id_)) {
        const ContributionBits* const sum = find(demand.receiver);
        if (sum == nullptr || !is_written_.find(demand.receiver)) {
            (*report_)(Rule::undelivered, std::nullopt,
                       fmt::format("{} never receives anything of message {}", name(demand.receiver), id_),
                       demand.receiver);
            continue;
        }
        if (sum->empty())
            continue;
        const ContributionBits owed = bits_of(chunk(), demand.contributors);
        const auto judge = [&](Rule rule, std::optional<std::size_t> index, std::string_view text) {
            if (index)
                (*report_)(rule, std::nullopt,
                           fmt::format("message {} at {}: the contribution of {} {}", id_,
                                       name(demand.receiver), contributor(*index), text),
                           demand.receiver);
        };
        judge(Rule::missing_contribution, first_beyond(owed, *sum), "is missing");
        judge(Rule::extra_contribution, first_beyond(*sum, owed), "is not owed");
    }
}

ContributionBits* SumChecks::find(ProcessorId id)
{
    const std::size_t* const index = sum_of_.find(id);
    return index == nullptr ? nullptr : &sums_[*index];
}

void SumChecks::set(ProcessorId id, ContributionBits sum)
{
    if (ContributionBits* const there = find(id)) {
        *there = std::move(sum);
        return;
    }
    sum_of_.set(id, sums_.size());
    sums_.push_back(std::move(sum));
}

} // namespace nocturne
