#include "models/fabric/fabric.hpp"

#include "models/fabric/worm_carrier.hpp"
#include "models/hardware/kernel.hpp"
#include "models/hardware/network.hpp"
#include "models/text/unknown_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

/// A Network below the present module. A target takes no more requests than it has places for.
class FlitCarrier final : public PacketCarrier, public MessageClient {
public:
    /// All must outlive it.
    FlitCarrier(const FabricPlan& plan, const FabricConfig& config, ArrivalSink& sink)
        : plan_(plan), sink_(sink),
          network_("network", plan.network, config.hardware, one_port, plan.vc_classes)
    {
        network_.attach(*this);
        for (std::uint32_t id = 0; id < plan.targets; ++id)
            network_.set_gate(plan.target_interface(id));
    }

    void send(const CarriedMessage& message) override
    {
        network_.send(sending_of(plan_, message), plan_.route(message.leg, message.flow));
    }
    /// From a process that is not the network's: the interface is asked when the clock runs again.
    void request_taken(std::uint32_t target) override { network_.set_timer(network_.now() + 1, target); }

    void message_arrived(const NetworkMessage& message, ProcessorId) override
    {
        report_arrival(sink_, message);
    }
    bool takes(const NetworkMessage& message) override { return sink_.takes_request(transfer_of(message)); }
    /// Of a target that has a place again.
    void timer(std::uint32_t target) override { network_.retry_gate(plan_.target_interface(target)); }

    Network& network() { return network_; }

private:
    const FabricPlan& plan_;
    ArrivalSink& sink_;
    Network network_;
};

std::uint32_t index_of_port(const std::vector<FabricPort>& ports, const std::string& name,
                            std::string_view kind)
{
    const auto found = std::ranges::find(ports, name, &FabricPort::name);
    if (found != ports.end())
        return static_cast<std::uint32_t>(found - ports.begin());
    std::vector<std::string> names;
    for (const FabricPort& port : ports)
        names.push_back(port.name);
    throw std::invalid_argument(unknown_name(kind, name, names));
}

/// With the numbers of the fabric's targets.
AddressView renumbered(const AddressView& view, const AddressMap& map, const FabricPorts& ports)
{
    std::vector<AddressRegion> regions(view.regions().begin(), view.regions().end());
    for (AddressRegion& region : regions)
        region.target = index_of_port(ports.targets, map.targets()[region.target], "target");
    return AddressView(std::move(regions));
}

std::unique_ptr<PacketCarrier> make_carrier(const FabricPlan& plan, const FabricConfig& config,
                                            ArrivalSink& sink)
{
    if (config.timing == FabricTiming::flit)
        return std::make_unique<FlitCarrier>(plan, config, sink);
    if (config.timing == FabricTiming::at)
        return std::make_unique<WormCarrier>("network", plan, config, sink);
    return nullptr;
}

} // namespace

/// What `make` makes. What it throws is reported.
template <class Make>
auto Fabric::reporting(Make make) const
{
    try {
        return make();
    } catch (const std::invalid_argument& error) {
        refuse(error.what());
    }
}

Fabric::Fabric(const sc_core::sc_module_name& name, const Topology& topology, const AddressMap& map,
               const FabricPorts& ports, const FabricConfig& config)
    : sc_module(name), ports_(ports), plan_(reporting([&] {
          check_ports(topology, map, ports);
          return plan_fabric(topology, ports, config);
      })),
      config_(config.with_classes(plan_.vc_classes)), fixed_latency_(reporting([&] {
          return config.timing == FabricTiming::fixed
                     ? exact_time(config.fixed_latency_ns, "fabric: fixed_latency_ns")
                     : sc_core::SC_ZERO_TIME;
      })),
      period_(reporting([&] { return exact_time(config.hardware.cycle_ns, "hardware: cycle_ns").value(); })),
      flit_bytes_(config.hardware.flit_bytes), request_orders_(plan_.requests.size()),
      response_orders_(plan_.requests.size()), calendar_(plan_, config_.hardware),
      carrier_(reporting([&] { return make_carrier(plan_, config_, *this); })), stats_(plan_.requests.size())
{
    std::shared_ptr<const AddressView> common; // of those that no range is for only
    for (std::uint32_t i = 0; i < ports_.initiators.size(); ++i) {
        const FabricPort& port = ports_.initiators[i];
        const bool is_special = std::ranges::count(map.initiators(), port.name) > 0;
        std::shared_ptr<const AddressView> view = is_special ? nullptr : common;
        if (view == nullptr)
            view = std::make_shared<const AddressView>(renumbered(map.view(port.name), map, ports_));
        if (!is_special)
            common = view;
        initiators_.push_back(std::make_unique<Initiator>(*this, i, port, std::move(view)));
    }
    for (std::uint32_t i = 0; i < ports_.targets.size(); ++i)
        targets_.push_back(std::make_unique<Target>(*this, i, ports_.targets[i]));
    target_calls_.resize(targets_.size());

    SC_HAS_PROCESS(Fabric);
    SC_METHOD(run);
    sensitive << due_.due();
    dont_initialize();
    if (config_.phases == FabricPhases::end_to_end) {
        SC_THREAD(run_bus_requests);
        SC_THREAD(run_bus_responses);
    }
}

