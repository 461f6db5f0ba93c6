// A flit-level wormhole router; with another pipeline, the crossbar switch of a multistage network.
#pragma once

#include "models/hardware/allocator.hpp"
#include "models/hardware/arena.hpp"
#include "models/hardware/bit_set.hpp"
#include "models/hardware/link.hpp"
#include "models/hardware/router_config.hpp"
#include "models/hardware/router_waits.hpp"
#include "models/hardware/selection_state.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// Input-buffered wormhole router with virtual channels and credits. A head flit goes through route
/// computation (the packet brings its route), virtual-channel allocation, switch allocation and switch
/// traversal; the flits behind it reuse its output and need only the switch. A virtual channel is free again
/// in the cycle after its tail has won the switch. A flit whose link is busy, as it is narrow, does not
/// request the switch.
///
/// The allocators are those of Allocation. Whatever goes in turn begins with its first. A head that loses
/// virtual-channel allocation tries again in the next cycle, unless no virtual channel is left for it. Where
/// a processor has several ejection links, heads get the link that the fewest packets use, all in one cycle,
/// whatever the allocator.
///
/// In a speculative pipeline a head requests the switch in the cycle in which it requests a virtual channel,
/// from an allocator of its own (Peh & Dally, A Delay Model and Speculative Architecture for Pipelined
/// Routers, 2001). What that grants is void if a flit with a virtual channel got the same input or output,
/// and wasted if the head got no virtual channel, or one without a credit. Both allocators know one turn of
/// an input's virtual channels, which passes on with a wasted grant, too (as in BookSim2).
///
/// Packets may also leave it to the router where they go (AdaptiveOutputs). It gives them a free virtual
/// channel of the adaptive class, on an output that Selection prefers, or if there is none their escape
/// channel, one head after the other, whatever the allocator. Where there are escape channels, an adaptive
/// one is free only when the buffer at its other end is empty or has room for all of the packet: a head that
/// waits is then first in its buffer, as the theory behind them asks (see AdaptiveRouting).
///
/// The cost of a cycle follows the flits that move: a head that finds no free virtual channel sleeps until
/// one of its groups is released, a flit without a credit until the credit comes, and an idle router is not
/// called. A packet that has its input and its output for itself sends all its flits that are known to come
/// and to have credits in one go, each with the cycle in which it leaves (a burst). When another packet
/// competes with it, what has not left is taken back, from routers behind that have sent it on as well.
class Router final : public Clocked {
public:
    /// The memory that such a router takes of its arena, itself included.
    static std::size_t bytes(const RouterConfig& config);

    /// Its arrays come from the arena, behind what has been taken. All but the configuration must outlive it.
    Router(ClockDomain& domain, PacketPool& packets, const RouterConfig& config, Arena& arena);
    Router(const Router&) = delete;

    std::uint32_t inputs() const { return static_cast<std::uint32_t>(input_ports_.size()); }
    std::uint32_t outputs() const { return static_cast<std::uint32_t>(output_ports_.size()); }

    /// Links, by the end of the elaboration.
    void connect_input(std::uint32_t port, Link& link);
    void connect_output(std::uint32_t port, Link& link);
    /// An input of a fork instead of a link; what it is told is returned.
    Receiver connect_fork(std::uint32_t port, Clocked& fork, std::uint32_t credit_code);
    /// What it has to know of its links; once they are connected at both ends.
    void look_at_links();

    void on_event(std::uint32_t code, std::uint64_t data) override;
    bool tick() override;
    void fetch(std::uint32_t code) const override
    {
        __builtin_prefetch(inputs_.data() + (code & ((1u << event_shift) - 1))); // mostly it is an input's
        __builtin_prefetch(&requests_.word(0));
    }

    /// The router will fail: it loses what is in it, and comes back empty. All its links must be down from
    /// then on as links_down() says. Before the simulation starts.
    void plan_failure(Cycle at) { domain_.schedule(at, failure_, 0); }

