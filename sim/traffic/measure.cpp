#include "sim/traffic/measure.hpp"

#include "models/hardware/network_plan.hpp"
#include "sim/simulation/confidence_interval.hpp"
#include "sim/traffic/buffer_use.hpp"
#include "sim/traffic/link_demand.hpp"
#include "sim/traffic/link_use.hpp"
#include "sim/traffic/packet_latency.hpp"
#include "sim/traffic/traffic_machine.hpp"
#include "sim/traffic/waits.hpp"

#include <fmt/format.h>

#include <algorithm>
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

/// When the end of the transient is looked for the first time; then after twice as long, and so on.
constexpr std::uint64_t first_warm_up_cycles = 1000;

/// That the machine begins with.
Window first_window_of(const MeasurementPlan& plan)
{
    Window window = window_of(plan);
    if (plan.finds_warm_up)
        window.begin = Window::never;
    return window;
}

/// Traffic on a network, phase after phase.
class TrafficRun {
public:
    /// All that it is given must outlive the run. The machine is made of `setup`.
    TrafficRun(TrafficMachine& machine, const TrafficSetup& setup, const MeasurementPlan& plan)
        : plan_(plan), window_(first_window_of(plan)), setup_(setup),
          processors_(static_cast<std::uint32_t>(setup.topology.processor_count())), machine_(machine),
          network_(*machine.network)
    {
        // There flits are counted as soon as their head has a link.
        if (plan.records_channels && setup.network.model == NetworkModel::worm)
            link_use_.emplace(network_, NetworkModel::worm, plan.batches);
        if (plan.records_buffers)
            buffer_use_.emplace(network_, setup.network.hardware, counts().window());
    }

    TrafficPoint run()
    {
        warm_up();
        bool has_backlog = measure_window();
        machine_.packets.end_window();
        if (buffer_use_)
            buffer_use_->end_window(window_.begin + batches_ * window_.batch_cycles);
        const Waits waits = waits_of(network_) - waits_at_begin_;
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
        machine_.packets.finish();
        if (link_use_)
            channels_ = link_use_->loads(window_.begin, window_.begin + batches_ * window_.batch_cycles,
                                         static_cast<std::uint32_t>(batches_), network_.now() + 1);

        TrafficPoint point = rates();
        point.load = load();
        point.blocked_cycles = waits.blocked;
        point.credit_wait_cycles = waits.credits;
        point.head_wait_cycles = waits.heads;
        point.stall = machine_.stall();
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
        add_records(point);
        return point;
    }

private:
    const PacketCounts& counts() const { return machine_.counts(); }
    /// Of all classes.
    double load() const
    {
        return std::accumulate(setup_.classes.begin(), setup_.classes.end(), 0.0,
                               [](double sum, const ClassTraffic& each) { return sum + each.traffic.load; });
    }
    bool is_deadlocked() const { return network_.deadlock().has_value(); }
    /// Has a source queue been full?
    bool has_overflow() const { return machine_.sources.rejections() > 0; }

    /// Until the window begins.
    void warm_up()
    {
        if (!plan_.finds_warm_up) {
            network_.run_to(window_.begin);
            return;
        }
        const std::uint64_t most = plan_.warm_up_cycles;
        std::uint64_t cycles = std::min(first_warm_up_cycles, most);
        for (;; cycles = std::min(2 * cycles, most)) {
            network_.run_to(cycles + 1);
            if (const auto end = machine_.warm_up.end_of_transient())
                warm_up_reason_ = fmt::format("MSER-5: the transient ended in cycle {} of {}", *end, cycles);
            else if (cycles == most || is_deadlocked())
                warm_up_reason_ = fmt::format("MSER-5: no end of the transient among {} packets of {} cycles",
                                              machine_.warm_up.packets(), cycles);
            if (!warm_up_reason_.empty())
                break;
        }
        machine_.warm_up.end();
        window_.begin = cycles + 1;
        machine_.begin_window(window_.begin);
    }

