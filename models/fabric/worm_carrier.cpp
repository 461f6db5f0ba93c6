#include "models/fabric/worm_carrier.hpp"

#include "models/hardware/kernel.hpp"

namespace nocturne {

WormCarrier::WormCarrier(const sc_core::sc_module_name& name, const FabricPlan& plan,
                         const FabricConfig& config, ArrivalSink& sink)
    : sc_module(name), plan_(plan), sink_(sink),
      period_(exact_time(config.hardware.cycle_ns, "hardware: cycle_ns")),
      network_(plan.network, config.hardware, one_port, plan.vc_classes)
{
    network_.attach(*this);
    SC_HAS_PROCESS(WormCarrier);
    SC_METHOD(run);
    sensitive << due_;
    dont_initialize();
}

void WormCarrier::send(const CarriedMessage& message)
{
    // The model may be at an earlier cycle, with events that come before this message: it enters by a timer.
    std::uint32_t code = 0;
    if (free_codes_.empty()) {
        code = static_cast<std::uint32_t>(entering_.size());
        entering_.push_back(message);
    } else {
        code = free_codes_.back();
        free_codes_.pop_back();
        entering_[code] = message;
    }
    network_.set_timer(sc_core::sc_time_stamp().value() / period_.value(), code);
    await_next_event();
}

void WormCarrier::timer(std::uint32_t code)
{
    const CarriedMessage& message = entering_[code];
    network_.send(sending_of(plan_, message), plan_.route(message.leg, message.flow));
    free_codes_.push_back(code);
}

void WormCarrier::message_arrived(const NetworkMessage& message, ProcessorId)
{
    report_arrival(sink_, message);
}

void WormCarrier::run()
{
    network_.run_through(sc_core::sc_time_stamp().value() / period_.value());
    await_next_event();
}

void WormCarrier::await_next_event()
{
    const std::uint64_t next = network_.next_cycle();
    if (next == Calendar::never)
        return;
    const std::uint64_t at = next * period_.value();
    const std::uint64_t now = sc_core::sc_time_stamp().value();
    // Between two clock edges the present cycle has begun already.
    due_.notify(sc_core::sc_time::from_value(at > now ? at - now : 0));
}

} // namespace nocturne
