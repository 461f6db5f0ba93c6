#include "sim/report/traffic_results.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace nocturne {

namespace {

constexpr const char* class_of_packets = "Which kind of traffic it is; null if all packets are of one.";

constexpr const char* hops_of_packets = "Mean of the channels between routers that a packet crossed.";

} // namespace

Fields<LatencyQuantiles> fields_of(const LatencyQuantiles*)
{
    return {
        "latency quantiles",
        "What shares of the packets do not exceed.",
        {{"median_packet_latency_cycles", "cycles", "What half of the packets do not exceed.",
          &LatencyQuantiles::median},
         {"p95_packet_latency_cycles", "cycles", "What 95 % of the packets do not exceed.",
          &LatencyQuantiles::p95},
         {"p99_packet_latency_cycles", "cycles", "What 99 % of the packets do not exceed.",
          &LatencyQuantiles::p99},
         {"maximum_packet_latency_cycles", "cycles", "What no packet exceeds.", &LatencyQuantiles::maximum}}};
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
          "Half the width of the 95 % confidence interval of the mean, by batch means; null with too "
          "little to tell.",
          &PacketLatency::average_packet_latency_error_cycles},
         {"average_queueing_latency_cycles", "cycles",
          "Mean of the part until the head of the packet leaves the network interface.",
          &PacketLatency::average_queueing_latency_cycles},
         {"average_network_latency_cycles", "cycles", "Mean of the part from there on.",
          &PacketLatency::average_network_latency_cycles}}}
        .with(&PacketLatency::quantiles)
        .with({{"average_hops", "hops", hops_of_packets, &PacketLatency::average_hops, Shown::in_files}})
        .with_ns(&PacketLatency::cycle_ns)
        .with({{"cycle_ns", "ns", "What a cycle takes.", &PacketLatency::cycle_ns, Shown::in_files}});
}

Fields<ChannelLoad> fields_of(const ChannelLoad*)
{
    return {"channel load",
            "The use of a channel over the window, or the time of a trace.",
            {{"channel", "", "`00->01`; injection and ejection channels are `P03->03` and `03->P03`.",
              &ChannelLoad::channel},
             {"utilisation", "",
              "By batch, or part of the time: part of its cycles in which flits entered the channel, 0 to 1; "
              "with the model worm flits are spread evenly over the time for which their message holds it, "
              "so that those of several virtual channels may add up to more.",
              &ChannelLoad::utilisation},
             {"mean_utilisation", "", "Of all batches, 0 to 1.", &ChannelLoad::mean},
             {"maximum_utilisation", "", "Of the busiest batch, 0 to 1.", &ChannelLoad::most},
             {"flits", "", "That it carried in the whole run.", &ChannelLoad::flits},
             {"packets", "", "That it carried in the whole run.", &ChannelLoad::packets}}};
}

Fields<BufferOccupancy> fields_of(const BufferOccupancy*)
{
    return {"buffer occupancy",
            "Flits in a buffer, each from the cycle in which it comes to the one in which it leaves.",
            {{"router", "", "That has the buffer.", &BufferOccupancy::router},
             {"channel", "", "That leads to it, as in the use of channels.", &BufferOccupancy::channel},
             {"vc", "", "Virtual channel of that, from 0.", &BufferOccupancy::vc},
             {"buffer_flits", "flits", "That it can hold.", &BufferOccupancy::buffer_flits},
             {"mean_flits", "flits", "Mean over the cycles of the window, or of a trace.",
              &BufferOccupancy::mean_flits},
             {"maximum_flits", "flits", "In any cycle.", &BufferOccupancy::maximum_flits},
             {"flits", "", "That came.", &BufferOccupancy::flits}}};
}

