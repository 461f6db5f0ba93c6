// What moves: flits, and the packets that they are parts of.
#pragma once

#include "models/hardware/clock_domain.hpp"
#include "models/topology/topology.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace nocturne {

using PacketId = std::uint32_t;

/// One flow-control unit: a single word, copied from buffer to buffer.
class Flit {
public:
    Flit() = default;
    /// Flit number `sequence` (from 0, below 2^31 - 1) of a packet.
    Flit(PacketId packet, std::uint32_t sequence, std::uint32_t flits)
        : word_(std::uint64_t{packet} << 32 | sequence << 1 | (sequence + 1 == flits ? 1u : 0u))
    {
    }
    explicit Flit(std::uint64_t word) : word_(word) {}
    /// The tail that a link controller puts behind the rest of a truncated worm (see LinkFault).
    static Flit poison(PacketId packet) { return Flit(std::uint64_t{packet} << 32 | ~std::uint32_t{0}); }
    /// The same of another packet of as many flits.
    Flit of(PacketId packet) const { return Flit(std::uint64_t{packet} << 32 | (word_ & ~std::uint32_t{0})); }
    std::uint64_t word() const { return word_; }
    PacketId packet() const { return static_cast<PacketId>(word_ >> 32); }
    std::uint32_t sequence() const { return static_cast<std::uint32_t>(word_) >> 1; }
    bool is_head() const { return sequence() == 0; }
    bool is_tail() const { return (word_ & 1) != 0; }
    bool is_poison() const { return static_cast<std::uint32_t>(word_) == ~std::uint32_t{0}; }

private:
    std::uint64_t word_ = 0;
};

/// Who decides where a packet goes (see AdaptiveRouting).
enum class RouteMode : std::uint8_t {
    source,   ///< the sender: Packet::outputs is its route
    adaptive, ///< the routers; Packet::outputs is the ejection group only
    escape,   ///< the same, but it has taken an escape channel and stays on those
    choice    ///< the first router: between Packet::outputs and Packet::detour
};

/// A message on its way, kept once for all its flits.
struct Packet {
    ProcessorId source = 0;
    ProcessorId destination = 0;
    std::uint32_t flits = 0; ///< 1 or more
    std::uint32_t row = 0;   ///< of the destination in AdaptiveOutputs, unless the route mode is source
    std::vector<std::uint32_t> outputs; ///< output group at each router (see Router), the ejection group last
    std::vector<std::uint32_t>
        detour;                    ///< likewise, of a packet whose first router has the choice; see is_tree
    std::uint32_t next_output = 0; ///< how many routers the head has been routed by
    RouteMode route_mode = RouteMode::source; ///< who decides where it goes
    Cycle created = 0;                        ///< when it entered the source queue
    Cycle injected = 0;                       ///< when its head left the network interface
    std::uint32_t step = 0;                   ///< of the schedule; free for the sender
    std::uint32_t address = 0; ///< where it goes in the destination's memory; free for the sender
    std::uint32_t bytes = 0;   ///< of the message; free for the sender
    std::uint8_t priority = 0; ///< for arbiters of that kind: the more, the sooner
    std::uint8_t client = 0;   ///< of the network interfaces at both ends: who is told of it
    /// A multicast whose ways part where its outputs end: `detour` are the packets that go on from there,
    /// each as if it had come all the way (see LinkFork).
    bool is_tree = false;
    std::vector<std::byte> payload; ///< its bytes or what stands for them; empty: traffic without content
    PacketId behind = 0;            ///< next in the source queue
    std::uint32_t fragments = 1;    ///< worms that it has been cut into, those that have ended not counted
    std::uint32_t arrived = 0; ///< flits that its destination has taken, one after the other from the first

    /// Of a multicast: where its head is its outputs end, and its branches begin.
    bool parts() const { return is_tree && next_output == outputs.size(); }
};

/// All packets of a network. Released packets are used again with the memory that they hold, so that a steady
/// state allocates nothing.
class PacketPool {
public:
    /// A packet whose payload and outputs are empty.
    PacketId acquire()
    {
        if (free_.empty()) {
            packets_.emplace_back();
            return static_cast<PacketId>(packets_.size() - 1);
        }
        const PacketId id = free_.back();
        free_.pop_back();
        return id;
    }
    void release(PacketId id)
    {
        Packet& packet = packets_[id];
        packet.outputs.clear();
        packet.detour.clear();
        packet.is_tree = false;
        packet.payload.clear();
        packet.next_output = 0;
        packet.route_mode = RouteMode::source;
        packet.fragments = 1;
        packet.arrived = 0;
        packet.client = 0;
        packet.priority = 0;
        free_.push_back(id);
    }
    /// A worm of a packet that a fault has cut off has ended at its tail; with its last one the packet is
    /// released.
    void end_piece(PacketId id)
    {
        if (--packets_[id].fragments > 0)
            return;
        if (on_lost_)
            on_lost_(packets_[id]);
        release(id);
    }
    /// Who is told of packets that faults have cut off, when nothing of them is left. It must make none.
    void tell_losses(std::function<void(const Packet&)> on_lost) { on_lost_ = std::move(on_lost); }
    Packet& operator[](PacketId id) { return packets_[id]; }
    const Packet& operator[](PacketId id) const { return packets_[id]; }
    /// Packets acquired and not released: in source queues or in the network.
    std::size_t in_flight() const { return packets_.size() - free_.size(); }

private:
    std::vector<Packet> packets_;
    std::vector<PacketId> free_;
    std::function<void(const Packet&)> on_lost_;
};

} // namespace nocturne
