#include "sim/recovery/recovery_run.hpp"

#include "models/hardware/kernel.hpp"
#include "sim/recovery/lost_messages.hpp"
#include "sim/recovery/probing.hpp"
#include "sim/recovery/recovery_host.hpp"
#include "sim/simulation/memory_need.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace nocturne {

namespace {

std::uint32_t longest_program(const Workload& workload)
{
    std::size_t steps = 0;
    for (const auto& engine : workload.engines)
        steps = std::max(steps, engine.size());
    return static_cast<std::uint32_t>(steps);
}

/// With room behind what compile_dma_programs() asks for.
std::vector<CompiledEngine> enlarged(std::vector<CompiledEngine> engines, const Topology& topology,
                                     const HardwareConfig& hardware, std::size_t messages,
                                     std::uint64_t message_bytes)
{
    std::vector<std::uint64_t> sizes;
    for (const CompiledEngine& engine : engines)
        sizes.push_back(aligned(engine.memory_bytes) +
                        RecoveryHost::extra_bytes(engine, topology, messages, message_bytes));
    check_memories(sizes, message_bytes);
    for (std::size_t id = 0; id < engines.size(); ++id)
        engines[id].memory_bytes = static_cast<std::uint32_t>(sizes[id]);
    workers_that_fit(1, {simulation_bytes(topology, hardware, all_port, engines)}, {});
    return engines;
}

class Recovery {
public:
    Recovery(RecoverableTraffic traffic, const Topology& topology, const RecoveryOptions& options,
             Planner plan)
        : topology_(topology), options_(options), bytes_(options.simulation.message_bytes),
          collective_(traffic.collective), ports_(traffic.ports), plan_(std::move(plan)),
          workload_(std::move(traffic.workload)),
          compiled_(compile_dma_programs(workload_, collective_, bytes_)),
          system_(
              "system", topology, options.simulation.hardware, ports_, workload_,
              enlarged(compiled_, topology, options.simulation.hardware, collective_.messages.size(), bytes_),
              HostProgram::driven),
          host_(system_, topology, options.host_word_ns)
    {
        for (ProcessorId id = 0; id < collective_.processors; ++id)
            system_.memory(id).load(
                0, initial_memory(compiled_[id], id, collective_, bytes_, options.simulation.seed));
        host_.lay_out(compiled_, topology, collective_.messages.size(), bytes_);
        owners_.assign(collective_.processors, std::vector<bool>(collective_.messages.size()));
        for (MessageId id = 0; id < collective_.messages.size(); ++id)
            owners_[collective_.messages[id].origin][id] = true;
        const auto cycle = [&](double ns) {
            return static_cast<Cycle>(std::ceil(ns / options.simulation.hardware.cycle_ns));
        };
        system_.network().plan_faults(
            parse_faults(topology, options.faults),
            {cycle(options.fault_ns), options.until_ns > 0 ? cycle(options.until_ns) : DownTime::for_good});
        describe(traffic.name);
    }

