#include "models/hardware/network_memory.hpp"

#include "models/hardware/buffer.hpp"
#include "models/routing/adaptive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <unistd.h>

namespace nocturne {

std::uint64_t network_bytes(const Topology& topology, const HardwareConfig& hardware, PortModel ports)
{
    // Its two ends and its part of results, and its names and ports, if it has any.
    const std::uint64_t link_bytes = topology.router_count() <= most_router_modules ? 4096 : 1280;
    constexpr std::uint64_t channel_bytes = 192; // a virtual channel at both ends
    const std::uint64_t vcs = hardware.most_vcs_of(topology);
    const auto with_buffers = [&](RouterId at, unsigned depth) {
        // For copies of multicasts the router has inputs for as many branches as it can have.
        const std::uint64_t inputs =
            hardware.multicast == Multicast::unicasts ? 1 : vcs * topology.channels_from(at).size() + 1;
        return link_bytes + inputs * vcs * (channel_bytes + std::uint64_t{depth} * sizeof(BufferSlot));
    };
    std::uint64_t bytes = 0;
    for (const Channel& channel : topology.channels())
        bytes += with_buffers(channel.target, hardware.buffer_of(topology, channel));
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        bytes += send_ports(topology, id, ports) *
                     with_buffers(topology.processor(id).injection,
                                  hardware.injection_buffer_of(topology, topology.processor(id).injection)) +
                 receive_ports(topology, id, ports) * (link_bytes + vcs * channel_bytes);
    return bytes;
}

std::uint64_t network_bytes(const Topology& topology, const HardwareConfig& hardware, PortModel ports,
                            const Routing& routing)
{
    const std::uint64_t bytes = network_bytes(topology, hardware, ports);
    const auto adaptive = routing.adaptive();
    if (!adaptive)
        return bytes;
    const std::uint64_t rows = ejection_routers(topology).size();
    std::uint64_t words = 0; // of a row of all routers together
    for (RouterId id = 0; id < topology.router_count(); ++id)
        words += (topology.channels_from(id).size() + 63) / 64;
    std::uint64_t of_destination = words * adaptive->arrivals() * sizeof(std::uint64_t);
    if (adaptive->has_escape()) // for the routers, and in the routing
        of_destination += topology.router_count() * (sizeof(std::uint32_t) + sizeof(Hop));
    if (hardware.selection == Selection::dyad)
        of_destination += topology.router_count() * adaptive->arrivals() * sizeof(std::uint32_t);
    return bytes + rows * of_destination;
}

std::uint64_t half_of_this_machine()
{
    return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / 2;
}

void require_memory(std::uint64_t bytes, std::uint64_t most)
{
    const auto in_gib = [](std::uint64_t count) {
        return static_cast<double>(count) / static_cast<double>(1ull << 30);
    };
    if (bytes > most)
        throw std::invalid_argument(fmt::format(
            "a run takes about {:.1f} GiB of memory, more than the {:.1f} GiB that are allowed (half of "
            "this machine's)",
            in_gib(bytes), in_gib(most)));
}

} // namespace nocturne
