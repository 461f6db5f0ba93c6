#include "sim/report/traffic_results.hpp"

#include <algorithm>
#include <numeric>

namespace nocturne {

namespace {

constexpr const char* class_of_packets = "Class of traffic; null if there is only one.";

constexpr const char* hops_of_packets = "Mean channels between routers that a packet crossed.";

} // namespace

Fields<LatencyQuantiles> fields_of(const LatencyQuantiles*)
{
    return {
        "latency quantiles",
        "Percentiles of the latency.",
        {{"median_packet_latency_cycles", "cycles", "Median over the packets.", &LatencyQuantiles::median},
         {"p95_packet_latency_cycles", "cycles", "95th percentile over the packets.", &LatencyQuantiles::p95},
         {"p99_packet_latency_cycles", "cycles", "99th percentile over the packets.", &LatencyQuantiles::p99},
         {"maximum_packet_latency_cycles", "cycles", "Maximum over the packets.",
          &LatencyQuantiles::maximum}}};
}

Fields<PacketLatency> fields_of(const PacketLatency*)
{
    return Fields<PacketLatency>{
        "packet latency",
        "Latencies of packets, from the cycle in which one is created to the one in which its last flit "
        "arrives; null where no packet was measured, or where there is no steady state.",
        {{"average_packet_latency_cycles", "cycles", "Mean over the packets.",
          &PacketLatency::average_packet_latency_cycles},
         {"average_packet_latency_error_cycles", "cycles",
          "Half width of the 95 % confidence interval of the mean, by batch means; null with too few "
          "batches.",
          &PacketLatency::average_packet_latency_error_cycles},
         {"average_queueing_latency_cycles", "cycles",
          "Mean time in the source queue: from creation until the head flit leaves the network interface.",
          &PacketLatency::average_queueing_latency_cycles},
         {"average_network_latency_cycles", "cycles",
          "Mean time in the network: from then until the last flit arrives.",
          &PacketLatency::average_network_latency_cycles}}}
        .with(&PacketLatency::quantiles)
        .with({{"average_hops", "hops", hops_of_packets, &PacketLatency::average_hops, Shown::in_files}})
        .with_ns(&PacketLatency::cycle_ns)
        .with({{"cycle_ns", "ns", "Clock cycle.", &PacketLatency::cycle_ns, Shown::in_files}});
}

Fields<ChannelLoad> fields_of(const ChannelLoad*)
{
    return {"channel load",
            "Use of a channel over the window, or over the time of a trace.",
            {{"channel", "", "`00->01`; injection and ejection channels are `P03->03` and `03->P03`.",
              &ChannelLoad::channel},
             {"utilisation", "",
              "By batch: share of the cycles in which a flit entered the channel, 0 to 1. With --model worm "
              "the flits of a message are spread evenly over the time it holds the channel, so the sum over "
              "virtual channels may exceed 1.",
              &ChannelLoad::utilisation},
             {"mean_utilisation", "", "Mean over all batches, 0 to 1.", &ChannelLoad::mean},
             {"maximum_utilisation", "", "Busiest batch, 0 to 1.", &ChannelLoad::most},
             {"flits", "", "Flits carried in the whole run.", &ChannelLoad::flits},
             {"packets", "", "Packets carried in the whole run.", &ChannelLoad::packets}}};
}

Fields<BufferOccupancy> fields_of(const BufferOccupancy*)
{
    return {
        "buffer occupancy",
        "Occupancy of an input buffer; a flit counts from the cycle of its arrival to that of its departure.",
        {{"router", "", "Router of the buffer.", &BufferOccupancy::router},
         {"channel", "", "Channel into the buffer, as in the use of channels.", &BufferOccupancy::channel},
         {"vc", "", "Virtual channel, from 0.", &BufferOccupancy::vc},
         {"buffer_flits", "flits", "Capacity of the buffer.", &BufferOccupancy::buffer_flits},
         {"mean_flits", "flits", "Mean over the cycles of the window, or of a trace.",
          &BufferOccupancy::mean_flits},
         {"maximum_flits", "flits", "Maximum over the cycles.", &BufferOccupancy::maximum_flits},
         {"flits", "", "Flits that arrived.", &BufferOccupancy::flits}}};
}

Fields<LatencyCount> fields_of(const LatencyCount*)
{
    return Fields<LatencyCount>{
        "latency count",
        "Number of measured packets with one latency.",
        {{"latency_cycles", "cycles", "From the creation of a packet to the arrival of its last flit.",
          &LatencyCount::latency_cycles}}}
        .with_ns(&LatencyCount::cycle_ns)
        .with({{"packets", "", "Number of packets with this latency.", &LatencyCount::packets},
               {"cycle_ns", "ns", "Clock cycle.", &LatencyCount::cycle_ns, Shown::in_files},
               {"traffic_class", "", class_of_packets, &LatencyCount::traffic_class}});
}

Fields<FlowLatency> fields_of(const FlowLatency*)
{
    return Fields<FlowLatency>{
        "flow",
        "Packets from one processor to another; latencies are null where there is no steady state.",
        {{"source", "", "Source processor.", &FlowLatency::source},
         {"destination", "", "Destination processor.", &FlowLatency::destination},
         {"packets", "", "Packets created in the window that arrived.", &FlowLatency::packets},
         {"accepted_flit_rate", "flits/cycle", "Flits that arrived in the window.",
          &FlowLatency::accepted_flit_rate},
         {"average_hops", "hops", hops_of_packets, &FlowLatency::average_hops},
         {"average_packet_latency_cycles", "cycles", "Mean over the packets.",
          &FlowLatency::average_packet_latency_cycles}}}
        .with(&FlowLatency::quantiles)
        .with_ns(&FlowLatency::cycle_ns)
        .with({{"cycle_ns", "ns", "Clock cycle.", &FlowLatency::cycle_ns, Shown::in_files},
               {"traffic_class", "", class_of_packets, &FlowLatency::traffic_class}});
}

Fields<MulticastLatency> fields_of(const MulticastLatency*)
{
    using Multicast = MulticastLatency;
    return Fields<Multicast>{
        "multicast latency",
        "Packets to several destinations; latencies are null where there is no steady state.",
        {{"sent_as", "", "How the network sends a multicast packet; null without packets.",
          &Multicast::sent_as},
         {"multicasts", "", "Multicasts created in the window that reached every destination.",
          &Multicast::multicasts},
         {"unicasts_per_multicast", "", "Mean unicasts per multicast.", &Multicast::unicasts_per_multicast},
         {"average_last_latency_cycles", "cycles", "Mean latency to the last destination.",
          &Multicast::average_last_latency_cycles},
         {"average_last_latency_error_cycles", "cycles",
          "Half width of the 95 % confidence interval of that mean.",
          &Multicast::average_last_latency_error_cycles},
         {"average_mean_latency_cycles", "cycles",
          "Mean over the packets of the mean latency to their destinations.",
          &Multicast::average_mean_latency_cycles},
         {"p99_last_latency_cycles", "cycles", "99th percentile of the latency to the last destination.",
          &Multicast::p99_last_latency_cycles},
         {"maximum_last_latency_cycles", "cycles", "Maximum latency to the last destination.",
          &Multicast::maximum_last_latency_cycles}}}
        .with_ns(&Multicast::cycle_ns)
        .with({{"cycle_ns", "ns", "Clock cycle.", &Multicast::cycle_ns, Shown::in_files}});
}

Fields<ClassPoint> fields_of(const ClassPoint*)
{
    return Fields<ClassPoint>{
        "class of traffic",
        "One of several classes of traffic.",
        {{"traffic_class", "", "Name of the class.", &ClassPoint::name},
         {"load", "flits/cycle", "Requested load per processor.", &ClassPoint::load},
         {"offered_flit_rate", "flits/cycle", "Flits created in the window, per processor.",
          &ClassPoint::offered_flit_rate, Shown::in_files},
         {"accepted_flit_rate", "flits/cycle", "Flits that arrived in the window, per processor.",
          &ClassPoint::accepted_flit_rate},
         {"priority", "", "Higher priorities win with `--arbiter priority`.", &ClassPoint::priority}}}
        .with(&ClassPoint::latency)
        .with({{"measured_packets", "", "Packets created in the window.", &ClassPoint::measured_packets},
               {"packets", "", "Packets created in the whole run.", &ClassPoint::packets, Shown::in_files},
               {"lost_packets", "", "Packets lost to faults in the whole run.", &ClassPoint::lost_packets,
                Shown::in_files},
               {"multicast", "", "Packets to several destinations; null if there are none.",
                &ClassPoint::multicast, Shown::in_files}});
}

Fields<FaultCost> fields_of(const FaultCost*)
{
    return {"cost of faults",
            "Cost of faults during a run.",
            {{"lost_packets", "", "Packets lost to faults in the whole run.", &FaultCost::lost_packets},
             {"lost_flits", "", "Flits lost to faults, each counted once.", &FaultCost::lost_flits},
             {"measured_lost_packets", "", "Lost packets that were created in the window.",
              &FaultCost::measured_lost_packets},
             {"rerouted_packets", "", "Packets sent around the fault on another route.",
              &FaultCost::rerouted_packets},
             {"undeliverable_packets", "",
              "Packets not sent because source or destination was known to have failed.",
              &FaultCost::undeliverable_packets}}};
}

Fields<TrafficPoint> fields_of(const TrafficPoint*)
{
    const auto state = [](const TrafficPoint& point) -> std::string {
        return point.stall ? "deadlocked" : point.saturated ? "saturated" : "steady";
    };
    return Fields<TrafficPoint>{
        "load point",
        "One load on one network.",
        {{"load", "flits/cycle", "Requested load per processor.", &TrafficPoint::load},
         {"offered_flit_rate", "flits/cycle", "Flits created in the window, per processor.",
          &TrafficPoint::offered_flit_rate, Shown::in_files},
         {"accepted_flit_rate", "flits/cycle", "Flits that arrived in the window, per processor.",
          &TrafficPoint::accepted_flit_rate},
         {"accepted_flit_rate_error", "flits/cycle",
          "Half width of the 95 % confidence interval of the accepted rate, by batch means; null with too "
          "few batches.",
          &TrafficPoint::accepted_flit_rate_error}}}
        .with(&TrafficPoint::latency)
        .with({{"time_cycles", "cycles", "Length of the run, until the network was empty.",
                &TrafficPoint::time_cycles, Shown::in_files}})
        .with_ns([](const TrafficPoint& point) { return point.latency.cycle_ns; })
        .with(
            {{"measured_cycles", "cycles", "Length of the window; saturation may end it early.",
              &TrafficPoint::measured_cycles, Shown::in_files},
             {"measured_packets", "", "Packets created in the window.", &TrafficPoint::measured_packets},
             {"packets", "", "Packets created in the whole run; each arrived once, unless the run stalled.",
              &TrafficPoint::packets, Shown::in_files},
             {"flit_hops", "hops", "Flits times routers crossed, in the whole run.", &TrafficPoint::flit_hops,
              Shown::in_files},
             {"blocked_cycles", "cycles", blocked_in_window, &TrafficPoint::blocked_cycles},
             {"credit_wait_cycles", "cycles", credit_wait_meaning, &TrafficPoint::credit_wait_cycles},
             {"head_wait_cycles", "cycles", head_wait_meaning, &TrafficPoint::head_wait_cycles},
             {"saturated", "", "Whether the network accepts less than is offered.", &TrafficPoint::saturated,
              Shown::in_files},
             {"saturation_reason", "", "Why the point counts as saturated; null if it does not.",
              &TrafficPoint::saturation_reason, Shown::in_files},
             {"state", "", "`steady`, `saturated` or `deadlocked`.", state},
             {"stall", "", "The deadlock; null without one.", &TrafficPoint::stall, Shown::in_files},
             {"channels", "", "Use of each channel, if asked for.", &TrafficPoint::channels, Shown::if_any},
             {"warm_up_cycles", "cycles", "Cycles before the window, not measured.",
              &TrafficPoint::warm_up_cycles, Shown::in_files},
             {"warm_up_reason", "", "Why the warm-up had this length; null if it was given.",
              &TrafficPoint::warm_up_reason, Shown::in_files},
             {"classes", "",
              "Each class of traffic, if there are several; in tables a row below that of all classes.",
              &TrafficPoint::classes, Shown::as_parts},
             {"histogram", "", "Packets by latency, if asked for.", &TrafficPoint::histogram, Shown::if_any},
             {"flows", "", "Flows by source and destination, if asked for.", &TrafficPoint::flows,
              Shown::if_any},
             {"faults", "", "Cost of the faults; null if nothing failed during the run.",
              &TrafficPoint::faults, Shown::in_files},
             {"buffers", "", "Occupancy of each buffer, if asked for.", &TrafficPoint::buffers,
              Shown::if_any},
             {"multicast", "", "Packets to several destinations; null if there are none.",
              &TrafficPoint::multicast, Shown::in_files}});
}

Fields<TrafficCurve> fields_of(const TrafficCurve*)
{
    return {
        "curve",
        "One network under one kind of traffic.",
        {{"model", "", "`flit` or `worm`.", &TrafficCurve::model, Shown::in_files},
         {"topology", "", "The network.", &TrafficCurve::topology},
         {"routing", "", "The routing function.", &TrafficCurve::routing},
         {"routing_taken", "", routing_taken_meaning, &TrafficCurve::routing_taken, Shown::in_files},
         {"selection", "", selection_meaning, &TrafficCurve::selection, Shown::in_files},
         {"pattern", "", "Traffic pattern.", &TrafficCurve::pattern},
         {"arrivals", "", "Arrival process.", &TrafficCurve::arrivals},
         {"packet_flits", "flits", "Sizes of packets, with their weights.", &TrafficCurve::packet_flits},
         {"vcs", "", "Virtual channels per link.", &TrafficCurve::vcs},
         {"seed", "", "Seed of traffic and of randomized routing.", &TrafficCurve::seed},
         {"points", "", "Points by ascending load.", &TrafficCurve::points, Shown::as_rows},
         {"highest_steady_load", "flits/cycle", "Highest load found below saturation; null without a search.",
          &TrafficCurve::highest_steady_load, Shown::in_files},
         {"lowest_saturated_load", "flits/cycle",
          "Lowest load found at saturation; null if none was found, or without a search.",
          &TrafficCurve::lowest_saturated_load, Shown::in_files},
         {"scaled", "",
          "Quantity that the search for saturation scaled; null unless there are several classes.",
          &TrafficCurve::scaled, Shown::in_files},
         {"mapping", "", "Placement of an application's cores.", &TrafficCurve::mapping, Shown::if_any},
         {"mapping_cost", "MB/s*hops", "Rate times hops, summed over the flows; null without an application.",
          &TrafficCurve::mapping_cost, Shown::in_files},
         {"mapping_origin", "", "File of the mapping, or `annealed`; null without an application.",
          &TrafficCurve::mapping_origin, Shown::in_files}}};
}

Fields<CorePlace> fields_of(const CorePlace*)
{
    return {"core",
            "Placement of a core of an application.",
            {{"core", "", "Name of the core.", &CorePlace::core},
             {"processor", "", "The processor of the network.", &CorePlace::processor}}};
}

Fields<TraceResult> fields_of(const TraceResult*)
{
    return Fields<TraceResult>{
        "trace",
        "Replay of a trace: messages sent at their times or after their dependencies.",
        {{"model", "", "`flit` or `worm`.", &TraceResult::model, Shown::in_files},
         {"topology", "", "The network.", &TraceResult::topology},
         {"routing", "", "The routing function.", &TraceResult::routing},
         {"selection", "", selection_meaning, &TraceResult::selection, Shown::in_files},
         {"trace", "", "File of the trace.", &TraceResult::trace},
         {"multicast", "",
          "How messages to several destinations go: `unicasts`, `tree` or `reserved`; null if there are "
          "none.",
          &TraceResult::multicast, Shown::in_files},
         {"vcs", "", "Virtual channels per link.", &TraceResult::vcs},
         {"message_classes", "",
          "Classes of messages of the trace, each with virtual channels of its own between routers.",
          &TraceResult::message_classes, Shown::in_files},
         {"reply_vcs", "", reply_vcs_meaning, &TraceResult::reply_vcs, Shown::in_files},
         {"messages", "", "Messages of the trace.", &TraceResult::messages},
         {"time_cycles", "cycles", "From cycle 0 of the trace to the arrival of the last message.",
          &TraceResult::time_cycles},
         {"time_ns", "ns", "The same.", &TraceResult::time_ns},
         {"captured_cycles", "cycles",
          "From the first event to the last where the trace was captured, if it says so.",
          &TraceResult::captured_cycles}}}
        .with(&TraceResult::latency)
        .with(
            {{"blocked_cycles", "cycles", blocked_meaning, &TraceResult::blocked_cycles},
             {"credit_wait_cycles", "cycles", credit_wait_meaning, &TraceResult::credit_wait_cycles},
             {"head_wait_cycles", "cycles", head_wait_meaning, &TraceResult::head_wait_cycles},
             {"flit_hops", "hops", "Flits times routers crossed.", &TraceResult::flit_hops, Shown::in_files},
             {"stall", "", "The deadlock; null without one.", &TraceResult::stall, Shown::in_files},
             {"histogram", "", "Messages by latency, if asked for.", &TraceResult::histogram, Shown::if_any},
             {"flows", "", "Flows by source and destination, if asked for.", &TraceResult::flows,
              Shown::if_any},
             {"channels", "", "Use of each channel, if asked for.", &TraceResult::channels, Shown::if_any},
             {"buffers", "", "Occupancy of each buffer, if asked for.", &TraceResult::buffers,
              Shown::if_any}});
}

double ChannelLoad::mean() const
{
    return utilisation.empty() ? 0
                               : std::accumulate(utilisation.begin(), utilisation.end(), 0.0) /
                                     static_cast<double>(utilisation.size());
}

double ChannelLoad::most() const
{
    return utilisation.empty() ? 0 : *std::max_element(utilisation.begin(), utilisation.end());
}

} // namespace nocturne
