#include "models/fabric/worm_carrier.hpp"

#include "models/hardware/kernel.hpp"
#include "models/network/zero_load.hpp"

#include <algorithm>

namespace nocturne {

WormCarrier::WormCarrier(const sc_core::sc_module_name& name, const FabricPlan& plan,
                         const FabricConfig& config, ArrivalSink& sink)
    : sc_module(name), plan_(plan), sink_(sink),
      period_(exact_time(config.hardware.cycle_ns, "hardware: cycle_ns")),
      network_(plan.network, config.hardware, one_port, plan.vc_classes), hardware_(config.hardware),
      alone_(plan.requests.size() + plan.responses.size())
{
    network_.attach(*this);
    SC_HAS_PROCESS(WormCarrier);
    SC_METHOD(run);
    sensitive << due_;
    dont_initialize();
}

void WormCarrier::send(const CarriedMessage& message)
{
    // What comes before this message is decided first; it enters behind what is due in this cycle.
    network_.run_to(current_cycle());
    std::uint32_t code = 0;
    if (free_codes_.empty()) {
        code = static_cast<std::uint32_t>(entering_.size());
        entering_.push_back(message);
    } else {
        code = free_codes_.back();
        free_codes_.pop_back();
        entering_[code] = message;
    }
    network_.set_timer(current_cycle(), code);
    to_come_.push(earliest_arrival(message));
    await_arrival();
}

std::uint64_t WormCarrier::earliest_arrival(const CarriedMessage& message)
{
    Alone& alone = alone_[(message.leg == Leg::request ? 0 : plan_.requests.size()) + message.flow];
    if (alone.first_flit == 0) {
        const auto cycles = [&](std::uint64_t flits) {
            return zero_load_cycles(plan_.network, hardware_, plan_.route(message.leg, message.flow), flits);
        };
        alone = {cycles(1), cycles(2) - cycles(1)};
    }
    return current_cycle() + alone.first_flit + (message.flits - 1) * alone.each_further;
}

void WormCarrier::timer(std::uint32_t code)
{
    const CarriedMessage& message = entering_[code];
    network_.send(sending_of(plan_, message), plan_.route(message.leg, message.flow));
    free_codes_.push_back(code);
}

void WormCarrier::message_arrived(const NetworkMessage& message, ProcessorId)
{
    --late_;
    report_arrival(sink_, message);
}

void WormCarrier::run()
{
    for (; !to_come_.empty() && to_come_.top() <= current_cycle(); to_come_.pop())
        ++late_;
    network_.run_through(current_cycle());
    await_arrival();
}

void WormCarrier::await_arrival()
{
    std::uint64_t next = to_come_.empty() ? Calendar::never : to_come_.top();
    if (late_ > 0)
        next = std::min(next, network_.next_cycle());
    if (next == Calendar::never)
        return;
    const std::uint64_t at = next * period_.value();
    const std::uint64_t now = sc_core::sc_time_stamp().value();
    // Between two clock edges the present cycle has begun already.
    due_.notify(sc_core::sc_time::from_value(at > now ? at - now : 0));
}

} // namespace nocturne
