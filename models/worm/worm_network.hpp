// The message-level model of a wormhole network: what happens to a message happens to its head and its tail.
#pragma once

#include "models/network/message_network.hpp"
#include "models/worm/calendar.hpp"
#include "models/worm/max_min_shares.hpp"
#include "models/worm/tail_lags.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace nocturne {

using WormId = std::uint32_t;

/// The network of the flit-level model (Network) with messages instead of flits. The head of a message takes
/// a virtual channel of each link of its route, one after the other, and its tail releases them; the cost
/// follows messages times hops, whatever their length.
///
/// A head that waits for nothing moves as at the flit level, and so does its tail (TailLags): messages that
/// share no channel at a time arrive to the cycle as there, if the credits of those before them have come
/// back. A head that finds no virtual channel free waits, in the order of arrival. The flits behind it close
/// up in the buffers, so that the tail, and whatever waits for it, goes on until they are full: a message of
/// L flits holds as many links behind its head as have buffers that L flits fill. In a buffer messages stay
/// in order. What this leaves out is what single flits do to one another: gaps between the flits of a message
/// that a wait has torn, and the order in which heads of one cycle are served.
///
/// Virtual channels share a link, and those of an input the input's port of the crossbar. Messages that have
/// flits for a link have max-min fair shares of it (share_max_min()), none more than its input leaves to it,
/// than its flits come, or than it has room behind. The shares are found again when a message comes, begins
/// to wait, goes on, or has passed, and on the links where these move a message's tail. What the switch
/// allocator leaves unused, since an input that has two grants takes one, is fitted to the flit level.
///
/// Behind a gate a head goes through the buffer of its ejection link as through those before: it waits there
/// until the gate takes the message, which then drains into the processor as it comes.
///
/// A fault does to messages what it does at the flit level (LinkFault, Router::fail()). A head that is on a
/// link that is down gets no further, and the link swallows all that comes behind it. Of a message whose head
/// has passed, the flits that have passed too go on, with a tail in the place of the first one that has not;
/// the rest is swallowed. So its channels come free on both sides of the cut. How many flits have passed
/// follows from the times of head and tail: exact for a message that meets no other, and otherwise as good as
/// these.
class WormNetwork final : public MessageNetwork {
public:
    /// Throws as LinkPlan, and as require_common_parts().
    WormNetwork(const Topology& topology, const HardwareConfig& config, PortModel ports,
                const VcClasses& vc_classes);

    const LinkPlan& plan() const override { return plan_; }
    void attach(MessageClient& client, std::uint8_t number) override { clients_[number] = &client; }
    using MessageNetwork::attach;
    void send(const Sending& sending, const Route& route) override;
    /// Throws std::invalid_argument for an adaptive routing.
    void send(const Sending& sending, const Routing& routing) override;
    void set_timer(std::uint64_t at, std::uint32_t code, std::uint8_t client) override
    {
        calendar_.schedule(at, code | std::uint32_t{client} << client_shift | timer_event);
    }
    using MessageNetwork::set_timer;
    /// Heads of one cycle are served in the order of their events.
    bool takes_present_timers() const override { return true; }
    /// Throws std::invalid_argument beside planned faults.
    void set_gate(ProcessorId id) override;
    void retry_gate(ProcessorId id) override;
    std::size_t queued(ProcessorId id) const override { return sources_[id].queued; }

    std::uint64_t now() const override { return calendar_.now(); }
    double now_ns() const override { return static_cast<double>(now()) * cycle_ns_; }
    std::uint64_t last_cycle() const override { return Calendar::never - 1; }
    /// A deadlock does not end it: it is seen at the end.
    void run_to(std::uint64_t end) override;
    void drain() override { run_to(Calendar::never); }
    void run_through(std::uint64_t cycle) override;
    std::uint64_t next_cycle() const override { return calendar_.next_cycle(); }

    std::size_t in_flight() const override { return in_flight_; }
    std::vector<MessageWait> find_waiting_cycle() const override;
    std::optional<Deadlock> deadlock() const override { return std::nullopt; }

    void plan_faults(const Faults& faults, DownTime down) override;
    /// Of lost messages, those that did not get through, or will not.
    std::uint64_t flits_lost() const override { return flits_lost_; }

