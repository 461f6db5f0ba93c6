#include "sim/traffic/closed_loop.hpp"

#include "models/endpoints/delivery_check.hpp"
#include "sim/simulation/confidence_interval.hpp"
#include "sim/simulation/stalls.hpp"
#include "sim/traffic/latency_counts.hpp"
#include "sim/traffic/packet_latency.hpp"
#include "sim/traffic/traffic_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace nocturne {

namespace {

/// What ends in the window, by batch.
class RoundTripRecord final : public RoundTripObserver {
public:
    RoundTripRecord(const MessageNetwork& network, const Window& window)
        : network_(network), window_(window), check_(false), round_trips_(window.batches),
          flits_(window.batches)
    {
    }

    /// Who else is told of requests, and of replies; null: nobody.
    void tell(MessageObserver* of_requests, MessageObserver* of_replies)
    {
        others_[0] = of_requests;
        others_[1] = of_replies;
    }

    void message_created(const NetworkMessage& message) override { check_.message_created(message); }
    void message_delivered(const NetworkMessage& message, ProcessorId at) override
    {
        check_.message_delivered(message, at);
        // Replies come from the interfaces of the second half.
        if (MessageObserver* const other =
                others_[2 * message.source < network_.topology().processor_count() ? 0 : 1])
            other->message_delivered(message, at);
        last_arrival_ = network_.now();
        if (const std::size_t batch = window_.batch_of(last_arrival_); batch < window_.batches)
            flits_[batch] += message.flits;
    }
    void round_trip(std::uint64_t created, std::uint64_t answered) override
    {
        const std::size_t batch = window_.batch_of(answered);
        if (batch >= window_.batches)
            return;
        round_trips_[batch].sum += static_cast<double>(answered - created);
        round_trips_[batch].count += 1;
        counts_.add(answered - created);
    }

    const Window& window() const { return window_; }
    const DeliveryCheck& check() const { return check_; }
    const std::vector<Batch>& round_trips() const { return round_trips_; }
    const LatencyCounts& counts() const { return counts_; }
    double flits() const { return std::accumulate(flits_.begin(), flits_.end(), 0.0); }
    std::uint64_t last_arrival() const { return last_arrival_; }

private:
    const MessageNetwork& network_;
    const Window window_;
    DeliveryCheck check_;
    std::vector<Batch> round_trips_;
    std::vector<double> flits_;
    LatencyCounts counts_;
    std::array<MessageObserver*, 2> others_{};
    std::uint64_t last_arrival_ = 0;
};

ClosedLoopResult result_of(const RoundTripRecord& record, const Window& window, std::uint32_t processors)
{
    ClosedLoopResult result;
    const double per_batch = static_cast<double>(processors) * static_cast<double>(window.batch_cycles);
    std::vector<double> rates;
    for (const Batch& batch : record.round_trips())
        rates.push_back(batch.count / per_batch);
    const Estimate rate = estimate_batches(rates);
    result.answered_rate = rate.mean;
    result.answered_rate_error = finite_or_nothing(rate.error);
    result.accepted_flit_rate = record.flits() / per_batch / static_cast<double>(window.batches);
    result.answered = record.counts().total();
    if (result.answered > 0) {
        const Estimate round_trip = estimate_ratio(record.round_trips());
        result.average_round_trip_cycles = round_trip.mean;
        result.average_round_trip_error_cycles = finite_or_nothing(round_trip.error);
        result.median_round_trip_cycles = record.counts().quantile(0.5);
        result.p95_round_trip_cycles = record.counts().quantile(0.95);
        result.p99_round_trip_cycles = record.counts().quantile(0.99);
        result.maximum_round_trip_cycles = record.counts().quantile(1);
    }
    result.time_cycles = record.last_arrival();
    return result;
}

/// Where there is no circular wait in the network, processors that take no request may be what it waits for.
void add_protocol_deadlock(Stall& stall, const ClosedLoopProcessors& processors, std::size_t waiting)
{
    const std::size_t closed = processors.taking_no_request();
    if (stall.cycle.empty() && closed > 0)
        stall.reason =
            fmt::format("protocol deadlock: {} processors take no request until their replies have left, and "
                        "{} messages wait in the network",
                        closed, waiting);
}

} // namespace

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
    const Topology interfaces = with_server_interfaces(topology);
    const Routing between =
        between_interfaces(topology, routing, classes, message_vcs(measured.hardware.vcs, loop.reply_vcs));
    const Window window = window_of(plan);
    const std::unique_ptr<MessageNetwork> network =
        make_network(measured.model, interfaces, measured.hardware, measured.ports, between);
    require_time_for(*network, window.end(), measured.hardware.cycle_ns);
    RoundTripRecord record(*network, window);
    PacketRecorder packets(*network, plan.records, measured.hardware.cycle_ns, record.window(),
                           processor_names(topology));
    MessageObserver* const of_requests = packets.observer_of({"request"});
    record.tell(of_requests, packets.observer_of({"reply"}));
    ClosedLoopProcessors processors(*network, between, loop, record);
    network->run_to(window.end());
    packets.end_window();
    processors.stop();
    network->run_to_the_end();
    packets.finish();
    ClosedLoopResult result = result_of(record, window, static_cast<std::uint32_t>(processors.count()));
    result.model = to_string(measured.model);
    result.cycle_ns = measured.hardware.cycle_ns;
    result.outstanding = loop.outstanding;
    result.message_classes = classes == MessageClasses::separate ? 2 : 1;
    if (loop.reply_vcs > 0)
        result.reply_vcs = loop.reply_vcs;
    result.blocked_cycles = network->blocked_cycles();
    result.credit_wait_cycles = network->credit_wait_cycles();
    result.head_wait_cycles = network->head_wait_cycles();
    result.stall = checked_stall(*network, record.check());
    result.flows = packets.flows(window.end() - window.begin, true);
    if (plan.records.histogram)
        result.histogram = histogram_of(record.counts(), measured.hardware.cycle_ns);
    if (result.stall)
        add_protocol_deadlock(*result.stall, processors, network->in_flight());
    return result;
}

} // namespace nocturne