Fabric::~Fabric()
{
    try {
        warn_of_stall();
    } catch (const sc_core::sc_report&) { // warnings may be thrown, but not by a destructor
    }
}

void Fabric::end_of_elaboration()
{
    connect();
}

void Fabric::require_bound(int bindings, const FabricPort& port, std::string_view kind)
{
    if (bindings == 1)
        return;
    is_connected_ = false;
    report_error(fmt::format("the socket of {} '{}' is {}", kind, port.name,
                             bindings == 0 ? "not bound" : fmt::format("bound {} times", bindings)));
}

/// Finds what is bound to the sockets. False, with an error, if something is missing or not yet known. Other
/// modules may call before this one hears of the end of elaboration.
bool Fabric::connect()
{
    if (sc_core::sc_get_status() < sc_core::SC_END_OF_ELABORATION) {
        report_error("a call before the end of elaboration, when sockets are not bound yet");
        return false;
    }
    is_connected_ = true;
    for (std::uint32_t i = 0; i < initiators_.size(); ++i) {
        initiators_[i]->calls = initiators_[i]->port.initiator();
        require_bound(initiators_[i]->port.bindings(), ports_.initiators[i], "initiator");
    }
    for (std::uint32_t i = 0; i < targets_.size(); ++i) {
        target_calls_[i] = targets_[i]->port.target();
        require_bound(targets_[i]->port.bindings(), ports_.targets[i], "target");
    }
    return is_connected_;
}

/// Is there a simulation in which what waits comes to its end? Otherwise that is an error.
bool Fabric::is_running(const std::string& socket)
{
    if (sc_core::sc_get_status() >= sc_core::SC_RUNNING)
        return is_connected();
    report_error(fmt::format("{}: a transaction that takes time, before the simulation runs", socket));
    return false;
}

void Fabric::report_error(const std::string& what) const
{
    SC_REPORT_ERROR("nocturne/fabric", fmt::format("{}: {}", name(), what).c_str());
}

void Fabric::refuse(const std::string& what) const
{
    report_error(what);
    throw std::invalid_argument(fmt::format("{}: {}", name(), what)); // the report is one that goes on
}

std::uint32_t Fabric::initiator_index(const std::string& name) const
{
    return reporting([&] { return index_of_port(ports_.initiators, name, "initiator"); });
}

std::uint32_t Fabric::target_index(const std::string& name) const
{
    return reporting([&] { return index_of_port(ports_.targets, name, "target"); });
}

void Fabric::require_width(const FabricPort& port, unsigned width) const
{
    if (port.bus_width_bits != width)
        refuse(fmt::format("'{}' has a bus of {} bits, not {}", port.name, port.bus_width_bits, width));
}

// Addresses and sizes.

const AddressRegion* Fabric::find_region(const Initiator& initiator,
                                         const tlm::tlm_generic_payload& payload) const
{
    const std::uint64_t address = payload.get_address();
    const AddressRegion* const region = initiator.view->find(address);
    if (region == nullptr)
        return nullptr;
    const unsigned width = payload.get_streaming_width();
    const unsigned length = payload.get_data_length();
    return region->contains(address, width == 0 ? length : std::min(width, length)) ? region : nullptr;
}

std::uint32_t Fabric::request_flits(const tlm::tlm_generic_payload& payload) const
{
    const unsigned length = payload.get_data_length();
    const unsigned enables = payload.get_byte_enable_ptr() == nullptr ? 0 : (length + 7) / 8;
    return flits(config_.header_bytes + (payload.is_write() ? length : 0) + enables);
}

std::uint32_t Fabric::response_flits(const tlm::tlm_generic_payload& payload) const
{
    return flits(config_.header_bytes + (payload.is_read() ? payload.get_data_length() : 0));
}

// The network.