    void observe(HoldObserver& observer) override { observers_.push_back(&observer); }
    /// Throws: there are no flits.
    void observe_buffers(BufferObserver& observer) override;
    /// Those included that it will take of messages whose head it has taken.
    std::uint64_t flits(std::uint32_t link) const override { return of_link(link, &ChannelState::flits); }
    std::uint64_t messages(std::uint32_t link) const override
    {
        return of_link(link, &ChannelState::messages);
    }
    std::uint64_t flit_hops() const override { return flit_hops_; }
    std::optional<std::uint64_t> blocked_cycles() const override { return std::nullopt; }
    std::optional<std::uint64_t> credit_wait_cycles() const override { return std::nullopt; }
    std::optional<std::uint64_t> head_wait_cycles() const override { return head_wait_cycles_; }
    /// Messages times routers crossed, so far.
    std::uint64_t message_hops() const { return message_hops_; }
    /// Of its arrays, about.
    std::uint64_t bytes() const;

private:
    static constexpr std::uint32_t none = ~0u;
    static constexpr std::uint64_t never = Calendar::never;

    // An event is one of these with an index: a message, a processor, a group, a code.
    static constexpr unsigned event_shift = 28;
    static constexpr std::uint32_t head_requests = 0u << event_shift;
    static constexpr std::uint32_t source_sends = 1u << event_shift;
    static constexpr std::uint32_t group_serves = 2u << event_shift;
    static constexpr std::uint32_t tail_leaves = 3u << event_shift;
    static constexpr std::uint32_t tail_arrives = 4u << event_shift;
    static constexpr std::uint32_t tail_passes = 5u << event_shift;
    static constexpr std::uint32_t timer_event = 6u << event_shift;
    static constexpr std::uint32_t fault_begins = 7u << event_shift;
    static constexpr std::uint32_t index_mask = (1u << event_shift) - 1;
    static constexpr unsigned client_shift = event_shift - 1; ///< of timers
    static_assert(most_clients == 2);

    // What a hop needs to know of a message, of a link of its route and of a virtual channel is in a cache
    // line each: on large networks none is in the cache.

    /// At the end of a message's ejection link.
    enum class Gate : std::uint8_t { none, closed, open };

    /// A link of a message's route.
    struct alignas(64) Passage {
        std::uint64_t head;    ///< departure of the head
        std::uint64_t tail;    ///< departure of the last flit, as far as it is known
        std::uint64_t release; ///< the first cycle in which another flit could depart behind it, likewise
        std::uint32_t group;
        std::uint32_t channel; ///< from the departure of the head on
        std::uint64_t places;  ///< flits that the buffers of all links before this one hold
        std::uint64_t since;   ///< of several virtual channels: cycle of what follows
        double left;           ///< flits that depart after it
        double rate;           ///< flits a cycle, for now
    };
    struct alignas(64) Worm {
        std::uint64_t arrival = 0;     ///< of the head in its buffer; in the source queue: when it may leave
        std::uint32_t passages = none; ///< its first in passages_
        std::uint32_t last = 0;        ///< its ejection link, counted from the injection link, 0
        std::uint32_t head = none;     ///< the last link that its head has departed on
        std::uint32_t tail = 0;        ///< the first link whose Passage::tail is not final
        std::uint32_t release = 0;     ///< the first link whose Passage::release is not final
        std::uint32_t lags = none;     ///< in lags_; none: one cycle a flit
        std::uint32_t next = none;     ///< in the one list that it is in
        bool has_interfered = false;   ///< another one, which has made it wait or slowed it
        bool is_stuck = false;   ///< its head is behind another message, in a buffer without room for it
        bool is_blocked = false; ///< of several virtual channels: its head waits
        std::uint8_t size = 0;   ///< of its part of passages_, see acquire_passages()
        // Of faults; `last` is the link that swallows a message which gets no further.
        bool is_endangered = false; ///< its route has a link that is or will be down
        bool is_lost = false;
        bool is_requesting = false; ///< a head_requests is due
        bool is_over = false;       ///< it is gone but for that
        Gate gate = Gate::none;
        NetworkMessage message;                     ///< the times in it are in the next cache line
        std::uint64_t watched_at = Calendar::never; ///< cycle in which a tail_passes is due
        bool is_held = false;    ///< a link went down over which no flit of it comes before it moves
        std::uint32_t first = 0; ///< its first link; not 0 for what is left of it behind a cut
        std::uint32_t whole = 0; ///< flits that are not lost yet
        std::uint8_t client = 0; ///< who is told of it
    };
    /// Messages in a list through Worm::next.
    struct List {
        std::uint32_t first = ~0u;
        std::uint32_t last = ~0u;
    };
    struct alignas(64) ChannelState {
        std::uint64_t free_from = 0;  ///< when a head can win it; never: not known yet
        std::uint64_t first_from = 0; ///< when a head can be the first in its buffer; likewise
        std::uint64_t flits = 0;      ///< that it has taken, or will of messages whose head it has taken
        std::uint64_t messages = 0;   ///< whose head it has taken
        List behind;                  ///< heads that are not the first in its buffer
        std::uint32_t occupied = 0;   ///< flits of messages in its buffer or on their way there
        std::uint32_t passage = none; ///< of the owner, in passages_
        WormId owner = none;          ///< the message that has it; none if its release is known
        std::uint32_t timing = 0;     ///< of its link, in LinkPlan::timings()
        std::uint32_t link = 0;
        std::uint32_t crossing = none; ///< of several: on the next link, of who leaves its buffer
    };
    /// Sets of a link's virtual channels: bit i is the i-th one. What most of them do not have costs nothing.
    struct LinkUse {
        std::uint32_t owned = 0;    ///< ChannelState::owner is not none
        std::uint32_t crossing = 0; ///< ChannelState::crossing is not none
    };
    struct GroupState {
        LinkPlan::Group range;
        List waiting;
        std::uint64_t wake_at = never; ///< cycle of the last group_serves
        std::uint32_t last_won;
    };
    struct GateState {
        bool is_there = false;
        List waiting; ///< heads that it has not let pass
    };
    struct Source {
        List queue;
        std::uint32_t queued = 0;
        std::uint32_t last_vc = 0;
    };