Fields<LatencyCount> fields_of(const LatencyCount*)
{
    return Fields<LatencyCount>{
        "latency count",
        "How many of the measured packets took so many cycles.",
        {{"latency_cycles", "cycles", "From the creation of a packet to the arrival of its last flit.",
          &LatencyCount::latency_cycles}}}
        .with_ns(&LatencyCount::cycle_ns)
        .with({{"packets", "", "That took as long.", &LatencyCount::packets},
               {"cycle_ns", "ns", "What a cycle takes.", &LatencyCount::cycle_ns, Shown::in_files},
               {"traffic_class", "", class_of_packets, &LatencyCount::traffic_class}});
}

Fields<FlowLatency> fields_of(const FlowLatency*)
{
    return Fields<FlowLatency>{
        "flow",
        "Packets from one processor to another; latencies are null where there is no steady state.",
        {{"source", "", "Where they come from.", &FlowLatency::source},
         {"destination", "", "Where they go.", &FlowLatency::destination},
         {"packets", "", "Created in the window, and arrived.", &FlowLatency::packets},
         {"accepted_flit_rate", "flits/cycle", "Arrived in the window.", &FlowLatency::accepted_flit_rate},
         {"average_hops", "hops", hops_of_packets, &FlowLatency::average_hops},
         {"average_packet_latency_cycles", "cycles", "Mean over the packets.",
          &FlowLatency::average_packet_latency_cycles}}}
        .with(&FlowLatency::quantiles)
        .with_ns(&FlowLatency::cycle_ns)
        .with({{"cycle_ns", "ns", "What a cycle takes.", &FlowLatency::cycle_ns, Shown::in_files},
               {"traffic_class", "", class_of_packets, &FlowLatency::traffic_class}});
}

Fields<MulticastLatency> fields_of(const MulticastLatency*)
{
    using Multicast = MulticastLatency;
    return Fields<Multicast>{
        "multicast latency",
        "Packets to several destinations; latencies are null where there is no steady state.",
        {{"sent_as", "", "What a packet becomes in the network; null without packets.", &Multicast::sent_as},
         {"multicasts", "", "Created in the window, and arrived everywhere.", &Multicast::multicasts},
         {"unicasts_per_multicast", "", "Mean.", &Multicast::unicasts_per_multicast},
         {"average_last_latency_cycles", "cycles", "Mean of the latency to the last destination.",
          &Multicast::average_last_latency_cycles},
         {"average_last_latency_error_cycles", "cycles",
          "Half the width of the 95 % confidence interval of that mean.",
          &Multicast::average_last_latency_error_cycles},
         {"average_mean_latency_cycles", "cycles",
          "Mean of the mean latency to the destinations of a packet.",
          &Multicast::average_mean_latency_cycles},
         {"p99_last_latency_cycles", "cycles", "What 99 % of the packets do not exceed anywhere.",
          &Multicast::p99_last_latency_cycles},
         {"maximum_last_latency_cycles", "cycles", "What no packet exceeds anywhere.",
          &Multicast::maximum_last_latency_cycles}}}
        .with_ns(&Multicast::cycle_ns)
        .with({{"cycle_ns", "ns", "What a cycle takes.", &Multicast::cycle_ns, Shown::in_files}});
}

Fields<ClassPoint> fields_of(const ClassPoint*)
{
    return Fields<ClassPoint>{
        "class of traffic",
        "One of several kinds of traffic that run at once.",
        {{"traffic_class", "", "Its name.", &ClassPoint::name},
         {"load", "flits/cycle", "Asked for, of each processor.", &ClassPoint::load},
         {"offered_flit_rate", "flits/cycle", "Created in the window, by each processor.",
          &ClassPoint::offered_flit_rate, Shown::in_files},
         {"accepted_flit_rate", "flits/cycle", "Arrived in the window, at each processor.",
          &ClassPoint::accepted_flit_rate},
         {"priority", "", "The more, the sooner, where arbiters ask for it.", &ClassPoint::priority}}}
        .with(&ClassPoint::latency)
        .with({{"measured_packets", "", "Created in the window.", &ClassPoint::measured_packets},
               {"packets", "", "Created in the whole run.", &ClassPoint::packets, Shown::in_files},
               {"lost_packets", "", "Cut off by faults in the whole run.", &ClassPoint::lost_packets,
                Shown::in_files},
               {"multicast", "", "Its packets to several destinations; null if it has none.",
                &ClassPoint::multicast, Shown::in_files}});
}