    /// Flits that have crossed the switch.
    std::uint64_t flits() const;
    /// Those of them that have gone to an output.
    std::uint64_t flits(std::uint32_t port) const;
    /// Packets that have won a virtual channel of an output.
    std::uint64_t packets(std::uint32_t port) const;
    /// Flits that were in its buffers when it failed.
    std::uint64_t flits_lost() const { return flits_lost_; }
    /// Credits that it has for its output links.
    std::uint64_t credits() const;
    /// Cycles that flits at the head of a buffer waited for a virtual channel, the switch or a credit, beyond
    /// the pipeline.
    std::uint64_t blocked_cycles() const { return blocked_cycles_; }
    /// Those of them in which the flit had its virtual channel, and only a credit was missing.
    std::uint64_t credit_wait_cycles() const { return credit_wait_cycles_; }

    /// Every input that waits for a virtual channel or a credit now, once for each group of virtual channels
    /// that it may take.
    std::vector<WaitingInput> waits() const;
    std::vector<StarvingInput> starving() const;
    /// The input virtual channel whose packet holds an output virtual channel; nothing if it is free.
    std::optional<InputChannel> owner(std::uint32_t output_vc) const;

private:
    /// What falls due, and the virtual channel that it is for.
    enum Event : std::uint32_t {
        flit_arrives = 0,   ///< on a link without buffers: the flit itself
        credit_arrives = 1, ///< that is counted, or waited for
        flit_is_due = 2,    ///< in the buffer: a head can request its output
        competes_for_switch = 3,
        tail_has_left = 4,       ///< of a burst, in the cycle before
        flits_are_taken_back = 5 ///< that were to come: at once
    };
    static constexpr unsigned event_shift = 29;
    static constexpr std::uint32_t event_code(Event event, std::uint32_t vc)
    {
        return event << event_shift | vc;
    }

    enum class Phase : std::uint8_t { idle, waits_for_vc, won_vc, active, leaving };
    /// What keeps an active one from requesting the switch. Events that tell of anything else are out of
    /// date: flits that were to be sent in a burst have been taken back.
    enum class Awaits : std::uint8_t { nothing, flit, credit, turn };
    struct OutputVc;
    struct OutputPort;
    /// An input virtual channel: its buffer, and the packet that it works on. A cache line.
    struct alignas(Arena::line_bytes) InputVc {
        BufferCursor buffer;           ///< at its first flit
        Cycle eligible = 0;            ///< when the first flit could have moved on
        OutputVc* output_vc = nullptr; ///< what it has won, from won_vc on
        OutputPort* output = nullptr;  ///< its port
        std::uint32_t group = 0;       ///< of outputs, from waits_for_vc on; may be any_group until won_vc
        std::uint32_t port = 0;        ///< of this virtual channel itself
        std::uint32_t credit_cycles = 0;
        std::uint32_t last_won = 0; ///< of outputs: that it got last of several that it could have got
        std::uint8_t vc = 0;
        std::uint8_t on_link = 0; ///< virtual channel of the output's link
        Phase phase = Phase::idle;
        Awaits awaits = Awaits::nothing;
        bool returns_credits = false; ///< each as an event
    };
    struct InputPort {
        std::uint32_t ready = 0;       ///< virtual channels whose first flit has all but the switch
        std::uint32_t owners = 0;      ///< virtual channels that have one of an output
        std::uint32_t streaming = 0;   ///< input virtual channel that has sent a burst last
        Cycle free_at = 0;             ///< when the last flit of that has left
        std::uint32_t last_output = 0; ///< that it accepted last, of iSLIP
        std::uint32_t last = 0;        ///< winner of the input's arbiter
        std::uint32_t sender_code = 0;
        Clocked* sender = nullptr;
        Link* link = nullptr;
    };
    struct OutputVc {
        BufferCursor buffer;                ///< at the other end, its next place; none if the link has none
        std::uint32_t owner = BitSet::none; ///< input virtual channel
        std::uint32_t credits = 0;          ///< of a link that returns them
        std::uint64_t packets = 0;          ///< that have won it
    };
    struct alignas(Arena::line_bytes) OutputPort {
        /// Of a small router: inputs in this cycle; by iSLIP input virtual channels that are ready for it.
        std::uint64_t contenders = 0;
        std::uint64_t flits = 0; ///< that have been sent
        Cycle free_at = 0;       ///< when the link takes the next flit, if it is narrow or had a burst
        std::uint32_t cycles_per_flit = 1;
        std::uint32_t last = 0; ///< winner of the output's arbiter
        std::uint32_t flit_cycles = 0;
        std::uint32_t head_cycles = 0;        ///< until the event of a head that is awaited
        std::uint32_t sure_credit_cycles = 0; ///< so long before its time a credit cannot be taken back
        std::uint32_t streaming = 0;          ///< input virtual channel that has sent a burst last
        std::uint32_t receiver_code = 0;
        /// All that there is to do for a flit is to put it into the receiver's buffer.
        bool is_plain : 1 = false;
        bool takes_bursts : 1 = false;
        bool has_buffers : 1 = false;
        bool counts_credits : 1 = false;
        bool takes_tails_only : 1 = false;
        bool is_narrow : 1 = false; ///< it takes no flit in every cycle
        bool shares_places : 1 = false;
        Clocked* receiver = nullptr;
    };
    static_assert(sizeof(OutputPort) == Arena::line_bytes && sizeof(InputVc) == Arena::line_bytes);
    struct Group {
        OutputGroup range{0, 0};
        std::uint32_t last_request = 0; ///< input virtual channel served last
        std::uint32_t last_won = 0;     ///< output virtual channel given last
    };

