#include "sim/execution/workload.hpp"

#include "models/routing/paths.hpp"
#include "models/text/unknown_name.hpp"
#include "sim/execution/contents.hpp"

#include <fmt/format.h>

#include <algorithm>
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
            workload.engines[transfer.source][step].sends.push_back(
                {transfer.message, transfer.destination, route_along(*transfer.path), step,
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

void add_rounds(Workload& workload, const std::vector<std::vector<SendingRound>>& rounds,
                const Topology& topology, PortModel ports,
                const std::function<Route(ProcessorId, ProcessorId)>& route_of)
{
    std::vector<std::vector<std::uint32_t>> last_step(rounds.size()); // by processor and round
    for (ProcessorId id = 0; id < rounds.size(); ++id) {
        std::vector<EngineStep>& steps = workload.engines[id];
        const std::size_t at_once = send_ports(topology, id, ports);
        for (const SendingRound& round : rounds[id]) {
            steps.resize(steps.size() +
                         std::max<std::size_t>(1, (round.sends.size() + at_once - 1) / at_once));
            steps.back().expected = round.receives;
            last_step[id].push_back(static_cast<std::uint32_t>(steps.size() - 1));
        }
        if (!workload.combinations.empty())
            for (Combination& combination : workload.combinations[id])
                combination.step = last_step[id][combination.step];
    }
    for (ProcessorId id = 0; id < rounds.size(); ++id) {
        const std::size_t at_once = send_ports(topology, id, ports);
        std::size_t first = 0; // step of the round
        for (std::size_t number = 0; number < rounds[id].size(); ++number) {
            const std::vector<RoundSending>& sends = rounds[id][number].sends;
            for (std::size_t i = 0; i < sends.size(); ++i) {
                const auto& [message, destination, buffer] = sends[i];
                workload.engines[id][first + i / at_once].sends.push_back(
                    {message, destination, route_of(id, destination), last_step[destination][number],
                     buffer});
            }
            first = last_step[id][number] + 1;
        }
    }
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
