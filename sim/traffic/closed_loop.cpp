#include "sim/traffic/closed_loop.hpp"

#include "models/hardware/delivery_check.hpp"
#include "models/hardware/kernel.hpp"
#include "sim/simulation/confidence_interval.hpp"
#include "sim/simulation/network_run.hpp"
#include "sim/traffic/latency_counts.hpp"
#include "sim/traffic/traffic_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace nocturne {

namespace {

/// What ends in the window, by batch.
class RoundTripRecord final : public RoundTripObserver {
public:
    RoundTripRecord(const ClockDomain& domain, const Window& window)
        : domain_(domain), window_(window), check_(false), round_trips_(window.batches),
          flits_(window.batches)
    {
    }

    void packet_created(const Packet& packet) override { check_.packet_created(packet); }
    void packet_delivered(const Packet& packet, ProcessorId at) override
    {
        check_.packet_delivered(packet, at);
        last_arrival_ = domain_.now();
        if (const std::size_t batch = window_.batch_of(last_arrival_); batch < window_.batches)
            flits_[batch] += packet.flits;
    }
    void round_trip(Cycle created, Cycle answered) override
    {
        const std::size_t batch = window_.batch_of(answered);
        if (batch >= window_.batches)
            return;
        round_trips_[batch].sum += static_cast<double>(answered - created);
        round_trips_[batch].count += 1;
        counts_.add(answered - created);
    }

    const DeliveryCheck& check() const { return check_; }
    const std::vector<Batch>& round_trips() const { return round_trips_; }
    const LatencyCounts& counts() const { return counts_; }
    double flits() const { return std::accumulate(flits_.begin(), flits_.end(), 0.0); }
    Cycle last_arrival() const { return last_arrival_; }

private:
    const ClockDomain& domain_;
    const Window window_;
    DeliveryCheck check_;
    std::vector<Batch> round_trips_;
    std::vector<double> flits_;
    LatencyCounts counts_;
    Cycle last_arrival_ = 0;
};

std::optional<double> if_finite(double value)
{
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

ClosedLoopResult result_of(const RoundTripRecord& record, const Window& window, std::uint32_t processors)
{
    ClosedLoopResult result;
    const double per_batch = static_cast<double>(processors) * static_cast<double>(window.batch_cycles);
    std::vector<double> rates;
    for (const Batch& batch : record.round_trips())
        rates.push_back(batch.count / per_batch);
    const Estimate rate = estimate_mean(rates);
    result.answered_rate = rate.mean;
    result.answered_rate_error = if_finite(rate.error);
    result.accepted_flit_rate = record.flits() / per_batch / static_cast<double>(window.batches);
    result.answered = record.counts().total();
    if (result.answered > 0) {
        const Estimate round_trip = estimate_ratio(record.round_trips());
        result.average_round_trip_cycles = round_trip.mean;
        result.average_round_trip_error_cycles = if_finite(round_trip.error);
        result.median_round_trip_cycles = record.counts().quantile(0.5);
        result.p95_round_trip_cycles = record.counts().quantile(0.95);
        result.p99_round_trip_cycles = record.counts().quantile(0.99);
        result.maximum_round_trip_cycles = record.counts().quantile(1);
    }
    result.time_cycles = record.last_arrival();
    return result;
}

using ClosedLoopProcessors = std::vector<std::unique_ptr<ClosedLoopProcessor>>;

/// Where there is no circular wait in the network, processors that take no request may be what it waits for.
void add_protocol_deadlock(Stall& stall, const ClosedLoopProcessors& processors, std::size_t waiting)
{
    const auto closed = std::count_if(processors.begin(), processors.end(),
                                      [](const auto& processor) { return processor->takes_no_request(); });
    if (stall.cycle.empty() && closed > 0)
        stall.reason =
            fmt::format("protocol deadlock: {} processors take no request until their replies have left, and "
                        "{} messages wait in the network",
                        closed, waiting);
}

} // namespace

VcClasses vc_classes_of(const Routing& routing, MessageClasses classes)
{
    return classes == MessageClasses::separate ? routing.vc_classes.followed_by(routing.vc_classes)
                                               : routing.vc_classes;
}

ClosedLoopResult measure_closed_loop(const Topology& topology, const Routing& routing,
                                     const MeasuredNetwork& measured, const ClosedLoop& loop,
                                     MessageClasses classes, const MeasurementPlan& plan)
{
    plan.validate();
    loop.validate();
    if (loop.pattern.processors() != topology.processor_count())
        throw std::invalid_argument(fmt::format("a traffic pattern of {} processors for the {} of {}",
                                                loop.pattern.processors(), topology.processor_count(),
                                                topology.name()));
    prepare_kernel();
    const bool is_separate = classes == MessageClasses::separate;
    const Topology interfaces = with_server_interfaces(topology);
    const Routing requests = between_interfaces(topology, routing, 0);
    const Routing replies =
        between_interfaces(topology, routing, is_separate ? routing.vc_classes.count() : 0);
    const Window window = window_of(plan);
    Network network("network", interfaces, measured.hardware, measured.ports,
                    vc_classes_of(routing, classes));
    require_time_for(network, window.end());
    RoundTripRecord record(network.domain(), window);
    ClosedLoopProcessors processors;
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        processors.push_back(std::make_unique<ClosedLoopProcessor>(
            fmt::format("processor_{}", id).c_str(), network,
            ClosedLoopProcessor::Routings{requests, replies}, id, loop, record));
    NetworkRun run(network);
    run.run_to(window.end());
    for (const auto& processor : processors)
        processor->stop();
    run.run_to_the_end();
    ClosedLoopResult result = result_of(record, window, static_cast<std::uint32_t>(processors.size()));
    result.cycle_ns = measured.hardware.cycle_ns;
    result.outstanding = loop.outstanding;
    result.message_classes = is_separate ? 2 : 1;
    result.blocked_cycles = network.blocked_cycles();
    result.credit_wait_cycles = network.credit_wait_cycles();
    result.stall = run.checked_stall(record.check());
    if (result.stall)
        add_protocol_deadlock(*result.stall, processors, network.packets().in_flight());
    return result;
}

} // namespace nocturne
