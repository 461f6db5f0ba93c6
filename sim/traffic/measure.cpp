#include "sim/traffic/measure.hpp"

#include "models/endpoints/trace_replay.hpp"
#include "models/hardware/network_plan.hpp"
#include "sim/simulation/stalls.hpp"
#include "sim/traffic/link_demand.hpp"
#include "sim/traffic/traffic_machine.hpp"
#include "sim/traffic/traffic_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

/// How often it is asked whether the measured packets have arrived.
constexpr std::uint64_t poll_interval_cycles = 256;

/// That a point is called saturated which is not, for each of the rules below.
constexpr double error_probability = 0.005;

/// Part of the window in which a link is used if its demand is above 1, less what chance may take away.
constexpr double suspicious_use = 0.95;

std::optional<double> finite(double value)
{
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

PacketLatency latency_of(const PacketCounts& record)
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

/// Traffic on a network, phase after phase.
class TrafficRun {
public:
    /// All that it is given must outlive the run. The machine is made of `setup`.
    TrafficRun(TrafficMachine& machine, const TrafficSetup& setup, const MeasurementPlan& plan)
        : plan_(plan), window_(window_of(plan)), setup_(setup),
          processors_(static_cast<std::uint32_t>(setup.topology.processor_count())), machine_(machine),
          network_(*machine.network)
    {
    }

    TrafficPoint run()
    {
        bool has_backlog = measure_window();
        const std::uint64_t blocked = network_.blocked_cycles() - blocked_at_begin_;
        const std::uint64_t credit_waits = network_.credit_wait_cycles() - credit_waits_at_begin_;
        std::string overload;
        if (!has_backlog && !is_deadlocked())
            overload = overload_text();
        has_backlog = has_backlog || !overload.empty();
        bool is_drained = counts().measured_under_way() == 0;
        // What is saturated already need not be drained: no latency comes of it.
        for (std::uint64_t at = window_.end();
             !is_drained && !has_backlog && !is_deadlocked() && at < window_.end() + plan_.drain_cycles;
             is_drained = counts().measured_under_way() == 0)
            network_.run_to(at = std::min(at + poll_interval_cycles, window_.end() + plan_.drain_cycles));
        machine_.sources.stop();
        if (!is_deadlocked())
            network_.drain();

        TrafficPoint point = rates();
        point.load = setup_.traffic.load;
        point.blocked_cycles = blocked;
        point.credit_wait_cycles = credit_waits;
        point.stall = checked_stall(network_, machine_.record.check());
        if (point.stall)
            point.saturation_reason = point.stall->reason;
        else if (!overload.empty())
            point.saturation_reason = overload;
        else if (has_backlog)
            point.saturation_reason = backlog_text(point);
        else if (!is_drained)
            point.saturation_reason =
                fmt::format("measured packets were under way {} cycles after the window", plan_.drain_cycles);
        point.saturated = !point.saturation_reason.empty();
        if (!point.saturated)
            point.latency = latency_of(counts());
        point.latency.cycle_ns = setup_.network.hardware.cycle_ns;
        return point;
    }

private:
    const PacketCounts& counts() const { return machine_.record.counts(); }
    bool is_deadlocked() const { return network_.deadlock().has_value(); }
    /// Has a source queue been full?
    bool has_overflow() const { return machine_.sources.rejections() > 0; }

    /// Warm-up and window, batch after batch: until its end, or until it is plain that there is none to wait
    /// for. Is there a backlog?
    bool measure_window()
    {
        network_.run_to(window_.begin);
        record_channels();
        for (std::uint32_t link = 0; link < network_.plan().links(); ++link)
            busy_at_begin_.push_back(network_.busy_cycles(link));
        blocked_at_begin_ = network_.blocked_cycles();
        credit_waits_at_begin_ = network_.credit_wait_cycles();
        backlog_before_ = counts().backlog();
        growth_.resize(backlog_before_.size());
        for (batches_ = 0; batches_ < window_.batches && !is_deadlocked();) {
            network_.run_to(window_.begin + (batches_ + 1) * window_.batch_cycles);
            if (is_deadlocked())
                break;
            ++batches_;
            record_channels();
            record_growth();
            // Each look may err: all those before the end together as rarely as the one at the end.
            const auto looks = static_cast<double>(window_.batches);
            const bool may_end = plan_.saturated_batches != 0 && batches_ >= plan_.saturated_batches;
            if (may_end && (has_overflow() || is_backlog_growing(error_probability / looks)))
                return true;
        }
        return has_overflow() || is_backlog_growing(error_probability);
    }

    /// Close to saturation a backlog grows so slowly that chance hides it for longer than the window: what
    /// links would have to carry is known. Empty if they can.
    std::string overload_text() const
    {
        double busiest = 0;
        for (std::uint32_t link = 0; link < network_.plan().links(); ++link)
            busiest =
                std::max(busiest, static_cast<double>(network_.busy_cycles(link) - busy_at_begin_[link]));
        if (busiest < suspicious_use * static_cast<double>(window_.end() - window_.begin))
            return {};
        const LinkDemand highest = highest_demand(network_.plan(), setup_.routing, setup_.traffic);
        if (highest.demand <= 1)
            return {};
        return fmt::format("the flits to cross {} would take {:.4f} of its cycles", highest.link,
                           highest.demand);
    }

    std::string backlog_text(const TrafficPoint& point) const
    {
        std::string text =
            has_overflow()
                ? fmt::format("a source queue was full; {:.4f} flits per processor and cycle were accepted",
                              point.accepted_flit_rate)
                : fmt::format("{:.4f} flits per processor and cycle were accepted of {:.4f} offered",
                              point.accepted_flit_rate, point.offered_flit_rate);
        if (batches_ < window_.batches)
            text += fmt::format("; seen after {} of {} cycles of the window", point.measured_cycles,
                                window_.batches * window_.batch_cycles);
        return text;
    }

    /// Between two batches, if the use of channels is wanted.
    void record_channels()
    {
        if (!plan_.records_channels)
            return;
        channels_.resize(network_.plan().links());
        busy_before_.resize(network_.plan().links());
        for (std::uint32_t id = 0; id < network_.plan().links(); ++id) {
            const std::uint64_t all = network_.busy_cycles(id);
            const std::uint64_t busy = all - std::exchange(busy_before_[id], all);
            if (batches_ == 0)
                channels_[id].channel = network_.plan().link_name(id);
            else
                channels_[id].utilisation.push_back(static_cast<double>(busy) /
                                                    static_cast<double>(window_.batch_cycles));
        }
    }

    /// After a batch.
    void record_growth()
    {
        for (std::size_t source = 0; source < growth_.size(); ++source) {
            const std::int64_t now = counts().backlog()[source];
            growth_[source].add(static_cast<double>(now - std::exchange(backlog_before_[source], now)));
        }
    }

    /// That of all sources together, or of one of them?
    bool is_backlog_growing(double probability_of_error) const
    {
        if (is_one_above_zero(growth_, batches_, probability_of_error))
            return true;
        const std::span created(counts().created_flits().data(), batches_);
        std::vector<double> growth(batches_);
        std::transform(created.begin(), created.end(), counts().delivered_flits().begin(), growth.begin(),
                       std::minus<>());
        return is_above_zero(growth, probability_of_error);
    }

    TrafficPoint rates() const
    {
        const double per_batch = static_cast<double>(processors_) * static_cast<double>(window_.batch_cycles);
        std::vector<double> accepted;
        for (const double flits : std::span(counts().delivered_flits().data(), batches_))
            accepted.push_back(flits / per_batch);
        const std::span by_batch(counts().created_flits().data(), batches_);
        const double created = std::accumulate(by_batch.begin(), by_batch.end(), 0.0);
        const Estimate rate = estimate_mean(accepted);
        TrafficPoint point;
        point.measured_cycles = batches_ * window_.batch_cycles;
        point.offered_flit_rate = batches_ == 0 ? 0 : created / per_batch / static_cast<double>(batches_);
        point.accepted_flit_rate = rate.mean;
        point.accepted_flit_rate_error = finite(rate.error);
        point.measured_packets = counts().measured();
        point.packets = machine_.record.check().created();
        point.time_cycles = counts().last_arrival();
        point.flit_hops = network_.flit_hops();
        point.channels = channels_;
        for (std::uint32_t link = 0; link < point.channels.size(); ++link) {
            point.channels[link].flits = network_.flits(link);
            point.channels[link].packets = network_.messages(link);
        }
        return point;
    }

    const MeasurementPlan plan_;
    const Window window_;
    const TrafficSetup& setup_;
    const std::uint32_t processors_;
    TrafficMachine& machine_;
    MessageNetwork& network_;
    std::size_t batches_ = 0;                  ///< of the window, that are over
    std::vector<ChannelLoad> channels_;        ///< by link
    std::vector<std::uint64_t> busy_before_;   ///< by link: cycles until the end of the last batch
    std::vector<std::uint64_t> busy_at_begin_; ///< by link: cycles until the window
    std::uint64_t blocked_at_begin_ = 0;       ///< of the window
    std::uint64_t credit_waits_at_begin_ = 0;  ///< likewise
    std::vector<std::int64_t> backlog_before_; ///< by source: flits at the end of the last batch
    std::vector<SampleSums> growth_;           ///< by source: of its backlog, over batches
};

} // namespace

