#include "models/hardware/link.hpp"

namespace nocturne {

namespace {

// Event codes, of the trace: a flit begins to enter the wire, and has entered it.
enum LinkEvent : std::uint32_t { flit_begins, flit_entered };

} // namespace

Link::Link(const sc_core::sc_module_name& name, ClockDomain& domain, const LinkConfig& config)
    : sc_module(name), domain_(domain),
      flit_delay_(config.departure_cycles + config.latency_cycles + config.cycles_per_flit - 1),
      credit_delay_(1 + config.latency_cycles + config.credit_cycles), config_(config)
{
}

void Link::connect_sender(Clocked& sender, std::uint32_t first_code)
{
    sender_ = &sender;
    sender_code_ = first_code;
}

void Link::connect_receiver(Clocked& receiver, std::uint32_t first_code)
{
    receiver_ = &receiver;
    receiver_code_ = first_code;
}

void Link::plan_fault(PacketPool& packets, DownTime down)
{
    if (!fault_) {
        fault_ = std::make_unique<LinkFault>(domain_, packets, *this);
        if (receiver_ != nullptr && sender_ != nullptr)
            interpose_fault();
    }
    fault_->add(down);
}

/// Both ends are known by now: routers and interfaces connect before their links, which are made after them.
void Link::start_of_simulation()
{
    if (fault_ && receiver_ != fault_.get())
        interpose_fault();
}

void Link::interpose_fault()
{
    fault_->connect(*sender_, sender_code_, *receiver_, receiver_code_);
    connect_sender(*fault_, LinkFault::credit_code);
    connect_receiver(*fault_, LinkFault::flit_code);
}

void Link::observe(LinkObserver& observer)
{
    observer_ = &observer;
    is_watched_ = true;
}

void Link::trace_activity(sc_core::sc_trace_file* file)
{
    is_traced_ = is_watched_ = true;
    sc_core::sc_trace(file, is_busy_, std::string(name()) + ".busy");
}

void Link::report(Flit flit, unsigned vc)
{
    const Cycle enters = domain_.now() + config_.departure_cycles;
    if (observer_ != nullptr) {
        if (flit.is_head())
            observer_->head_enters(config_.index, vc, flit.packet(), enters);
        if (flit.is_tail())
            observer_->tail_enters(config_.index, vc, flit.packet(), enters);
    }
    if (is_traced_) {
        if (enters == domain_.now())
            on_event(flit_begins, 0);
        else
            domain_.schedule(enters, *this, flit_begins);
        domain_.schedule(enters + config_.cycles_per_flit, *this, flit_entered);
    }
}

void Link::on_event(std::uint32_t code, std::uint64_t)
{
    if (code == flit_begins)
        busy_until_ = domain_.now() + config_.cycles_per_flit;
    is_busy_ = domain_.now() < busy_until_;
}

} // namespace nocturne