    /// Of all its virtual channels.
    std::uint64_t of_link(std::uint32_t link, std::uint64_t ChannelState::* count) const;
    void handle(std::uint32_t event);
    void serve_source(ProcessorId id);
    struct Injection {
        std::uint32_t channel;
        std::uint64_t from; ///< never: not known yet
    };
    Injection next_injection(ProcessorId id) const;
    void head_requests_now(WormId id);
    void request(WormId id);
    void serve_group(std::uint32_t group);
    void wake_group(std::uint32_t group, std::uint64_t at);
    std::uint32_t free_channel(std::uint32_t group) const
    {
        const LinkPlan::Group& range = group_states_[group].range;
        if (range.count != 1)
            return free_channel_of_several(group);
        return channel_states_[range.first].free_from <= now() ? range.first : none;
    }
    std::uint32_t free_channel_of_several(std::uint32_t group) const;
    std::uint64_t next_release(std::uint32_t group) const;

    /// The head departs on a link.
    void depart(WormId id, std::uint32_t channel, std::uint64_t at);
    void enter_buffer(WormId id);
    void become_first(WormId id, std::uint64_t from);
    /// Its head is nowhere in a buffer any more.
    static bool has_passed(const Worm& worm) { return worm.head == worm.last && worm.gate != Gate::closed; }
    bool has_gate(ProcessorId id) const { return !gates_.empty() && gates_[id].is_there; }
    void ask_gate(WormId id);
    void pass_gate(WormId id);
    void arrive(WormId id);
    void pass_buffer_on(std::uint32_t channel, std::uint32_t flits, std::uint64_t from);
    void refuse_faults_at_gates() const;
    /// The first flit after so many others departs late on a link, and the links before it feel it.
    void delay_tail(Worm& worm, std::uint32_t link, std::uint64_t departs, std::uint32_t others);

    // With several virtual channels.
    struct InputShare {
        double least;          ///< Flow::least, by what the input leaves to the message
        double rate_elsewhere; ///< flits a cycle that the input sends to other outputs
    };
    void block(WormId id);
    void unblock(Worm& worm, std::uint64_t at);
    void change_shares(std::uint32_t channel);
    void change_shares_behind(const Worm& worm);
    void share_changed_links(std::uint64_t at);
    bool is_as_expected(std::uint32_t link) const;
    void pass_share_on(std::uint32_t link);
    void share_link(std::uint32_t link, std::uint64_t at);
    InputShare share_input(Worm& worm, std::uint32_t link, std::uint64_t at, const Flow& flow);
    Flow flow_of(const Worm& worm, std::uint32_t link, std::uint64_t at, std::uint64_t least) const;
    double flits_left(const Worm& worm, std::uint32_t link, std::uint64_t at) const;
    double flits_without_room(const Worm& worm, std::uint32_t link) const;
    void note_progress(Worm& worm, std::uint32_t link, std::uint64_t at);
    std::uint64_t least_tail(const Worm& worm, std::uint32_t link, std::uint64_t at) const;
    std::uint64_t tail_before_next(const Worm& worm, std::uint32_t link) const;
    void move_tail(WormId id, std::uint32_t link, std::uint64_t tail);
    void watch_tail(WormId id);

    void finalize(WormId id);
    void finalize_tail(WormId id, std::uint32_t link);
    void report_hold(const Worm& worm, std::uint32_t link) const;
    void finalize_release(WormId id, std::uint32_t link);
    void schedule_arrival(WormId id);
    void finish(WormId id);
    void release(WormId id);

