#include "sim/experiment/recovery.hpp"

#include "models/routing/make_routing.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/experiment/locate.hpp"
#include "sim/experiment/recovery_host.hpp"
#include "sim/experiment/repair_plan.hpp"
#include "sim/experiment/send_again.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <stdexcept>

namespace nocturne {

namespace {

double in_ns(const sc_core::sc_time& time)
{
    return time / sc_core::sc_time(1, sc_core::SC_NS);
}

double now_ns()
{
    return in_ns(sc_core::sc_time_stamp());
}

/// A message that was sent and did not come.
struct LostSending {
    std::uint32_t step;
    ProcessorId source;
    const Sending* sending;
};

/// Programs for what is owed.
struct OwedProgram {
    Workload workload;
    double seconds = 0; ///< wall-clock time of the search for them
};

/// `from` is the step of the first loss.
using Planner = std::function<OwedProgram(const Faults& located, const Holdings& holdings, std::size_t from)>;

/// What runs until the fault comes.
struct Traffic {
    std::string name;
    const Collective& collective;
    PortModel ports;
    Workload workload;
};

std::uint32_t longest_program(const Workload& workload)
{
    std::size_t steps = 0;
    for (const auto& engine : workload.engines)
        steps = std::max(steps, engine.size());
    return static_cast<std::uint32_t>(steps);
}

class Recovery {
public:
    Recovery(Traffic traffic, const Topology& topology, const RecoveryOptions& options, Planner plan)
        : topology_(topology), options_(options), bytes_(options.simulation.message_bytes),
          collective_(traffic.collective), ports_(traffic.ports), plan_(std::move(plan)),
          workload_(std::move(traffic.workload)), compiled_(compile(workload_, collective_, bytes_)),
          system_("system", topology, options.simulation.hardware, ports_, workload_, enlarged(),
                  HostProgram::driven),
          host_(system_, topology, options.host_word_ns)
    {
        for (ProcessorId id = 0; id < collective_.processors; ++id)
            system_.memory(id).load(
                0, initial_memory(compiled_[id], id, collective_, bytes_, options.simulation.seed));
        host_.lay_out(compiled_, collective_.messages.size());
        holdings_.assign(collective_.processors, std::vector<bool>(collective_.messages.size()));
        for (MessageId id = 0; id < collective_.messages.size(); ++id)
            holdings_[collective_.messages[id].origin][id] = true;
        const HardwareConfig& hardware = options.simulation.hardware;
        const auto cycle = [&](double ns) { return static_cast<Cycle>(std::ceil(ns / hardware.cycle_ns)); };
        system_.network().plan_faults(
            parse_faults(topology, options.faults),
            {cycle(options.fault_ns), options.until_ns > 0 ? cycle(options.until_ns) : DownTime::for_good});
        describe(traffic.name);
    }

    RecoveryResult run()
    {
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        std::string phase = "replay";
        for (unsigned round = 0;; ++round) {
            const Patience patience = patience_of(workload_, topology_, options_.simulation.hardware, bytes_);
            host_.program(workload_, static_cast<std::uint32_t>(bytes_), patience.time_out);
            const RunReport report = host_.run(workload_, patience);
            if (round > 0)
                end_phase("program", in_ns(report.started));
            note_arrivals(report);
            if (report.is_done) {
                end_phase(phase, in_ns(report.reported));
                break;
            }
            if (round + 1 >= options_.most_rounds)
                throw std::runtime_error(
                    fmt::format("recovery: messages are still lost in round {}", round + 1));
            end_detection(phase, report);
            plan_again(report);
            phase = "replay owed";
        }
        finish();
        return std::move(result_);
    }

private:
    std::vector<CompiledEngine> enlarged() const
    {
        std::vector<CompiledEngine> engines = compiled_;
        for (CompiledEngine& engine : engines)
            engine.memory_bytes +=
                64 + RecoveryHost::extra_bytes(engine, collective_.messages.size(), bytes_);
        return engines;
    }

    void describe(const std::string& name)
    {
        result_.schedule = name;
        result_.topology = topology_.name();
        result_.collective = to_string(collective_.kind);
        result_.message_bytes = bytes_;
        result_.steps = longest_program(workload_);
        result_.faults = options_.faults;
        result_.fault_ns = options_.fault_ns;
        result_.until_ns = options_.until_ns;
        result_.outcome = "nothing lost";
    }

    void end_phase(const std::string& name) { end_phase(name, now_ns()); }
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
        const MessagePlaces& places = host_.places();
        for (ProcessorId id = 0; id < report.arrivals.size(); ++id)
            for (const ArrivalRecord& record : report.arrivals[id])
                for (const auto& [message, address] : places[id])
                    if (address == record.address && message < collective_.messages.size()) {
                        result_.duplicates += holdings_[id][message] ? 1 : 0;
                        holdings_[id][message] = true;
                    }
    }