Fields<FaultCost> fields_of(const FaultCost*)
{
    return {
        "cost of faults",
        "What the parts that failed during a run cost traffic.",
        {{"lost_packets", "", "Cut off by a fault in the whole run: they never arrived.",
          &FaultCost::lost_packets},
         {"lost_flits", "", "Flits that faults cost, each counted once.", &FaultCost::lost_flits},
         {"measured_lost_packets", "", "Of those lost, the ones created in the window.",
          &FaultCost::measured_lost_packets},
         {"rerouted_packets", "", "Sent on another route, around the fault.", &FaultCost::rerouted_packets},
         {"undeliverable_packets", "",
          "Not sent, since the source or the destination was known to have failed.",
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
        {{"load", "flits/cycle", "Asked for, of each processor.", &TrafficPoint::load},
         {"offered_flit_rate", "flits/cycle", "Created in the window, by each processor.",
          &TrafficPoint::offered_flit_rate, Shown::in_files},
         {"accepted_flit_rate", "flits/cycle", "Arrived in the window, at each processor.",
          &TrafficPoint::accepted_flit_rate},
         {"accepted_flit_rate_error", "flits/cycle",
          "Half the width of the 95 % confidence interval of the accepted rate, by batch means; null with "
          "too little to tell.",
          &TrafficPoint::accepted_flit_rate_error}}}
        .with(&TrafficPoint::latency)
        .with({{"time_cycles", "cycles", "Of the whole run, until the network was empty.",
                &TrafficPoint::time_cycles, Shown::in_files}})
        .with_ns([](const TrafficPoint& point) { return point.latency.cycle_ns; })
        .with({{"measured_cycles", "cycles", "The window, or what there was of it: saturation may end it.",
                &TrafficPoint::measured_cycles, Shown::in_files},
               {"measured_packets", "", "Created in the window.", &TrafficPoint::measured_packets},
               {"packets", "", "Created in the whole run; each arrived once, unless there is a stall.",
                &TrafficPoint::packets, Shown::in_files},
               {"flit_hops", "hops", "Flits times routers crossed, of the whole run.",
                &TrafficPoint::flit_hops, Shown::in_files},
               {"blocked_cycles", "cycles", blocked_in_window, &TrafficPoint::blocked_cycles},
               {"credit_wait_cycles", "cycles", credit_wait_meaning, &TrafficPoint::credit_wait_cycles},
               {"head_wait_cycles", "cycles", head_wait_meaning, &TrafficPoint::head_wait_cycles},
               {"saturated", "", "Does the network accept less than is offered?", &TrafficPoint::saturated,
                Shown::in_files},
               {"saturation_reason", "", "Why that is said; null if it is not saturated.",
                &TrafficPoint::saturation_reason, Shown::in_files},
               {"state", "", "`steady`, `saturated` or `deadlocked`.", state},
               {"stall", "", "A deadlock; null without one.", &TrafficPoint::stall, Shown::in_files},
               {"channels", "", "The use of all channels, if that was asked for.", &TrafficPoint::channels,
                Shown::if_any},
               {"warm_up_cycles", "cycles", "Before the window, of which nothing is counted.",
                &TrafficPoint::warm_up_cycles, Shown::in_files},
               {"warm_up_reason", "", "Why it was as long; null if it was given.",
                &TrafficPoint::warm_up_reason, Shown::in_files},
               {"classes", "",
                "Each kind of traffic, if there are several; in tables a row below that of all together.",
                &TrafficPoint::classes, Shown::as_parts},
               {"histogram", "", "How many packets took how long, if that was asked for.",
                &TrafficPoint::histogram, Shown::if_any},
               {"flows", "", "By source and destination, if that was asked for.", &TrafficPoint::flows,
                Shown::if_any},
               {"faults", "", "What faults cost; null if nothing failed during the run.",
                &TrafficPoint::faults, Shown::in_files},
               {"buffers", "", "Flits in each buffer, if that was asked for.", &TrafficPoint::buffers,
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
         {"pattern", "", "Where packets go.", &TrafficCurve::pattern},
         {"arrivals", "", "When packets are created.", &TrafficCurve::arrivals},
         {"packet_flits", "flits", "Sizes of packets, with their weights.", &TrafficCurve::packet_flits},
         {"vcs", "", "Virtual channels of a link.", &TrafficCurve::vcs},
         {"seed", "", "Of traffic and of randomized routing.", &TrafficCurve::seed},
         {"points", "", "By ascending load.", &TrafficCurve::points, Shown::as_rows},
         {"highest_steady_load", "flits/cycle",
          "The highest load found that is not saturated; null if it was not searched for.",
          &TrafficCurve::highest_steady_load, Shown::in_files},
         {"lowest_saturated_load", "flits/cycle",
          "The lowest load found that is saturated; null if none was, or it was not searched for.",
          &TrafficCurve::lowest_saturated_load, Shown::in_files},
         {"scaled", "", "What the search for saturation scaled of several classes; null without them.",
          &TrafficCurve::scaled, Shown::in_files},
         {"mapping", "", "Of an application: where its cores sit.", &TrafficCurve::mapping, Shown::if_any},
         {"mapping_cost", "MB/s*hops", "Its rates times hops, summed over the flows; null without one.",
          &TrafficCurve::mapping_cost, Shown::in_files},
         {"mapping_origin", "", "The file of the mapping, or `annealed`; null without one.",
          &TrafficCurve::mapping_origin, Shown::in_files}}};
}

Fields<CorePlace> fields_of(const CorePlace*)
{
    return {"core",
            "Where a core of an application sits.",
            {{"core", "", "Its name.", &CorePlace::core},
             {"processor", "", "The processor of the network.", &CorePlace::processor}}};
}

Fields<TraceResult> fields_of(const TraceResult*)
{
    return Fields<TraceResult>{
        "trace",
        "The messages of a trace, sent at their times or after those that they wait for.",
        {{"model", "", "`flit` or `worm`.", &TraceResult::model, Shown::in_files},
         {"topology", "", "The network.", &TraceResult::topology},
         {"routing", "", "The routing function.", &TraceResult::routing},
         {"selection", "", selection_meaning, &TraceResult::selection, Shown::in_files},
         {"trace", "", "The file.", &TraceResult::trace},
         {"vcs", "", "Virtual channels of a link.", &TraceResult::vcs},
         {"messages", "", "Of the trace.", &TraceResult::messages},
         {"time_cycles", "cycles", "From cycle 0 of the trace to the arrival of the last message.",
          &TraceResult::time_cycles},
         {"time_ns", "ns", "The same.", &TraceResult::time_ns}}}
        .with(&TraceResult::latency)
        .with(
            {{"blocked_cycles", "cycles", blocked_meaning, &TraceResult::blocked_cycles},
             {"credit_wait_cycles", "cycles", credit_wait_meaning, &TraceResult::credit_wait_cycles},
             {"head_wait_cycles", "cycles", head_wait_meaning, &TraceResult::head_wait_cycles},
             {"flit_hops", "hops", "Flits times routers crossed.", &TraceResult::flit_hops, Shown::in_files},
             {"stall", "", "A deadlock; null without one.", &TraceResult::stall, Shown::in_files},
             {"histogram", "", "How many messages took how long, if that was asked for.",
              &TraceResult::histogram, Shown::if_any},
             {"flows", "", "By source and destination, if that was asked for.", &TraceResult::flows,
              Shown::if_any},
             {"channels", "", "The use of all channels, if that was asked for.", &TraceResult::channels,
              Shown::if_any},
             {"buffers", "", "Flits in each buffer, if that was asked for.", &TraceResult::buffers,
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