FabricTransferId Fabric::start_transfer(std::uint32_t initiator, tlm::tlm_generic_payload& payload,
                                        const AddressRegion& region)
{
    const FabricTransferId id = transfers_.acquire();
    FabricTransfer& transfer = transfers_[id];
    transfer.payload = &payload;
    transfer.initiator = initiator;
    transfer.target = region.target;
    transfer.flow = plan_.flow(initiator, region.target);
    transfer.address = payload.get_address();
    transfer.target_address = region.to_target(transfer.address);
    transfer.request_flits = request_flits(payload);
    transfer.response_flits = response_flits(payload);
    transfer.began = sc_core::sc_time_stamp();
    transfer.state = {};
    transfer.state.is_under_way = true;
    transfer.request_order = request_orders_[transfer.flow].next_to_send();
    return id;
}

void Fabric::send(Leg leg, FabricTransferId id)
{
    FabricTransfer& transfer = transfers_[id];
    const bool is_request = leg == Leg::request;
    transfer.state.is_under_way = transfer.state.has_entered = true;
    if (!is_request)
        transfer.response_order = response_orders_[transfer.flow].next_to_send();
    const std::uint32_t flits = is_request ? transfer.request_flits : transfer.response_flits;
    const Due arrival = is_request ? Due::request_arrives : Due::response_arrives;
    if (carrier_ != nullptr)
        carrier_->send({leg, transfer.flow, flits, id});
    else if (config_.timing == FabricTiming::lt)
        push(arrival, id, estimated_delay(leg, transfer.flow, flits));
    else if (is_request && fixed_latency_ != sc_core::SC_ZERO_TIME)
        push(arrival, id, fixed_latency_);
    else
        put_in_order(leg, id);
}

/// What has overtaken another request of its flow is always taken: were it to wait for a place, the others
/// could wait behind it. There are never more of those than requests in flight.
bool Fabric::takes_request(std::uint32_t id)
{
    FabricTransfer& transfer = transfers_[id];
    Target& target = *targets_[transfer.target];
    if (!request_orders_[transfer.flow].is_next(transfer.request_order))
        return true;
    if (target.queued >= config_.target_queue_packets)
        return false;
    ++target.queued;
    transfer.state.has_place = true;
    return true;
}

/// By the target, out of its queue.
void Fabric::take_request(FabricTransfer& transfer)
{
    transfer.state.has_place = false;
    --targets_[transfer.target]->queued;
    if (carrier_ != nullptr)
        carrier_->request_taken(transfer.target);
}

/// From a process of the carrier: what sockets are called for is done in the fabric's own.
void Fabric::message_arrived(Leg leg, std::uint32_t id)
{
    push(leg == Leg::request ? Due::request_arrives : Due::response_arrives, id, sc_core::SC_ZERO_TIME);
}

void Fabric::put_in_order(Leg leg, FabricTransferId id)
{
    const FabricTransfer& transfer = transfers_[id];
    const bool is_request = leg == Leg::request;
    Reordering& orders = (is_request ? request_orders_ : response_orders_)[transfer.flow];
    orders.arrive(id, is_request ? transfer.request_order : transfer.response_order,
                  [&](FabricTransferId next) { deliver(leg, next); });
}

void Fabric::deliver(Leg leg, FabricTransferId id)
{
    FabricTransfer& transfer = transfers_[id];
    transfer.state.is_under_way = false;
    if (leg == Leg::request && !transfer.state.has_place) {
        ++targets_[transfer.target]->queued;
        transfer.state.has_place = true;
    }
    if (transfer.state.is_dropped) {
        end_dropped(id);
        return;
    }
    if (transfer.state.is_blocking) {
        if (leg == Leg::request)
            take_request(transfer);
        transfer.state.has_arrived = true;
        transfer.arrived.notify(sc_core::SC_ZERO_TIME);
        return;
    }
    if (leg == Leg::request) {
        PhaseChannel& channel = targets_[transfer.target]->requests;
        append(channel, id);
        present_requests(channel);
    } else {
        PhaseChannel& channel = initiators_[transfer.initiator]->responses;
        append(channel, id);
        present_responses(channel);
    }
}

void Fabric::count(const FabricTransaction& transaction)
{
    FabricFlowStats& stats = stats_[transaction.flow];
    const sc_core::sc_time latency = transaction.ended - transaction.began;
    ++stats.transactions;
    stats.bytes += transaction.bytes;
    stats.request_flits += transaction.request_flits;
    stats.response_flits += transaction.response_flits;
    stats.latency += latency;
    if (latency > stats.longest_latency)
        stats.longest_latency = latency;
    if (config_.records_transactions)
        transactions_.push_back(transaction);
}

/// Now.
void Fabric::count_ended(const FabricTransfer& transfer)
{
    const bool has_network = config_.timing != FabricTiming::fixed;
    count({transfer.flow, transfer.payload->get_command(), transfer.payload->get_data_length(),
           has_network ? transfer.request_flits : 0, has_network ? transfer.response_flits : 0,
           transfer.began, sc_core::sc_time_stamp()});
}

} // namespace nocturne
