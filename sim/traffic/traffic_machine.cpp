#include "sim/traffic/traffic_machine.hpp"

#include "models/routing/make_routing.hpp"
#include "models/topology/remaining_network.hpp"
#include "sim/simulation/background.hpp"
#include "sim/simulation/stalls.hpp"

#include <fmt/format.h>

#include <numeric>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

std::unique_ptr<MessageNetwork> network_for(const TrafficSetup& setup, std::uint64_t end)
{
    auto network = make_network(setup.network.model, setup.topology, setup.network.hardware,
                                setup.network.ports, setup.routing);
    require_time_for(*network, end, setup.network.hardware.cycle_ns);
    if (setup.network.faults.any())
        network->plan_faults(setup.network.faults.parts, setup.network.faults.down);
    return network;
}

/// Worms stay in order in a buffer; flits make it so. A detour may be overtaken.
bool is_order_checked(const TrafficSetup& setup, const MessageNetwork& network, const Routing& routing)
{
    return setup.network.model == NetworkModel::flit && !setup.network.faults.any() &&
           keeps_order(routing, network, setup.network.ports);
}

std::deque<TrafficRecord> records_for(const TrafficSetup& setup, const MessageNetwork& network,
                                      const Window& window)
{
    std::deque<TrafficRecord> records;
    for (const ClassTraffic& each : setup.classes)
        records.emplace_back(network, window, setup.topology.processor_count(),
                             is_order_checked(setup, network, each.routing));
    return records;
}

std::vector<TrafficClass> classes_of(const TrafficSetup& setup, std::deque<TrafficRecord>& records)
{
    std::vector<TrafficClass> classes;
    for (std::size_t i = 0; i < setup.classes.size(); ++i)
        classes.push_back(
            {setup.classes[i].traffic, setup.classes[i].routing, records[i], setup.classes[i].priority});
    return classes;
}

Reroutes reroutes_of(const TrafficSetup& setup)
{
    const TrafficFaults& faults = setup.network.faults;
    const RemainingNetwork rest = remaining_network(setup.topology, faults.parts);
    Reroutes reroutes{setup.around, faults.down, {}, {}};
    reroutes.when.from += *faults.reroute_after;
    if (reroutes.when.until != DownTime::for_good)
        reroutes.when.until += *faults.reroute_after;
    for (const std::uint32_t id : rest.new_channel)
        reroutes.is_down.push_back(id == RemainingNetwork::gone);
    for (const std::uint32_t id : rest.new_processor)
        reroutes.is_gone.push_back(id == RemainingNetwork::gone);
    return reroutes;
}

} // namespace

Routing routing_around_faults(const Topology& topology, const Routing& routing,
                              const HardwareConfig& hardware, const Faults& faults)
{
    if (!routing.is_oblivious())
        throw std::invalid_argument(fmt::format(
            "routing {} is decided by the routers; sources that take detours decide it themselves",
            routing.name));
    auto rest = std::make_shared<const RemainingNetwork>(remaining_network(topology, faults));
    auto auto_routing = std::make_shared<const Routing>(
        make_routing(rest->topology, "auto", 1, hardware.path_cost_on(rest->topology)));
    const auto route = [rest, auto_routing](ProcessorId source, ProcessorId destination) {
        Route found = auto_routing->route(rest->new_processor[source], rest->new_processor[destination]);
        for (Hop& hop : found)
            hop.channel = rest->old_channel[hop.channel];
        return found;
    };
    return with_vc_class_offset(
        {"auto", auto_routing->vc_classes.count(), ObliviousRoutes{route, {}, auto_routing->in_order()}},
        routing.vc_classes);
}

PacketRecorder::PacketRecorder(const MessageNetwork& network, const PacketRecords& records, double cycle_ns,
                               const Window& window, std::vector<std::string> names)
    : cycle_ns_(cycle_ns), names_(std::move(names)), network_(network), window_(window),
      has_flows_(records.flows)
{
    if (records.log.sink)
        log_.emplace(network, records.log, cycle_ns, names_);
}

MessageObserver* PacketRecorder::observer_of(PacketLog::Class of)
{
    if (!log_ && !has_flows_)
        return nullptr;
    MessageObservers& observers = observers_.emplace_back();
    if (has_flows_) {
        classes_of_flows_.push_back(of.name);
        observers.add(flows_.emplace_back(network_, window_, names_.size()));
    }
    if (log_)
        observers.add(classes_.emplace_back(*log_, std::move(of)));
    return &observers;
}

void PacketRecorder::end_window()
{
    for (FlowCounts& flows : flows_)
        flows.end_window();
}

void PacketRecorder::finish()
{
    if (log_)
        log_->finish();
}

std::vector<FlowLatency> PacketRecorder::flows(std::uint64_t measured_cycles, bool is_steady) const
{
    std::vector<FlowLatency> all;
    for (std::size_t i = 0; i < flows_.size(); ++i) {
        const std::string& of_class = flows_.size() == 1 ? std::string() : classes_of_flows_[i];
        flows_[i].append_flows(all, names_, of_class, {measured_cycles, cycle_ns_, is_steady});
    }
    return all;
}

TrafficMachine::TrafficMachine(const TrafficSetup& setup, const Window& window, std::uint64_t end,
                               const MeasurementPlan& plan)
    : network(network_for(setup, end)), records(records_for(setup, *network, window)),
      total(records.size() > 1 ? std::optional<TotalCounts>(std::in_place, *network, window,
                                                            setup.topology.processor_count())
                               : std::nullopt),
      packets(*network, plan.records, setup.network.hardware.cycle_ns, counts().window(),
              processor_names(setup.topology)),
      warm_up(*network), sources(*network, classes_of(setup, records))
{
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (total)
            records[i].tell(*total);
        if (MessageObserver* const observer = packets.observer_of({setup.classes[i].name}))
            records[i].tell(*observer);
        if (plan.finds_warm_up)
            records[i].tell(warm_up);
        if (auto& multicast = multicasts.emplace_back(); setup.classes[i].traffic.pattern.is_multicast())
            records[i].tell(
                multicast.emplace(*network, records[i].counts().window(), setup.topology.processor_count()));
    }
    if (setup.around != nullptr)
        sources.plan_reroutes(reroutes_of(setup));
}

void TrafficMachine::begin_window(std::uint64_t cycle)
{
    for (TrafficRecord& record : records)
        record.begin_window(cycle);
    if (total)
        total->begin_window(cycle);
}

std::uint64_t TrafficMachine::created() const
{
    return std::accumulate(
        records.begin(), records.end(), std::uint64_t{0},
        [](std::uint64_t sum, const TrafficRecord& record) { return sum + record.check().created(); });
}

std::uint64_t TrafficMachine::lost() const
{
    return std::accumulate(
        records.begin(), records.end(), std::uint64_t{0},
        [](std::uint64_t sum, const TrafficRecord& record) { return sum + record.check().lost(); });
}

std::optional<Stall> TrafficMachine::stall() const
{
    std::optional<Stall> stall;
    for (const TrafficRecord& record : records)
        stall = checked_stall(*network, record.check());
    return stall;
}

} // namespace nocturne
