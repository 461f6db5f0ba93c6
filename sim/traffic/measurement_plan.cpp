#include "sim/traffic/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

bool keeps_order(const Routing& routing, const MessageNetwork& network, PortModel ports)
{
    return routing.in_order() && network.plan().vcs() == 1 && ports == one_port;
}

Window window_of(const MeasurementPlan& plan)
{
    plan.validate();
    return {plan.warm_up_cycles + 1, (plan.window_cycles + plan.batches - 1) / plan.batches, plan.batches};
}

void require_time_for(const MessageNetwork& network, std::uint64_t end, double cycle_ns)
{
    if (end > network.last_cycle())
        throw std::invalid_argument(
            fmt::format("{} cycles of {} ns, warm-up, window and drain, are more than simulated time has",
                        end, cycle_ns));
}

void MeasurementPlan::validate() const
{
    const auto check = [](std::uint64_t value, std::uint64_t least, std::uint64_t most, const char* what) {
        if (value < least || value > most)
            throw std::invalid_argument(fmt::format("{} {}: from {} to {}", what, value, least, most));
    };
    check(warm_up_cycles, 0, most_cycles, "warm-up cycles");
    check(window_cycles, 2, most_cycles, "window cycles");
    check(drain_cycles, 0, most_cycles, "drain cycles");
    check(saturated_batches, 0, 1'000'000, "saturated batches");
    check(batches, 2, std::min<std::uint64_t>(window_cycles, 1'000'000), "batches");
}

} // namespace nocturne