    RecoveryResult run()
    {
        run_kernel(sc_core::SC_ZERO_TIME);
        std::string phase = "replay";
        for (unsigned round = 0;; ++round) {
            const Timeouts timeouts =
                timeouts_for(workload_, topology_, options_.simulation.hardware, bytes_);
            host_.program(workload_, bytes_, timeouts);
            const RunReport report = host_.run(workload_, timeouts);
            if (round > 0)
                end_phase("program", in_ns(report.started));
            note_arrivals(report);
            if (report.is_done) {
                end_phase(phase, in_ns(report.reported));
                end_phase("check");
                break;
            }
            if (round + 1 >= options_.most_rounds)
                throw std::runtime_error(
                    fmt::format("recovery: messages are still lost in round {}", round + 1));
            end_detection(phase, report);
            const std::vector<SentMessage> lost = lost_messages(workload_, report, host_.places());
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
        result_.schedule = name;
        result_.topology = topology_.name();
        result_.collective = to_string(collective_.kind);
        result_.routing = workload_.routing;
        result_.message_bytes = bytes_;
        result_.steps = longest_program(workload_);
        result_.faults = options_.faults;
        result_.fault_ns = options_.fault_ns;
        result_.until_ns = options_.until_ns;
        result_.outcome = "nothing lost";
    }

    void end_phase(const std::string& name) { end_phase(name, in_ns(sc_core::sc_time_stamp())); }
    void end_phase(const std::string& name, double at)
    {
        const double begin = result_.phases.empty() ? 0 : result_.phases.back().end_ns;
        result_.phases.push_back({name, begin, std::max(begin, at)});
    }

    /// The run ends for us when the fault comes; in later rounds, when it is reported.
    void end_detection(const std::string& phase, const RunReport& report)
    {
        end_phase(phase,
                  std::min(in_ns(report.reported), std::max(options_.fault_ns, in_ns(report.started))));
        end_phase("detect");
    }

    void note_arrivals(const RunReport& report)
    {
        const MessageAddresses& places = host_.places();
        std::unordered_map<std::uint32_t, MessageId> message_at;
        for (ProcessorId id = 0; id < report.arrivals.size(); ++id) {
            message_at.clear();
            if (!report.arrivals[id].empty())
                for (const auto& [message, address] : places[id])
                    message_at.emplace(address, message);
            for (const ArrivalRecord& record : report.arrivals[id]) {
                const auto found = message_at.find(record.address);
                if (found == message_at.end() || found->second >= collective_.messages.size())
                    continue; // a probe
                result_.duplicates += owners_[id][found->second] ? 1 : 0;
                owners_[id][found->second] = true;
            }
        }
    }

    void locate(const RunReport& report, const std::vector<SentMessage>& lost)
    {
        std::vector<LostPath> paths;
        for (const SentMessage& each : lost) {
            result_.lost.push_back({each.step, each.sending->message, topology_.processor(each.source).name,
                                    topology_.processor(each.sending->destination).name});
            LostPath& path = paths.emplace_back(LostPath{each.source, {}});
            for (const Hop& hop : each.sending->route)
                path.path.push_back(hop.channel);
        }
        const auto first_probe = static_cast<MessageId>(collective_.messages.size());
        const std::vector<ChannelId> cleared = cleared_channels(workload_, report, lost);
        std::vector<ChannelId> suspects = suspected_channels(topology_, paths, cleared);
        // What was located before need not be all that has failed since, nor still have.
        suspects.insert(suspects.end(), located_.channels.begin(), located_.channels.end());
        for (const RouterId router : located_.routers)
            for (const auto channels : {topology_.channels_from(router), topology_.channels_to(router)})
                suspects.insert(suspects.end(), channels.begin(), channels.end());
        FaultLocator locator(topology_, suspects, cleared);
        result_.probes +=
            send_all_probes(host_, {topology_, ports_, options_.simulation.hardware, first_probe}, locator);
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
                names.push_back(fmt::format("channel {}", system_.network().link_name(id)));
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
        host_.wait(sc_core::sc_time(options_.host_compute_ns, sc_core::SC_NS));
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
        result_.time_ns = in_ns(sc_core::sc_time_stamp());
        result_.flits_lost = system_.network().flits_lost();
        const OwedDeliveries left = owed_deliveries(collective_, topology_, located_, owners_);
        std::set<std::pair<MessageId, ProcessorId>> dropped;
        for (const auto& [message, receiver] : left.dropped)
            dropped.emplace(message, receiver);
        result_.dropped = static_cast<std::uint32_t>(left.dropped.size());
        for (MessageId id = 0; id < collective_.messages.size(); ++id) {
            const std::vector<std::uint8_t> content = message_content(id, bytes_, options_.simulation.seed);
            for (const ProcessorId receiver : collective_.messages[id].receivers) {
                if (dropped.count({id, receiver}) != 0)
                    continue;
                ++result_.messages_owed;
                const auto found = host_.places()[receiver].find(id);
                if (found == host_.places()[receiver].end())
                    continue;
                const auto place = system_.memory(receiver).contents().subspan(found->second, content.size());
                result_.messages_delivered +=
                    std::equal(content.begin(), content.end(), place.begin()) ? 1 : 0;
            }
        }
        result_.memory_ok = result_.messages_delivered == result_.messages_owed;
    }

    const Topology& topology_;
    const RecoveryOptions& options_;
    const std::uint64_t bytes_;
    const Collective& collective_;
    const PortModel ports_;
    const Planner plan_;
    Workload workload_; ///< that runs now
    const std::vector<CompiledEngine> compiled_;
    System system_;
    RecoveryHost host_;
    MessageOwners owners_;
    Faults located_;
    RecoveryResult result_;
};

void prepare_recovery()
{
    prepare_kernel();
    // To let time pass in which nothing happens is no mistake here.
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
}

} // namespace

RecoveryResult run_recovery(RecoverableTraffic traffic, const Topology& topology,
                            const RecoveryOptions& options, Planner plan)
{
    prepare_recovery();
    return Recovery(std::move(traffic), topology, options, std::move(plan)).run();
}

} // namespace nocturne