    /// How the switch is allocated: what is usual has a way of its own that is faster than an Allocator.
    enum class SwitchPath : std::uint8_t {
        in_turn_one_word,  ///< inputs first, then outputs, round-robin: all sets are words
        in_turn,           ///< the same, of any size
        by_islip_one_word, ///< one iteration, round-robin: all sets are words
        by_allocator
    };
    enum class VcPath : std::uint8_t { in_turn, by_islip, by_allocator, adaptive };

    static constexpr std::uint32_t any_group = ~0u; ///< of those that AdaptiveOutputs allows

    std::size_t cache_footprint_bytes(const Arena& arena) const;
    static std::size_t buffer_slots(const RouterConfig& config);
    Receiver receiver_at(std::uint32_t port);
    void look_at_input(std::uint32_t port);
    void copy_link_parameters(std::uint32_t port);
    void fail(std::uint32_t);
    void tear_worm(const InputVc& vc);
    void drop_buffer(InputVc& vc);
    void receive(std::uint32_t input_vc, Flit flit);
    void take_flit(std::uint32_t input_vc);
    void take_credit(std::uint32_t output_vc);
    /// The first credit after none. Out of line, as it is rare: so take_credit() saves no registers.
    [[gnu::noinline]] void end_credit_wait(std::uint32_t input_vc);
    /// Can a flit be sent in that cycle, as far as is known now?
    bool has_credit(const OutputPort& port, const OutputVc& vc, Cycle at) const
    {
        if (port.counts_credits || !port.has_buffers)
            return vc.credits > 0 &&
                   (!port.shares_places || shared_places_[index_of(port)].has_one(vc.credits));
        return vc.buffer.slot().has_credit(at);
    }
    bool has_credit(const InputVc& vc, Cycle at) const { return has_credit(*vc.output, *vc.output_vc, at); }
    void take_place(const InputVc& vc);
    void give_place_back(std::uint32_t output_vc);
    /// Has it one, or is one on its way?
    bool will_have_credit(const InputVc& vc) const
    {
        return has_credit(vc, std::numeric_limits<Cycle>::max());
    }
    void await_credit(InputVc& vc);
    void await_flit(InputVc& vc);
    void compete(std::uint32_t input_vc);
    void compete_later(InputVc& vc);
    void route(std::uint32_t input_vc);
    std::uint32_t group_for(const Packet& packet) const;
    void request_vc(std::uint32_t input_vc);
    void request_any(std::uint32_t input_vc);
    template <bool is_small>
    void allocate_vcs(std::uint32_t group);
    template <bool is_small>
    void allocate_in_turn(std::uint32_t group);
    void allocate_vcs_otherwise(std::uint32_t group);
    void allocate_by_islip(std::uint32_t group);
    void grant_by_islip(std::uint32_t group);
    void allocate_by_allocator(std::uint32_t group);
    void choose_route(Packet& packet) const;
    void allocate_adaptively(std::uint32_t group);
    struct Candidate {
        std::uint32_t group = any_group;
        std::uint32_t output_vc = BitSet::none;
    };
    Candidate choose(const InputVc& vc);
    Candidate best_allowed(const InputVc& vc);
    std::uint64_t merit_of(const Packet& packet, std::uint32_t output, const OutputGroup& range) const;
    std::uint32_t credits_onwards(const Packet& packet, std::uint32_t input) const;
    void show_credits_to(std::uint32_t port, const Receiver& receiver);
    void keep_credits();
    bool is_congested() const;
    std::uint32_t vc_with_room(const OutputGroup& group, std::uint32_t flits) const;
    std::uint32_t credits_of(const OutputGroup& group) const;
    template <typename Visit>
    void for_each_wanted(const InputVc& vc, Visit visit) const;
    void take_adaptive_credit(std::uint32_t output_vc);
    std::uint32_t free_vc(const Group& group) const { return free_vc_after(group.range, group.last_won); }
    std::uint32_t free_vc_after(const OutputGroup& group, std::uint32_t last) const;
    void try_again(std::uint32_t group);
    void give_vc(std::uint32_t group, std::uint32_t input_vc, std::uint32_t output_vc);
    std::uint32_t free_vc_of_emptiest_link(const OutputGroup& group, std::uint32_t last) const;
    void win_vc(std::uint32_t input_vc, std::uint32_t output_vc);
    void take_output_vc(std::uint32_t input_vc, std::uint32_t output_vc);
    void make_ready(std::uint32_t input_vc);
    void make_ready(InputVc& vc);
    void request_switch(const InputVc& vc);
    void insert_ready(const InputVc& vc);
    void erase_ready(const InputVc& vc);
    // What every flit goes through is inlined into one function for each way to allocate.
    template <SwitchPath path>
    bool step();
    template <bool is_small>
    void allocate_switch_in_turn();
    void allocate_switch_by_islip();
    std::uint32_t grant_of(const OutputPort& output) const;
    std::uint32_t accepted_vc(std::uint32_t port, const OutputPort& output) const;
    void allocate_switch_by_allocator();
    void bid_speculatively();
    void traverse_switch(const Allocator::Request& granted);
    void take_speculative_grants(std::span<const Allocator::Request> sure);
    std::uint64_t rank_of(const InputVc& vc) const;
    void make_allocators();
    SwitchPath switch_path() const;
    VcPath vc_path() const;
    std::uint32_t choose_vc(std::uint32_t port, Cycle now) const;
    template <SwitchPath path>
    void traverse(Cycle now, std::uint32_t port, std::uint32_t chosen);
    template <SwitchPath path>
    void request_no_more(std::uint32_t port, std::uint32_t chosen, OutputPort& output);
    void send(const InputVc& vc, Flit flit, Cycle now);
    void count_arrival(Flit flit)
    {
        Packet& packet = packets_[flit.packet()];
        packet.arrived += packet.arrived == flit.sequence() ? 1 : 0;
    }
    Link& link_of(const OutputPort& port) const { return *output_links_[index_of(port)]; }
    [[gnu::noinline]] void send_event(OutputPort& output, unsigned vc, Flit flit, Cycle leaves);
    [[gnu::noinline]] void wake_receiver(const InputVc& vc, Flit flit, Cycle leaves);
    [[gnu::noinline]] void wake_sender(const InputVc& vc, Cycle leaves);
    [[gnu::noinline]] void release(InputVc& vc);
    [[gnu::noinline]] bool stays_ready(InputVc& vc);
    static bool sends_bursts(const InputVc& vc) { return vc.output->takes_bursts && !vc.returns_credits; }
    bool takes_bursts(const OutputPort& port) const;
    /// Has the packet its input and its output for itself?
    bool is_alone(const InputVc& vc)
    {
        const std::uint32_t owners = input_ports_[vc.port].owners;
        return (owners & (owners - 1)) == 0 && has_output_alone(vc);
    }
    bool has_output_alone(const InputVc& vc);
    [[gnu::noinline]] void cut_bursts_beside(const InputVc& vc);
    void cut_burst(InputVc& vc);
    void take_back(InputVc& vc, std::uint32_t flits);
    void lose_flits(InputVc& vc, std::uint32_t position);
    void continue_burst(InputVc& vc, Cycle from);
    bool send_burst(InputVc& vc, Cycle from);
    void free_output(const InputVc& vc);
    void await_flit_or_credit(InputVc& vc);
    void end_burst(InputVc& vc);
    std::uint32_t index_of(const InputVc& vc) const
    {
        return static_cast<std::uint32_t>(&vc - inputs_.data());
    }
    std::uint32_t index_of(const OutputVc& vc) const
    {
        return static_cast<std::uint32_t>(&vc - outputs_.data());
    }
    std::uint32_t index_of(const OutputPort& port) const
    {
        return static_cast<std::uint32_t>(&port - output_ports_.data());
    }
    std::uint32_t port_of(std::uint32_t output_vc) const
    {
        return static_cast<std::uint32_t>(output_vc * vc_reciprocal_ >> 32); // sooner than a division
    }
    /// Virtual channels of the input whose first flit can leave now, of several for the same narrow link the
    /// one that waits longest.
    std::uint32_t requesting(std::uint32_t port, Cycle now) const
    {
        return has_narrow_links_ ? requesting_narrow(port, now) : input_ports_[port].ready;
    }
    std::uint32_t requesting_narrow(std::uint32_t port, Cycle now) const;
    Cycle free_after_flit(const OutputPort& output, Cycle now);
    bool waits_behind_another(std::uint32_t port, std::uint32_t vc) const;
    Flit front(const InputVc& vc) const { return vc.buffer.slot().flit(); }

