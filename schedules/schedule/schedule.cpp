#include "schedules/schedule/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne {

std::size_t count_transfers(const Schedule& schedule)
{
    std::size_t count = 0;
    for (const Step& step : schedule.steps)
        count += step.size();
    return count;
}

bool adds(const Schedule& schedule)
{
    return std::any_of(schedule.steps.begin(), schedule.steps.end(), [](const Step& step) {
        return std::any_of(step.begin(), step.end(),
                           [](const Transfer& t) { return t.operation == Operation::add; });
    });
}

bool is_complete(const Schedule& schedule)
{
    return std::all_of(schedule.steps.begin(), schedule.steps.end(), [](const Step& step) {
        return std::all_of(step.begin(), step.end(), [](const Transfer& t) { return t.path.has_value(); });
    });
}

std::string describe_transfer(const Schedule& schedule, const Topology& topology, std::size_t step,
                              std::size_t transfer)
{
    const auto name = [&](ProcessorId id) {
        return id < topology.processor_count() ? topology.processor(id).name : fmt::format("#{}", id);
    };
    const Transfer& t = schedule.steps[step][transfer];
    return fmt::format("step {}, transfer {} ({}>{})", step + 1, transfer + 1, name(t.source),
                       name(t.destination));
}

} // namespace nocturne
