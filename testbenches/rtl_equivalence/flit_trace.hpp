// Every flit on every link, in which cycle: what a design is held against.
#pragma once

#include "models/hardware/network.hpp"
#include "sim/rtl/scheduled_plan.hpp"
#include "sim/rtl/wormhole_design.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace nocturne {

/// Takes a note of each flit in the cycle in which it enters a link.
class FlitTrace final : public LinkObserver {
public:
    /// What a line says of a flit behind the cycle and the number of the link.
    using Describe = std::function<std::string(const Packet& packet, Flit flit, unsigned vc)>;

    /// Both must outlive it. Before the simulation starts.
    FlitTrace(Network& network, Describe describe);

    void head_enters(std::uint32_t, unsigned, PacketId, Cycle) override {}
    void tail_enters(std::uint32_t, unsigned, PacketId, Cycle) override {}
    void flit_enters(std::uint32_t link, unsigned vc, Flit flit, Cycle at) override;

    /// A line for each flit, `CYCLE LINK DESCRIPTION`, by cycles and then by links.
    std::string text() const;

private:
    struct Entry {
        Cycle cycle;
        std::uint32_t link;
        std::string description;
    };
    const PacketPool& packets_;
    Describe describe_;
    std::vector<Entry> entries_;
};

/// What the simulation of a schedule says of itself.
struct ReplayTrace {
    std::string flits; ///< FlitTrace::text(), each flit described by its payload in hexadecimal digits
    double cycles;     ///< until the last message has come
    bool memory_ok;
};

/// Runs a valid schedule on the simulated hardware, in this process (SystemC elaborates once). Throws what
/// simulate() throws.
ReplayTrace trace_replay(const Schedule& schedule, const Topology& topology, const ScheduledOptions& options);

/// Sends the packets through the routers of the model, in this process; each flit is described by its virtual
/// channel and its data in hexadecimal digits, as the bench of wormhole_design() has them. Throws what
/// Network throws, and std::logic_error if a packet does not arrive.
std::string trace_packets(const Topology& topology, const HardwareConfig& hardware, const Routing& routing,
                          std::span<const BenchPacket> packets);

} // namespace nocturne
