// A wire: flits one way, credits the other.
#pragma once

#include "models/hardware/buffer.hpp"
#include "models/hardware/flit.hpp"
#include "models/hardware/link_fault.hpp"
#include "models/network/clock_crossing.hpp"

#include <systemc>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nocturne {

/// Who held a link, and when: told of every head, tail and flit as soon as the sender commits it; `at` is
/// the cycle in which it enters the wire.
class LinkObserver {
public:
    virtual void head_enters(std::uint32_t link, unsigned vc, PacketId packet, Cycle at) = 0;
    virtual void tail_enters(std::uint32_t link, unsigned vc, PacketId packet, Cycle at) = 0;
    /// Of every flit, heads and tails among them, before what is told of those.
    virtual void flit_enters(std::uint32_t /*link*/, unsigned /*vc*/, Flit, Cycle /*at*/) {}

protected:
    ~LinkObserver() = default;
};

struct LinkConfig {
    std::uint32_t index = 0;       ///< for observers
    unsigned latency_cycles = 1;   ///< flits and credits, 1 or more
    unsigned cycles_per_flit = 1;  ///< more than 1 on a link narrower than a flit
    unsigned credit_cycles = 1;    ///< from a credit's arrival to its use
    unsigned departure_cycles = 0; ///< from the sender's decision to the wire: a router's switch
};

/// What a link leads to.
struct Receiver {
    Clocked* component = nullptr;
    std::uint32_t first_code = 0; ///< flits on virtual channel v are its event first_code + v
    /// By virtual channel: empty if each flit is to come as an event.
    std::vector<BufferCursor> buffers = {};
    std::uint32_t first_due_code = 0; ///< with buffers: a flit that is awaited is there
    /// With buffers: the sender takes flits back, from the place on that is the event's data, which were to
    /// arrive two cycles later or more.
    std::uint32_t first_loss_code = 0;
    unsigned head_cycles = 0; ///< and if it is a head, so many cycles later
    /// A receiver without buffers that takes flits whenever they come: its credits need not be counted.
    bool is_sink = false;
    bool takes_tails_only = false; ///< what a sink wants to be told of
    /// Called when the link has got a fault after the start of the simulation; may be empty.
    std::function<void()> refresh = {};
};

/// What it comes from.
struct Sender {
    Clocked* component = nullptr;
    std::uint32_t first_code = 0; ///< credits of virtual channel v are its event first_code + v
    bool counts_credits = true;   ///< wants each as an event; or else only those that it waits for
    std::function<std::uint64_t()> flits = {};   ///< how many it has sent, if it counts them itself
    std::function<std::uint64_t()> packets = {}; ///< of how many it has sent flits, or soon will; likewise
    /// Called when the link has got a fault, or is watched, after the start of the simulation; may be empty.
    std::function<void()> refresh = {};
};

/// One-way link between a sender's and a receiver's port. It takes a flit every
/// `cycles_per_flit` cycles and delivers in order. A flit that the sender commits in cycle c enters the wire
/// in cycle c + departure_cycles and is at the receiver latency + (cycles_per_flit - 1) cycles later; a
/// credit returned in cycle c can be used in cycle c + 1 + latency + credit_cycles.
///
/// Between two clocks the flit, counted in cycles of the sender, is at the receiver when ClockCrossing says,
/// at most one in a cycle of its clock; and so a credit, whose 1 + latency cycles are those of the receiver,
/// is with the sender, which uses it credit_cycles later.
///
/// Where no fault is planned, and both ends have one clock, a sender puts its flits right into the receiver's
/// buffers and finds its credits there (see BufferSlot): then nothing goes through this object.
class Link : public Clocked, public virtual sc_core::sc_interface {
public:
    Link(ClockDomain& domain, const LinkConfig& config);
    Link(const Link&) = delete;

    /// Its receiver has another clock than the domain that it was made with, its sender's. Before the start
    /// of the simulation; no fault can be planned then.
    void cross(ClockDomain& receiver, const ClockCrossing& forth, const ClockCrossing& back);
    /// Observers are told cycles of another clock than the sender's.
    void report_cycles_as(const ClockCrossing& network) { reported_ = network; }

