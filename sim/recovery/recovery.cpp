#include "sim/recovery/recovery.hpp"

#include "models/network/configuration.hpp"
#include "models/routing/deadlock.hpp"
#include "models/routing/make_routing.hpp"
#include "schedules/collective/kind_names.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/execution/workload.hpp"
#include "sim/recovery/recovery_run.hpp"
#include "sim/recovery/repair_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

namespace nocturne {

namespace {

/// Each owed delivery from the nearest that has the message, with the deadlock-free routing `auto` of the
/// network that is left (see make_routing()); a processor sends as many at once as it has ports and does not
/// wait for others. Throws std::invalid_argument if the faults disconnect the network.
Workload send_again(const Topology& topology, const Collective& collective, PortModel ports,
                    const Faults& faults, const MessageOwners& owners, const HardwareConfig& hardware)
{
    const RemainingNetwork rest = remaining_network(topology, faults);
    const Routing routing = make_routing(rest.topology, "auto", 1, hardware.path_cost_on(rest.topology));
    NearestHolders nearest_holder(rest, owners);
    std::vector<std::vector<SendingRound>> rounds(collective.processors, std::vector<SendingRound>(1));
    for (const OwedDelivery& each : owed_deliveries(collective, topology, faults, owners).owed) {
        rounds[nearest_holder(each)].front().sends.push_back({each.message, each.receiver});
        ++rounds[each.receiver].front().receives;
    }
    Workload workload{"sent again",        routing.name,
                      routing.vc_classes,  Synchronization::self_timed,
                      StartUp::every_step, std::vector<std::vector<EngineStep>>(collective.processors)};
    add_rounds(workload, rounds, topology, ports, [&](ProcessorId source, ProcessorId destination) {
        Route route = routing.route(rest.new_processor[source], rest.new_processor[destination]);
        for (Hop& hop : route)
            hop.channel = rest.old_channel[hop.channel];
        return route;
    });
    return workload;
}

void check_options(const Topology& topology, const RecoveryOptions& options)
{
    options.simulation.hardware.validate();
    if (options.faults.empty())
        throw std::invalid_argument("recovery: no fault is given");
    if (!(options.fault_ns >= 0 && options.fault_ns < 1e12))
        throw std::invalid_argument(
            fmt::format("fault at {} ns: expected a time from 0 to 1000 s", options.fault_ns));
    if (options.until_ns != 0 && !(options.until_ns > options.fault_ns && options.until_ns < 1e12))
        throw std::invalid_argument(fmt::format("fault from {} ns until {} ns: it ends before it begins",
                                                options.fault_ns, options.until_ns));
    if (!(options.host_word_ns >= 0 && options.host_word_ns < 1e9 && options.host_compute_ns >= 0 &&
          options.host_compute_ns < 1e12))
        throw std::invalid_argument(fmt::format("host: {} ns a word, {} ns to compute: out of range",
                                                options.host_word_ns, options.host_compute_ns));
    parse_faults(topology, options.faults);
    if (options.until_ns == 0)
        require_connected(with_faults(topology, options.faults));
}

void require_recoverable(const Collective& collective)
{
    if (reduces(collective))
        throw std::invalid_argument(fmt::format("recovery: {} adds, and partial sums cannot be sent again; "
                                                "'nocturne reschedule' repairs such schedules",
                                                in_words(collective.kind)));
}

/// As many as the traffic needs, and the ways around the fault that will be found.
unsigned vc_classes_of(const Topology& topology, const Routing& before, const RecoveryOptions& options)
{
    const RemainingNetwork rest = remaining_network(
        topology, options.until_ns == 0 ? parse_faults(topology, options.faults) : Faults{});
    const Routing after =
        make_routing(rest.topology, "auto", 1, options.simulation.hardware.path_cost_on(rest.topology));
    return std::max(before.vc_classes.count(), after.vc_classes.count());
}

/// Traffic without a schedule, and the hardware for it and for the way back: the virtual channels are there
/// from the beginning.
struct UnscheduledRun {
    Workload workload;
    RecoveryOptions options;
};

UnscheduledRun prepare(const Topology& topology, const Collective& collective, const std::string& routing,
                       const UnscheduledTraffic& traffic, const RecoveryOptions& options)
{
    require_recoverable(collective);
    check_options(topology, options);
    const Routing before = make_routing(topology, routing, options.simulation.seed,
                                        options.simulation.hardware.path_cost_on(topology));
    const DependencyCheck check = check_deadlock(topology, before);
    if (!check.deadlock_free())
        throw std::invalid_argument(fmt::format("routing {} can deadlock on {}: {}", before.name,
                                                topology.name(), describe(topology, check.cycle)));
    UnscheduledRun run{unscheduled(topology, collective, options.simulation.ports, before, traffic), options};
    run.workload.vc_classes = vc_classes_of(topology, before, options);
    unsigned& vcs = run.options.simulation.hardware.vcs;
    vcs = std::max(vcs, run.workload.vc_classes.count());
    return run;
}

} // namespace

RecoveryResult recover(const Schedule& schedule, const Topology& topology, const RecoveryOptions& options)
{
    const std::vector<Violation> violations = validate(schedule, topology);
    if (!violations.empty())
        throw std::invalid_argument(
            fmt::format("schedule '{}' is not valid: {}", schedule.name, violations.front().text));
    require_recoverable(schedule.collective);
    check_options(topology, options);
    Schedule current = schedule;
    const Planner plan = [&](const Faults& located, const MessageOwners& owners, std::size_t from) {
        RepairPlan repair = plan_repair(current, from, topology, located, owners);
        current = std::move(repair.schedule);
        return OwedProgram{workload_of(current, topology, Synchronization::barrier), repair.seconds};
    };
    return run_recovery({schedule.name, schedule.collective, schedule.ports,
                         workload_of(schedule, topology, Synchronization::barrier)},
                        topology, options, plan);
}

unsigned unscheduled_vc_classes(const Topology& topology, const std::string& routing,
                                const RecoveryOptions& options)
{
    check_options(topology, options);
    return vc_classes_of(topology,
                         make_routing(topology, routing, options.simulation.seed,
                                      options.simulation.hardware.path_cost_on(topology)),
                         options);
}

RecoveryResult recover_unscheduled(const Topology& topology, const Collective& collective,
                                   const std::string& routing, const UnscheduledTraffic& traffic,
                                   const RecoveryOptions& options)
{
    const UnscheduledRun run = prepare(topology, collective, routing, traffic, options);
    const PortModel ports = options.simulation.ports;
    const Planner plan = [&](const Faults& located, const MessageOwners& owners, std::size_t) {
        const auto begin = std::chrono::steady_clock::now();
        OwedProgram owed{
            send_again(topology, collective, ports, located, owners, options.simulation.hardware), 0};
        if (owed.workload.vc_classes > run.workload.vc_classes)
            throw std::runtime_error(
                fmt::format("recovery: the ways around the fault need {} virtual channels, there are {}",
                            owed.workload.vc_classes.count(), run.workload.vc_classes.count()));
        owed.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return owed;
    };
    return run_recovery({run.workload.traffic, collective, ports, run.workload}, topology, run.options, plan);
}

RunResult run_without_fault(const Topology& topology, const Collective& collective,
                            const std::string& routing, const UnscheduledTraffic& traffic,
                            const RecoveryOptions& options)
{
    UnscheduledRun run = prepare(topology, collective, routing, traffic, options);
    run.options.simulation.record_occupancy = true;
    return simulate(topology, collective, run.workload, run.options.simulation).run;
}

} // namespace nocturne
