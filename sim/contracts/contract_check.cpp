#include "sim/contracts/contract_check.hpp"

#include "models/endpoints/closed_loop.hpp"
#include "models/endpoints/delivery_check.hpp"
#include "models/endpoints/traffic_sources.hpp"
#include "models/routing/make_routing.hpp"
#include "sim/contracts/contract_hardware.hpp"
#include "sim/simulation/network_model.hpp"
#include "sim/simulation/stalls.hpp"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>

namespace nocturne {

namespace {

constexpr std::uint8_t best_effort_client = 1;

/// Counts flits that arrive.
class ArrivedFlits final : public MessageObserver {
public:
    void message_created(const NetworkMessage&) override {}
    void message_delivered(const NetworkMessage& message, ProcessorId) override { flits_ += message.flits; }
    std::uint64_t flits() const { return flits_; }

private:
    std::uint64_t flits_ = 0;
};

} // namespace

Routing best_effort_routing(const Topology& topology, const HardwareConfig& hardware,
                            const BackgroundTraffic& background)
{
    return with_vc_class_offset(
        make_routing(topology, background.routing, background.seed, hardware.path_cost_on(topology)), 0);
}

SeenContracts check_contracts(const Topology& topology, const HardwareConfig& hardware,
                              const SlotTiming& timing, const std::vector<GuaranteedFlow>& flows,
                              const SlotTable& table, const ContractCheckPlan& plan)
{
    if (plan.cycles == 0 || plan.cycles > ContractCheckPlan::most_check_cycles)
        throw std::invalid_argument(fmt::format("a check of {} cycles: from 1 to {}", plan.cycles,
                                                ContractCheckPlan::most_check_cycles));
    const Routing best_effort = best_effort_routing(topology, hardware, plan.background);
    const Routing between = between_interfaces(topology, best_effort, MessageClasses::shared);
    const Traffic traffic = traffic_of(plan.background, topology, one_port);
    const Topology interfaces = with_server_interfaces(topology);
    const std::unique_ptr<MessageNetwork> network =
        make_network(NetworkModel::flit, interfaces, hardware, one_port,
                     {"contracts", with_guaranteed_class(best_effort.vc_classes), {}});
    if (network->last_cycle() <= plan.cycles)
        throw std::invalid_argument(fmt::format("a check of {} cycles: simulated time ends in cycle {}",
                                                plan.cycles, network->last_cycle()));
    std::vector<Contract> contracts;
    for (std::size_t flow = 0; flow < flows.size(); ++flow)
        contracts.push_back(contract_of(topology, timing, flows[flow], table.flows[flow], table.slots));
    ContractSources sources(*network, topology, timing, flows, table, contracts,
                            best_effort.vc_classes.count(), plan.seed);
    sources.stop_at(plan.cycles);
    DeliveryCheck check(false);
    ArrivedFlits arrived;
    MessageObservers observers;
    observers.add(check);
    observers.add(arrived);
    TrafficSources others(*network, between, traffic, observers, best_effort_client);
    sources.start();
    network->run_to(plan.cycles);
    SeenContracts seen;
    const double places = static_cast<double>(topology.processor_count()) * static_cast<double>(plan.cycles);
    seen.guaranteed_rate = static_cast<double>(sources.flits()) / places;
    seen.best_effort_rate = static_cast<double>(arrived.flits()) / places;
    others.stop();
    network->run_to_the_end();
    seen.time_cycles = network->now();
    seen.stall = checked_stall(*network, check);
    if (!seen.stall && sources.missing() > 0)
        throw std::logic_error(fmt::format("{} guaranteed messages did not arrive", sources.missing()));
    for (std::size_t flow = 0; flow < flows.size(); ++flow)
        seen.flows.push_back(sources.seen(flow));
    return seen;
}

} // namespace nocturne
