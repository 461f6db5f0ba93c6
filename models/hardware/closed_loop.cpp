#include "models/hardware/closed_loop.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

namespace {

enum ClosedLoopEvent : std::uint32_t { loop_begins, reply_is_ready };

} // namespace

void ClosedLoop::validate() const
{
    const auto check = [](std::uint64_t value, std::uint64_t most, const char* what) {
        if (value < 1 || value > most)
            throw std::invalid_argument(fmt::format("{} {}: from 1 to {}", what, value, most));
    };
    check(outstanding, 1'000'000, "outstanding requests");
    check(service_cycles, 1'000'000, "service cycles");
    check(reply_queue_packets, 1'000'000, "packets of a reply queue");
}

Topology with_server_interfaces(const Topology& topology)
{
    Topology result = topology;
    for (const Processor& processor : topology.processors())
        result.add_processor(processor.injection, processor.ejection, fmt::format("{}'", processor.name));
    return result;
}

Routing between_interfaces(const Topology& topology, const Routing& base, unsigned classes)
{
    if (base.adaptive())
        throw std::invalid_argument(fmt::format("requests and replies: routing {} is decided by the routers; "
                                                "one that is decided at the source is needed",
                                                base.name));
    const auto processors = static_cast<ProcessorId>(topology.processor_count());
    auto route = [&base, processors, classes](ProcessorId source, ProcessorId destination) {
        Route result = base.route(source % processors, destination % processors);
        for (Hop& hop : result)
            hop.vc_class += classes;
        return result;
    };
    return {base.name, VcClasses(base.vc_classes + classes), ObliviousRoutes{route, {}, base.in_order()},
            base.minimal};
}

ClosedLoopProcessor::ClosedLoopProcessor(const sc_core::sc_module_name& name, Network& network,
                                         const Routings& routings, ProcessorId processor,
                                         const ClosedLoop& loop, RoundTripObserver& observer)
    : sc_module(name), network_(network), routings_(routings), id_(processor),
      server_id_(processor + static_cast<ProcessorId>(network.topology().processor_count() / 2)), loop_(loop),
      observer_(observer), random_(SplitMix64(loop.seed ^ (std::uint64_t{processor} << 32))()),
      created_(loop.pattern.share(processor) > 0 ? loop.outstanding : 0)
{
    network_.interface(id_).attach(requester_);
    network_.interface(server_id_).attach(server_);
    network_.interface(server_id_).set_gate(server_);
}

void ClosedLoopProcessor::start_of_simulation()
{
    network_.domain().schedule(1, *this, loop_begins);
}

void ClosedLoopProcessor::on_event(std::uint32_t code, std::uint64_t data)
{
    if (code == reply_is_ready) {
        send_reply(static_cast<ProcessorId>(data >> 32), static_cast<std::uint32_t>(data));
        return;
    }
    for (std::uint32_t slot = 0; slot < created_.size(); ++slot)
        send_request(slot);
}

void ClosedLoopProcessor::send_request(std::uint32_t slot)
{
    created_[slot] = network_.domain().now();
    const ProcessorId asked = loop_.pattern.destination(id_, random_);
    send(id_, asked + server_id_ - id_, loop_.request_sizes.draw(random_), slot);
}

void ClosedLoopProcessor::send_reply(ProcessorId asker, std::uint32_t slot)
{
    send(server_id_, asker, loop_.reply_sizes.draw(random_), slot);
}

void ClosedLoopProcessor::send(ProcessorId from, ProcessorId to, std::uint32_t flits, std::uint32_t slot)
{
    const Routing& routing = from == id_ ? routings_.requests : routings_.replies;
    const PacketId packet = network_.make_packet(from, to, flits, routing);
    network_.packets()[packet].step = packets_++;
    network_.packets()[packet].address = slot;
    network_.interface(from).send(packet);
    observer_.packet_created(network_.packets()[packet]);
}

void ClosedLoopProcessor::take_reply(const Packet& packet)
{
    const std::uint32_t slot = packet.address; // sending may move the packet
    observer_.packet_delivered(packet, id_);
    observer_.round_trip(created_[slot], network_.domain().now());
    if (!stopped_)
        send_request(slot);
}

bool ClosedLoopProcessor::begin_request()
{
    if (takes_no_request())
        return false;
    ++being_served_;
    return true;
}

void ClosedLoopProcessor::take_request(const Packet& packet)
{
    observer_.packet_delivered(packet, server_id_);
    network_.domain().schedule(network_.domain().now() + loop_.service_cycles, *this, reply_is_ready,
                               std::uint64_t{packet.source} << 32 | packet.address);
}

void ClosedLoopProcessor::finish_reply()
{
    --being_served_;
    network_.interface(server_id_).retry_ejection();
}

} // namespace nocturne