    std::vector<LostSending> lost_sendings(const Workload& workload, const RunReport& report) const
    {
        std::vector<LostSending> lost;
        for (ProcessorId source = 0; source < workload.engines.size(); ++source) {
            std::uint32_t number = 0;
            for (std::uint32_t step = 0; step < workload.engines[source].size(); ++step)
                for (const Sending& send : workload.engines[source][step].sends) {
                    if (number++ >= report.sent[source])
                        break;
                    const std::uint32_t address = host_.places()[send.destination].at(send.message);
                    const auto& records = report.arrivals[send.destination];
                    const bool came =
                        std::any_of(records.begin(), records.end(), [&](const ArrivalRecord& record) {
                            return record.address == address && record.source == source;
                        });
                    if (!came)
                        lost.push_back({step, source, &send});
                }
        }
        std::stable_sort(lost.begin(), lost.end(),
                         [](const LostSending& a, const LostSending& b) { return a.step < b.step; });
        return lost;
    }

    /// Channels that a message of a step behind the last loss came over; without a barrier steps say nothing about time.
    std::vector<ChannelId> cleared_channels(const std::vector<LostSending>& lost,
                                            const RunReport& report) const
    {
        std::vector<ChannelId> cleared;
        if (workload_.synchronization != Synchronization::barrier)
            return cleared;
        for (ProcessorId source = 0; source < workload_.engines.size(); ++source) {
            std::uint32_t number = 0;
            for (std::uint32_t step = 0; step < workload_.engines[source].size(); ++step)
                for (const Sending& send : workload_.engines[source][step].sends)
                    if (number++ < report.sent[source] && !lost.empty() && step > lost.back().step)
                        for (const Hop& hop : send.route)
                            cleared.push_back(hop.channel);
        }
        return cleared;
    }

    void plan_again(const RunReport& report)
    {
        const std::vector<LostSending> lost = lost_sendings(workload_, report);
        std::vector<Route> routes;
        for (const LostSending& each : lost) {
            result_.lost.push_back({each.step, each.sending->message, topology_.processor(each.source).name,
                                    topology_.processor(each.sending->destination).name});
            routes.push_back(each.sending->route);
        }
        const Faults located = conclude(
            topology_, probe_until_known(suspected_channels(routes, cleared_channels(lost, report))));
        name_located(located);
        end_phase("locate");
        OwedProgram owed = plan_(located, holdings_, lost.empty() ? 0 : lost.front().step);
        host_.wait(sc_core::sc_time(options_.host_compute_ns, sc_core::SC_NS));
        end_phase("schedule");
        result_.search_seconds += owed.seconds;
        result_.owed = static_cast<std::uint32_t>(
            owed_deliveries(collective_, topology_, located, holdings_).owed.size());
        workload_ = std::move(owed.workload);
        result_.repair_steps = longest_program(workload_);
    }

    /// Which of the suspects have failed, and what around them.
    std::vector<ChannelId> probe_until_known(std::vector<ChannelId> open)
    {
        std::vector<bool> tested(topology_.channel_count());
        std::vector<bool> has_failed(topology_.channel_count());
        std::vector<ChannelId> failed;
        while (!open.empty()) {
            std::vector<bool> avoided = has_failed;
            for (const ChannelId id : open)
                avoided[id] = tested[id] = true;
            std::vector<Probe> probes;
            for (const ChannelId id : open)
                if (auto probe = make_probe(topology_, id, avoided))
                    probes.push_back(std::move(*probe));
                else
                    has_failed[id] = true; // cannot be told from what is around it
            send_probes(probes, has_failed);
            failed.clear();
            for (ChannelId id = 0; id < has_failed.size(); ++id)
                if (has_failed[id])
                    failed.push_back(id);
            open = neighbours(topology_, failed);
            std::erase_if(open, [&](ChannelId id) { return tested[id]; });
        }
        return failed;
    }

    /// All that remain, step by step; those behind a step with a loss again, since it ends the run.
    void send_probes(const std::vector<Probe>& probes, std::vector<bool>& has_failed)
    {
        const auto bytes = static_cast<std::uint32_t>(options_.simulation.hardware.flit_bytes);
        std::vector<std::vector<Probe>> steps = probe_steps(topology_, ports_, probes);
        while (!steps.empty()) {
            const Workload workload = probe_workload(steps);
            const Patience patience = patience_of(workload, topology_, options_.simulation.hardware, bytes);
            host_.program(workload, bytes, patience.time_out);
            const RunReport report = host_.run(workload, patience);
            const std::vector<LostSending> lost = lost_sendings(workload, report);
            if (!report.is_done && lost.empty())
                throw std::runtime_error("recovery: a probe was late");
            for (const LostSending& each : lost)
                has_failed[suspect_of(steps[each.step], *each.sending)] = true;
            const std::size_t done = report.is_done ? steps.size() : lost.front().step + 1;
            for (std::size_t step = 0; step < done; ++step)
                result_.probes += static_cast<std::uint32_t>(steps[step].size());
            steps.erase(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(done));
        }
    }

