#include "sim/measurement/measure.hpp"

#include "models/hardware/trace_replay.hpp"
#include "sim/measurement/network_stall.hpp"
#include "sim/measurement/traffic_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>

namespace nocturne {

namespace {

/// How often it is asked whether the measured packets have arrived.
constexpr Cycle look_cycles = 256;

/// A warning of the kernel is a mistake of ours: it must not pass unseen.
void be_strict()
{
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW);
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
}

/// Is the order of a pair's packets kept? Where there is one way only, and no second virtual channel or injection link in which a
/// packet could overtake another.
bool keeps_order(const Routing& routing, const MeasuredNetwork& network)
{
    return routing.in_order && network.hardware.vcs == 1 && network.ports == one_port;
}

std::optional<double> finite(double value)
{
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

PacketLatency latency_of(const TrafficRecord& record)
{
    PacketLatency latency;
    const LatencyCounts& counts = record.latencies();
    if (counts.total() == 0)
        return latency;
    const Estimate average = estimate_ratio(record.latency());
    latency.average_packet_latency_cycles = average.mean;
    latency.average_packet_latency_error_cycles = finite(average.error);
    latency.average_queueing_latency_cycles = estimate_ratio(record.queueing_latency()).mean;
    latency.average_network_latency_cycles = estimate_ratio(record.network_latency()).mean;
    latency.median_packet_latency_cycles = counts.quantile(0.5);
    latency.p95_packet_latency_cycles = counts.quantile(0.95);
    latency.p99_packet_latency_cycles = counts.quantile(0.99);
    latency.maximum_packet_latency_cycles = counts.quantile(1);
    return latency;
}

/// What is wrong with an empty network, or one that is quiet; a stall is no mistake of ours.
std::optional<Stall> stall_or_throw(Network& network, const DeliveryCheck& check)
{
    if (network.packets().in_flight() == 0) {
        if (const std::string error = check.final_error(); !error.empty())
            throw std::logic_error("delivery: " + error);
        return std::nullopt;
    }
    if (!check.error().empty())
        throw std::logic_error("delivery: " + check.error());
    return explain_network_stall(network);
}

/// Traffic on a network, phase after phase.
class TrafficRun {
public:
    TrafficRun(const Topology& topology, const Routing& routing, const MeasuredNetwork& network,
               const Traffic& traffic, const MeasurementPlan& plan)
        : plan_(plan), window_(window_of(plan)),
          processors_(static_cast<std::uint32_t>(topology.processor_count())),
          network_("network", topology, network.hardware, network.ports, routing),
          record_(network_.domain(), window_, processors_, keeps_order(routing, network))
    {
        for (ProcessorId id = 0; id < processors_; ++id)
            sources_.push_back(std::make_unique<TrafficSource>(fmt::format("source_{}", id).c_str(), network_,
                                                               routing, id, traffic, record_));
    }

    TrafficPoint run(double load)
    {
        run_to(window_.end());
        const bool has_backlog = is_backlog_growing() || has_overflow();
        bool is_drained = record_.measured_under_way() == 0;
        // What is saturated already need not be drained: no latency comes of it.
        for (Cycle at = window_.end(); !is_drained && !has_backlog && at < window_.end() + plan_.drain_cycles;
             is_drained = record_.measured_under_way() == 0)
            run_to(at = std::min(at + look_cycles, window_.end() + plan_.drain_cycles));
        for (const auto& source : sources_)
            source->stop();
        if (sc_core::sc_pending_activity()) // an empty network may be all that there is
            sc_core::sc_start();

        TrafficPoint point = rates();
        point.load = load;
        point.stall = stall_or_throw(network_, record_.check());
        if (point.stall)
            point.saturation_reason = point.stall->reason;
        else if (has_backlog)
            point.saturation_reason =
                has_overflow()
                    ? fmt::format(
                          "a source queue was full; {:.4f} flits per processor and cycle were accepted",
                          point.accepted_flit_rate)
                    : fmt::format("{:.4f} flits per processor and cycle were accepted of {:.4f} offered",
                                  point.accepted_flit_rate, point.offered_flit_rate);
        else if (!is_drained)
            point.saturation_reason =
                fmt::format("measured packets were under way {} cycles after the window", plan_.drain_cycles);
        point.saturated = !point.saturation_reason.empty();
        if (!point.saturated)
            point.latency = latency_of(record_);
        return point;
    }

private:
    static Window window_of(const MeasurementPlan& plan)
    {
        plan.validate();
        return {plan.warm_up_cycles + 1, (plan.window_cycles + plan.batches - 1) / plan.batches,
                plan.batches};
    }

    /// Runs everything before a cycle.
    void run_to(Cycle cycle)
    {
        const sc_core::sc_time to = static_cast<double>(cycle) * network_.domain().period();
        if (to > sc_core::sc_time_stamp())
            sc_core::sc_start(to - sc_core::sc_time_stamp(), sc_core::SC_RUN_TO_TIME);
    }

    bool has_overflow() const
    {
        return std::any_of(sources_.begin(), sources_.end(),
                           [](const auto& source) { return source->held_back() > 0; });
    }

    bool is_backlog_growing() const
    {
        std::vector<double> growth(window_.batches);
        std::transform(record_.created_flits().begin(), record_.created_flits().end(),
                       record_.delivered_flits().begin(), growth.begin(), std::minus<>());
        return is_above_zero(growth);
    }

    TrafficPoint rates() const
    {
        const double per_batch = static_cast<double>(processors_) * static_cast<double>(window_.batch_cycles);
        std::vector<double> accepted;
        for (const double flits : record_.delivered_flits())
            accepted.push_back(flits / per_batch);
        const double created =
            std::accumulate(record_.created_flits().begin(), record_.created_flits().end(), 0.0);
        const Estimate rate = estimate_mean(accepted);
        TrafficPoint point;
        point.offered_flit_rate = created / per_batch / static_cast<double>(window_.batches);
        point.accepted_flit_rate = rate.mean;
        point.accepted_flit_rate_error = finite(rate.error);
        point.measured_packets = record_.measured();
        point.packets = record_.check().created();
        point.cycles = record_.last_arrival();
        point.flit_hops = network_.flit_hops();
        return point;
    }

    const MeasurementPlan plan_;
    const Window window_;
    const std::uint32_t processors_;
    Network network_;
    TrafficRecord record_;
    std::vector<std::unique_ptr<TrafficSource>> sources_;
};

} // namespace

void MeasurementPlan::validate() const
{
    const auto check = [](std::uint64_t value, std::uint64_t least, std::uint64_t most, const char* what) {
        if (value < least || value > most)
            throw std::invalid_argument(fmt::format("{} {}: from {} to {}", what, value, least, most));
    };
    check(warm_up_cycles, 0, most_cycles, "warm-up cycles");
    check(window_cycles, 2, most_cycles, "window cycles");
    check(drain_cycles, 0, most_cycles, "drain cycles");
    check(batches, 2, std::min<std::uint64_t>(window_cycles, 1'000'000), "batches");
}

TrafficPoint measure_traffic(const Topology& topology, const Routing& routing, const MeasuredNetwork& network,
                             const Traffic& traffic, const MeasurementPlan& plan)
{
    if (traffic.pattern.processors() != topology.processor_count())
        throw std::invalid_argument(fmt::format("a traffic pattern of {} processors for the {} of {}",
                                                traffic.pattern.processors(), topology.processor_count(),
                                                topology.name()));
    check_load(traffic, topology, network.ports);
    be_strict();
    return TrafficRun(topology, routing, network, traffic, plan).run(traffic.load);
}

TraceResult measure_trace(const Topology& topology, const Routing& routing, const MeasuredNetwork& measured,
                          std::span<const TraceMessage> trace)
{
    be_strict();
    Network network("network", topology, measured.hardware, measured.ports, routing);
    const Window always{0, std::numeric_limits<Cycle>::max(), 1};
    TrafficRecord record(network.domain(), always, static_cast<std::uint32_t>(topology.processor_count()),
                         keeps_order(routing, measured));
    TraceReplay replay("trace", network, routing, trace, record);
    sc_core::sc_start();

    TraceResult result;
    result.messages = trace.size();
    result.stall = stall_or_throw(network, record.check());
    if (!result.stall && replay.missing() != 0)
        throw std::logic_error(fmt::format("trace: {} messages were never sent", replay.missing()));
    if (!result.stall) {
        result.latency = latency_of(record);
        result.latency.average_packet_latency_error_cycles =
            std::nullopt;                                              // messages of a trace are no sample
        result.cycles = trace.empty() ? 0 : record.last_arrival() - 1; // the trace begins in cycle 1
    }
    result.time_ns = static_cast<double>(result.cycles) * measured.hardware.cycle_ns;
    result.flit_hops = network.flit_hops();
    return result;
}

} // namespace nocturne