    /// Both ends connect before the start of the simulation: by the end of the elaboration.
    void connect_sender(Sender sender) { sender_ = std::move(sender); }
    void connect_receiver(Receiver receiver) { receiver_ = std::move(receiver); }
    /// For an end that is told of everything by events.
    void connect_sender(Clocked& sender, std::uint32_t first_code)
    {
        connect_sender({&sender, first_code, true, {}, {}, {}});
    }
    void connect_receiver(Clocked& receiver, std::uint32_t first_code)
    {
        connect_receiver({&receiver, first_code, {}, 0, 0, false, false, {}});
    }
    const Sender& sender() const { return sender_; }
    const Receiver& receiver() const { return receiver_; }
    /// Does the sender fill the receiver's buffers itself? From the end of the elaboration on.
    bool has_buffers() const { return !fault_ && !crossing_ && !receiver_.buffers.empty(); }
    /// Does each credit come to the sender as an event?
    bool returns_credits() const
    {
        return fault_ || crossing_ || sender_.counts_credits ||
               (receiver_.buffers.empty() && !receiver_.is_sink);
    }

    /// Is only a packet's tail to be sent, and the rest to be counted by the sender?
    bool takes_tails_only() const { return !fault_ && !crossing_ && receiver_.takes_tails_only; }

    /// By the sender, which minds cycles_per_flit, of a link without buffers. The flit leaves now or, if the
    /// link is not watched, in a later cycle.
    void send(Flit flit, unsigned vc, Cycle leaves)
    {
        ++flits_;
        if (crossing_) [[unlikely]]
            send_across(flit, vc, leaves);
        else
            domain_.schedule(leaves + flit_delay_, *receiver_.component, receiver_.first_code + vc,
                             flit.word());
        if (is_watched_)
            report(flit, vc);
    }
    /// By the receiver, for each flit that leaves its buffer, if the link returns credits.
    void return_credit(unsigned vc)
    {
        if (crossing_) [[unlikely]]
            return_across(vc);
        else
            domain_.schedule(domain_.now() + credit_delay_, *sender_.component, sender_.first_code + vc);
    }

    const LinkConfig& config() const { return config_; }
    /// Flits taken so far, those included that were lost.
    std::uint64_t flits() const { return sender_.flits ? sender_.flits() : flits_; }
    /// Packets whose flits these are; 0 of a sender that does not count them.
    std::uint64_t packets() const { return sender_.packets ? sender_.packets() : 0; }
    /// Cycles from send() to the receiver.
    std::uint32_t flit_cycles() const { return flit_delay_; }
    /// Cycles from a flit's departure from the receiver to the use of its credit.
    std::uint32_t credit_cycles() const { return credit_delay_; }

    /// The link will be down (see LinkFault). Before a flit is on it; any number of times.
    void plan_fault(PacketPool& packets, DownTime down);
    /// The simulation begins: all faults so far are on the link.
    void start();
    /// Nothing if no fault is planned.
    LinkFault* fault() const { return fault_.get(); }

    /// Reports heads and tails from now on.
    void observe(LinkObserver& observer);
    bool is_watched() const { return is_watched_; }
    /// To the observer and the trace; by senders that fill buffers.
    void report(Flit flit, unsigned vc);
    /// Adds a signal `NAME.busy` to a trace file that is 1 in every cycle in which a flit enters the wire.
    void trace_activity(sc_core::sc_trace_file* file, const std::string& name);

    void on_event(std::uint32_t code, std::uint64_t data) override;

private:
    void interpose_fault();
    void send_across(Flit flit, unsigned vc, Cycle leaves);
    void return_across(unsigned vc);

    /// From the sender's clock to the receiver's.
    struct Crossing {
        ClockDomain& receiver;
        ClockCrossing forth;
        ClockCrossing back;
        Cycle free_at = 0; ///< of the receiver: a flit has come before
    };

    // What every flit touches comes first and together.
    ClockDomain& domain_;
    Receiver receiver_;
    Sender sender_;
    std::uint32_t flit_delay_;
    std::uint32_t credit_delay_;
    std::uint64_t flits_ = 0;
    bool is_watched_ = false;
    bool has_started_ = false;

    const LinkConfig config_;
    std::unique_ptr<LinkFault> fault_;
    std::unique_ptr<Crossing> crossing_;
    std::optional<ClockCrossing> reported_; ///< clock of observers; nothing: the sender's
    LinkObserver* observer_ = nullptr;
    bool is_traced_ = false;
    bool is_busy_ = false;
    Cycle busy_until_ = 0;
};

/// A link as a SystemC channel with a name.
class LinkModule final : public sc_core::sc_module, public Link {
public:
    LinkModule(const sc_core::sc_module_name& name, ClockDomain& domain, const LinkConfig& config)
        : sc_module(name), Link(domain, config)
    {
    }
};

} // namespace nocturne