    /// Probes are messages with the numbers behind the collective's, one for each channel.
    MessageId number_of(const Probe& probe) const
    {
        return static_cast<MessageId>(collective_.messages.size()) + probe.suspect;
    }
    ChannelId suspect_of(const std::vector<Probe>& probes, const Sending& sending) const
    {
        return std::find_if(probes.begin(), probes.end(),
                            [&](const Probe& probe) { return number_of(probe) == sending.message; })
            ->suspect;
    }
    Workload probe_workload(const std::vector<std::vector<Probe>>& steps) const
    {
        Workload workload{"probes", "source routes", 1, Synchronization::barrier, StartUp::every_step, {}};
        workload.engines.assign(topology_.processor_count(), std::vector<EngineStep>(steps.size()));
        for (std::uint32_t step = 0; step < steps.size(); ++step)
            for (const Probe& probe : steps[step]) {
                workload.engines[probe.source][step].sends.push_back(
                    {number_of(probe), probe.destination, probe.route, step});
                ++workload.engines[probe.destination][step].expected;
            }
        return workload;
    }

    void name_located(const Faults& located)
    {
        located_ = located;
        result_.located.clear();
        result_.lost_processors.clear();
        for (const ChannelId id : located.channels)
            result_.located.push_back(fmt::format("channel {}", system_.network().link_name(id)));
        for (const RouterId id : located.routers) {
            result_.located.push_back(fmt::format("router {}", topology_.router_name(id)));
            for (const Processor& processor : topology_.processors())
                if (processor.injection == id || processor.ejection == id)
                    result_.lost_processors.push_back(processor.name);
        }
        result_.outcome = result_.located.empty() ? "intermittent" : "located";
    }

    void finish()
    {
        result_.time_ns = now_ns();
        result_.flits_lost = system_.network().flits_lost();
        const OwedDeliveries left = owed_deliveries(collective_, topology_, located_, holdings_);
        result_.dropped = static_cast<std::uint32_t>(left.dropped.size());
        for (MessageId id = 0; id < collective_.messages.size(); ++id) {
            const std::vector<std::uint8_t> content = message_content(id, bytes_, options_.simulation.seed);
            for (const ProcessorId receiver : collective_.messages[id].receivers) {
                const bool is_dropped =
                    std::any_of(left.dropped.begin(), left.dropped.end(), [&](const OwedDelivery& each) {
                        return each.message == id && each.receiver == receiver;
                    });
                if (is_dropped)
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
    Holdings holdings_;
    Faults located_;
    RecoveryResult result_;
};

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
        with_faults(topology, options.faults); // throws if the network falls apart
}

void prepare_kernel()
{
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW);
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    // To let time pass in which nothing happens is no mistake here.
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
}

} // namespace

RecoveryResult recover(const Schedule& schedule, const Topology& topology, const RecoveryOptions& options)
{
    const std::vector<Violation> violations = validate(schedule, topology);
    if (!violations.empty())
        throw std::invalid_argument(
            fmt::format("schedule '{}' is not valid: {}", schedule.name, violations.front().text));
    check_options(topology, options);
    prepare_kernel();
    Schedule current = schedule;
    const Planner plan = [&](const Faults& located, const Holdings& holdings, std::size_t from) {
        RepairPlan repair = plan_repair(current, from, topology, located, holdings);
        current = std::move(repair.schedule);
        return OwedProgram{workload_of(current, topology, Synchronization::barrier), repair.seconds};
    };
    return Recovery({schedule.name, schedule.collective, schedule.ports,
                     workload_of(schedule, topology, Synchronization::barrier)},
                    topology, options, plan)
        .run();
}

RecoveryResult recover_unscheduled(const Topology& topology, const Collective& collective,
                                   const std::string& routing, const UnscheduledTraffic& traffic,
                                   const RecoveryOptions& options)
{
    check_options(topology, options);
    prepare_kernel();
    const PortModel ports = options.simulation.ports;
    const Routing before = make_routing(topology, routing, options.simulation.seed);
    // The virtual channels are there from the beginning: as many as the ways around the fault will need.
    const RemainingNetwork expected = remaining_network(
        topology, options.until_ns == 0 ? parse_faults(topology, options.faults) : Faults{});
    const unsigned classes = std::max(before.vc_classes, make_routing(expected.topology, "auto").vc_classes);
    RecoveryOptions with_vcs = options;
    with_vcs.simulation.hardware.vcs = std::max(options.simulation.hardware.vcs, classes);
    Workload workload = unscheduled(topology, collective, ports, before, traffic);
    workload.vc_classes = classes;
    const Planner plan = [&](const Faults& located, const Holdings& holdings, std::size_t) {
        const auto begin = std::chrono::steady_clock::now();
        OwedProgram owed{send_again(topology, collective, ports, located, holdings), 0};
        if (owed.workload.vc_classes > classes)
            throw std::runtime_error(
                fmt::format("recovery: the ways around the fault need {} virtual channels, there are {}",
                            owed.workload.vc_classes, classes));
        owed.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return owed;
    };
    return Recovery({workload.traffic, collective, ports, workload}, topology, with_vcs, plan).run();
}

} // namespace nocturne
