// A wire: flits one way, credits the other.
#pragma once

#include "models/hardware/flit.hpp"
#include "models/hardware/link_fault.hpp"

#include <systemc>

#include <cstdint>
#include <memory>

namespace nocturne {

/// Who held a link, and when: told of every head and tail as soon as the sender commits it; `at` is the cycle
/// in which it enters the wire.
class LinkObserver {
public:
    virtual void head_enters(std::uint32_t link, unsigned vc, PacketId packet, Cycle at) = 0;
    virtual void tail_enters(std::uint32_t link, unsigned vc, PacketId packet, Cycle at) = 0;

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

/// One-way link, a SystemC channel between a sender's and a receiver's port. It takes a flit every
/// `cycles_per_flit` cycles and delivers in order. A flit that the sender commits in cycle c enters the wire
/// in cycle c + departure_cycles and is at the receiver latency + (cycles_per_flit - 1) cycles later; a
/// credit returned in cycle c can be used in cycle c + 1 + latency + credit_cycles.
class Link final : public sc_core::sc_module, public Clocked, public virtual sc_core::sc_interface {
public:
    Link(const sc_core::sc_module_name& name, ClockDomain& domain, const LinkConfig& config);

    /// Credits of virtual channel v reach the sender as on_event(first_code + v, 0). Before the simulation
    /// starts.
    void connect_sender(Clocked& sender, std::uint32_t first_code);
    /// Flits on virtual channel v reach the receiver as on_event(first_code + v, Flit::word).
    void connect_receiver(Clocked& receiver, std::uint32_t first_code);

    /// By the sender, which minds cycles_per_flit.
    void send(Flit flit, unsigned vc)
    {
        ++flits_;
        domain_.schedule(domain_.now() + flit_delay_, *receiver_, receiver_code_ + vc, flit.word());
        if (is_watched_)
            report(flit, vc);
    }
    /// By the receiver, for each flit that leaves its buffer.
    void return_credit(unsigned vc)
    {
        domain_.schedule(domain_.now() + credit_delay_, *sender_, sender_code_ + vc);
    }

    const LinkConfig& config() const { return config_; }
    /// Flits taken so far, those included that were lost.
    std::uint64_t flits() const { return flits_; }
    /// Cycles from send() to the receiver.
    std::uint32_t flit_cycles() const { return flit_delay_; }

    /// The link will be down (see LinkFault). Before a flit is on it; any number of times.
    void plan_fault(PacketPool& packets, DownTime down);
    /// Nothing if no fault is planned.
    LinkFault* fault() const { return fault_.get(); }

    /// Reports heads and tails from now on.
    void observe(LinkObserver& observer);
    /// Adds a signal to a trace file that is 1 in every cycle in which a flit enters the wire.
    void trace_activity(sc_core::sc_trace_file* file);

    void on_event(std::uint32_t code, std::uint64_t data) override;

private:
    void start_of_simulation() override;
    void interpose_fault();
    void report(Flit flit, unsigned vc);

    // What every flit touches comes first and together.
    ClockDomain& domain_;
    Clocked* receiver_ = nullptr;
    Clocked* sender_ = nullptr;
    std::uint32_t receiver_code_ = 0;
    std::uint32_t sender_code_ = 0;
    std::uint32_t flit_delay_;
    std::uint32_t credit_delay_;
    std::uint64_t flits_ = 0;
    bool is_watched_ = false;

    const LinkConfig config_;
    std::unique_ptr<LinkFault> fault_;
    LinkObserver* observer_ = nullptr;
    bool is_traced_ = false;
    bool is_busy_ = false;
    Cycle busy_until_ = 0;
};

} // namespace nocturne
