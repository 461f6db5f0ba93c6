#include "models/fabric/worm_carrier.hpp"

#include "models/hardware/kernel.hpp"
#include "models/network/zero_load.hpp"

#include <algorithm>
#include <iterator>

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
    // What comes before this message is decided first. It enters by a timer: a message that has arrived in
    // this cycle may be what sends it.
    if (!is_running_)
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
    const std::uint32_t tag = sending_of(plan_, message).tag;
    if (tag >= earliest_.size())
        earliest_.resize(tag + 1);
    earliest_[tag] = earliest_arrival(message);
    to_come_.insert(earliest_[tag]);
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
    const std::uint64_t earliest = earliest_[message.tag];
    if (earliest <= current_cycle())
        --late_;
    else
        to_come_.erase(to_come_.find(earliest));
    report_arrival(sink_, message);
}

void WormCarrier::run()
{
    const auto over = to_come_.upper_bound(current_cycle());
    late_ += static_cast<std::size_t>(std::distance(to_come_.begin(), over));
    to_come_.erase(to_come_.begin(), over);
    is_running_ = true;
    network_.run_through(current_cycle());
    is_running_ = false;
    await_arrival();
}

void WormCarrier::await_arrival()
{
    if (late_ == 0 && to_come_.empty())
        return;
    const std::uint64_t first = to_come_.empty() ? Calendar::never : *to_come_.begin();
    const std::uint64_t next = late_ == 0 ? first : std::min(first, network_.next_cycle());
    if (next == Calendar::never)
        return;
    const std::uint64_t at = next * period_.value();
    const std::uint64_t now = sc_core::sc_time_stamp().value();
    // Between two clock edges the present cycle has begun already.
    due_.notify(sc_core::sc_time::from_value(at > now ? at - now : 0));
}

} // namespace nocturne