    // Faults.
    struct PlannedFault {
        std::vector<std::uint32_t> links;
        std::vector<std::uint32_t> into_routers; ///< links into routers that fail
        DownTime down;
    };
    /// The flits from `flit` on get no further than the link `swallower`, which is `link` or, of a router
    /// that has failed, the one before it. Those before have come over `link`; there the tail that takes the
    /// place of the first one that has not departs in cycle `departs`.
    struct Cut {
        std::uint32_t link;
        std::uint32_t flit;
        std::uint32_t swallower;
        std::uint64_t departs;
    };
    bool is_endangered(const Sending& sending, const Route& route) const;
    bool is_lost(std::uint32_t link, std::uint64_t departs, const DownTime& down) const;
    bool loses_head(std::uint32_t link, std::uint64_t at) const;
    static bool is_swallowed(const Worm& worm) { return worm.is_lost && worm.whole == 0; }
    std::vector<std::uint32_t> timings_of(const Worm& worm, std::uint32_t links) const;
    std::uint64_t departure(const Worm& worm, std::uint32_t link, std::uint64_t flit) const;
    std::uint32_t arrived_by(const Worm& worm, std::uint32_t link, std::uint64_t cycle) const;
    std::uint64_t room_behind(const Worm& worm, std::uint32_t link, std::uint32_t head) const;
    void lose(Worm& worm, std::uint32_t flits_through);
    void begin_fault(std::uint32_t number);
    WormId cut_on_link(WormId id, std::uint32_t link, const DownTime& down);
    void cut_when_moving(WormId id);
    WormId cut_if_lost(WormId id, const Cut& where, const DownTime& down);
    WormId cut_in_router(WormId id, std::uint32_t into, std::uint64_t from);
    void kill_head(WormId id);
    WormId cut(WormId id, const Cut& where);
    WormId split_off_rest(WormId id, const Cut& where);
    void free_channel_of(WormId id, std::uint32_t link);
    void end_at(Worm& worm, std::uint32_t link);
    void shorten(WormId id, const Cut& where);
    void leave_buffer(std::uint32_t channel, std::uint32_t flits, bool was_first);
    bool remove(List& list, WormId id);

    TailLag lag(const Worm& worm, std::uint32_t link) const;
    std::uint64_t cycles_for(const Worm& worm, std::uint64_t flits) const;
    std::uint64_t after_credits(const Worm& worm, std::uint64_t at, std::int64_t flits) const;
    const LinkTiming& timing(const Passage& passage) const
    {
        return plan_.timings()[channel_states_[passage.channel].timing];
    }
    Passage* passages_of(const Worm& worm) { return &passages_[worm.passages]; }
    WormId acquire_worm();
    std::uint32_t acquire_passages(std::uint32_t count);
    static std::uint8_t size_class(std::uint32_t passages)
    {
        return static_cast<std::uint8_t>(std::bit_width(passages - 1));
    }

    /// Of a virtual channel in a LinkUse.
    std::uint32_t bit_of(std::uint32_t channel) const
    {
        return 1u << (channel - channel_states_[channel].link * plan_.vcs()); // no division
    }
    /// A passage crosses from a channel's buffer to the next link; none: it has.
    void set_crossing(std::uint32_t channel, std::uint32_t passage);

    void append(List& list, WormId id);
    WormId take_first(List& list);
    MessageClient& client_of(WormId id) const { return *clients_[worms_[id].client]; }

    const LinkPlan plan_;
    const double cycle_ns_;
    std::array<MessageClient*, most_clients> clients_{};
    std::vector<HoldObserver*> observers_;
    Calendar calendar_;
    TailLags lags_;

    std::vector<Worm> worms_;
    std::uint32_t unused_worm_ = none; ///< linked through Worm::next
    std::vector<Passage> passages_;
    std::vector<std::uint32_t> unused_passages_; ///< by the logarithm of their number, linked through channel
    std::vector<std::uint32_t> path_;            ///< of the message that is being sent: timings

    std::vector<Source> sources_;              ///< by processor
    std::vector<GateState> gates_;             ///< likewise; empty if there are none
    std::vector<ChannelState> channel_states_; ///< by virtual channel of a link
    std::vector<LinkUse> link_uses_;           ///< by link
    std::vector<GroupState> group_states_;
    std::vector<std::uint64_t> idle_from_; ///< by link, of injection links; never: not known yet

    std::vector<std::uint32_t> changed_links_; ///< whose shares are to be found again

    std::size_t in_flight_ = 0;
    std::uint64_t message_hops_ = 0;
    std::uint64_t flit_hops_ = 0;
    std::uint64_t head_wait_cycles_ = 0;

    std::vector<std::vector<DownTime>> downs_; ///< by link; empty if no fault is planned
    std::vector<PlannedFault> faults_;
    std::uint64_t flits_lost_ = 0;
};

/// Buffers, latencies and widths may differ in this model; all else is the same everywhere. Throws
/// std::invalid_argument, which names the router or channel, if it is not.
void require_common_parts(const Topology& topology);

} // namespace nocturne
