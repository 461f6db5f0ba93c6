// How long a message takes, without simulating it: zero load, and what it waits for links that others use.
#pragma once

#include "models/fabric/fabric_plan.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace nocturne {

/// When each link is in use. A message gets, on each link of its route, the first free cycles for its flits
/// from the cycle on in which its head comes there, in the order in which messages are asked for. So no link
/// moves more than a flit in a cycle, in whatever order of time messages ask: a message that enters earlier
/// than others before it finds what they have left.
///
/// - A message that was asked for early and comes to a link later than one that is asked for after it does
///   not wait for that one, as it would in a queue. The cycles that it should have waited are a debt of the
///   link, which the next message pays that is asked for as early (further ahead of simulated time than the
///   one in its way was). The other one is given back what it waits for the one that comes later. So the mean
///   is that of a queue that serves first who comes first, for initiators that run ahead and for those beside
///   them that do not.
/// - A message that waits for a link holds the virtual channels behind it as long, as many as its flits fill.
///   Messages of its leg wait for them, but for those that go on over the link that it waits for: they are
///   behind it there. Those of the other leg pass. Where a class has several virtual
///   channels, only one in so many messages that wait holds others up.
/// - Flits of messages in different virtual channels take turns: a message that finds a larger one on a
///   link, of the other leg or where its class has several virtual channels, is through when it has got as
///   many cycles as it has left to the other. What that one loses is a debt of the link too, which the next
///   message pays that is as large.
/// - Behind the tail of a message a virtual channel stands still while the next head of the same input gets
///   it (Pipeline::head_cycles()), unless its class has others, or one of another input waits, whose head has
///   got it before.
///
/// A calendar has a bit for each cycle of the next 2048. Where initiators run ahead of simulated time for
/// longer than half of that, each bit is for two cycles, four, ... so that the calendars stay in the cache.
/// Then messages only take links, as many bits as their flits fill on average and each link as many as all
/// have filled but for a few, and hold nothing behind them; a message that is cut in two by one that was
/// asked for before it and comes later is charged the wait that the other one is spared. What comes behind
/// the end of a calendar queues there.
class LinkCalendar {
public:
    /// Both must outlive it.
    LinkCalendar(const FabricPlan& plan, const HardwareConfig& config);

    /// From now on nothing enters before this cycle, which is not less than the one before.
    void advance(std::uint64_t cycle) { now_ = cycle; }

    /// A message of `flits` flits, 1 or more, enters its source queue in this cycle. Cycles to the arrival of
    /// its last flit.
    std::uint64_t reserve(Leg leg, FlowId flow, std::uint32_t flits, std::uint64_t cycle);

    /// Fetches into the cache what reserve() needs for both legs of a flow.
    void prefetch(FlowId flow) const
    {
        for (const std::uint32_t path : paths_[flow])
            __builtin_prefetch(routes_.data() + path);
    }

private:
    static constexpr std::uint32_t none = ~0u;
    static constexpr unsigned words = 32;
    static constexpr std::uint64_t bits = 64 * words;

    /// What each leg cannot use of 64 bits of a calendar.
    using Taken = std::array<std::uint64_t, 2>;
    /// Of a link.
    struct Reservation {
        std::uint64_t arrival = 0; ///< cycle in which its head comes there
        std::uint64_t start = 0;   ///< and goes on
        std::uint64_t flits = 0;   ///< cycles that they take
        unsigned leg = 0;
    };
    struct Turn {
        std::uint64_t arrival; ///< see Reservation
        std::uint64_t start;
        std::uint64_t cut; ///< cycles for flits that are behind something that was there
        std::uint64_t flits;
        std::uint64_t ahead; ///< of simulated time, at its arrival
        unsigned leg;
    };
    struct Correction {
        std::uint64_t refund = 0; ///< cycles that it waits for a message that comes later
        std::uint64_t paid = 0;   ///< cycles that others like it should have waited
    };
    /// What every message that crosses a link looks at.
    struct alignas(32) Link {
        std::uint32_t next_cycles = 0;     ///< from its start on this link to its start on the next
        std::uint32_t occupied_cycles = 1; ///< by a flit
        std::uint32_t seen = 0;            ///< first word of its calendar that is valid
        std::int64_t owed = 0;             ///< cycles that messages have used and not taken bits for
    };
    struct LinkQueue {
        std::array<std::uint32_t, 2> inputs{none, none}; ///< by leg: the link before it of the last message
        std::array<std::uint64_t, 2> ends{};             ///< by leg: cycle behind that
        std::array<std::uint64_t, 2> other_ends{};       ///< and behind the last one of another input
        std::array<std::uint32_t, 2> held_for{none,
                                              none}; ///< by leg: what the last one that holds it waits for
        std::array<std::uint64_t, 2>
            behind{};                 ///< by leg: bits to here are taken by what queues behind the calendar
        Reservation last;             ///< the one with the last arrival
        std::uint64_t debt = 0;       ///< cycles that messages have not waited for those asked for later
        std::uint64_t debt_ahead = 0; ///< who pays it is further ahead of simulated time
        std::uint64_t lost = 0;       ///< cycles that messages have lost to smaller ones between their flits
        std::uint64_t loser = 0;      ///< who pays it is not smaller: cycles that its flits take
    };
    /// Of one leg of a flow.
    struct LegRoute {
        std::uint32_t head;  ///< zero load of one flit
        bool is_narrow;      ///< some link takes several cycles for a flit
        std::uint32_t links; ///< of its way, injection and ejection included
        std::uint32_t injection;
        const std::uint32_t* channels;
        std::uint32_t ejection;

