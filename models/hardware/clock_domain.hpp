// One clock for the whole network: it drives what is active and skips the time in which nothing is.
#pragma once

#include "models/network/event_ring.hpp"

#include <systemc>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nocturne {

/// Clock cycles since the start of the simulation.
using Cycle = std::uint64_t;

/// A component that a ClockDomain drives. In every cycle all events come first, then the ticks of the active
/// components in the order of their registration; what a component sends arrives a cycle later or more, so
/// that the order changes nothing.
class Clocked {
public:
    /// An event that was scheduled with this code and data falls due.
    virtual void on_event(std::uint32_t code, std::uint64_t data) = 0;
    /// One cycle of work; true keeps the component active for the next cycle.
    virtual bool tick() { return false; }
    /// In a large network, shortly before on_event(code, ...): what that will read may be fetched.
    virtual void fetch(std::uint32_t /*code*/) const {}

protected:
    ~Clocked() = default;
};

/// Hands events to a function of a component, which has no codes of its own left for them.
template <class Component>
class EventsOf final : public Clocked {
public:
    using Take = void (Component::*)(std::uint32_t code);
    EventsOf(Component& component, Take take) : component_(component), take_(take) {}
    void on_event(std::uint32_t code, std::uint64_t) override { (component_.*take_)(code); }

private:
    Component& component_;
    Take take_;
};

/// Calls Clocked components from ONE SystemC process that runs only in cycles in which something happens: a
/// process of its own for every router would cost a kernel activation per router and cycle, several times the
/// work itself.
class ClockDomain final : public sc_core::sc_module {
public:
    ClockDomain(const sc_core::sc_module_name& name, sc_core::sc_time period);

    /// Registers a component for activate(); returns its handle. Its ticks read and write
    /// `cache_footprint_bytes` of memory, from its own first byte on: in a large network they are fetched
    /// while another component ticks.
    std::uint32_t add(Clocked& component, std::size_t cache_footprint_bytes = 0);

    /// The present cycle, also between two cycles in which the domain runs.
    Cycle now() const { return running_ ? cycle_ : sc_core::sc_time_stamp().value() / period_.value(); }
    /// The same for what the domain drives, while it is driven.
    Cycle cycle() const { return cycle_; }
    const sc_core::sc_time& period() const { return period_; }

    /// The last cycle of which all that happens has happened.
    Cycle settled() const
    {
        if (running_)
            return cycle_ - 1;
        const Cycle begun = now();
        const bool is_between_edges = sc_core::sc_time_stamp().value() > period_.value() * begun;
        return begun == cycle_ || is_between_edges ? begun : begun - 1;
    }

    /// The last cycle that the kernel's time, and the stamps of buffers, can express.
    Cycle last_cycle() const
    {
        return std::min<Cycle>(sc_core::sc_max_time().value() / period_.value(), ~Cycle{0} >> 3);
    }

    /// `target.on_event(code, data)` at a cycle after the present one; from outside the domain, at one whose
    /// clock edge is still to come. Throws std::logic_error for a cycle that has passed, std::overflow_error
    /// for one after last_cycle().
    void schedule(Cycle at, Clocked& target, std::uint32_t code, std::uint64_t data = 0)
    {
        // Slots begin with the next cycle: the present one, and those that have passed, wrap round to large
        // numbers.
        if (!running_ || at - cycle_ - 1 >= slots - 1) [[unlikely]] {
            schedule_slowly(at, {&target, data, code});
            return;
        }
        events_.append(at, {&target, data, code});
    }

    /// A tick of the component in the present cycle; only from within on_event().
    void activate(std::uint32_t handle)
    {
        active_[handle / 64] |= 1ull << (handle % 64);
        active_words_[handle / 4096] |= 1ull << (handle / 64 % 64);
    }

    /// Cycles in which the domain ran: what the simulation cost in kernel activations.
    std::uint64_t cycles_run() const { return cycles_run_; }

private:
    struct Component {
        Clocked* component;
        std::size_t cache_footprint_bytes;
    };
    struct Event {
        Clocked* target;
        std::uint64_t data;
        std::uint32_t code;
    };
    static constexpr Cycle slots = 1024;
    using Ring = EventRing<Event, slots>;

    static void dispatch(const Event& event) { event.target->on_event(event.code, event.data); }
    void schedule_slowly(Cycle at, const Event& event);
    void run();
    void run_at(Cycle cycle);
    bool tick_active();
    void dispatch_due(std::uint32_t node);
    void dispatch_due_of_large(std::uint32_t node);
    static void fetch(const Component& component);

    sc_core::sc_time period_;
    sc_core::sc_event due_;
    Cycle cycle_ = 0;
    bool running_ = false;
    bool is_large_ = false; ///< a component has memory to be fetched
    std::uint64_t cycles_run_ = 0;
    std::vector<Component> components_;
    std::vector<std::uint64_t> active_;       ///< one bit a component
    std::vector<std::uint64_t> active_words_; ///< one bit a word of active_ that may have any
    Ring events_;
};

} // namespace nocturne
