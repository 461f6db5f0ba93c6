#include "models/endpoints/closed_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

void ClosedLoop::validate() const
{
    const auto check = [](std::uint64_t value, std::uint64_t most, const char* what) {
        if (value < 1 || value > most)
            throw std::invalid_argument(fmt::format("{} {}: from 1 to {}", what, value, most));
    };
    check(outstanding, 1'000'000, "outstanding requests");
    check(service_cycles, 1'000'000, "service cycles");
    check(reply_queue_packets, 1'000'000, "packets of a reply queue");
    require_unicast(pattern, "requests and replies");
}

Topology with_server_interfaces(const Topology& topology)
{
    Topology result = topology;
    for (const Processor& processor : topology.processors())
        result.add_processor(processor.injection, processor.ejection, fmt::format("{}'", processor.name));
    return result;
}

MessageVcs message_vcs(unsigned vcs, unsigned replies)
{
    if (replies == 0)
        return {};
    if (replies >= vcs)
        throw std::invalid_argument(
            fmt::format("{} of {} virtual channels for replies: requests need some, too", replies, vcs));
    return {vcs - replies, replies};
}

VcClasses vc_classes_of(const Routing& routing, MessageClasses classes, const MessageVcs& vcs)
{
    const VcClasses& own = routing.vc_classes;
    if (classes == MessageClasses::shared)
        return own;
    if (vcs.requests == 0 && vcs.replies == 0)
        return own.followed_by(own);
    if (std::min(vcs.requests, vcs.replies) < own.count())
        throw std::invalid_argument(
            fmt::format("virtual channels, {} for requests and {} for replies: routing {} needs {} for each",
                        vcs.requests, vcs.replies, routing.name, own.count()));
    return own.with_vcs(vcs.requests).followed_by(own.with_vcs(vcs.replies));
}

Routing between_interfaces(const Topology& topology, const Routing& base, MessageClasses classes,
                           const MessageVcs& vcs)
{
    if (!base.is_oblivious())
        throw std::invalid_argument(fmt::format("requests and replies: routing {} is decided by the routers; "
                                                "one that is decided at the source is needed",
                                                base.name));
    const auto processors = static_cast<ProcessorId>(topology.processor_count());
    const unsigned of_replies = classes == MessageClasses::separate ? base.vc_classes.count() : 0;
    auto route = [&base, processors, of_replies](ProcessorId source, ProcessorId destination) {
        Route result = base.route(source % processors, destination % processors);
        for (Hop& hop : result)
            hop.vc_class += source < processors ? 0 : of_replies;
        return result;
    };
    return {base.name, vc_classes_of(base, classes, vcs), ObliviousRoutes{route, {}, base.in_order()},
            base.minimal};
}

ClosedLoopProcessors::ClosedLoopProcessors(MessageNetwork& network, const Routing& routing,
                                           const ClosedLoop& loop, RoundTripObserver& observer)
    : network_(network), routing_(routing), loop_(loop), observer_(observer)
{
    const auto processors = static_cast<ProcessorId>(network.topology().processor_count() / 2);
    network_.attach(*this);
    for (ProcessorId id = 0; id < processors; ++id) {
        const std::size_t slots = loop.pattern.share(id) > 0 ? loop.outstanding : 0;
        processors_.push_back({SplitMix64(SplitMix64(loop.seed ^ (std::uint64_t{id} << 32))()),
                               std::vector<std::uint64_t>(slots)});
        network_.set_gate(processors + id);
        network_.set_timer(1, id);
    }
}

std::size_t ClosedLoopProcessors::taking_no_request() const
{
    return static_cast<std::size_t>(
        std::count_if(processors_.begin(), processors_.end(), [&](const Processor& processor) {
            return processor.being_served == loop_.reply_queue_packets;
        }));
}

/// `code`: a processor that begins, or behind those a service that is over.
void ClosedLoopProcessors::timer(std::uint32_t code)
{
    if (code < processors_.size()) {
        for (std::uint32_t slot = 0; slot < processors_[code].created.size(); ++slot)
            send_request(code, slot);
        return;
    }
    const auto index = code - static_cast<std::uint32_t>(processors_.size());
    const auto [server, asker, slot] = services_[index];
    free_codes_.push_back(index);
    send(server, asker, loop_.reply_sizes.draw(processor_of(server).random), slot);
}

void ClosedLoopProcessors::send_request(ProcessorId id, std::uint32_t slot)
{
    Processor& processor = processors_[id];
    processor.created[slot] = network_.now();
    const ProcessorId asked = loop_.pattern.destination(id, processor.random);
    send(id, asked + static_cast<ProcessorId>(processors_.size()), loop_.request_sizes.draw(processor.random),
         slot);
}

void ClosedLoopProcessors::send(ProcessorId from, ProcessorId to, std::uint32_t flits, std::uint32_t slot)
{
    send_observed(network_, {from, to, flits, slot, processor_of(from).messages++}, routing_, observer_);
}

void ClosedLoopProcessors::message_arrived(const NetworkMessage& message, ProcessorId at)
{
    if (is_server(at))
        take_request(message, at);
    else
        take_reply(message, at);
}

void ClosedLoopProcessors::take_reply(const NetworkMessage& reply, ProcessorId at)
{
    observer_.message_delivered(reply, at);
    observer_.round_trip(processors_[at].created[reply.tag], network_.now());
    if (!is_stopped_)
        send_request(at, reply.tag);
}

bool ClosedLoopProcessors::takes(const NetworkMessage& request)
{
    std::uint32_t& being_served = processor_of(request.destination).being_served;
    if (being_served == loop_.reply_queue_packets)
        return false;
    ++being_served;
    return true;
}

void ClosedLoopProcessors::take_request(const NetworkMessage& request, ProcessorId at)
{
    observer_.message_delivered(request, at);
    if (free_codes_.empty()) {
        free_codes_.push_back(static_cast<std::uint32_t>(services_.size()));
        services_.emplace_back();
    }
    const std::uint32_t index = free_codes_.back();
    free_codes_.pop_back();
    services_[index] = {at, request.source, request.tag};
    network_.set_timer(network_.now() + loop_.service_cycles,
                       static_cast<std::uint32_t>(processors_.size()) + index);
}

void ClosedLoopProcessors::message_sent(const NetworkMessage& message)
{
    if (!is_server(message.source))
        return;
    --processor_of(message.source).being_served;
    network_.retry_gate(message.source);
}

} // namespace nocturne
