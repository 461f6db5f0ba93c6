#include "models/fabric/flit_carrier.hpp"

namespace nocturne {

namespace {

void report_arrival(ArrivalSink& sink, const Packet& packet)
{
    sink.message_arrived(static_cast<Leg>(packet.step), packet.address);
}

} // namespace

class FlitCarrier::Receiver final : public PacketClient {
public:
    explicit Receiver(ArrivalSink& sink) : sink_(sink) {}

    void packet_sent(const Packet&) override {}
    void flit_arrived(const Packet&, std::uint32_t) override {}
    bool wants_flits() const override { return false; }
    void packet_arrived(const Packet& packet) override { report_arrival(sink_, packet); }

private:
    ArrivalSink& sink_;
};

class FlitCarrier::Server final : public PacketClient, public EjectionGate, public Clocked {
public:
    Server(ArrivalSink& sink, Network& network, ProcessorId interface)
        : sink_(sink), network_(network), interface_(interface)
    {
        network.interface(interface).attach(*this);
        network.interface(interface).set_gate(*this);
    }

    void packet_sent(const Packet&) override {}
    void flit_arrived(const Packet&, std::uint32_t) override {}
    bool wants_flits() const override { return false; }
    void packet_arrived(const Packet& packet) override { report_arrival(sink_, packet); }
    bool takes(const Packet& packet) override { return sink_.takes_request(packet.address); }

    /// From a process that is not the network's: the interface is asked when the clock runs again.
    void retry() { network_.domain().schedule(network_.domain().now() + 1, *this, 0); }

    void on_event(std::uint32_t, std::uint64_t) override { network_.interface(interface_).retry_ejection(); }

private:
    ArrivalSink& sink_;
    Network& network_;
    const ProcessorId interface_;
};

FlitCarrier::FlitCarrier(const FabricPlan& plan, const FabricConfig& config, ArrivalSink& sink)
    : plan_(plan), network_("network", plan.network, config.hardware, one_port, plan.vc_classes),
      receiver_(std::make_unique<Receiver>(sink))
{
    for (std::uint32_t id = 0; id < plan.initiators; ++id)
        network_.interface(plan.initiator_interface(id)).attach(*receiver_);
    for (std::uint32_t id = 0; id < plan.targets; ++id)
        servers_.push_back(std::make_unique<Server>(sink, network_, plan.target_interface(id)));
}

FlitCarrier::~FlitCarrier() = default;

void FlitCarrier::send(const CarriedMessage& message)
{
    const ProcessorId source = plan_.source(message.leg, message.flow);
    const PacketId packet = network_.make_packet(source, plan_.destination(message.leg, message.flow),
                                                 message.flits, plan_.route(message.leg, message.flow));
    network_.packets()[packet].step = static_cast<std::uint32_t>(message.leg);
    network_.packets()[packet].address = message.id;
    network_.interface(source).send(packet);
}

void FlitCarrier::request_taken(std::uint32_t target)
{
    servers_[target]->retry();
}

} // namespace nocturne
