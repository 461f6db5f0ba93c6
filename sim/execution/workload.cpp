#include "sim/execution/workload.hpp"

#include "models/text/unknown_name.hpp"
#include "sim/execution/contents.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

Workload workload_of(const Schedule& schedule, const Topology& topology, Synchronization synchronization)
{
    require_messages(schedule);
    Workload workload{"schedule", "source routes", 1, synchronization, StartUp::every_step, {}, {}};
    workload.engines.assign(topology.processor_count(), std::vector<EngineStep>(schedule.steps.size()));
    StagingBuffers buffers(workload, schedule.collective);
    for (std::uint32_t step = 0; step < schedule.steps.size(); ++step)
        for (const Transfer& transfer : schedule.steps[step]) {
            if (!transfer.path)
                throw std::invalid_argument(
                    fmt::format("schedule '{}': step {}: a transfer from {} to {} has no path", schedule.name,
                                step + 1, transfer.source, transfer.destination));
            Route route;
            for (const ChannelId channel : *transfer.path)
                route.push_back({channel, 0});
            workload.engines[transfer.source][step].sends.push_back(
                {transfer.message, transfer.destination, std::move(route), step,
                 buffers.buffer_of(transfer.destination, {step, transfer.message, transfer.operation})});
            ++workload.engines[transfer.destination][step].expected;
        }
    return workload;
}

StagingBuffers::StagingBuffers(Workload& workload, const Collective& collective)
    : workload_(workload), collective_(collective), reduces_(reduces(collective))
{
    if (reduces_)
        workload_.combinations.resize(collective.processors);
}

std::uint32_t StagingBuffers::buffer_of(ProcessorId receiver, const Combination& combination)
{
    if (!reduces_)
        return no_buffer;
    const std::uint64_t place = std::uint64_t{receiver} << 32 | combination.message;
    const bool is_empty = !contributes(collective_, combination.message, receiver) &&
                          received_.insert(place).second && combination.operation == Operation::copy;
    if (is_empty)
        return no_buffer;
    std::vector<Combination>& combinations = workload_.combinations[receiver];
    combinations.push_back(combination);
    return static_cast<std::uint32_t>(combinations.size() - 1);
}

Routing routing_of(const Workload& workload)
{
    if (workload.adaptive)
        return {workload.routing, workload.vc_classes, workload.adaptive};
    return {workload.routing, workload.vc_classes, {}};
}

std::string to_string(Synchronization synchronization)
{
    return synchronization == Synchronization::barrier ? "barrier" : "self-timed";
}

Synchronization parse_synchronization(std::string_view text)
{
    return value_named("mode", text, {Synchronization::barrier, Synchronization::self_timed});
}

} // namespace nocturne