    // What every flit touches comes first and together.
    ClockDomain& domain_;
    PacketPool& packets_;
    const unsigned vcs_;
    const std::uint32_t vc_mask_;       ///< so many bits
    const std::uint64_t vc_reciprocal_; ///< of so many, times 2^32, rounded up
    BitSet ready_inputs_;
    BitSet won_;             ///< input virtual channels that compete for the switch from the next cycle on
    BitSet groups_to_serve_; ///< with requests, and with a new one or a released virtual channel
    std::uint64_t contended_outputs_ = 0; ///< of a small router by iSLIP: those that have contenders
    std::uint64_t blocked_cycles_ = 0;
    std::uint64_t credit_wait_cycles_ = 0;
    SwitchPath switch_path_ = SwitchPath::by_allocator;
    VcPath vc_path_ = VcPath::by_allocator;
    bool has_narrow_links_ = false;
    bool shows_credits_ = false; ///< to other routers, as they were before the tick
    const bool is_in_large_network_;
    std::span<InputVc> inputs_;
    std::span<OutputPort> output_ports_;
    std::span<OutputVc> outputs_;
    std::span<InputPort> input_ports_;
    std::span<Group> groups_;
    BitRowsView requests_; ///< by group: input virtual channels that wait for it
    const std::uint32_t handle_;
    BitSet free_; ///< output virtual channels without an owner
    const Pipeline pipeline_;
    std::vector<Link*> output_links_;
    const Allocation allocation_;
    const std::shared_ptr<const AdaptiveOutputs> adaptive_;
    const RouteChooser chooser_;
    SelectionState selection_;
    std::vector<std::uint32_t> last_granted_; ///< of iSLIP, by output virtual channel: input virtual channel
    std::unique_ptr<Allocator> switch_allocator_;
    std::unique_ptr<Allocator> speculative_allocator_; ///< of a speculative pipeline
    std::unique_ptr<Allocator> vc_allocator_;
    /// By input virtual channel: place for the next flit that comes as an event.
    std::vector<std::uint32_t> tails_;
    BitRows contenders_;      ///< by output, in this cycle: inputs; of a router that is not small
    BitSet contended_;        ///< outputs that have any
    std::vector<Pace> paces_; ///< by output; empty: each takes a flit in every cycle, or is narrow
    std::vector<SharedPlaces> shared_places_; ///< by output; empty: no link has any
    std::vector<Cycle> lacks_since_;          ///< by input virtual channel, then: a place that others took
    std::uint64_t flits_lost_ = 0;
    // The router's own codes are all in use.
    EventsOf<Router> failure_{*this, &Router::fail};
    EventsOf<Router> credit_sink_{*this, &Router::take_adaptive_credit};
};

} // namespace nocturne
