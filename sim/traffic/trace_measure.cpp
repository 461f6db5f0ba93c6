#include "models/endpoints/trace_replay.hpp"
#include "models/hardware/network_plan.hpp"
#include "sim/simulation/stalls.hpp"
#include "sim/traffic/measure.hpp"
#include "sim/traffic/packet_latency.hpp"
#include "sim/traffic/traffic_machine.hpp"

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <stdexcept>

namespace nocturne {

TraceResult measure_trace(const Topology& topology, const Routing& routing, const MeasuredNetwork& measured,
                          std::span<const TraceMessage> trace, const PacketRecords& records)
{
    TraceList list(trace);
    return measure_trace(topology, routing, measured, list, std::numeric_limits<std::size_t>::max(), records);
}

TraceResult measure_trace(const Topology& topology, const Routing& routing, const MeasuredNetwork& measured,
                          TraceReader& trace, std::size_t window, const PacketRecords& records)
{
    check_selection(topology, routing, measured.hardware);
    const std::unique_ptr<MessageNetwork> network =
        make_network(measured.model, topology, measured.hardware, measured.ports, routing);
    const Window always{0, std::numeric_limits<std::uint64_t>::max(), 1};
    TrafficRecord record(*network, always, topology.processor_count(),
                         keeps_order(routing, *network, measured.ports));
    PacketRecorder packets(*network, records, measured.hardware.cycle_ns, record.counts().window(),
                           processor_names(topology));
    if (MessageObserver* const observer = packets.observer_of({"trace", true}))
        record.tell(*observer);
    const TraceReplay replay(*network, measured.hardware, routing, trace, record, window);
    network->run_to_the_end();
    packets.finish();
    TraceResult result;
    result.messages = replay.messages();
    result.stall = checked_stall(*network, record.check());
    if (replay.out_of_time())
        throw std::runtime_error(
            fmt::format("trace: message {} would be sent after cycle {}, the end of simulated time",
                        *replay.out_of_time(), network->last_cycle()));
    if (!result.stall && replay.missing() != 0)
        throw std::logic_error(fmt::format("trace: {} messages were never sent", replay.missing()));
    if (!result.stall) {
        result.latency = latency_of(record.counts());
        result.latency.average_packet_latency_error_cycles =
            std::nullopt; // messages of a trace are no sample
        result.time_cycles =
            replay.messages() == 0 ? 0 : record.counts().last_arrival() - 1; // the trace begins in cycle 1
        if (records.histogram)
            result.histogram = histogram_of(record.counts().latencies(), measured.hardware.cycle_ns);
    }
    result.flows = packets.flows(result.time_cycles, !result.stall);
    result.latency.cycle_ns = measured.hardware.cycle_ns;
    result.time_ns = static_cast<double>(result.time_cycles) * measured.hardware.cycle_ns;
    result.flit_hops = network->flit_hops();
    result.blocked_cycles = network->blocked_cycles();
    result.credit_wait_cycles = network->credit_wait_cycles();
    return result;
}

} // namespace nocturne
