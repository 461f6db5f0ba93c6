#include "models/endpoints/closed_loop.hpp"
#include "models/endpoints/program_replay.hpp"
#include "models/endpoints/trace_replay.hpp"
#include "models/hardware/network_plan.hpp"
#include "sim/simulation/stalls.hpp"
#include "sim/traffic/buffer_use.hpp"
#include "sim/traffic/link_use.hpp"
#include "sim/traffic/measure.hpp"
#include "sim/traffic/packet_latency.hpp"
#include "sim/traffic/trace_timeline.hpp"
#include "sim/traffic/traffic_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>

namespace nocturne {

namespace {

/// A network and what is recorded on it, from its first cycle to its last.
struct TraceRun {
    TraceRun(const Topology& topology, const Routing& routing, const MeasuredNetwork& of,
             const TraceRecords& wanted)
        : measured(of), records(wanted),
          network((check_selection(topology, routing, of.hardware),
                   make_network(of.model, topology, of.hardware, of.ports, routing))),
          record(*network, {0, std::numeric_limits<std::uint64_t>::max(), 1}, topology.processor_count(),
                 keeps_order(routing, *network, of.ports)),
          packets(*network, wanted.packets, of.hardware.cycle_ns, record.counts().window(),
                  processor_names(topology))
    {
        if (MessageObserver* const observer = packets.observer_of({"trace", true}))
            record.tell(*observer);
        if (wanted.timeline)
            record.tell(timeline.emplace(*network, of.hardware.cycle_ns));
        if (wanted.channel_parts > 0)
            link_use.emplace(*network, of.model, wanted.channel_parts);
        if (wanted.buffers)
            buffer_use.emplace(*network, of.hardware, record.counts().window());
    }

    void run()
    {
        if (link_use)
            link_use->run_to_the_end();
        else
            network->run_to_the_end();
    }

    /// When all is over.
    TraceResult result(std::uint64_t messages, std::uint64_t time_cycles)
    {
        packets.finish();
        TraceResult result;
        result.messages = messages;
        result.stall = checked_stall(*network, record.check());
        if (!result.stall) {
            result.latency = latency_of(record.counts());
            result.latency.average_packet_latency_error_cycles =
                std::nullopt; // messages of a trace are no sample
            result.time_cycles = time_cycles;
            if (records.packets.histogram)
                result.histogram = histogram_of(record.counts().latencies(), measured.hardware.cycle_ns);
        }
        if (timeline)
            records.timeline(timeline_json(timeline->spans()));
        // A trace begins in cycle 1; one that stalls has no time, but the network has.
        const std::uint64_t end = result.stall ? network->now() + 1 : 1 + time_cycles;
        // What nobody has asked for may be finer than cycles.
        if (link_use && records.channel_parts > std::max<std::uint64_t>(end - 1, MeasurementPlan{}.batches))
            throw std::invalid_argument(
                fmt::format("batches {}: the trace takes {} cycles", records.channel_parts, end - 1));
        if (link_use)
            result.channels = link_use->loads(1, end, records.channel_parts, end);
        if (buffer_use)
            result.buffers = buffer_use->buffers(end - 1, end);
        result.flows = packets.flows(result.time_cycles, !result.stall);
        result.latency.cycle_ns = measured.hardware.cycle_ns;
        result.time_ns = static_cast<double>(result.time_cycles) * measured.hardware.cycle_ns;
        result.flit_hops = network->flit_hops();
        result.blocked_cycles = network->blocked_cycles();
        result.credit_wait_cycles = network->credit_wait_cycles();
        result.head_wait_cycles = network->head_wait_cycles();
        return result;
    }

    const MeasuredNetwork& measured;
    const TraceRecords& records;
    const std::unique_ptr<MessageNetwork> network;
    TrafficRecord record;
    PacketRecorder packets;
    std::optional<TraceTimeline> timeline;
    std::optional<LinkUse> link_use;
    std::optional<BufferUse> buffer_use;
};

} // namespace

TraceResult measure_trace(const Topology& topology, const Routing& routing, const MeasuredNetwork& measured,
                          std::span<const TraceMessage> trace, const TraceRecords& records)
{
    TraceList summed(trace), list(trace);
    return measure_trace(topology, routing, measured, list, std::numeric_limits<std::size_t>::max(), records,
                         summary_of(summed).classes);
}

TraceResult measure_trace(const Topology& topology, const Routing& routing, const MeasuredNetwork& measured,
                          TraceReader& trace, std::size_t window, const TraceRecords& records,
                          std::uint32_t classes)
{
    const std::vector<Routing> routings = routings_by_class(routing, classes);
    TraceRun run(topology, routings.front(), measured, records);
    const TraceReplay replay(*run.network, measured.hardware, routings, trace, run.record, window);
    run.run();
    if (replay.out_of_time())
        throw std::runtime_error(
            fmt::format("trace: message {} would be sent after cycle {}, the end of simulated time",
                        *replay.out_of_time(), run.network->last_cycle()));
    // The trace begins in cycle 1.
    const std::uint64_t time = replay.messages() == 0 ? 0 : run.record.counts().last_arrival() - 1;
    TraceResult result = run.result(replay.messages(), time);
    if (!result.stall && replay.missing() != 0)
        throw std::logic_error(fmt::format("trace: {} messages were never sent", replay.missing()));
    return result;
}

namespace {

/// A rank is a processor of the topology.
TraceResult measure_ranks(const Topology& topology, const Routing& routing, const MeasuredNetwork& measured,
                          const RankPrograms& programs, const TraceRecords& records)
{
    TraceRun run(topology, routing, measured, records);
    ProgramReplay replay(*run.network, measured.hardware, routing, programs, run.record);
    if (run.timeline)
        replay.tell_computations([&](const RankPrograms::Operation& operation, std::uint64_t begin,
                                     std::uint64_t end) { run.timeline->computed(operation, begin, end); });
    run.run();
    if (replay.out_of_time())
        throw std::runtime_error(
            fmt::format("trace: {} {}: computes until after cycle {}, the end of simulated time",
                        line_word(programs), *replay.out_of_time(), run.network->last_cycle()));
    const std::uint64_t time = programs.operations.empty() ? 0 : replay.last_end() - 1;
    TraceResult result = run.result(replay.messages(), time);
    if (!result.stall && replay.missing() != 0)
        throw std::logic_error(fmt::format("trace: {} operations were never over", replay.missing()));
    result.captured_cycles = programs.captured_cycles;
    return result;
}

} // namespace

VcClasses vc_classes_of(const RankPrograms& programs, const Routing& routing, unsigned vcs)
{
    return programs.servers ? vc_classes_of(routing, MessageClasses::separate,
                                            message_vcs(vcs, programs.servers->reply_vcs))
                            : routing.vc_classes;
}

TraceResult measure_programs(const Topology& topology, const Routing& routing,
                             const MeasuredNetwork& measured, const RankPrograms& programs,
                             const TraceRecords& records)
{
    if (!programs.servers)
        return measure_ranks(topology, routing, measured, programs, records);
    return measure_ranks(with_server_interfaces(topology),
                         between_interfaces(topology, routing, MessageClasses::separate,
                                            message_vcs(measured.hardware.vcs, programs.servers->reply_vcs)),
                         measured, programs, records);
}

} // namespace nocturne
