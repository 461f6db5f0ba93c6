// The one builder that wires any topology: a router or switch for each vertex, a link for each channel, and a
// network interface with its injection and ejection links for each processor.
#pragma once

#include "models/hardware/network_memory.hpp"
#include "models/hardware/network_plan.hpp"
#include "models/hardware/router_module.hpp"
#include "models/hardware/tree_reservations.hpp"
#include "models/network/message_network.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/topology.hpp"

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace nocturne {

class DeadlockWatch;
struct WaitEdge;

/// The hardware of a network, its links numbered as in LinkPlan. Who only sends and receives messages has it
/// as a MessageNetwork, besides those who stand behind an interface by themselves
/// (NetworkInterface::attach()); what goes wrong in a process of the simulation is thrown by the functions
/// that run it, as run_kernel() does.
///
/// Its routers, interfaces and links are SystemC modules, `router_0`, `interface_0`, `link_0`, ..., whose
/// ports are bound to each other. Of more than `most_modules` routers they have no names and no ports, which
/// take more memory and time than all else.
class Network final : public sc_core::sc_module, public MessageNetwork {
public:
    /// For the routes of `routing`; its classes share the virtual channels (VcClasses::shares()). If it is
    /// adaptive, the routers learn its tables: this is what makes packets for it possible. The topology must
    /// outlive the network. Throws std::invalid_argument for a bad configuration, more classes than virtual
    /// channels, an adaptive routing of another topology, a channel whose latency is more than a million
    /// cycles, or a clock whose cycle is no multiple of the time resolution.
    Network(const sc_core::sc_module_name& name, const Topology& topology, const HardwareConfig& config,
            PortModel ports, const Routing& routing, std::size_t most_modules = most_router_modules);
    /// For routes in these classes.
    Network(const sc_core::sc_module_name& name, const Topology& topology, const HardwareConfig& config,
            PortModel ports, const VcClasses& vc_classes = {});
    ~Network() override;

    const LinkPlan& plan() const override { return plan_.numbers; }
    const HardwareConfig& config() const { return config_; }
    ClockDomain& domain() { return domain_; }
    PacketPool& packets() { return packets_; }
    NetworkInterface& interface(ProcessorId id) { return *interfaces_[id]; }
    const std::vector<Router*>& routers() const { return routers_; }
    const std::vector<std::unique_ptr<Link>>& links() const { return links_; }
    std::string link_name(std::uint32_t link) const { return plan_.numbers.link_name(link); }

    /// Throws std::invalid_argument unless the route leads from the source's router to the destination's.
    void check_route(ProcessorId source, ProcessorId destination, const Route& route) const;
    /// A packet of `flits` flits with its route set, ready for NetworkInterface::send. The route must be one
    /// that check_route accepts.
    PacketId make_packet(ProcessorId source, ProcessorId destination, std::uint32_t flits,
                         const Route& route);
    /// The same with the route that `routing` gives the pair now, or if it is adaptive or a choice for the
    /// routers to decide. Throws what it throws for a route, and std::invalid_argument if it is adaptive or a
    /// choice and not what the network was made with.
    PacketId make_packet(ProcessorId source, ProcessorId destination, std::uint32_t flits,
                         const Routing& routing);

    void attach(MessageClient& client, std::uint8_t number) override;
    using MessageNetwork::attach;
    void send(const Sending& sending, const Route& route) override;
    void send(const Sending& sending, const Routing& routing) override;
    void send_multicast(std::span<const Sending> to_each, const Routing& routing) override;
    Multicast multicast() const override { return config_.multicast; }
    void set_timer(std::uint64_t at, std::uint32_t code, std::uint8_t client) override;
    using MessageNetwork::set_timer;
    bool takes_present_timers() const override { return false; }
    void set_gate(ProcessorId id) override;
    void retry_gate(ProcessorId id) override { interfaces_[id]->retry_ejection(); }
    std::size_t queued(ProcessorId id) const override { return interfaces_[id]->queued(); }

    std::uint64_t now() const override { return domain_.now(); }
    double now_ns() const override;
    std::uint64_t last_cycle() const override { return domain_.last_cycle(); }
    std::uint64_t next_cycle() const override;
    /// Looks for a deadlock every thousand cycles or so in which something happens.
    void run_to(std::uint64_t end) override;
    void run_through(std::uint64_t cycle) override;
    void drain() override;

    std::size_t in_flight() const override { return packets_.in_flight(); }
    std::vector<MessageWait> find_waiting_cycle() const override;
    std::optional<Deadlock> deadlock() const override { return deadlock_; }

    /// What becomes of the flits: see LinkFault and Router::plan_failure(). Throws std::invalid_argument for
    /// a network with several clocks.
    void plan_faults(const Faults& faults, DownTime down) override;
    std::uint64_t flits_lost() const override;
    /// Credits that are neither with their senders nor on their way to a sender that waits for them: 0 when
    /// all is quiet.
    std::uint64_t credits_under_way() const;

    void observe(HoldObserver& observer) override;
    void observe_buffers(BufferObserver& observer) override;
    std::uint64_t flits(std::uint32_t link) const override { return links_[link]->flits(); }
    std::uint64_t messages(std::uint32_t link) const override { return links_[link]->packets(); }
    std::uint64_t flit_hops() const override;
    std::optional<std::uint64_t> blocked_cycles() const override;
    /// The buffer behind the link was full, or is too small for the time that a credit takes to come back
    /// (see HardwareConfig::full_rate_buffer_flits()).
    std::optional<std::uint64_t> credit_wait_cycles() const override;
    std::optional<std::uint64_t> head_wait_cycles() const override { return std::nullopt; }

    /// The link at an input (output) of a router.
    std::uint32_t link_into(RouterId router, unsigned port) const { return plan_.into[router][port]; }
    NetworkPlan::End sender_of(std::uint32_t link) const { return plan_.links[link].from; }
    const Packet& packet(PacketId id) const { return packets_[id]; }
    std::uint32_t link_out_of(RouterId router, unsigned port) const { return plan_.out_of[router][port]; }

private:
    /// The client of all processors, behind the interface of one.
    class Port final : public PacketClient, public EjectionGate {
    public:
        Port(MessageClient& client, ProcessorId id) : client_(client), id_(id) {}
        void packet_sent(const Packet& packet) override;
        void flit_arrived(const Packet&, std::uint32_t) override {}
        bool wants_flits() const override { return false; }
        void packet_arrived(const Packet& packet) override;
        bool takes(const Packet& packet) override;

    private:
        MessageClient& client_;
        const ProcessorId id_;
    };
    PacketId make_packet(ProcessorId source, ProcessorId destination, std::uint32_t flits,
                         const RouteChoice& choice);
    void set_outputs(std::vector<std::uint32_t>& outputs, const Route& route, ProcessorId destination) const;
    struct Timers final : Clocked {
        void on_event(std::uint32_t client, std::uint64_t code) override
        {
            clients[client]->timer(static_cast<std::uint32_t>(code));
        }
        std::array<MessageClient*, most_clients> clients{};
    };

    /// Makes of flits on links what their messages hold, and the flits in buffers.
    class Watch final : public LinkObserver {
    public:
        explicit Watch(const Network& network);
        void add(HoldObserver& observer) { observers_.push_back(&observer); }
        void tell(BufferObserver& observer) { buffers_ = &observer; }
        void flit_enters(std::uint32_t link, unsigned vc, Flit flit, Cycle at) override;
        void head_enters(std::uint32_t link, unsigned vc, PacketId packet, Cycle at) override;
        void tail_enters(std::uint32_t link, unsigned vc, PacketId packet, Cycle at) override;

    private:
        const Network& network_;
        static constexpr std::uint32_t none = ~0u;
        std::vector<HoldObserver*> observers_;
        BufferObserver* buffers_ = nullptr;
        std::vector<std::uint32_t>
            head_at_;                     ///< by packet: virtual channel of a link that its head entered last
        std::vector<std::uint32_t> from_; ///< by such a channel: that the flits in it came over before
        std::map<std::pair<std::uint32_t, unsigned>, Cycle> begin_; ///< by link and virtual channel
    };

    void end_of_elaboration() override;
    void start_of_simulation() override;
    void bind_modules();
    ClockDomain& clock_of(RouterId router);
    void make_clocks();
    void join_clocks(std::uint32_t link);
    bool has_vcs(const Hop& hop) const;
    void label(PacketId id, const Sending& sending);
    void enter(PacketId id, const Sending& sending);
    /// One of a multicast, and the output groups of its way.
    struct Leaf {
        const Sending* sending;
        std::vector<std::uint32_t> outputs;
    };
    PacketId make_tree(std::span<const Leaf> leaves, std::size_t routed);
    std::vector<unsigned> tree_channels() const;
    void reserve(PacketId packet, std::span<const Sending> to_each, std::span<const Route> routes);
    Watch& watch_links();
    std::vector<MessageWait> waits_of(std::span<const WaitEdge> cycle) const;

    const Topology& topology_;
    const HardwareConfig config_;
    const unsigned vc_classes_;
    const std::shared_ptr<const AdaptiveRouting> adaptive_;
    const bool chooses_routes_;
    const NetworkPlan plan_;
    ClockDomain domain_;
    std::vector<std::unique_ptr<ClockDomain>> own_clocks_; ///< of routers that have another one
    PacketPool packets_;
    Arena router_memory_;
    std::deque<RouterWithLinks> router_parts_;
    std::vector<Router*> routers_;
    std::vector<std::unique_ptr<NetworkInterface>> interfaces_;
    std::vector<std::unique_ptr<Link>> links_;
    std::vector<std::unique_ptr<PartModule>> modules_; ///< of routers, then of interfaces; see most_modules
    std::deque<Port> ports_;                           ///< by client and processor
    Timers timers_;
    std::optional<TreeReservations> reservations_;
    std::optional<Watch> watch_links_;
    std::unique_ptr<DeadlockWatch> watch_;
    std::optional<Deadlock> deadlock_;
};

} // namespace nocturne
