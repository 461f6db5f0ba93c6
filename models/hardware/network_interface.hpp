// Where a processor meets the network: packets become flits, and flits packets.
#pragma once

#include "models/hardware/link.hpp"
#include "models/hardware/tree_reservations.hpp"
#include "models/network/pace.hpp"

#include <array>
#include <deque>
#include <vector>

namespace nocturne {

/// What stands behind a network interface: a DMA engine, a traffic source. It may make and send packets from
/// within these calls, which ends the life of the reference to `packet`.
class PacketClient {
public:
    /// The last flit of a packet of ours has left for the network.
    virtual void packet_sent(const Packet& packet) = 0;
    /// A flit of a packet for us has come.
    virtual void flit_arrived(const Packet& packet, std::uint32_t sequence) = 0;
    /// All its flits have come; the packet is released after this call.
    virtual void packet_arrived(const Packet& packet) = 0;
    /// The rest of it will never come: a fault cut it off. Some of its flits may have arrived.
    virtual void packet_discarded(const Packet&) {}
    /// Is flit_arrived() of use? Where no client wants it, only tails are followed up to the interface.
    virtual bool wants_flits() const { return true; }

protected:
    ~PacketClient() = default;
};

/// Decides when a processor takes packets out of the ejection buffers, whose credits go back only then.
class EjectionGate {
public:
    /// May the packet, whose head has come, be taken? If so its flits are as they come. If not it is asked
    /// again at each NetworkInterface::retry_ejection(), and what comes behind it in its virtual channel
    /// waits.
    virtual bool takes(const Packet& packet) = 0;

protected:
    ~EjectionGate() = default;
};

struct NetworkInterfaceConfig {
    unsigned inject_ports = 1;     ///< injection links: packets sent at once
    unsigned eject_ports = 1;      ///< ejection links
    unsigned vcs = 1;              ///< of every link of the network, the most that one has
    unsigned buffer_flits = 8;     ///< depth of each virtual channel at the router's end of an injection link
    unsigned interface_cycles = 1; ///< from the source queue to the first flit, 1 or more
    unsigned inject_vcs = 1;       ///< of `vcs`, those that the injection links have: the first of them
    FlitRate rate = {};            ///< of each injection link
};

/// A source queue without limit, served in order by the injection links that are free, one packet a link at a
/// time; and an end of the ejection links that takes every flit at once, unless it has a gate.
class NetworkInterface final : public Clocked {
public:
    NetworkInterface(ClockDomain& domain, PacketPool& packets, const NetworkInterfaceConfig& config);
    NetworkInterface(const NetworkInterface&) = delete;

    /// Injection and ejection links, by the end of the elaboration, behind the clients.
    void connect_output(std::uint32_t port, Link& link);
    void connect_input(std::uint32_t port, Link& link);
    /// What it has to know of its links; once they are connected at both ends.
    void look_at_links();

    /// Who is told of what is sent and what arrives of the packets with this Packet::client; to be set before
    /// the simulation starts. The clients share the source queue and the links.
    void attach(PacketClient& client, std::uint8_t number = 0) { clients_[number] = &client; }
    static constexpr std::uint8_t most_clients = 2;

    /// Before the simulation starts.
    void set_gate(EjectionGate& gate);
    /// What waits before the gate is asked again whether it may pass.
    void retry_ejection();

    /// Of multicasts; before the simulation starts.
    void set_reservations(TreeReservations& trees) { trees_ = &trees; }

    /// Queues a packet now. Its outputs must be set (Network::set_route).
    void send(PacketId packet);

    void on_event(std::uint32_t code, std::uint64_t data) override;
    bool tick() override;

    /// Cycles in which a flit was ready for its injection link and had no credit.
    std::uint64_t blocked_cycles() const { return blocked_cycles_; }
    /// Packets that wait in the source queue.
    std::size_t queued() const { return queued_; }
    /// Credits that it has for its injection links.
    std::uint64_t credits() const;

private:
    /// An injection link and the packet on its way over it.
    struct InjectionPort {
        bool busy = false;
        bool is_leaving = false; ///< the tail has a cycle in which it leaves
        PacketId packet = 0;
        std::uint32_t sequence = 0; ///< of the next flit
        unsigned vc = 0;            ///< chosen with the first flit
        Cycle may_leave = 0;        ///< the first flit
        Cycle eligible = 0;         ///< when the next flit could have left
        Cycle free_at = 0;          ///< for the next flit
        Pace pace;
        std::uint64_t flits = 0;           ///< that have been sent, or have a cycle in which they leave
        std::uint64_t packets = 0;         ///< whose head has been sent
        std::vector<BufferCursor> buffers; ///< by virtual channel; empty if the link has none
        std::vector<unsigned> credits;     ///< by virtual channel, then
        const Receiver* receiver = nullptr;
        Link* link = nullptr;
        bool is_watched = false;
        Cycle sure_credit_cycles = 0; ///< so long before its time a credit cannot be taken back
        /// Flits of a packet that have credits are sent in one go, each with the cycle in which it leaves.
        bool sends_bursts = false;
    };

    struct EjectionPort {
        Link* link = nullptr;
        bool returns_credits = false;
        bool takes_tails_only = false;
    };

    void look_at_injection(std::uint32_t port);
    void look_at_ejection(std::uint32_t port);
    void receive(unsigned port, Flit flit, unsigned vc);
    void take(unsigned port, Flit flit, unsigned vc);
    void hold(unsigned port, Flit flit, unsigned vc);
    void take_held(unsigned port, unsigned vc);
    void discard(PacketId packet);
    void take_credit(unsigned port, unsigned vc);
    void start_packet(InjectionPort& port);
    void reserve(InjectionPort& port);
    bool has_credit(const InjectionPort& port, unsigned vc, Cycle at) const;
    bool can_send(const InjectionPort& port, Cycle at) const;
    void await_credit(const InjectionPort& port);
    void tick(InjectionPort& port);
    void send_flits(InjectionPort& port, Cycle from);
    void commit(InjectionPort& port, Flit flit, Cycle leaves);
    void end_packet(InjectionPort& port);
    std::uint64_t flits_sent(const InjectionPort& port) const;

    ClockDomain& domain_;
    PacketPool& packets_;
    const NetworkInterfaceConfig config_;
    std::uint32_t handle_;
    std::array<PacketClient*, most_clients> clients_{}; ///< by Packet::client
    std::vector<InjectionPort> injection_ports_;
    std::vector<EjectionPort> ejection_ports_;
    PacketId first_ = 0; ///< of the source queue, which is linked through Packet::behind
    PacketId last_ = 0;
    std::size_t queued_ = 0;
    std::size_t available_ = 0; ///< packets of the queue whose interface delay is over
    std::uint64_t blocked_cycles_ = 0;
    TreeReservations* trees_ = nullptr;
    EjectionGate* gate_ = nullptr;
    /// By ejection link and virtual channel, if there is a gate: what it has not let pass.
    std::vector<std::deque<Flit>> held_;
    unsigned last_taken_ = 0; ///< of `held_`, from which the gate took a packet last
};

} // namespace nocturne
