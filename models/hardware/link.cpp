#include "models/hardware/link.hpp"

#include <algorithm>

namespace nocturne {

namespace {

// Event codes, of the trace: a flit begins to enter the wire, and has entered it.
enum LinkEvent : std::uint32_t { flit_begins, flit_entered };

} // namespace

Link::Link(ClockDomain& domain, const LinkConfig& config)
    : domain_(domain),
      flit_delay_(config.departure_cycles + config.latency_cycles + config.cycles_per_flit - 1),
      credit_delay_(1 + config.latency_cycles + config.credit_cycles), config_(config)
{
}

void Link::cross(ClockDomain& receiver, const ClockCrossing& forth, const ClockCrossing& back)
{
    crossing_ = std::make_unique<Crossing>(Crossing{receiver, forth, back});
}

void Link::send_across(Flit flit, unsigned vc, Cycle leaves)
{
    const Cycle arrival = std::max(crossing_->forth.arrival(leaves + flit_delay_), crossing_->free_at);
    crossing_->free_at = arrival + 1;
    crossing_->receiver.schedule(arrival, *receiver_.component, receiver_.first_code + vc, flit.word());
}

void Link::return_across(unsigned vc)
{
    const Cycle back = crossing_->receiver.now() + 1 + config_.latency_cycles;
    domain_.schedule(crossing_->back.arrival(back) + config_.credit_cycles, *sender_.component,
                     sender_.first_code + vc);
}

void Link::plan_fault(PacketPool& packets, DownTime down)
{
    if (!fault_) {
        fault_ = std::make_unique<LinkFault>(domain_, packets, *this);
        if (has_started_)
            interpose_fault();
    }
    fault_->add(down);
}

void Link::start()
{
    has_started_ = true;
    if (fault_)
        interpose_fault();
}

void Link::interpose_fault()
{
    fault_->connect(*sender_.component, sender_.first_code, *receiver_.component, receiver_.first_code);
    sender_.component = receiver_.component = fault_.get();
    sender_.first_code = LinkFault::credit_code;
    receiver_.first_code = LinkFault::flit_code;
    if (sender_.refresh)
        sender_.refresh();
    if (receiver_.refresh)
        receiver_.refresh();
}

void Link::observe(LinkObserver& observer)
{
    observer_ = &observer;
    is_watched_ = true;
    if (sender_.refresh)
        sender_.refresh();
}

void Link::trace_activity(sc_core::sc_trace_file* file, const std::string& name)
{
    is_traced_ = is_watched_ = true;
    if (sender_.refresh)
        sender_.refresh();
    sc_core::sc_trace(file, is_busy_, name + ".busy");
}

void Link::report(Flit flit, unsigned vc)
{
    const Cycle enters = domain_.now() + config_.departure_cycles;
    if (observer_ != nullptr) {
        const Cycle at = reported_ ? reported_->next_edge(enters) : enters;
        observer_->flit_enters(config_.index, vc, flit, at);
        if (flit.is_head())
            observer_->head_enters(config_.index, vc, flit.packet(), at);
        if (flit.is_tail())
            observer_->tail_enters(config_.index, vc, flit.packet(), at);
    }
    if (is_traced_) {
        if (enters == domain_.now())
            on_event(flit_begins, 0);
        else
            domain_.schedule(enters, *this, flit_begins);
        domain_.schedule(enters + config_.cycles_per_flit, *this, flit_entered);
        // The kernel writes what has changed when time goes on: also behind the very last flit.
        domain_.schedule(enters + config_.cycles_per_flit + 1, *this, flit_entered);
    }
}

void Link::on_event(std::uint32_t code, std::uint64_t)
{
    if (code == flit_begins)
        busy_until_ = domain_.now() + config_.cycles_per_flit;
    is_busy_ = domain_.now() < busy_until_;
}

} // namespace nocturne
