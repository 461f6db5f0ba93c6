#include "models/fabric/flit_carrier.hpp"

namespace nocturne {

FlitCarrier::FlitCarrier(const FabricPlan& plan, const FabricConfig& config, ArrivalSink& sink)
    : plan_(plan), sink_(sink), network_("network", plan.network, config.hardware, one_port, plan.vc_classes)
{
    network_.attach(*this);
    for (std::uint32_t id = 0; id < plan.targets; ++id)
        network_.set_gate(plan.target_interface(id));
}

void FlitCarrier::send(const CarriedMessage& message)
{
    network_.send(sending_of(plan_, message), plan_.route(message.leg, message.flow));
}

void FlitCarrier::message_arrived(const NetworkMessage& message, ProcessorId)
{
    report_arrival(sink_, message);
}

bool FlitCarrier::takes(const NetworkMessage& message)
{
    return sink_.takes_request(transfer_of(message));
}

/// From a process that is not the network's: the interface is asked when the clock runs again.
void FlitCarrier::request_taken(std::uint32_t target)
{
    network_.set_timer(network_.now() + 1, target);
}

void FlitCarrier::timer(std::uint32_t target)
{
    network_.retry_gate(plan_.target_interface(target));
}

} // namespace nocturne
