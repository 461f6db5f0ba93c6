#include "sim/rtl/scheduled_plan.hpp"

#include "models/network/zero_load.hpp"
#include "models/routing/paths.hpp"
#include "schedules/collective/kind_names.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/execution/compile_dma_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace nocturne {

namespace {

/// Fills in a plan step by step.
class ScheduledPlanner {
public:
    ScheduledPlanner(const Schedule& schedule, const Topology& topology, const ScheduledOptions& options)
        : topology_(topology), hardware_(options.hardware)
    {
        const Workload workload = workload_of(schedule, topology, Synchronization::barrier);
        plan_.network = plan_network(topology, hardware_, schedule.ports, Routing{"schedule", 1, {}});
        plan_.message_flits = hardware_.flits(options.message_bytes);
        plan_.launch_cycles = hardware_.start_up_cycles() + hardware_.interface_cycles;
        plan_.places = messages_held(workload, schedule.collective);
        plan_.connections.resize(topology.router_count());
        plan_.sends.resize(topology.processor_count());
        plan_.receives.resize(topology.processor_count());
        for (const Step& step : schedule.steps)
            if (!step.empty())
                add_step(step);
    }

    ScheduledPlan take() { return std::move(plan_); }

private:
    void add_step(const Step& step)
    {
        const NetworkPlan& network = plan_.network;
        for (RouterId id = 0; id < plan_.connections.size(); ++id)
            plan_.connections[id].emplace_back(network.out_of[id].size());
        for (ProcessorId id = 0; id < plan_.sends.size(); ++id) {
            plan_.sends[id].emplace_back(network.interfaces[id].inject_ports);
            plan_.receives[id].emplace_back(network.interfaces[id].eject_ports);
        }
        std::uint64_t longest = 0;
        for (const Transfer& transfer : step)
            longest = std::max(longest, add_transfer(transfer));
        plan_.durations.push_back(hardware_.start_up_cycles() + longest);
    }

    /// Its cycles behind the start-up.
    std::uint64_t add_transfer(const Transfer& transfer)
    {
        const NetworkPlan& network = plan_.network;
        const unsigned from = take_port(plan_.sends[transfer.source].back(), transfer.message,
                                        transfer.destination, transfer.source);
        const unsigned to = take_port(plan_.receives[transfer.destination].back(), transfer.message,
                                      transfer.source, transfer.destination);
        std::uint32_t link = network.numbers.first_injection_link(transfer.source) + from;
        for (const ChannelId channel : *transfer.path) {
            connect(link, channel);
            link = channel;
        }
        connect(link, network.numbers.first_ejection_link(transfer.destination) + to);
        return zero_load_cycles(topology_, hardware_, route_along(*transfer.path), plan_.message_flits);
    }

    /// The first free one, as network interfaces choose; the validator has seen that there is one.
    unsigned take_port(ScheduledPlan::Ports& ports, MessageId message, ProcessorId peer,
                       ProcessorId owner) const
    {
        const auto free = std::find_if(ports.begin(), ports.end(), [](const auto& port) { return !port; });
        const auto& places = plan_.places[owner];
        const auto place = std::lower_bound(places.begin(), places.end(), message) - places.begin();
        *free = {message, peer, static_cast<std::uint64_t>(place) * plan_.message_flits};
        return static_cast<unsigned>(free - ports.begin());
    }

    void connect(std::uint32_t from, std::uint32_t to)
    {
        const NetworkPlan::End input = plan_.network.links[from].to;
        const NetworkPlan::End output = plan_.network.links[to].from;
        plan_.connections[output.owner].back()[output.port] = input.port;
    }

    const Topology& topology_;
    const HardwareConfig& hardware_;
    ScheduledPlan plan_;
};

void check(const Schedule& schedule, const Topology& topology, const HardwareConfig& hardware)
{
    hardware.validate();
    if (const auto violations = validate(schedule, topology); !violations.empty())
        throw std::invalid_argument(
            fmt::format("schedule '{}' is invalid: {}", schedule.name, violations.front().text));
    if (reduces(schedule.collective))
        throw std::invalid_argument(
            fmt::format("scheduled network: {} adds, and nothing in it does: its routers, interfaces and "
                        "memories only carry data",
                        in_words(schedule.collective.kind)));
    if (count_transfers(schedule) == 0)
        throw std::invalid_argument(fmt::format("schedule '{}' has no transfer", schedule.name));
    if (hardware.t0_ns <= 0 && hardware.interface_cycles < 2)
        throw std::invalid_argument("scheduled network: start-up and interface take 1 cycle together; a "
                                    "memory that answers in the next cycle needs 2");
    if (const std::string own = own_property(
            topology, {"pipeline", "pool", "vcs", "packets", "arbiter", "clock", "injection", "ejection"});
        !own.empty())
        throw std::invalid_argument(fmt::format("scheduled network: {}", own));
    for (ChannelId id = 0; id < topology.channel_count(); ++id)
        if (hardware.cycles_per_flit(topology.channel(id)) > 1)
            throw std::invalid_argument(
                fmt::format("scheduled network: {} is narrower than a flit", describe_channel(topology, id)));
}

} // namespace

std::uint64_t ScheduledPlan::cycles() const
{
    return std::accumulate(durations.begin(), durations.end(), std::uint64_t{0});
}

ScheduledPlan plan_scheduled(const Schedule& schedule, const Topology& topology,
                             const ScheduledOptions& options)
{
    check(schedule, topology, options.hardware);
    if (options.message_bytes == 0)
        throw std::invalid_argument("message of 0 bytes: it takes at least 1");
    return ScheduledPlanner(schedule, topology, options).take();
}

} // namespace nocturne
