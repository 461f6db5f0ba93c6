#include "sim/recovery/recovery_run.hpp"

#include "models/routing/paths.hpp"
#include "sim/recovery/fault_locator.hpp"
#include "sim/recovery/lost_messages.hpp"
#include "sim/recovery/recovery_host.hpp"
#include "sim/simulation/occupancy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

/// What probes are sent over. Their messages have the numbers from `first_message` on: behind those of the
/// collective.
struct ProbedNetwork {
    const Topology& topology;
    PortModel ports;
    const HardwareConfig& hardware;
    MessageId first_message;
};

using ProbeSteps = std::vector<std::vector<std::size_t>>;

Workload probe_workload(const std::vector<Probe>& probes, const ProbeSteps& steps,
                        const ProbedNetwork& network)
{
    Workload workload{"probes", "source routes", 1, Synchronization::barrier, StartUp::every_step, {}};
    workload.engines.assign(network.topology.processor_count(), std::vector<EngineStep>(steps.size()));
    for (std::uint32_t step = 0; step < steps.size(); ++step)
        for (const std::size_t i : steps[step]) {
            const Probe& probe = probes[i];
            workload.engines[probe.source][step].sends.push_back(
                {network.first_message + static_cast<MessageId>(i), probe.destination,
                 route_along(probe.path), step});
            ++workload.engines[probe.destination][step].expected;
        }
    return workload;
}

/// The probes that were lost. A step with a loss ends a run: those behind it are sent in the next.
std::set<std::size_t> send_probes(RecoveryHost& host, const ProbedNetwork& network,
                                  const std::vector<Probe>& probes)
{
    const std::uint64_t bytes = network.hardware.flit_bytes;
    std::set<std::size_t> all_lost;
    ProbeSteps steps = probe_steps(network.topology, network.ports, probes);
    while (!steps.empty()) {
        const Workload workload = probe_workload(probes, steps, network);
        const Timeouts timeouts = timeouts_for(workload, network.topology, network.hardware, bytes);
        host.program(workload, bytes, timeouts);
        const RunReport report = host.run(timeouts);
        const std::vector<SentMessage> lost = lost_messages(workload, report);
        if (!report.is_done && lost.empty())
            throw std::runtime_error("recovery: a probe was late");
        for (const SentMessage& each : lost)
            all_lost.insert(each.sending->message - network.first_message);
        steps.erase(steps.begin(), report.is_done ? steps.end() : steps.begin() + lost.front().step + 1);
    }
    return all_lost;
}

/// Sends what the locator wants to know and tells it what became of it, until it has no more questions.
/// Returns how many probes were sent. Throws std::runtime_error if a probe is late but comes.
std::uint32_t send_all_probes(RecoveryHost& host, const ProbedNetwork& network, FaultLocator& locator)
{
    std::uint32_t sent = 0;
    for (std::vector<Probe> probes = locator.next_probes(); !probes.empty(); probes = locator.next_probes()) {
        const std::set<std::size_t> lost = send_probes(host, network, probes);
        for (std::size_t i = 0; i < probes.size(); ++i)
            locator.note(probes[i], lost.count(i) == 0);
        sent += static_cast<std::uint32_t>(probes.size());
    }
    return sent;
}

std::uint32_t longest_program(const Workload& workload)
{
    std::size_t steps = 0;
    for (const auto& engine : workload.engines)
        steps = std::max(steps, engine.size());
    return static_cast<std::uint32_t>(steps);
}

SimulationOptions with_ports(SimulationOptions options, PortModel ports)
{
    options.ports = ports;
    return options;
}

class Recovery {
public:
    Recovery(RecoverableTraffic traffic, const Topology& topology, const RecoveryOptions& options,
             Planner plan)
        : topology_(topology), options_(options), bytes_(options.simulation.message_bytes),
          simulation_(with_ports(options.simulation, traffic.ports)), collective_(traffic.collective),
          plan_(std::move(plan)), host_(topology, collective_, traffic.workload, simulation_, options),
          workload_(std::move(traffic.workload))
    {
        if (simulation_.record_occupancy)
            recorder_.emplace(host_.network(), simulation_.hardware.cycle_ns);
        owners_.assign(collective_.processors, std::vector<bool>(collective_.messages().size()));
        for (MessageId id = 0; id < collective_.messages().size(); ++id)
            owners_[collective_.messages()[id].origin][id] = true;
        describe(traffic.name);
    }

    RecoveryResult run()
    {
        std::string phase = "replay";
        for (unsigned round = 0;; ++round) {
            const Timeouts timeouts = timeouts_for(workload_, topology_, simulation_.hardware, bytes_);
            host_.program(workload_, bytes_, timeouts);
            const RunReport report = host_.run(timeouts);
            if (round > 0)
                end_phase("program", host_.in_ns(report.started));
            note_arrivals(report);
            if (report.is_done) {
                end_phase(phase, host_.in_ns(report.reported));
                end_phase("check");
                break;
            }
            if (round + 1 >= options_.most_rounds)
                throw std::runtime_error(
                    fmt::format("recovery: messages are still lost in round {}", round + 1));
            end_detection(phase, report);
            const std::vector<SentMessage> lost = lost_messages(workload_, report);
            locate(report, lost);
            plan_owed(lost.empty() ? 0 : lost.front().step);
            phase = "replay owed";
        }
        compare_memories();
        return std::move(result_);
    }

private:
    void describe(const std::string& name)
    {
        result_.model = to_string(simulation_.model);
        result_.schedule = name;
        result_.topology = topology_.name();
        result_.collective = to_string(collective_.kind);
        result_.routing = workload_.routing;
        result_.message_bytes = bytes_;
        result_.steps = longest_program(workload_);
        result_.faults = options_.faults;
        result_.fault_ns = options_.fault_ns;
        if (options_.until_ns > 0)
            result_.until_ns = options_.until_ns;
        result_.outcome = "nothing lost";
    }