        std::uint32_t link(std::uint32_t i) const
        {
            return i == 0 ? injection : i + 1 < links ? channels[i - 1] : ejection;
        }
    };
    struct Span {
        std::uint64_t first; ///< bits
        std::uint64_t last;
        std::uint64_t moved; ///< of its bits are behind something that was there
    };

    /// The head of a message on its way.
    struct Head {
        std::uint64_t at;        ///< cycle
        std::uint64_t waits = 0; ///< cycles that it has waited
        std::uint64_t late = 0;  ///< cycles that the tail has, if more
    };

    template <bool has_turnaround>
    std::uint64_t reserve_exactly(const LegRoute& route, Leg leg, std::uint32_t flits, std::uint64_t cycle);
    std::uint64_t reserve_coarsely(const LegRoute& route, std::uint32_t flits, std::uint64_t cycle);
    void queue_coarsely(std::uint32_t id, std::uint32_t flits, Head& head);
    /// The lowest `count` ones.
    static std::uint64_t low_bits(std::uint64_t count)
    {
        return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    }
    std::uint64_t zero_load(const LegRoute& route, Leg leg, FlowId flow, std::uint32_t flits) const;
    std::vector<std::uint32_t> path_of(const Route& hops) const;
    LegRoute route_of(Leg leg, FlowId flow) const;
    std::uint64_t wait_for(std::uint64_t bit, std::uint64_t at) const;
    static Correction correct_order(LinkQueue& queue, const Turn& turn);
    static Correction share(LinkQueue& queue, const Turn& turn, unsigned channels);
    void coarsen(std::uint64_t ahead);
    void halve(std::uint32_t link, std::uint32_t word);
    void recycle(std::uint32_t link, std::uint32_t word);
    Taken& taken(std::uint32_t link, std::uint64_t word) { return taken_[word % words * link_count_ + link]; }
    /// Who wants a link: a leg; `goes_along`: to the link that what holds this one waits for, where it has
    /// its turn behind that, and is not held here.
    struct Asker {
        unsigned leg = 0;
        bool goes_along = false;
    };
    /// What it cannot use. What both legs cannot use is used by flits, what one of them cannot is held.
    static std::uint64_t used_of(const Taken& taken, Asker asker)
    {
        return asker.goes_along ? taken[0] & taken[1] : taken[asker.leg];
    }
    Span take(std::uint32_t link, Asker asker, std::uint64_t from, std::uint64_t count);
    Span take_pieces(std::uint32_t link, Asker asker, std::uint64_t from, std::uint64_t count);
    void hold(std::uint32_t link, unsigned leg, std::uint64_t from, std::uint64_t count);
    void hold_behind(const LegRoute& route, unsigned leg, std::uint32_t flits);

    const FabricPlan& plan_;
    const HardwareConfig& config_;
    std::uint32_t buffer_flits_;
    unsigned vcs_;                  ///< of each class
    unsigned vcs_of_leg_;           ///< of all its classes
    unsigned turnaround_ = 0;       ///< of a virtual channel between two messages of one input, cycles
    std::uint64_t waiting_ = 0;     ///< messages that have waited
    std::uint32_t first_injection_; ///< behind the channels
    std::uint32_t first_ejection_;
    std::uint32_t first_initiator_; ///< of the interfaces
    std::uint32_t first_target_;
    std::uint32_t targets_;
    std::vector<std::array<std::uint32_t, 2>> paths_; ///< by flow, then leg: in routes_
    std::vector<std::uint32_t> routes_; ///< each that there is, once: zero load, number of channels, those
    std::size_t link_count_;
    std::vector<Link> links_;
    std::vector<LinkQueue> queues_; ///< by link
    std::vector<Taken> taken_;      ///< by word of the calendars, then link: most messages ask for few words
    std::uint64_t now_ = 0;
    unsigned shift_ = 0;       ///< a bit is for 2^shift_ cycles
    std::uint64_t dither_ = 0; ///< by which bits are rounded up or down, of 2^64
    struct Waited {
        std::uint64_t end;  ///< bit behind its tail
        std::uint64_t wait; ///< for this link, cycles
        bool is_held;       ///< it would be, by one that waits for the next link
    };
    std::vector<Waited> waited_; ///< by link of the route
};

} // namespace nocturne
