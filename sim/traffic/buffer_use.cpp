#include "sim/traffic/buffer_use.hpp"

#include <algorithm>

namespace nocturne {

BufferUse::BufferUse(MessageNetwork& network, const HardwareConfig& hardware, const Window& window)
    : network_(network), window_(window), vcs_(network.plan().vcs())
{
    network.observe_buffers(*this);
    const LinkPlan& plan = network.plan();
    const Topology& topology = plan.topology();
    buffers_.resize(std::size_t{plan.links()} * vcs_);
    const auto add = [&](std::uint32_t link, unsigned vcs) {
        for (unsigned vc = 0; vc < vcs; ++vc) {
            Buffer& buffer = buffers_[std::size_t{link} * vcs_ + vc];
            buffer.first = static_cast<std::uint32_t>(arrivals_.size());
            buffer.depth = plan.timing(link).buffer_flits;
            arrivals_.resize(arrivals_.size() + buffer.depth);
        }
    };
    for (ChannelId id = 0; id < topology.channel_count(); ++id)
        add(id, hardware.vcs_of(topology, topology.channel(id)));
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        for (unsigned port = 0; port < plan.injection_links(id); ++port)
            add(plan.first_injection_link(id) + port,
                hardware.vcs_of(topology, topology.processor(id).injection));
}

std::uint64_t BufferUse::arrival(const Buffer& buffer, std::uint32_t place) const
{
    const std::uint32_t slot = buffer.position + place;
    return arrivals_[buffer.first + (slot < buffer.depth ? slot : slot - buffer.depth)];
}

void BufferUse::flit_comes(std::uint32_t link, unsigned vc, std::uint64_t at)
{
    Buffer& buffer = buffers_[std::size_t{link} * vcs_ + vc];
    const std::uint32_t slot = buffer.position + buffer.count++;
    arrivals_[buffer.first + (slot < buffer.depth ? slot : slot - buffer.depth)] = at;
}

void BufferUse::flit_leaves(std::uint32_t link, unsigned vc, std::uint64_t at)
{
    leave(buffers_[std::size_t{link} * vcs_ + vc], at);
}

/// A buffer has the most flits just before one leaves.
void BufferUse::leave(Buffer& buffer, std::uint64_t at)
{
    const std::uint64_t came = arrival(buffer, 0);
    if (at >= window_.begin && came < end_) {
        const std::uint64_t last = std::min(at, end_ - 1);
        buffer.residence += last + 1 - std::max(came, window_.begin);
        buffer.flits += came >= window_.begin ? 1 : 0;
        std::uint32_t present = buffer.count;
        while (arrival(buffer, present - 1) > last)
            --present;
        buffer.most = std::max(buffer.most, present);
    }
    buffer.position = buffer.position + 1 == buffer.depth ? 0 : buffer.position + 1;
    --buffer.count;
}

std::vector<BufferOccupancy> BufferUse::buffers(std::uint64_t cycles, std::uint64_t end)
{
    const LinkPlan& plan = network_.plan();
    const Topology& topology = plan.topology();
    std::vector<BufferOccupancy> rows;
    const auto add = [&](std::uint32_t link, RouterId router) {
        const std::string name = plan.link_name(link);
        for (unsigned vc = 0; vc < vcs_; ++vc) {
            Buffer& buffer = buffers_[std::size_t{link} * vcs_ + vc];
            while (buffer.count > 0 && arrival(buffer, 0) < end) // of a deadlock
                leave(buffer, end - 1);
            if (buffer.depth > 0)
                rows.push_back(
                    {topology.router_name(router), name, vc, buffer.depth,
                     cycles == 0 ? 0 : static_cast<double>(buffer.residence) / static_cast<double>(cycles),
                     buffer.most, buffer.flits});
        }
    };
    for (ChannelId id = 0; id < topology.channel_count(); ++id)
        add(id, topology.channel(id).target);
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        for (unsigned port = 0; port < plan.injection_links(id); ++port)
            add(plan.first_injection_link(id) + port, topology.processor(id).injection);
    return rows;
}

} // namespace nocturne