    void end_phase(const std::string& name) { end_phase(name, host_.now_ns()); }
    void end_phase(const std::string& name, double at)
    {
        const double begin = result_.phases.empty() ? 0 : result_.phases.back().end_ns;
        result_.phases.push_back({name, begin, std::max(begin, at)});
    }

    /// The run ends for us when the fault comes; in later rounds, when it is reported.
    void end_detection(const std::string& phase, const RunReport& report)
    {
        end_phase(phase, std::min(host_.in_ns(report.reported),
                                  std::max(options_.fault_ns, host_.in_ns(report.started))));
        end_phase("detect");
    }

    void note_arrivals(const RunReport& report)
    {
        for (ProcessorId id = 0; id < report.arrivals.size(); ++id)
            for (const Arrival& arrival : report.arrivals[id]) {
                if (arrival.message >= collective_.messages().size())
                    continue; // a probe
                result_.duplicates += owners_[id][arrival.message] ? 1 : 0;
                owners_[id][arrival.message] = true;
            }
    }

    void locate(const RunReport& report, const std::vector<SentMessage>& lost)
    {
        std::vector<LostPath> paths;
        for (const SentMessage& each : lost) {
            result_.lost.push_back({each.step + 1, each.sending->message,
                                    topology_.processor(each.source).name,
                                    topology_.processor(each.sending->destination).name});
            LostPath& path = paths.emplace_back(LostPath{each.source, {}});
            for (const Hop& hop : each.sending->route)
                path.path.push_back(hop.channel);
        }
        const auto first_probe = static_cast<MessageId>(collective_.messages().size());
        const std::vector<ChannelId> cleared = cleared_channels(workload_, report, lost);
        std::vector<ChannelId> suspects = suspected_channels(topology_, paths, cleared);
        // What was located before need not be all that has failed since, nor still have.
        suspects.insert(suspects.end(), located_.channels.begin(), located_.channels.end());
        for (const RouterId router : located_.routers)
            for (const auto channels : {topology_.channels_from(router), topology_.channels_to(router)})
                suspects.insert(suspects.end(), channels.begin(), channels.end());
        FaultLocator locator(topology_, suspects, cleared);
        result_.probes += send_all_probes(
            host_, {topology_, simulation_.ports, simulation_.hardware, first_probe}, locator);
        const FaultLocation location = locator.location();
        located_ = location.failed();
        name_located(location);
        end_phase("locate");
    }

    void name_located(const FaultLocation& location)
    {
        result_.located.clear();
        result_.lost_processors.clear();
        for (const Faults& part : location.parts) {
            std::vector<std::string> names;
            for (const ChannelId id : part.channels)
                names.push_back(fmt::format("channel {}->{}",
                                            topology_.router_name(topology_.channel(id).source),
                                            topology_.router_name(topology_.channel(id).target)));
            for (const RouterId id : part.routers)
                names.push_back(fmt::format("router {}", topology_.router_name(id)));
            result_.located.push_back(fmt::format("{}", fmt::join(names, " or ")));
        }
        for (const RouterId id : located_.routers) {
            for (const Processor& processor : topology_.processors())
                if (processor.injection == id || processor.ejection == id)
                    result_.lost_processors.push_back(processor.name);
        }
        result_.outcome = result_.located.empty() ? "intermittent" : "located";
    }

    void plan_owed(std::size_t first_loss)
    {
        OwedProgram owed = plan_(located_, owners_, first_loss);
        host_.wait_ns(options_.host_compute_ns);
        end_phase("schedule");
        result_.search_seconds += owed.seconds;
        result_.owed = static_cast<std::uint32_t>(
            owed_deliveries(collective_, topology_, located_, owners_).owed.size());
        workload_ = std::move(owed.workload);
        result_.repair_steps = longest_program(workload_);
        result_.repair_routing = workload_.routing;
    }

    void compare_memories()
    {
        result_.time_ns = host_.now_ns();
        result_.flits_lost = host_.network().flits_lost();
        if (recorder_)
            result_.occupancy = recorder_->take();
        const OwedDeliveries left = owed_deliveries(collective_, topology_, located_, owners_);
        std::set<std::pair<MessageId, ProcessorId>> dropped;
        for (const auto& [message, receiver] : left.dropped)
            dropped.emplace(message, receiver);
        result_.dropped = static_cast<std::uint32_t>(left.dropped.size());
        for (const Demand& demand : collective_.demands) {
            if (dropped.count({demand.chunk, demand.receiver}) != 0)
                continue;
            ++result_.messages_owed;
            result_.messages_delivered += host_.holds(demand) ? 1 : 0;
        }
        result_.memory_ok = result_.messages_delivered == result_.messages_owed;
    }

    const Topology& topology_;
    const RecoveryOptions& options_;
    const std::uint64_t bytes_;
    const SimulationOptions simulation_;
    const Collective& collective_;
    const Planner plan_;
    RecoveryHost host_;
    std::optional<OccupancyRecorder> recorder_;
    Workload workload_; ///< that runs now
    MessageOwners owners_;
    Faults located_;
    RecoveryResult result_;
};

} // namespace

RecoveryResult run_recovery(RecoverableTraffic traffic, const Topology& topology,
                            const RecoveryOptions& options, Planner plan)
{
    return Recovery(std::move(traffic), topology, options, std::move(plan)).run();
}

} // namespace nocturne