    /// Batch after batch: until the window's end, or until it is plain that there is none to wait for. Is
    /// there a backlog?
    bool measure_window()
    {
        record_channels();
        for (std::uint32_t link = 0; link < network_.plan().links(); ++link)
            busy_at_begin_.push_back(network_.busy_cycles(link));
        waits_at_begin_ = waits_of(network_);
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
        if (busiest < suspicious_use * static_cast<double>(window_.end() - window_.begin) ||
            setup_.network.faults.any())
            return {};
        const LinkDemand highest = highest_demand(network_.plan(), setup_.classes);
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
        if (!plan_.records_channels || link_use_)
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
        std::transform(growth.begin(), growth.end(), counts().lost_flits().begin(), growth.begin(),
                       std::minus<>());
        return is_above_zero(growth, probability_of_error);
    }

    struct Rates {
        double offered = 0;
        Estimate accepted;
    };

    /// Flits per processor and cycle.
    Rates rates_of(const PacketCounts& counts) const
    {
        const double per_batch = static_cast<double>(processors_) * static_cast<double>(window_.batch_cycles);
        std::vector<double> accepted;
        for (const double flits : std::span(counts.delivered_flits().data(), batches_))
            accepted.push_back(flits / per_batch);
        const std::span by_batch(counts.created_flits().data(), batches_);
        const double created = std::accumulate(by_batch.begin(), by_batch.end(), 0.0);
        return {batches_ == 0 ? 0 : created / per_batch / static_cast<double>(batches_),
                estimate_batches(accepted)};
    }

    TrafficPoint rates() const
    {
        const Rates rates = rates_of(counts());
        TrafficPoint point;
        point.measured_cycles = batches_ * window_.batch_cycles;
        point.warm_up_cycles = window_.begin - 1;
        point.warm_up_reason = warm_up_reason_;
        point.offered_flit_rate = rates.offered;
        point.accepted_flit_rate = rates.accepted.mean;
        if (rates.offered > 0 || rates.accepted.mean > 0) // of nothing there is nothing to tell
            point.accepted_flit_rate_error = finite_or_nothing(rates.accepted.error);
        point.measured_packets = counts().measured();
        point.packets = machine_.created();
        point.time_cycles = counts().last_arrival();
        point.flit_hops = network_.flit_hops();
        point.channels = channels_;
        for (std::uint32_t link = 0; link < point.channels.size(); ++link) {
            point.channels[link].flits = network_.flits(link);
            point.channels[link].packets = network_.messages(link);
        }
        return point;
    }

    /// What is not asked of every run.
    void add_records(TrafficPoint& point)
    {
        const double cycle_ns = setup_.network.hardware.cycle_ns;
        for (std::size_t i = 0; i < setup_.classes.size() && setup_.classes.size() > 1; ++i) {
            const TrafficRecord& record = machine_.records[i];
            const Rates rates = rates_of(record.counts());
            ClassPoint each{setup_.classes[i].name, setup_.classes[i].traffic.load, rates.offered,
                            rates.accepted.mean,    setup_.classes[i].priority,     {}};
            if (!point.saturated)
                each.latency = latency_of(record.counts());
            each.latency.cycle_ns = cycle_ns;
            each.measured_packets = record.counts().measured();
            each.packets = record.check().created();
            each.lost_packets = record.check().lost();
            each.multicast = multicast_of(i, point);
            point.classes.push_back(std::move(each));
        }
        if (setup_.classes.size() == 1)
            point.multicast = multicast_of(0, point);
        if (plan_.records.histogram && !point.saturated)
            for (std::size_t i = 0; i < setup_.classes.size(); ++i) {
                const std::string of_class = setup_.classes.size() > 1 ? setup_.classes[i].name : "";
                const auto of_it = histogram_of(machine_.records[i].counts().latencies(), cycle_ns, of_class);
                point.histogram.insert(point.histogram.end(), of_it.begin(), of_it.end());
            }
        if (buffer_use_)
            point.buffers = buffer_use_->buffers(point.measured_cycles, network_.now() + 1);
        point.flows = machine_.packets.flows(point.measured_cycles, !point.saturated);
        if (setup_.network.faults.any())
            point.faults = FaultCost{machine_.lost(), network_.flits_lost(), counts().measured_lost(),
                                     machine_.sources.rerouted(), machine_.sources.undeliverable()};
    }