bool keeps_order(const Routing& routing, const MeasuredNetwork& network)
{
    return routing.in_order() && network.hardware.vcs == 1 && network.ports == one_port;
}

Window window_of(const MeasurementPlan& plan)
{
    plan.validate();
    return {plan.warm_up_cycles + 1, (plan.window_cycles + plan.batches - 1) / plan.batches, plan.batches};
}

void require_time_for(const MessageNetwork& network, std::uint64_t end, double cycle_ns)
{
    if (end > network.last_cycle())
        throw std::invalid_argument(
            fmt::format("{} cycles of {} ns, warm-up, window and drain, are more than simulated time has",
                        end, cycle_ns));
}

void MeasurementPlan::validate() const
{
    const auto check = [](std::uint64_t value, std::uint64_t least, std::uint64_t most, const char* what) {
        if (value < least || value > most)
            throw std::invalid_argument(fmt::format("{} {}: from {} to {}", what, value, least, most));
    };
    check(warm_up_cycles, 0, most_cycles, "warm-up cycles");
    check(window_cycles, 2, most_cycles, "window cycles");
    check(drain_cycles, 0, most_cycles, "drain cycles");
    check(saturated_batches, 0, 1'000'000, "saturated batches");
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
    check_selection(topology, routing, network.hardware);
    const Window window = window_of(plan);
    const TrafficSetup setup{topology, routing, network, traffic};
    TrafficMachine machine(setup, window, window.end() + plan.drain_cycles);
    return TrafficRun(machine, setup, plan).run();
}

TraceResult measure_trace(const Topology& topology, const Routing& routing, const MeasuredNetwork& measured,
                          std::span<const TraceMessage> trace)
{
    check_selection(topology, routing, measured.hardware);
    const std::unique_ptr<MessageNetwork> network =
        make_network(measured.model, topology, measured.hardware, measured.ports, routing);
    const Window always{0, std::numeric_limits<std::uint64_t>::max(), 1};
    TrafficRecord record(*network, always, topology.processor_count(), keeps_order(routing, measured));
    const TraceReplay replay(*network, measured.hardware, routing, trace, record);
    network->run_to_the_end();
    TraceResult result;
    result.messages = trace.size();
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
            trace.empty() ? 0 : record.counts().last_arrival() - 1; // the trace begins in cycle 1
    }
    result.latency.cycle_ns = measured.hardware.cycle_ns;
    result.time_ns = static_cast<double>(result.time_cycles) * measured.hardware.cycle_ns;
    result.flit_hops = network->flit_hops();
    result.blocked_cycles = network->blocked_cycles();
    result.credit_wait_cycles = network->credit_wait_cycles();
    return result;
}

} // namespace nocturne