    /// Of a class.
    std::optional<MulticastLatency> multicast_of(std::size_t number, const TrafficPoint& point) const
    {
        const std::optional<MulticastRecord>& record = machine_.multicasts[number];
        if (!record)
            return std::nullopt;
        return record->result(setup_.network.hardware.cycle_ns, !point.saturated);
    }

    const MeasurementPlan plan_;
    Window window_;
    std::string warm_up_reason_;
    const TrafficSetup& setup_;
    const std::uint32_t processors_;
    TrafficMachine& machine_;
    MessageNetwork& network_;
    std::size_t batches_ = 0;         ///< of the window, that are over
    std::optional<LinkUse> link_use_; ///< of worms
    std::optional<BufferUse> buffer_use_;
    std::vector<ChannelLoad> channels_;        ///< by link
    std::vector<std::uint64_t> busy_before_;   ///< by link: cycles until the end of the last batch
    std::vector<std::uint64_t> busy_at_begin_; ///< by link: cycles until the window
    Waits waits_at_begin_;                     ///< of the window
    std::vector<std::int64_t> backlog_before_; ///< by source: flits at the end of the last batch
    std::vector<SampleSums> growth_;           ///< by source: of its backlog, over batches
};

TrafficPoint run_traffic(const TrafficSetup& setup, const MeasurementPlan& plan)
{
    TrafficMachine machine(setup, first_window_of(plan), window_of(plan).end() + plan.drain_cycles, plan);
    return TrafficRun(machine, setup, plan).run();
}

TrafficPoint measure_here(const TrafficSetup& setup, const MeasurementPlan& plan)
{
    for (const ClassTraffic& each : setup.classes) {
        if (each.traffic.pattern.processors() != setup.topology.processor_count())
            throw std::invalid_argument(fmt::format("a traffic pattern of {} processors for the {} of {}",
                                                    each.traffic.pattern.processors(),
                                                    setup.topology.processor_count(), setup.topology.name()));
        check_load(each.traffic, setup.topology, setup.network.ports);
    }
    const TrafficFaults& faults = setup.network.faults;
    if (!faults.any() || !faults.reroute_after)
        return run_traffic(setup, plan);
    const Routing around =
        routing_around_faults(setup.topology, setup.routing, setup.network.hardware, faults.parts);
    const Routing with_reroutes{setup.routing.name, around.vc_classes, ObliviousRoutes{}};
    return run_traffic({setup.topology, setup.classes, with_reroutes, setup.network, &around}, plan);
}

} // namespace

TrafficPoint measure_traffic(const Topology& topology, const Routing& routing, const MeasuredNetwork& network,
                             const Traffic& traffic, const MeasurementPlan& plan)
{
    const ClassTraffic all[] = {{"traffic", traffic, routing}};
    return measure_classes(topology, all, routing.vc_classes, network, plan);
}

TrafficPoint measure_classes(const Topology& topology, std::span<const ClassTraffic> classes,
                             const VcClasses& vc_classes, const MeasuredNetwork& network,
                             const MeasurementPlan& plan)
{
    for (const ClassTraffic& each : classes)
        if (classes.size() > 1 && !each.routing.is_oblivious())
            throw std::invalid_argument(fmt::format(
                "class {}: routing {} is decided by the routers; classes of traffic take one that "
                "is decided at the source",
                each.name, each.routing.name));
    const Routing all{"classes", vc_classes, ObliviousRoutes{}};
    const Routing& routing = classes.size() == 1 ? classes.front().routing : all;
    check_selection(topology, routing, network.hardware);
    return measure_here({topology, classes, routing, network}, plan);
}

} // namespace nocturne
